import type { SequenceGlbOptions } from '../io/glb/options.ts';
import { writeSequenceGlb } from '../io/write-glb.ts';
import { pickFrames } from '../model/frames.ts';
import { splitVertexCount } from '../model/mesh.ts';
import type { RunOptions } from '../model/options.ts';
import type { MeshSequence } from '../model/sequence.ts';

/** Size of a motion as morph targets: what a fit is compared with. */
export interface MorphBaseline {
  bytes: number;
  /** True where the file would be so large that only a part of it was written to tell. */
  estimated: boolean;
}

/** Morph targets beyond this many bytes, before compression, are not written whole just to know their size. */
const MAX_BYTES = 40e6;

/** Measures, or estimates, the size of a motion as morph targets, written with the options of `glb`. */
export async function morphBaseline(
  parts: readonly MeshSequence[],
  { normals, uvs, materials, names, reorder, quantize, compress }: Partial<SequenceGlbOptions>,
  run: RunOptions,
): Promise<MorphBaseline> {
  const options = { normals, uvs, materials, names, reorder, quantize, compress, signal: run.signal };
  const onProgress = (done: number, total: number) => run.onProgress?.(done, total, 'comparing with morph targets');
  const sizeOf = async (sequences: readonly MeshSequence[]) =>
    (await writeSequenceGlb(sequences, { ...options, onProgress })).bytes.length;
  const spread = (count: number): MeshSequence[] =>
    parts.map((part) => pickFrames(part, count, (k) => Math.floor((k * part.frameCount) / count)));

  const frames = Math.max(...parts.map(({ frameCount }) => frameCount));
  const perFrame = parts.reduce((sum, { rest }) => sum + 12 * splitVertexCount(rest), 0);
  if (frames * perFrame <= MAX_BYTES) return { bytes: await sizeOf(parts), estimated: false };
  // Size is that of the mesh plus so much per frame: two files of few frames, spread over the motion, tell both.
  const count = Math.max(2, Math.floor(MAX_BYTES / 4 / perFrame));
  const [one, many] = [await sizeOf(spread(1)), await sizeOf(spread(count))];
  return { bytes: Math.round(one + ((many - one) / (count - 1)) * (frames - 1)), estimated: true };
}
