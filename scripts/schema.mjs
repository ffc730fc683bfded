// `npm run schema`: writes schema/pliant.schema.json, the JSON schema of what `pliant … --json` prints, from the types in
// src/verbs/envelope.ts. With --check it only compares, and fails on a difference.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const source = join(root, 'src/verbs/envelope.ts');
const target = join(root, 'schema/pliant.schema.json');

const { config } = ts.readConfigFile(join(root, 'tsconfig.core.json'), ts.sys.readFile);
const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
const program = ts.createProgram([source], { ...options, noEmit: true });
const checker = program.getTypeChecker();

/** Named types → their schemas. */
const definitions = {};
const names = new Map();

const is = (type, flag) => (type.flags & flag) !== 0;
const TYPED_ARRAY = /^(Float|Int|Uint)\d+(Clamped)?Array$/;

const describe = (schema, symbol) => {
  const description = symbol && ts.displayPartsToString(symbol.getDocumentationComment(checker)).replaceAll('\n', ' ');
  return description ? { description, ...schema } : schema;
};

/** What JSON makes of a type. In arrays `undefined` becomes null, elsewhere it is left out. */
function schemaOf(type, inArray = false) {
  const alias = type.aliasTypeArguments ? undefined : type.aliasSymbol;
  const isInterface = type.isClassOrInterface() && !type.typeParameters && /^[A-Z]/.test(type.symbol.name);
  const symbol = alias ?? (isInterface && !TYPED_ARRAY.test(type.symbol.name) ? type.symbol : undefined);
  return symbol ? defined(type, symbol) : inlineOf(type, inArray);
}

/** Types with a name are defined once. */
function defined(type, symbol) {
  if (!names.has(type)) {
    const name = symbol.name in definitions ? `${symbol.name}${Object.keys(definitions).length}` : symbol.name;
    names.set(type, name);
    definitions[name] = {};
    definitions[name] = describe(inlineOf(type), symbol);
  }
  return { $ref: `#/$defs/${names.get(type)}` };
}

function inlineOf(type, inArray = false) {
  if (type.isStringLiteral() || type.isNumberLiteral()) return { const: type.value };
  if (is(type, ts.TypeFlags.BooleanLiteral)) return { const: checker.typeToString(type) === 'true' };
  if (is(type, ts.TypeFlags.String)) return { type: 'string' };
  if (is(type, ts.TypeFlags.Number)) return { type: 'number' };
  if (is(type, ts.TypeFlags.Boolean)) return { type: 'boolean' };
  if (is(type, ts.TypeFlags.Undefined | ts.TypeFlags.Null)) return { type: 'null' };
  if (is(type, ts.TypeFlags.Never)) return false;
  if (type.isUnion()) return unionOf(type, inArray);
  const name = type.symbol?.name ?? '';
  if (TYPED_ARRAY.test(name)) return { type: 'array', items: { type: 'number' } };
  if (checker.isTupleType(type)) {
    const items = checker.getTypeArguments(type).map((item) => schemaOf(item, true));
    return { type: 'array', prefixItems: items, minItems: items.length, items: false };
  }
  if (checker.isArrayType(type)) return { type: 'array', items: schemaOf(checker.getTypeArguments(type)[0], true) };
  if (is(type, ts.TypeFlags.Object | ts.TypeFlags.Intersection)) return objectOf(type);
  throw new Error(`schema: cannot describe ${checker.typeToString(type)}`);
}

function unionOf(type, inArray) {
  const members = type.types.filter((member) => inArray || !is(member, ts.TypeFlags.Undefined));
  const isLiteral = (member) => member.isStringLiteral();
  const literals = members.filter(isLiteral).map((member) => member.value);
  const booleans = members.filter((member) => is(member, ts.TypeFlags.BooleanLiteral));
  const others = members.filter(
    (member) => !isLiteral(member) && !(booleans.length === 2 && booleans.includes(member)),
  );
  const schemas = [
    ...(literals.length > 0 ? [{ enum: literals }] : []),
    ...(booleans.length === 2 ? [{ type: 'boolean' }] : []),
    ...others.map((member) => schemaOf(member)),
  ];
  return schemas.length === 1 ? schemas[0] : { anyOf: schemas };
}

function objectOf(type) {
  const properties = {};
  const required = [];
  for (const property of checker.getPropertiesOfType(type)) {
    const propertyType = checker.getTypeOfSymbol(property);
    if (propertyType.getCallSignatures().length > 0) continue;
    properties[property.name] = describe(schemaOf(propertyType), property);
    const mayLack = propertyType.isUnion() && propertyType.types.some((member) => is(member, ts.TypeFlags.Undefined));
    const optional = (property.flags & ts.SymbolFlags.Optional) !== 0;
    if (!optional && !mayLack) required.push(property.name);
  }
  const index = checker.getIndexTypeOfType(type, ts.IndexKind.String);
  return {
    type: 'object',
    properties,
    ...(required.length > 0 && { required }),
    additionalProperties: index ? schemaOf(index) : false,
  };
}

const file = program.getSourceFile(source);
const [answer] = checker
  .getExportsOfModule(checker.getSymbolAtLocation(file))
  .filter((symbol) => symbol.name === 'Printed')
  .map((symbol) => checker.getDeclaredTypeOfSymbol(symbol));
const schema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'What pliant prints with --json',
  ...schemaOf(answer),
  $defs: definitions,
};
const text = `${JSON.stringify(schema, null, 2)}\n`;

if (!process.argv.includes('--check')) {
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, text);
} else if (!existsSync(target) || readFileSync(target, 'utf8') !== text) {
  console.error('schema/pliant.schema.json is not what the types say: run `npm run schema`.');
  process.exit(1);
}
