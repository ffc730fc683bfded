import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { expect } from 'vitest';

/** The shipped schema of what `--json` prints. */
export const schema = JSON.parse(readFileSync(new URL('../../schema/pliant.schema.json', import.meta.url), 'utf8')) as {
  $defs: { Printed: { anyOf: Branch[] } } & Record<string, Branch>;
};

/** What one verb prints, or an error. */
type Branch = { $ref?: string; properties?: { verb?: { const: string }; notes?: { items: { $ref: string } } } };

/** What the branches of the schema are about: a verb, or an error. */
export function verbOf({ $ref, properties }: Branch): string {
  const { verb } = properties ?? schema.$defs[$ref!.replace('#/$defs/', '')].properties ?? {};
  return verb?.const ?? 'error';
}

const validators = new Map<string, ValidateFunction>();

function validatorOf(verb: string): ValidateFunction {
  const known = validators.get(verb);
  if (known) return known;
  const branch = schema.$defs.Printed.anyOf.find((each) => verbOf(each) === verb);
  const validate = new Ajv2020({ allowUnionTypes: true }).compile({ ...branch, $defs: schema.$defs });
  validators.set(verb, validate);
  return validate;
}

/** An answer as the schema has it. */
export function expectToFit(answer: { verb?: string; error?: object }): void {
  const validate = validatorOf(answer.verb ?? 'error');
  validate(answer);
  expect(validate.errors ?? []).toEqual([]);
}
