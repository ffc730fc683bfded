import { PliantError } from '../error.ts';
import type { Kernel, KernelName } from '../model/predictor.ts';

/**
 * Kernels on control points (Feng 2010, §2.4.2 and §2.7) or angles of coarse cloth (§3.4.1). Coordinates are centred and divided by s₀, the root mean
 * square distance of the examples from their mean, so that kernels need no scale of their own. The kernel is centred in
 * feature space and divided by its mean diagonal, so that κ has no unit either.
 */
const DEGREE = 5;
/** The polynomial's constant, as a fraction of the inputs' norm (§2.7), whose root mean square is 1 once scaled. */
const OFFSET = 0.1;

/**
 * The constant of the inhomogeneous polynomial of degree 3 (§3.6 does not give it): as much as the inputs' mean square, so that
 * none of its degrees outweighs the others.
 */
const CUBIC_CONSTANT = 1;

/** Kernel values of x, the d numbers at xi, with all rows of y (E × d), into out (E). */
type KernelFunction = (out: Float64Array, x: Float64Array, xi: number, y: Float64Array, d: number) => void;

function dots(out: Float64Array, x: Float64Array, xi: number, y: Float64Array, d: number): void {
  for (let k = 0, o = 0; k < out.length; k++, o += d) {
    let sum = 0;
    for (let c = 0; c < d; c++) sum += x[xi + c] * y[o + c];
    out[k] = sum;
  }
}

/** out = scale·out + factor·exp(−|x − y|²/2). */
function blendGaussians(
  out: Float64Array,
  scale: number,
  factor: number,
  x: Float64Array,
  xi: number,
  y: Float64Array,
  d: number,
): void {
  for (let k = 0, o = 0; k < out.length; k++, o += d) {
    let sum = 0;
    for (let c = 0; c < d; c++) {
      const step = x[xi + c] - y[o + c];
      sum += step * step;
    }
    out[k] = scale * out[k] + factor * Math.exp(-0.5 * sum);
  }
}

const FUNCTIONS: Record<KernelName, KernelFunction> = {
  linear: dots,
  gaussian: (out, x, xi, y, d) => blendGaussians(out, 0, 1, x, xi, y, d),
  polynomial: (out, x, xi, y, d) => {
    dots(out, x, xi, y, d);
    for (let k = 0; k < out.length; k++) out[k] = (out[k] + OFFSET) ** DEGREE;
  },
  cubic: (out, x, xi, y, d) => {
    dots(out, x, xi, y, d);
    for (let k = 0; k < out.length; k++) out[k] = (out[k] + CUBIC_CONSTANT) ** 3;
  },
  // The linear part carries on where the Gaussian, outside the data, falls back to the mean.
  'linear-gaussian': (out, x, xi, y, d) => {
    dots(out, x, xi, y, d);
    blendGaussians(out, 1, 0.5, x, xi, y, d);
  },
};

/**
 * The kernel of E examples (E × d), and its centred, scaled matrix K (E × E).
 * @param width of the Gaussian, in units of s₀.
 */
export function trainKernel(
  name: KernelName,
  inputs: Float64Array,
  d: number,
  operation = 'regress',
  width = 1,
): { kernel: Kernel; matrix: Float64Array } {
  const e = inputs.length / d;
  const mean = new Float64Array(d);
  for (let k = 0; k < e; k++) for (let c = 0; c < d; c++) mean[c] += inputs[k * d + c] / e;
  let spread = 0;
  for (let k = 0; k < e; k++) for (let c = 0; c < d; c++) spread += (inputs[k * d + c] - mean[c]) ** 2 / e;
  const scale = width * Math.sqrt(spread);
  if (!(scale > 0)) throw new PliantError('bad-input', operation, 'the inputs are the same in every example');
  const points = inputs.map((x, at) => (x - mean[at % d]) / scale);

  const value = FUNCTIONS[name];
  const raw = new Float64Array(e * e);
  for (let a = 0; a < e; a++) value(raw.subarray(a * e, (a + 1) * e), points, a * d, points, d);
  const rowMeans = new Float64Array(e);
  for (let a = 0; a < e; a++) for (let b = 0; b < e; b++) rowMeans[a] += raw[a * e + b] / e;
  const grandMean = rowMeans.reduce((sum, x) => sum + x / e, 0);
  let diagonal = 0;
  for (let a = 0; a < e; a++) diagonal += (raw[a * e + a] - 2 * rowMeans[a] + grandMean) / e;
  const matrix = raw.map((k, at) => (k - rowMeans[Math.floor(at / e)] - rowMeans[at % e] + grandMean) / diagonal);
  return { kernel: { name, mean, scale, points, rowMeans, grandMean, diagonal }, matrix };
}

/** Evaluates a kernel against all examples, again and again, without allocation. */
export class KernelVector {
  /** E: ξ of the last input (2.7). */
  readonly xi: Float64Array;
  readonly #kernel: Kernel;
  readonly #x: Float64Array;
  readonly #value: KernelFunction;

  /** `xi`: where ξ shall go. */
  constructor(kernel: Kernel, xi: Float64Array = new Float64Array(kernel.rowMeans.length)) {
    this.#kernel = kernel;
    this.#value = FUNCTIONS[kernel.name];
    this.#x = new Float64Array(kernel.mean.length);
    this.xi = xi;
  }

  /** ξ for d control coordinates. Returns how far the input lies from the examples' mean, in units of s₀. */
  set(input: ArrayLike<number>): number {
    const { mean, scale, points, rowMeans, grandMean, diagonal } = this.#kernel;
    const x = this.#x;
    const { xi } = this;
    const d = x.length;
    const e = xi.length;
    let norm = 0;
    for (let c = 0; c < d; c++) {
      x[c] = (input[c] - mean[c]) / scale;
      norm += x[c] * x[c];
    }
    this.#value(xi, x, 0, points, d);
    let average = 0;
    for (let k = 0; k < e; k++) average += xi[k] / e;
    for (let k = 0; k < e; k++) xi[k] = (xi[k] - average - rowMeans[k] + grandMean) / diagonal;
    return Math.sqrt(norm);
  }
}
