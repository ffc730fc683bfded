import { clothRun } from '../../../src/doors/cloth.ts';
import { writeAlembic, writeSequenceGlb } from '../../../src/index.ts';
import { distinctNotes } from '../../../src/model/note.ts';
import { assetOf } from '../../../src/verbs/verb.ts';
import { windVelocity } from '../core/cloth/dress.ts';
import { blobSink } from './blob-sink.ts';
import { dressed } from './garment.ts';
import type { JobTable } from './protocol.ts';

const TYPES = { glb: 'model/gltf-binary', abc: 'application/octet-stream' };

/** Simulates a garment on a clip, as `pliant cloth run` does, and writes it. */
export const clothFileJob: JobTable['clothFile'] = async ({ dress, model, breeze, bending, format }, run) => {
  const { body, garment, trained } = dressed(dress, model);
  const { coarseVertices, collider, thickness, settle } = dress.options;
  const { sequences, report } = await clothRun(
    trained ? { ...assetOf(garment.mesh), cloths: [trained] } : garment.mesh,
    {
      ...{ collider, thickness, settle, bending },
      ...(!trained && { coarseVertices }),
      body,
      ...(!trained && garment.pinned.length > 0 && { pinVertices: garment.pinned.join() }),
      ...(breeze.speed > 0 && { wind: windVelocity(breeze).join() }),
      ...run,
    },
  );
  const sink = blobSink();
  const notes = [...report.notes];
  if (format === 'abc') notes.push(...(await writeAlembic(sequences, sink, run)).report.notes);
  else {
    const written = await writeSequenceGlb(sequences, { ...run, morphNormals: true });
    await sink.write(written.bytes);
    notes.push(...written.report.notes);
  }
  return { file: sink.blob(TYPES[format]), notes: distinctNotes(notes) };
};
