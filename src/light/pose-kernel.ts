import type { LightResidual } from '../model/light.ts';
import { newFeatures, type PoseFeatures, storedPose } from './pose-features.ts';

/**
 * How alike two poses are, seen from a bone b: a sum over the other bones c of Gaussians, so that what an arm does to the
 * light of a leg is learned whatever the other arm does. Of bone c one sees
 * x_c = w_c (4 R_bᵀ(m_c − m_b)/diagonal, ½ R_bᵀR_c), m the posed centroids and R the rotations, with
 * w_c = 1/(.15 + mean |m_c − m_b|/diagonal): what is near casts more. k = Σ_c s_c exp(−|x_c − y_c|²/2σ_c²), σ_c² the variance
 * of x_c over the stored poses, s_c = √(σ_c²/Σσ²); bones that barely move are left out.
 *
 * To that a narrow Gaussian of the whole pose is added, α Σs exp(−Σ s_c |x_c − y_c|²/2σ_c² / Σs h²). A ridge is such a kernel of
 * no width: far from all stored poses both do the same, but close to one the narrow kernel comes back to what was traced there.
 *
 * Rotations are compared as quaternions: |R − S|² = 8 (1 − (q·r)²).
 */

const POSITION_WEIGHT = 4;
const ROTATION_WEIGHT = 0.5;
const NEAR = 0.15;
/** Part of all variance below which a bone says nothing. */
const STILL = 1e-4;
/** α and h of the narrow Gaussian: chosen on CesiumMan. */
const ALIKE_STRENGTH = 0.3;
const ALIKE_WIDTH = 0.25;
/** e⁻ˣ by its value at the step before x and three terms beyond it, within 3e-9: most of the time would go into Math.exp. */
const STEPS = 64;
const NOTHING = 32;
const FALL = Float64Array.from({ length: STEPS * NOTHING }, (_, step) => Math.exp(-step / STEPS));
const fall = (x: number): number => {
  if (x >= NOTHING) return 0;
  const step = x > 0 ? Math.floor(x * STEPS) : 0;
  const rest = x - step / STEPS;
  return FALL[step] * (1 - rest * (1 - rest * (0.5 - rest / 6)));
};
/** Numbers of a bone seen from another: position 3, rotation 4. */
export const SEEN = 7;

/** Bones as seen from one. */
interface Viewpoint {
  /** Others that count. */
  others: Uint16Array;
  /** s_c of each. */
  strengths: Float64Array;
  /** Their sum. */
  strength: number;
  /** Of each: what squared differences of positions and of 1 − (q·r)² are multiplied by in the exponent. */
  positionFactors: Float64Array;
  rotationFactors: Float64Array;
  /** P × others × 7: the stored poses. */
  seen: Float64Array;
}

/** Compares poses of a model with those that were traced. */
export class PoseKernel {
  /** P. */
  readonly poses: number;
  /** G. */
  readonly groups: number;
  readonly #views: Viewpoint[];
  readonly #here = new Float64Array(SEEN);

  constructor({ bones, diagonal, poses }: Pick<LightResidual, 'bones' | 'diagonal' | 'poses'>) {
    this.groups = bones.length;
    this.poses = poses.count;
    const stored = Array.from({ length: poses.count }, (_, p) => storedPose(poses, p, newFeatures(bones.length)));
    this.#views = Array.from(bones, (_, g) => viewpoint(stored, bones.length, g, diagonal));
  }

  /** P × P: how alike the stored poses are. */
  matrix(group: number): Float64Array {
    const { poses } = this;
    const { others, seen } = this.#views[group];
    const out = new Float64Array(poses * poses);
    const stride = SEEN * others.length;
    for (let p = 0; p < poses; p++) this.#row(group, seen, p * stride, out, p * poses);
    return out;
  }

