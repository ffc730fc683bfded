import { vertexCount } from '../model/mesh.ts';
import { note } from '../model/note.ts';
import { numberOption, type OptionSpecs, type OptionsOf, type RunOptions, resolveOptions } from '../model/options.ts';
import { emptyReport, type Report } from '../model/report.ts';
import type { MeshSequence } from '../model/sequence.ts';
import type { ByteSink } from './files.ts';
import { writeCacheFrames } from './point-cache.ts';
import { PC2_HEADER_BYTES, PC2_MAGIC } from './read-pc2.ts';

/** PC2, the point cache of 3ds Max and Blender: the frames of a sequence, without its faces. */

export const WRITE_PC2_OPTIONS = {
  framesPerSecond: numberOption(24, { min: 1e-3, unit: 'frames per second' }, 'frame rate of the cache'),
} as const satisfies OptionSpecs;

/** Options of `writePc2`. */
export type WritePc2Options = OptionsOf<typeof WRITE_PC2_OPTIONS>;

/** How far times may be from an even spacing, as a fraction of it, before the report says so: float32 rounding. */
const UNEVEN = 1e-3;

/** Writes the frames one by one; never more than one is in memory. The caller closes the sink. */
export async function writePc2(
  sequence: MeshSequence,
  sink: ByteSink,
  options: Partial<WritePc2Options> & RunOptions = {},
): Promise<{ report: Report }> {
  const operation = 'writePc2';
  const { framesPerSecond } = resolveOptions(WRITE_PC2_OPTIONS, options, operation);
  const { rest, frameCount, times } = sequence;
  const report = emptyReport(operation);
  const n = vertexCount(rest);

  // (1) The header. Frames of a PC2 are evenly spaced.
  const step = frameCount > 1 ? (times[frameCount - 1] - times[0]) / (frameCount - 1) : 1 / framesPerSecond;
  if (times.some((time, k) => Math.abs(time - times[0] - k * step) > UNEVEN * step)) {
    report.notes.push(note('times-evened', { format: 'PC2' }));
  }
  const header = new DataView(new ArrayBuffer(PC2_HEADER_BYTES));
  for (let c = 0; c < PC2_MAGIC.length; c++) header.setUint8(c, PC2_MAGIC.charCodeAt(c));
  header.setInt32(12, 1, true);
  header.setInt32(16, n, true);
  header.setFloat32(20, times[0] * framesPerSecond, true);
  header.setFloat32(24, step * framesPerSecond, true);
  header.setInt32(28, frameCount, true);
  await sink.write(new Uint8Array(header.buffer));

  // (2) The frames.
  await writeCacheFrames(sequence, sink, true, operation, options);
  report.figures.bytes = PC2_HEADER_BYTES + frameCount * 12 * n;
  return { report };
}
