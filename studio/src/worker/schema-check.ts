import {
  all,
  anyOf,
  array,
  type Check,
  figure,
  flag,
  list,
  oneOf,
  optional,
  record,
  shape,
  text,
  tuple,
} from '../core/session/check.ts';

/** What scripts/schema.mjs writes of JSON schema. `array` is the name of a typed array. */
export interface Schema {
  $ref?: string;
  $defs?: Record<string, Schema>;
  const?: unknown;
  enum?: readonly unknown[];
  anyOf?: readonly Schema[];
  array?: string;
  type?: string;
  items?: Schema | boolean;
  prefixItems?: readonly Schema[];
  properties?: Record<string, Schema>;
  required?: readonly string[];
  additionalProperties?: Schema | boolean;
}

const TYPES: Record<string, Check> = { string: text, number: figure, boolean: flag, null: oneOf([null, undefined]) };

/** A check of the form that a schema describes. Fields that it does not know are ignored. */
export function checkOfSchema(schema: Schema): Check {
  const named = new Map<string, Check>();
  const checkOf = (of: Schema | boolean): Check => {
    if (typeof of === 'boolean') return () => {};
    if (of.$ref) {
      const name = of.$ref.slice('#/$defs/'.length);
      return (value, what) => named.get(name)!(value, what);
    }
    if (of.anyOf) return anyOf(of.anyOf.map(checkOf));
    if (of.enum) return oneOf(of.enum);
    if ('const' in of) return oneOf([of.const]);
    if (of.array) return array(globalThis[of.array as 'Float32Array']);
    if (of.prefixItems) return tuple(of.prefixItems.map(checkOf));
    if (of.type === 'array') return list(checkOf(of.items!));
    if (of.type === 'object') return objectOf(of);
    return TYPES[of.type!];
  };
  const objectOf = ({ properties = {}, required = [], additionalProperties = false }: Schema): Check => {
    const fields = Object.entries(properties).map(([name, field]) => {
      const check = checkOf(field);
      return [name, required.includes(name) ? check : optional(check)] as const;
    });
    return all(shape(Object.fromEntries(fields)), record(optional(checkOf(additionalProperties))));
  };
  for (const [name, definition] of Object.entries(schema.$defs ?? {})) named.set(name, checkOf(definition));
  return checkOf(schema);
}
