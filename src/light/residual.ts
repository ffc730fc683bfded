import { PliantError } from '../error.ts';
import { choleskyFactor, choleskySolve } from '../math/cholesky.ts';
import type { LightModes, LightResidual } from '../model/light.ts';
import { type BoneGroups, groupVertices } from './bone-groups.ts';
import { featuresOf, newFeatures } from './pose-features.ts';
import { PoseKernel } from './pose-kernel.ts';
import { PoseModes } from './pose-modes.ts';

/**
 * What traced light has beyond that of the spheres, in the frames of the bones: a mean and r modes per bone, whose
 * coefficients follow from the pose by kernel ridge regression. Far from all poses that were traced the kernel is 0, and
 * the mean is left. A linear term was worse there (4.8 against 4.4 % on other clips).
 */

/** λ, of the kernel's mean diagonal. */
const RIDGE = 0.01;

/** How `ResidualFit` makes modes. */
export interface ResidualOptions {
  /** r. */
  modes: number;
  /** How much each pose counts where modes are chosen [default all the same]. */
  shares?: ArrayLike<number>;
  /** λ, of the kernel's mean diagonal. */
  ridge?: number;
}

/** Takes the residuals of P poses one by one and makes the modes of them. */
export class ResidualFit {
  readonly #groups: BoneGroups;
  readonly #size: number;
  readonly #vertices: Uint32Array[];
  readonly #modes: PoseModes[];
  #count = 0;

  /** `size`: C coefficients per vertex. */
  constructor(groups: BoneGroups, size: number) {
    this.#groups = groups;
    this.#size = size;
    this.#vertices = groupVertices(groups);
    this.#modes = this.#vertices.map(({ length }) => new PoseModes(length * size));
  }

  /** N × C: the residual of the next pose. */
  add(residual: Float32Array): void {
    const size = this.#size;
    this.#vertices.forEach((vertices, g) => {
      const row = new Float32Array(vertices.length * size);
      vertices.forEach((i, at) => void row.set(residual.subarray(i * size, (i + 1) * size), at * size));
      this.#modes[g].add(row);
    });
    this.#count++;
  }

  /** `kernel` is of the same poses. */
  finish(kernel: PoseKernel, { modes, shares, ridge = RIDGE }: ResidualOptions): LightModes {
    if (kernel.poses !== this.#count) {
      throw new PliantError('internal', 'light', `${this.#count} residuals (expected ${kernel.poses})`);
    }
    const size = this.#size;
    const groups = this.#groups.bones.length;
    const n = this.#groups.groupOf.length;
    const out: LightModes = {
      modes,
      mean: new Int8Array(n * size),
      meanScales: new Float32Array(groups * size),
      basis: new Int8Array(n * modes * size),
      basisScales: new Float32Array(groups * modes),
      coefficients: new Int16Array(groups * modes * this.#count),
      coefficientScales: new Float32Array(groups * modes),
    };
    this.#vertices.forEach((vertices, g) => {
      const { mean, basis, scores } = this.#modes[g].finish(modes, shares);
      for (let c = 0; c < size; c++) {
        const column = Float64Array.from(vertices, (_, v) => mean[v * size + c]);
        const at = g * size + c;
        out.meanScales[at] = storeBytes(column, (byte, v) => {
          out.mean[vertices[v] * size + c] = byte;
        });
      }
      for (let r = 0; r < modes; r++) {
        const mode = basis.subarray(r * mean.length, (r + 1) * mean.length);
        out.basisScales[g * modes + r] = storeBytes(mode, (byte, at) => {
          out.basis[(vertices[Math.floor(at / size)] * modes + r) * size + (at % size)] = byte;
        });
      }
      storeCoefficients(out, g, regression(kernel, g, scores, modes, ridge));
    });
    return out;
  }
}

/** Values as bytes; returns their scale. */
function storeBytes(values: Float64Array, put: (byte: number, at: number) => void): number {
  const most = values.reduce((found, x) => Math.max(found, Math.abs(x)), 0);
  // Rounded to single precision first: what is read divides by the same.
  const scale = Math.fround(most / 127);
  if (scale === 0) return 0;
  values.forEach((x, at) => {
    put(Math.max(-127, Math.min(127, Math.round(x / scale))), at);
  });
  return scale;
}

