import { writeModelGlb, writeSequenceGlb } from '../../src/io/write-glb.ts';
import { makeSample } from '../../src/samples.ts';

/** A sample as a file of about so many vertices and frames. */
export async function glbOf(sample: string, resolution: number, frames: number): Promise<Uint8Array> {
  const { sequence, model } = await makeSample(sample, { resolution, frames });
  return (sequence ? await writeSequenceGlb(sequence) : await writeModelGlb(model!)).bytes;
}

/** A flag that is fitted in a second or two. */
export const smallFlag = (): Promise<Uint8Array> => glbOf('flag', 200, 16);
