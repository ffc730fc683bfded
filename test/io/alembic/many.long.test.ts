import { expect, it } from 'vitest';
import { schemaMeta, schemaObjectMeta } from '../../../src/io/alembic/meta-data.ts';
import { SCHEMAS } from '../../../src/io/alembic/schemas.ts';
import { note } from '../../../src/model/note.ts';
import { addInstance, addMesh, archiveOf, openBytes } from './fixtures.ts';

/** So many that work which grows with their square would take minutes: each opens in a second or two. */
const MANY = 20_000;

it('an archive of many properties', async () => {
  const bytes = await archiveOf(async (top) => {
    const mesh = top.child('m', schemaObjectMeta(SCHEMAS.polyMesh, '.geom', true));
    const geom = mesh.properties.compound('.geom', schemaMeta(SCHEMAS.polyMesh, true));
    for (let n = 0; n < MANY; n++) await geom.scalar(`p${n}`, { pod: 'int8' }).set(Uint8Array.of(1));
  });
  expect((await openBytes(bytes)).notes).toEqual([note('object-not-read', { reason: 'no-faces' }, '/m')]);
});

it('an archive of many meshes', async () => {
  const bytes = await archiveOf(async (top) => {
    for (let n = 0; n < MANY; n++) top.child(`m${n}`, schemaObjectMeta(SCHEMAS.polyMesh, '.geom', true));
  });
  expect((await openBytes(bytes)).notes).toHaveLength(MANY);
});

it('an archive of many instances', async () => {
  const bytes = await archiveOf(async (top) => {
    for (let n = 0; n < MANY; n++) await addInstance(top, `i${n}`, '/m');
    await addMesh(top, 'm');
  });
  expect((await openBytes(bytes)).meshes).toHaveLength(MANY + 1);
});
