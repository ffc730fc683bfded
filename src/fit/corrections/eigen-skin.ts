import { throwIfCancelled } from '../../error.ts';
import { choleskyFactor, choleskySolve } from '../../math/cholesky.ts';
import { gramOfRows, multiply } from '../../math/dense.ts';
import { randomNormal, seededRandom } from '../../math/rng.ts';
import { symmetricEigen } from '../../math/symmetric-eigen.ts';
import type { RunOptions } from '../../model/options.ts';
import { blendPalette, paletteOfFrame, poseOfFrame, skinFrame } from '../frames.ts';
import type { FitProblem, Support } from '../problem.ts';

/**
 * EigenSkin, document 000 §5.2 after Kry, James & Pai 2002: what linear blending misses is carried back into rest space,
 * e = (Σ w·T)⁻¹·v_pose − v_rest, and all e (a 3N × P matrix E) are approximated by f displacement fields with one coefficient
 * each per frame, E ≈ D·K (5.3)–(5.6); the pose is the blend of rest + Σ c·d (5.7).
 *
 * Departures. Matrices close to singular have no usable inverse: a slightly damped one is taken. The leading fields come
 * from subspace iteration (Halko, Martinsson & Tropp 2011) over frames that are computed when needed, so that E is never
 * stored. The printed coefficients K = Dᵀ·E are best in rest space, where lengths differ from those of the pose, and may
 * even raise the error; here they are solved in each pose, so that it can only fall.
 */
export interface EigenSkin {
  /** f × 3N: displacements of the rest pose, in diagonals; orthonormal rows. */
  fields: Float64Array;
  /** P × f. */
  coefficients: Float64Array;
  fieldCount: number;
  /** Sums of squared errors over vertices and frames, in squared diagonals. */
  errorBefore: number;
  errorAfter: number;
}

/** Fields beyond those asked for during the iteration: they make the leading ones converge. */
const OVERSAMPLING = 8;
/** Rounds of E·Eᵀ. */
const POWER_ROUNDS = 2;
/** Of the inverse, as a fraction of the trace of LᵀL. */
const INVERSE_DAMPING = 1e-6;

/** @param bones 4B × 3P. */
export function eigenSkin(
  problem: FitProblem,
  support: Support,
  bones: Float64Array,
  fieldCount: number,
  seed = 1,
  run: RunOptions = {},
): EigenSkin {
  const { vertexCount, frameCount } = problem;
  const size = 3 * vertexCount;
  const f = Math.min(fieldCount, frameCount, size);
  const m = Math.min(f + OVERSAMPLING, frameCount, size);
  const residuals = new FrameResiduals(problem, support, bones);
  const e = new Float64Array(size);
  const passes = 2 + 2 * POWER_ROUNDS;
  let pass = 0;
  const eachFrame = (visit: (k: number) => void): void => {
    for (let k = 0; k < frameCount; k++) {
      throwIfCancelled(run.signal, 'eigenSkin');
      run.onProgress?.(pass * frameCount + k, passes * frameCount, 'corrections');
      residuals.load(k);
      visit(k);
    }
    pass++;
  };

  // (1) The range of E: random combinations of its columns, sharpened by E·Eᵀ.
  const random = seededRandom(seed);
  let mix = Float64Array.from({ length: frameCount * m }, () => randomNormal(random));
  const fields = new Float64Array(m * size);
  for (let round = 0; ; round++) {
    fields.fill(0);
    eachFrame((k) => {
      residuals.inRestSpace(e);
      for (let a = 0; a < m; a++) addScaled(fields, a * size, e, mix[k * m + a]);
    });
    orthonormalizeRows(fields, m, size);
    if (round === POWER_ROUNDS) break;
    mix = new Float64Array(frameCount * m);
    eachFrame((k) => {
      residuals.inRestSpace(e);
      for (let a = 0; a < m; a++) mix[k * m + a] = dot(fields, a * size, e);
    });
  }

  // (2) Within it, the f leading directions: those of Dᵀ·E.
  const inside = new Float64Array(m * frameCount);
  eachFrame((k) => {
    residuals.inRestSpace(e);
    for (let a = 0; a < m; a++) inside[a * frameCount + k] = dot(fields, a * size, e);
  });
  const { vectors } = symmetricEigen(gramOfRows(new Float64Array(m * m), inside, m, frameCount), m);
  const leading = multiply(new Float64Array(f * size), vectors.subarray(0, f * m), fields, f, m, size);

  // (3) Coefficients, in each pose.
  const coefficients = new Float64Array(frameCount * f);
  let errorBefore = 0;
  let errorAfter = 0;
  for (let k = 0; k < frameCount; k++) {
    throwIfCancelled(run.signal, 'eigenSkin');
    residuals.load(k);
    const solved = residuals.solveCoefficients(leading, f);
    coefficients.set(solved.c, k * f);
    errorBefore += solved.before;
    errorAfter += solved.after;
  }
  return { fields: leading, coefficients, fieldCount: f, errorBefore, errorAfter };
}

