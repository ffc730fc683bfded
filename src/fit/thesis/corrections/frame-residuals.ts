import { blendPalette, paletteOfFrame, poseOfFrame } from '../../../decompose/frames.ts';
import type { FitProblem, Support } from '../../../decompose/problem.ts';
import { choleskyFactor, choleskySolve } from '../../../math/cholesky.ts';
import { gramOfRows } from '../../../math/dense.ts';
import { MATRIX_STRIDE } from '../../../model/skeleton.ts';

/**
 * Of the inverse, as a fraction of the trace of LᵀL. Less lets vertices with nearly singular matrices, whose displacements
 * hardly show, take over the fields; more misses what can be corrected. Collapsing horse, 30 joints, 8 fields: 0.493 % at
 * 1e-6, 0.159 at 1e-3, 0.286 at 0.1.
 */
const INVERSE_DAMPING = 1e-3;

/** What linear blending misses in one frame at a time, and the linear parts that carry rest space there. */
export class FrameResiduals {
  readonly #problem: FitProblem;
  readonly #support: Support;
  readonly #bones: Float64Array;
  readonly #palette: Float64Array;
  readonly #pose: Float64Array;
  /** 3N: v_p − v'_p. */
  readonly #residual: Float64Array;
  /** 9N: linear parts of the blended matrices, row-major. */
  readonly #linear: Float64Array;

  constructor(problem: FitProblem, support: Support, bones: Float64Array) {
    this.#problem = problem;
    this.#support = support;
    this.#bones = bones;
    this.#palette = new Float64Array(bones.length / problem.frameCount);
    this.#pose = new Float64Array(3 * problem.vertexCount);
    this.#residual = new Float64Array(3 * problem.vertexCount);
    this.#linear = new Float64Array(9 * problem.vertexCount);
  }

  load(k: number): void {
    const { rest, vertexCount } = this.#problem;
    poseOfFrame(this.#problem, k, this.#pose);
    paletteOfFrame(this.#bones, this.#problem.frameCount, k, this.#palette);
    const m = new Float64Array(MATRIX_STRIDE);
    for (let i = 0; i < vertexCount; i++) {
      blendPalette(m, this.#palette, this.#support, i);
      for (let d = 0; d < 3; d++) {
        let x = m[4 * d + 3];
        for (let c = 0; c < 3; c++) {
          x += m[4 * d + c] * rest[4 * i + c];
          this.#linear[9 * i + 3 * d + c] = m[4 * d + c];
        }
        this.#residual[3 * i + d] = this.#pose[3 * i + d] - x;
      }
    }
  }

  /** out (3N) = L⁻¹·(v_p − v'_p), damped: (LᵀL + λI)⁻¹Lᵀ·(v_p − v'_p). */
  inRestSpace(out: Float64Array): void {
    const l = this.#linear;
    const residual = this.#residual;
    const normal = new Float64Array(9);
    const e = new Float64Array(3);
    for (let i = 0; i < this.#problem.vertexCount; i++) {
      const o = 9 * i;
      for (let c = 0; c < 3; c++) {
        e[c] = 0;
        for (let d = 0; d < 3; d++) e[c] += l[o + 3 * d + c] * residual[3 * i + d];
        for (let a = 0; a < 3; a++) {
          normal[3 * c + a] = l[o + c] * l[o + a] + l[o + 3 + c] * l[o + 3 + a] + l[o + 6 + c] * l[o + 6 + a];
        }
      }
      const damping = INVERSE_DAMPING * (normal[0] + normal[4] + normal[8]);
      for (let c = 0; c < 3; c++) normal[4 * c] += damping;
      if (choleskyFactor(normal, 3)) choleskySolve(normal, 3, e, 1);
      else e.fill(0); // the matrix is 0: no displacement shows in this pose
      out.set(e, 3 * i);
    }
  }

  /** The coefficients of the fields (f × 3N) that fit this pose best, and the squared error that they leave. */
  solveCoefficients(fields: Float64Array, f: number): { c: Float64Array; error: number } {
    const l = this.#linear;
    const residual = this.#residual;
    const { vertexCount, mass } = this.#problem;
    const size = 3 * vertexCount;
    // √mass · [L·d_1 … L·d_f | residual], as rows.
    const rows = new Float64Array((f + 1) * size);
    for (let a = 0; a < f; a++) {
      for (let i = 0; i < vertexCount; i++) {
        const root = Math.sqrt(mass[i]);
        const o = a * size + 3 * i;
        for (let d = 0; d < 3; d++) {
          let x = 0;
          for (let c = 0; c < 3; c++) x += l[9 * i + 3 * d + c] * fields[o + c];
          rows[o + d] = root * x;
        }
      }
    }
    for (let x = 0; x < size; x++) rows[f * size + x] = Math.sqrt(mass[Math.floor(x / 3)]) * residual[x];
    const gram = gramOfRows(new Float64Array((f + 1) ** 2), rows, f + 1, size);
    const before = gram[(f + 1) ** 2 - 1];
    const normal = new Float64Array(f * f);
    const c = new Float64Array(f);
    let trace = 0;
    for (let a = 0; a < f; a++) {
      c[a] = gram[f * (f + 1) + a];
      trace += gram[a * (f + 1) + a];
      for (let b = 0; b < f; b++) normal[a * f + b] = gram[a * (f + 1) + b];
    }
    for (let a = 0; a < f; a++) normal[a * f + a] += 1e-12 * trace;
    if (!choleskyFactor(normal, f)) return { c: c.fill(0), error: before }; // the fields do not show in this pose
    choleskySolve(normal, f, c, 1);
    let after = before;
    for (let a = 0; a < f; a++) {
      after -= 2 * c[a] * gram[f * (f + 1) + a];
      for (let b = 0; b < f; b++) after += c[a] * gram[a * (f + 1) + b] * c[b];
    }
    return { c, error: Math.max(0, after) };
  }
}
