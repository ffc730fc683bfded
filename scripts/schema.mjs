// `npm run schema`: writes JSON schemas from types. With --check it only compares, and fails on a difference.
//
//   schema/pliant.schema.json               what `pliant … --json` prints, from src/verbs/envelope.ts
//   studio/src/worker/session.schema.json   what a session of the studio holds. `array` names a typed array.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const PRINTED = {
  source: 'src/verbs/envelope.ts',
  type: 'Printed',
  target: 'schema/pliant.schema.json',
  head: { $schema: 'https://json-schema.org/draft/2020-12/schema', title: 'What pliant prints with --json' },
};
const SESSION = {
  source: 'studio/src/core/session/session.ts',
  type: 'SessionData',
  target: 'studio/src/worker/session.schema.json',
  /** Only the form matters: no descriptions, and typed arrays by their names. */
  bare: true,
};

const { config } = ts.readConfigFile(join(root, 'studio/tsconfig.json'), ts.sys.readFile);
const { options } = ts.parseJsonConfigFileContent(config, ts.sys, join(root, 'studio'));
const sources = [PRINTED, SESSION].map(({ source }) => join(root, source));
const program = ts.createProgram(sources, { ...options, noEmit: true });
const checker = program.getTypeChecker();

for (const of of [PRINTED, SESSION]) compare(of.target, schemaText(of));

function schemaText({ source, type, head, bare = false }) {
  /** Named types → their schemas. */
  const definitions = {};
  const names = new Map();

  const is = (type, flag) => (type.flags & flag) !== 0;
  const TYPED_ARRAY = /^(Float|Int|Uint)\d+(Clamped)?Array$/;

  const describe = (schema, symbol) => {
    if (bare || !symbol) return schema;
    const comment = ts.displayPartsToString(symbol.getDocumentationComment(checker)).replaceAll('\n', ' ');
    const description = comment || wordsOf(symbol);
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
    if (is(type, ts.TypeFlags.Unknown)) return true;
    if (type.isUnion()) return unionOf(type, inArray);
    const name = type.symbol?.name ?? '';
    if (TYPED_ARRAY.test(name) && bare) return { array: name };
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

  const file = program.getSourceFile(join(root, source));
  const [found] = checker
    .getExportsOfModule(checker.getSymbolAtLocation(file))
    .filter((symbol) => symbol.name === type)
    .map((symbol) => checker.getDeclaredTypeOfSymbol(symbol));
  const schema = { ...head, ...schemaOf(found), $defs: definitions };
  return `${bare ? lineEach(schema) : JSON.stringify(schema, null, 2)}\n`;
}

/** The words of a line in a table: `bytes: ['size', 'bytes']` → `size, bytes`. */
function wordsOf({ declarations: [line] = [] }) {
  const words = line && ts.isPropertyAssignment(line) && ts.isArrayLiteralExpression(line.initializer);
  return words ? line.initializer.elements.map(({ text }) => text).join(', ') : '';
}

/** JSON with one definition per line. */
function lineEach({ $defs, ...schema }) {
  const lines = Object.entries($defs).map(([name, definition]) => `"${name}": ${JSON.stringify(definition)}`);
  return `${JSON.stringify(schema).slice(0, -1)}, "$defs": {\n${lines.join(',\n')}\n}}`;
}

function compare(target, text) {
  const path = join(root, target);
  if (!process.argv.includes('--check')) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  } else if (!existsSync(path) || readFileSync(path, 'utf8') !== text) {
    console.error(`${target} is not what the types say: run \`npm run schema\`.`);
    process.exitCode = 1;
  }
}
