/** How hard a motion is to predict: how fast the coarse cloth moves, and how far its shapes are from those of the training. */
import { rigidBetween, someOf } from '../src/cloth/body-motion.ts';
import { comparedFrom } from '../src/cloth/compare.ts';
import type { ClothPair } from '../src/cloth/pairs.ts';
import { transformPoint34 } from '../src/math/matrix34.ts';
import { diagonalOf } from '../src/mesh/bounds.ts';

export interface MotionFigures {
  name: string;
  use: ClothPair['use'];
  frames: number;
  /** RMS over vertices and frames, m/s. */
  speed: number;
  /** To the nearest shape of the training motions, of the others for one of them; mean over frames, % of the diagonal. */
  distance: number;
}

/** Of all motions of a scene. */
export async function motionFigures(pairs: readonly ClothPair[]): Promise<MotionFigures[]> {
  const motions: { pair: ClothPair; frames: Float32Array[] }[] = [];
  for (const pair of pairs) {
    const frames: Float32Array[] = [];
    for (let k = 0; k < pair.coarse.frameCount; k++) frames.push(Float32Array.from(await pair.coarse.readFrame(k)));
    motions.push({ pair, frames });
  }
  return motions.map(({ pair, frames }) => {
    const { name, use, coarse } = pair;
    const others = motions.filter((motion) => motion.pair.use === 'train' && motion.pair !== pair);
    const known = others.flatMap((motion) => motion.frames);
    const compared = frames.slice(comparedFrom(frames.length));
    const steps = frames.slice(1).map((frame, k) => rms(frame, frames[k]) / (coarse.times[k + 1] - coarse.times[k]));
    return {
      name,
      use,
      frames: frames.length,
      speed: Math.sqrt(mean(steps.map((x) => x * x))),
      distance: (100 * mean(compared.map((frame) => nearest(frame, known)))) / diagonalOf(coarse.rest.positions),
    };
  });
}

/** RMS distance to the nearest of some shapes, each moved by the rigid motion that brings it nearest. */
function nearest(frame: Float32Array, known: readonly Float32Array[]): number {
  const moved = new Float32Array(frame.length);
  const distances = known.map((shape) => {
    const motion = rigidBetween(shape, frame, someOf(shape));
    for (let o = 0; o < shape.length; o += 3) transformPoint34(moved, o, motion, 0, shape, o);
    return rms(moved, frame);
  });
  return Math.min(...distances);
}

function rms(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let c = 0; c < a.length; c++) sum += (a[c] - b[c]) ** 2;
  return Math.sqrt((3 * sum) / a.length);
}

const mean = (xs: readonly number[]): number => xs.reduce((sum, x) => sum + x, 0) / xs.length;
