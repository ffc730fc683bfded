import { sheet } from '../../src/cloth/shapes.ts';
import { clothRun } from '../../src/doors/cloth.ts';
import { fit, memorySequence, sample, writeSequenceGlb } from '../../src/index.ts';

/** Files that only one verb makes. */
export interface Scene {
  file: string;
  verb: string;
  make(): Promise<Uint8Array>;
}

export const SCENES: readonly Scene[] = [
  { file: 'a sheet that is sheared and squashed', verb: 'fit, max size', make: fittedSheet },
  { file: 'cape on the sample figure', verb: 'cloth run', make: wornCape },
];

/** A sheet that hangs on the shoulders of the sample figure, as it walks; normals as the command line stores them. */
async function wornCape(): Promise<Uint8Array> {
  const { models } = await sample('figure', { resolution: 2500, frames: 8 });
  const cape = sheet('cape', 240, [0.2, 1.42, -0.16], [-0.4, 0, 0], [0, -0.9, 0]);
  const { sequences } = await clothRun(cape, { body: models[0], clip: 'walk', pinVertices: '0-5', coarseVertices: 60 });
  return (await writeSequenceGlb(sequences, { morphNormals: true })).bytes;
}

const SIZE = 80_000;

/** Sheared in two directions, more and more along its length, and squashed: affine bones say in few what others need many for. */
async function fittedSheet(): Promise<Uint8Array> {
  const rest = sheet('sheet', 900, [-1, 0, -0.5], [2, 0, 0], [0, 0, 1]);
  const frames = Array.from({ length: 16 }, (_, k) => {
    const phase = (2 * Math.PI * k) / 16;
    const out = rest.positions.slice();
    for (let i = 0; i < out.length; i += 3) {
      const [x, y, z] = rest.positions.subarray(i, i + 3);
      const amount = Math.sin(phase) * (0.6 + 0.5 * x);
      out[i] = x * (1 + 0.3 * Math.sin(2 * phase)) + amount * z;
      out[i + 1] = y + 0.5 * Math.cos(phase) * x * z;
      out[i + 2] = z * (1 - 0.5 * Math.sin(phase) ** 2) + 0.4 * amount * x;
    }
    return out;
  });
  const times = Float64Array.from(frames, (_, k) => k / 24);
  const sequence = memorySequence('sheet', rest, frames, times);
  const { file, report } = await fit(sequence, { maxSize: SIZE, baseline: false, glb: {} });
  const { kind } = report.notes.find(({ code }) => code === 'bones-for-size')!.data as { kind: string };
  if (kind !== 'affine') throw new Error(`fit chose ${kind} bones for ${SIZE} bytes (expected affine)`);
  return file!;
}
