import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { newDesk, root } from './pliant.ts';
import { expectToFit, schema } from './schema.ts';

it('is what the types say', () => {
  const script = join(root, 'scripts/schema.mjs');
  const { status, stderr } = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
}, 60_000);

it('has every verb that answers, and errors', () => {
  const verbs = schema.$defs.Printed.anyOf.map(({ properties }) => properties?.verb?.const ?? 'error').sort();
  const answering = 'convert demo drive error fit info learn linearize measure mix sample skin weights';
  expect(verbs).toEqual(answering.split(' '));
});

it('fits what is printed, and nothing else', () => {
  const { json } = newDesk();
  const answer = json('sample'); // Every answer of the other tests is held to the schema, too.
  expect(() => expectToFit({ ...answer, more: 1 })).toThrow();
  expect(() => expectToFit({ ...answer, figures: { rmse: 1 } })).toThrow();
  expect(() => expectToFit({ error: { code: 'odd' } })).toThrow();
});