/** r × P: (K + λI)⁻¹ · scores. */
function regression(kernel: PoseKernel, g: number, scores: Float64Array, modes: number, ridge: number): Float64Array {
  const p = kernel.poses;
  const matrix = kernel.matrix(g);
  const diagonal = matrix[0]; // the same for all poses: the sum of the strengths
  const solved = scores.slice();
  if (diagonal === 0) return solved.fill(0); // no other bone moves: every pose looks the same from here
  for (let k = 0; k < p; k++) matrix[k * p + k] += ridge * diagonal;
  if (!choleskyFactor(matrix, p)) {
    const cause = `the kernel of poses is singular (got ridge ${ridge}, expected more)`;
    throw new PliantError('bad-input', 'light', cause);
  }
  choleskySolve(matrix, p, solved, modes);
  const out = new Float64Array(modes * p);
  for (let r = 0; r < modes; r++) for (let k = 0; k < p; k++) out[r * p + k] = solved[k * modes + r];
  return out;
}

function storeCoefficients(
  { modes, coefficients, coefficientScales }: LightModes,
  g: number,
  rows: Float64Array,
): void {
  const p = rows.length / Math.max(1, modes);
  for (let r = 0; r < modes; r++) {
    const row = rows.subarray(r * p, (r + 1) * p);
    const scale = Math.fround(row.reduce((most, x) => Math.max(most, Math.abs(x)), 0) / 32767);
    coefficientScales[g * modes + r] = scale;
    if (scale === 0) continue;
    for (let k = 0; k < p; k++) {
      coefficients[(g * modes + r) * p + k] = Math.max(-32767, Math.min(32767, Math.round(row[k] / scale)));
    }
  }
}

/** The coefficients of a residual's modes in any pose. */
export class ResidualPose {
  readonly #residual: LightResidual;
  readonly #kernel: PoseKernel;
  readonly #features;
  readonly #alike: Float64Array;
  /** G × r, of the last pose. */
  readonly diffuse: Float32Array;
  readonly visibility?: Float32Array;

  constructor(residual: LightResidual, kernel = new PoseKernel(residual)) {
    this.#residual = residual;
    this.#kernel = kernel;
    const groups = residual.bones.length;
    this.#features = newFeatures(groups);
    this.#alike = new Float64Array(kernel.poses);
    this.diffuse = new Float32Array(groups * residual.diffuse.modes);
    if (residual.visibility) this.visibility = new Float32Array(groups * residual.visibility.modes);
  }

  /** 12B transforms of the model. Allocates nothing. */
  set(transforms: Float32Array): void {
    featuresOf(this.#residual, transforms, this.#features);
    for (let g = 0; g < this.#residual.bones.length; g++) {
      this.#kernel.compare(g, this.#features, this.#alike);
      this.#blend(g, this.#residual.diffuse, this.diffuse);
      if (this.#residual.visibility) this.#blend(g, this.#residual.visibility, this.visibility!);
    }
  }

  #blend(g: number, { modes, coefficients, coefficientScales }: LightModes, out: Float32Array): void {
    const alike = this.#alike;
    for (let r = g * modes; r < (g + 1) * modes; r++) {
      let sum = 0;
      for (let k = 0, at = r * alike.length; k < alike.length; k++, at++) sum += coefficients[at] * alike[k];
      out[r] = sum * coefficientScales[r];
    }
  }
}

/** out (N × C, in the frames of the bones) += mean + modes by `weights` (G × r). */
export function addResidual(
  out: Float32Array,
  groupOf: Uint16Array,
  { modes, mean, meanScales, basis, basisScales }: LightModes,
  weights: ArrayLike<number>,
): void {
  const size = mean.length / groupOf.length;
  const block = modes * size;
  const scales = Float64Array.from(basisScales, (scale, r) => scale * weights[r]);
  for (let i = 0; i < groupOf.length; i++) {
    const g = groupOf[i];
    for (let c = 0; c < size; c++) {
      let sum = mean[i * size + c] * meanScales[g * size + c];
      for (let r = 0, at = i * block + c; r < modes; r++, at += size) sum += basis[at] * scales[g * modes + r];
      out[i * size + c] += sum;
    }
  }
}
