import { PliantError } from '../error.ts';
import { vertexCount } from '../model/mesh.ts';
import type { RunOptions } from '../model/options.ts';
import { emptyReport, type Report } from '../model/report.ts';
import type { MeshSequence } from '../model/sequence.ts';
import type { ByteSink } from './files.ts';
import { firstUnorderedTime, writeCacheFrames } from './point-cache.ts';
import { MDD_HEADER_BYTES } from './read-mdd.ts';

/**
 * MDD, the motion cache of LightWave: the frames of a sequence and their times, without its faces. Big-endian; the
 * layout is in read-mdd.ts. The caller closes the sink.
 */
export async function writeMdd(
  sequence: MeshSequence,
  sink: ByteSink,
  run: RunOptions = {},
): Promise<{ report: Report }> {
  const operation = 'writeMdd';
  const { rest, frameCount, times } = sequence;
  const n = vertexCount(rest);
  const stored = Float64Array.from(times, Math.fround);
  const still = firstUnorderedTime(stored);
  if (still >= 0) {
    const cause = `the times of frames ${still - 1} and ${still} are equal in float32 (got ${times[still]} s, expected increasing)`;
    throw new PliantError('bad-input', operation, cause);
  }

  const header = new DataView(new ArrayBuffer(MDD_HEADER_BYTES + 4 * frameCount));
  header.setInt32(0, frameCount);
  header.setInt32(4, n);
  stored.forEach((time, k) => {
    header.setFloat32(MDD_HEADER_BYTES + 4 * k, time);
  });
  await sink.write(new Uint8Array(header.buffer));
  await writeCacheFrames(sequence, sink, false, operation, run);

  const report = emptyReport(operation);
  report.figures.bytes = header.byteLength + frameCount * 12 * n;
  return { report };
}
