import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { newDesk, root, VERBS } from './pliant.ts';
import { expectToFit, schema, verbOf } from './schema.ts';

it('is what the types say', () => {
  const script = join(root, 'scripts/schema.mjs');
  const { status, stderr } = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
}, 180_000);

it('has every verb that answers, and errors', () => {
  const verbs = schema.$defs.Printed.anyOf.map(verbOf);
  const answering = VERBS.filter((verb) => !['completion', 'help', 'studio'].includes(verb));
  expect(verbs.sort()).toEqual([...answering, 'error'].sort());
});

it('defines notes once, not once per verb', () => {
  const notes = schema.$defs.Printed.anyOf.flatMap(({ properties }) => properties?.notes?.items ?? []);
  expect(new Set(notes.map(({ $ref }) => $ref)).size).toBe(1);
  expect(notes[0].$ref).toMatch(/^#\/\$defs\//);
});

it('fits what is printed, and nothing else', () => {
  const { json } = newDesk();
  const answer = json('sample'); // Every answer of the other tests is held to the schema, too.
  expect(() => expectToFit({ ...answer, more: 1 })).toThrow();
  expect(() => expectToFit({ ...answer, figures: { rmse: 1 } })).toThrow();
  expect(() => expectToFit({ error: { code: 'odd' } })).toThrow();
});
