import { MATRIX_STRIDE } from '../math/matrix34.ts';
import type { LightSpheres } from '../model/light.ts';

/** How morphs move spheres: per morph 4S, and how much of each is dialled in. */
export interface SphereMorphs {
  morphs: readonly Float32Array[];
  weights: ArrayLike<number>;
}

/** Spheres in a pose. */
export interface PosedSpheres {
  count: number;
  /** 4S: x y z and radius. */
  balls: Float32Array;
  /** S. */
  opacities: Float32Array;
}

/**
 * Spheres in a pose, into `balls` (4S) if given. `transforms` are the 12B matrices of the bones, rest → pose. A bone
 * that scales scales the radius by the cube root of its volume; several, by the mean of theirs.
 */
export function poseSpheres(
  { count, centres, radii, opacities, joints, weights }: LightSpheres,
  transforms: ArrayLike<number>,
  dialled?: SphereMorphs,
  balls: Float32Array = new Float32Array(4 * count),
): PosedSpheres {
  for (let s = 0; s < count; s++) {
    let x = centres[3 * s];
    let y = centres[3 * s + 1];
    let z = centres[3 * s + 2];
    let radius = radii[s];
    for (let m = 0; dialled && m < dialled.morphs.length; m++) {
      const amount = dialled.weights[m] ?? 0;
      if (amount === 0) continue;
      const moved = dialled.morphs[m];
      x += amount * moved[4 * s];
      y += amount * moved[4 * s + 1];
      z += amount * moved[4 * s + 2];
      radius += amount * moved[4 * s + 3];
    }
    blended.fill(0);
    let scale = 0;
    for (let q = 4 * s; q < 4 * s + 4; q++) {
      const weight = weights[q];
      if (weight === 0) continue;
      const bone = MATRIX_STRIDE * joints[q];
      for (let c = 0; c < MATRIX_STRIDE; c++) blended[c] += weight * transforms[bone + c];
      scale += weight * Math.cbrt(Math.abs(volumeOf(transforms, bone)));
    }
    const m = blended;
    balls[4 * s] = m[0] * x + m[1] * y + m[2] * z + m[3];
    balls[4 * s + 1] = m[4] * x + m[5] * y + m[6] * z + m[7];
    balls[4 * s + 2] = m[8] * x + m[9] * y + m[10] * z + m[11];
    balls[4 * s + 3] = Math.max(0, radius) * scale;
  }
  return { count, balls, opacities };
}

const blended = new Float64Array(MATRIX_STRIDE);

/** Of what a matrix makes of a unit cube; a mean of turned bones' matrices would be too small. */
const volumeOf = (m: ArrayLike<number>, o: number): number =>
  m[o] * (m[o + 5] * m[o + 10] - m[o + 6] * m[o + 9]) -
  m[o + 1] * (m[o + 4] * m[o + 10] - m[o + 6] * m[o + 8]) +
  m[o + 2] * (m[o + 4] * m[o + 9] - m[o + 5] * m[o + 8]);
