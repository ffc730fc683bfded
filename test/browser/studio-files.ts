import { writeModelGlb, writeSequenceGlb } from '../../src/io/write-glb.ts';
import { type MeshSequence, memorySequence } from '../../src/model/sequence.ts';
import { makeSample } from '../../src/samples.ts';

const made = new Map<string, Promise<Uint8Array>>();

/** A sample as a file of about so many vertices and frames, made once. */
export function glbOf(sample: string, resolution: number, frames: number): Promise<Uint8Array> {
  const key = `${sample} ${resolution} ${frames}`;
  if (!made.has(key)) made.set(key, write(sample, resolution, frames));
  return made.get(key)!;
}

async function write(sample: string, resolution: number, frames: number): Promise<Uint8Array> {
  const { sequence, model } = await makeSample(sample, { resolution, frames });
  return (sequence ? await writeSequenceGlb(sequence) : await writeModelGlb(model!)).bytes;
}

/** A flag that is fitted in a second or two. */
export const smallFlag = (): Promise<Uint8Array> => glbOf('flag', 200, 16);

/** A square of side² vertices in a wave, made at once. */
export function wavingSheet(side: number, frameCount: number): MeshSequence {
  const triangles: number[] = [];
  for (let row = 0; row < side - 1; row++) {
    for (let at = row * side; at < row * side + side - 1; at++) {
      triangles.push(at, at + 1, at + side, at + 1, at + side + 1, at + side);
    }
  }
  const pose = (time: number) =>
    Float32Array.from({ length: 3 * side * side }, (_, c) => {
      const [x, z] = [Math.floor(c / 3) % side, Math.floor(c / 3 / side)].map((at) => at / (side - 1));
      return [x, 0.1 * x * Math.sin(6 * x + 3 * z + time), z][c % 3];
    });
  const rest = { positions: pose(0), triangles: Uint32Array.from(triangles) };
  const frames = Array.from({ length: frameCount }, (_, k) => pose(0.2 * k));
  return memorySequence('sheet', rest, frames);
}