/** out (3N) = frame k with its corrections (5.7), in the problem's coordinates. `bones` is 4B × 3P. */
export function eigenSkinFrame(
  problem: FitProblem,
  support: Support,
  bones: Float64Array,
  skin: EigenSkin,
  k: number,
  out: Float64Array,
): Float64Array {
  const rest = problem.rest.slice();
  const size = 3 * problem.vertexCount;
  for (let a = 0; a < skin.fieldCount; a++) {
    const c = skin.coefficients[k * skin.fieldCount + a];
    for (let x = 0; x < size; x++) rest[4 * Math.floor(x / 3) + (x % 3)] += c * skin.fields[a * size + x];
  }
  const palette = paletteOfFrame(bones, problem.frameCount, k, new Float64Array(bones.length / problem.frameCount));
  return skinFrame(rest, support, palette, out);
}

/** What linear blending misses in one frame at a time, and the linear parts that carry rest space there. */
class FrameResiduals {
  private readonly problem: FitProblem;
  private readonly support: Support;
  private readonly bones: Float64Array;
  private readonly palette: Float64Array;
  private readonly pose: Float64Array;
  /** 3N: v_p − v'_p. */
  private readonly residual: Float64Array;
  /** 9N: linear parts of the blended matrices, row-major. */
  private readonly linear: Float64Array;

  constructor(problem: FitProblem, support: Support, bones: Float64Array) {
    this.problem = problem;
    this.support = support;
    this.bones = bones;
    this.palette = new Float64Array(bones.length / problem.frameCount);
    this.pose = new Float64Array(3 * problem.vertexCount);
    this.residual = new Float64Array(3 * problem.vertexCount);
    this.linear = new Float64Array(9 * problem.vertexCount);
  }

  load(k: number): void {
    const { rest, vertexCount } = this.problem;
    poseOfFrame(this.problem, k, this.pose);
    paletteOfFrame(this.bones, this.problem.frameCount, k, this.palette);
    const m = new Float64Array(12);
    for (let i = 0; i < vertexCount; i++) {
      blendPalette(m, this.palette, this.support, i);
      for (let d = 0; d < 3; d++) {
        let x = m[4 * d + 3];
        for (let c = 0; c < 3; c++) {
          x += m[4 * d + c] * rest[4 * i + c];
          this.linear[9 * i + 3 * d + c] = m[4 * d + c];
        }
        this.residual[3 * i + d] = this.pose[3 * i + d] - x;
      }
    }
  }

  /** out (3N) = L⁻¹·(v_p − v'_p), damped: (LᵀL + λI)⁻¹Lᵀ·(v_p − v'_p). */
  inRestSpace(out: Float64Array): void {
    const { linear: l, residual } = this;
    const normal = new Float64Array(9);
    const e = new Float64Array(3);
    for (let i = 0; i < this.problem.vertexCount; i++) {
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

  /** The coefficients of the fields (f × 3N) that fit this pose best, and the squared error before and after. */
  solveCoefficients(fields: Float64Array, f: number): { c: Float64Array; before: number; after: number } {
    const { linear: l, residual } = this;
    const { vertexCount, mass } = this.problem;
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
    if (!choleskyFactor(normal, f)) return { c: c.fill(0), before, after: before }; // the fields do not show in this pose
    choleskySolve(normal, f, c, 1);
    let after = before;
    for (let a = 0; a < f; a++) {
      after -= 2 * c[a] * gram[f * (f + 1) + a];
      for (let b = 0; b < f; b++) after += c[a] * gram[a * (f + 1) + b] * c[b];
    }
    return { c, before, after: Math.max(0, after) };
  }
}

/** Gram–Schmidt, twice; a row that depends on those before it becomes 0. */
function orthonormalizeRows(rows: Float64Array, count: number, size: number): void {
  for (let a = 0; a < count; a++) {
    const row = rows.subarray(a * size, (a + 1) * size);
    const before = Math.sqrt(dot(rows, a * size, row));
    for (let pass = 0; pass < 2; pass++) {
      for (let b = 0; b < a; b++)
        addScaled(rows, a * size, rows.subarray(b * size, (b + 1) * size), -dot(rows, b * size, row));
    }
    const length = Math.sqrt(dot(rows, a * size, row));
    const scale = length > 1e-12 * before ? 1 / length : 0;
    for (let x = 0; x < size; x++) row[x] *= scale;
  }
}

function dot(a: Float64Array, o: number, b: Float64Array): number {
  let sum = 0;
  for (let x = 0; x < b.length; x++) sum += a[o + x] * b[x];
  return sum;
}

function addScaled(out: Float64Array, o: number, x: Float64Array, scale: number): void {
  for (let c = 0; c < x.length; c++) out[o + c] += scale * x[c];
}
