import { fittedSequence } from '../../../src/fit/clips.ts';
import { type MeshSequence, writeAlembic, writeObj, writePc2, writeSequenceGlb } from '../../../src/index.ts';
import { mergeSequences } from '../../../src/mesh/merge-sequences.ts';
import { asSequence } from '../core/content/content.ts';
import { blobSink } from './blob-sink.ts';
import { fittedParts } from './fitted-parts.ts';
import type { Jobs, JobTable } from './protocol.ts';

/** A motion, or what a fit makes of it, as positions of vertices. */
export const sequenceFileJob: JobTable['sequenceFile'] = async (input, run) => {
  const sequences = await motionOf(input);
  const sink = blobSink();
  try {
    if (input.format === 'abc') {
      await writeAlembic(sequences, sink, run);
      return [{ ending: '.abc', file: sink.blob('application/octet-stream') }];
    }
    if (input.format === 'pc2') {
      // A cache has positions alone: the mesh that it moves goes with it.
      const { sequence } = mergeSequences(sequences);
      await writePc2(sequence, sink, run);
      const mesh = new Blob([new Uint8Array(writeObj(sequence.rest))], { type: 'text/plain' });
      return [
        { ending: '.pc2', file: sink.blob('application/octet-stream') },
        { ending: '.obj', file: mesh },
      ];
    }
    const { bytes } = await writeSequenceGlb(sequences, { ...run, morphNormals: true });
    return [{ ending: '-morphs.glb', file: new Blob([new Uint8Array(bytes)], { type: 'model/gltf-binary' }) }];
  } finally {
    for (const sequence of sequences) await sequence.close?.();
  }
};

async function motionOf({ parts, fit }: Jobs['sequenceFile']['input']): Promise<MeshSequence[]> {
  if (!fit) return parts.map(asSequence);
  const { fitted, parts: frames } = await fittedParts(parts, fit.options);
  return frames.map((sequence, p) => fittedSequence(fit.models[p], { sequence, clips: fitted.clips }));
}