  /** How alike a pose is to each stored one: P numbers, to `out`. Allocates nothing. */
  compare(group: number, pose: PoseFeatures, out: Float64Array): void {
    const { others } = this.#views[group];
    if (this.#scratch.length < SEEN * others.length) this.#scratch = new Float64Array(SEEN * others.length);
    for (let o = 0; o < others.length; o++) {
      see(this.#here, pose, group, others[o]);
      for (let c = 0; c < SEEN; c++) this.#scratch[SEEN * o + c] = this.#here[c];
    }
    this.#row(group, this.#scratch, 0, out, 0);
  }

  #scratch = new Float64Array(0);

  #row(group: number, x: Float64Array, xi: number, out: Float64Array, o: number): void {
    const { others, strengths, strength, positionFactors, rotationFactors, seen } = this.#views[group];
    const count = others.length;
    if (count === 0) return void out.fill(0, o, o + this.poses);
    for (let p = 0, at = 0; p < this.poses; p++) {
      let [sum, whole] = [0, 0];
      for (let c = 0, here = xi; c < count; c++, at += SEEN, here += SEEN) {
        const dx = x[here] - seen[at];
        const dy = x[here + 1] - seen[at + 1];
        const dz = x[here + 2] - seen[at + 2];
        const dot =
          x[here + 3] * seen[at + 3] +
          x[here + 4] * seen[at + 4] +
          x[here + 5] * seen[at + 5] +
          x[here + 6] * seen[at + 6];
        const far = positionFactors[c] * (dx * dx + dy * dy + dz * dz) + rotationFactors[c] * (1 - dot * dot);
        sum += strengths[c] * fall(far);
        whole += strengths[c] * far;
      }
      out[o + p] = sum + ALIKE_STRENGTH * strength * fall(whole / (strength * ALIKE_WIDTH ** 2));
    }
  }
}

function viewpoint(stored: readonly PoseFeatures[], groups: number, group: number, diagonal: number): Viewpoint {
  const count = stored.length;
  const here = new Float64Array(SEEN);
  const all = Array.from({ length: groups }, (_, other) => {
    let distance = 0;
    const values = new Float64Array(SEEN * count);
    stored.forEach((pose, p) => {
      see(here, pose, group, other);
      values.set(here, SEEN * p);
      distance += Math.hypot(here[0], here[1], here[2]) / count;
    });
    const weight = 1 / (NEAR + distance / diagonal);
    const position = ((POSITION_WEIGHT * weight) / diagonal) ** 2;
    const turn = (ROTATION_WEIGHT * weight) ** 2;
    const variance = position * varianceOf(values, positionsOf) + turn * varianceOf(values, matricesOf);
    return { other, values, position, turn, variance };
  });
  const total = all.reduce((sum, { variance }) => sum + variance, 0);
  const kept = all.filter(({ variance, other }) => other !== group && variance > STILL * total);
  const seen = new Float64Array(SEEN * kept.length * count);
  kept.forEach(({ values }, o) => {
    for (let p = 0; p < count; p++) {
      seen.set(values.subarray(SEEN * p, SEEN * (p + 1)), SEEN * (p * kept.length + o));
    }
  });
  const strengths = Float64Array.from(kept, ({ variance }) => Math.sqrt(variance / total));
  return {
    others: Uint16Array.from(kept, ({ other }) => other),
    strengths,
    strength: strengths.reduce((sum, x) => sum + x, 0),
    positionFactors: Float64Array.from(kept, ({ position, variance }) => position / (2 * variance)),
    rotationFactors: Float64Array.from(kept, ({ turn, variance }) => (8 * turn) / (2 * variance)),
    seen,
  };
}

/** R_bᵀ(m_c − m_b) and the quaternion of R_bᵀR_c. */
export function see(out: Float64Array, { centroids, rotations }: PoseFeatures, from: number, to: number): void {
  const q = 4 * from;
  const x = -rotations[q];
  const y = -rotations[q + 1];
  const z = -rotations[q + 2];
  const w = rotations[q + 3];
  const dx = centroids[3 * to] - centroids[3 * from];
  const dy = centroids[3 * to + 1] - centroids[3 * from + 1];
  const dz = centroids[3 * to + 2] - centroids[3 * from + 2];
  // v + 2 u × (u × v + w v) for the quaternion (u, w).
  const tx = y * dz - z * dy + w * dx;
  const ty = z * dx - x * dz + w * dy;
  const tz = x * dy - y * dx + w * dz;
  out[0] = dx + 2 * (y * tz - z * ty);
  out[1] = dy + 2 * (z * tx - x * tz);
  out[2] = dz + 2 * (x * ty - y * tx);
  const r = 4 * to;
  const bx = rotations[r];
  const by = rotations[r + 1];
  const bz = rotations[r + 2];
  const bw = rotations[r + 3];
  out[3] = w * bx + x * bw + y * bz - z * by;
  out[4] = w * by - x * bz + y * bw + z * bx;
  out[5] = w * bz + x * by - y * bx + z * bw;
  out[6] = w * bw - x * bx - y * by - z * bz;
}

type Part = (values: Float64Array, at: number) => number[];

const positionsOf: Part = (values, at) => [values[at], values[at + 1], values[at + 2]];

const matricesOf: Part = (values, at) => {
  const [x, y, z, w] = values.subarray(at + 3, at + 7);
  return [
    1 - 2 * (y * y + z * z),
    2 * (x * y - z * w),
    2 * (x * z + y * w),
    2 * (x * y + z * w),
    1 - 2 * (x * x + z * z),
    2 * (y * z - x * w),
    2 * (x * z - y * w),
    2 * (y * z + x * w),
    1 - 2 * (x * x + y * y),
  ];
};

/** Mean squared distance from the mean. */
function varianceOf(values: Float64Array, part: Part): number {
  const count = values.length / SEEN;
  const rows = Array.from({ length: count }, (_, p) => part(values, SEEN * p));
  const mean = rows[0].map((_, c) => rows.reduce((sum, row) => sum + row[c], 0) / count);
  return rows.reduce((sum, row) => sum + row.reduce((own, x, c) => own + (x - mean[c]) ** 2, 0), 0) / count;
}
