import type { FitProblem, Support } from '../../../decompose/problem.ts';
import { throwIfCancelled } from '../../../error.ts';
import { addScaled, dot, gramOfRows, multiply, orthogonalize } from '../../../math/dense.ts';
import { randomNormal, seededRandom } from '../../../math/rng.ts';
import { symmetricEigen } from '../../../math/symmetric-eigen.ts';
import type { RunOptions } from '../../../model/options.ts';
import { FrameResiduals } from './frame-residuals.ts';

/**
 * EigenSkin, Antonopoulos 2010, §5.2 after Kry, James & Pai 2002: what linear blending misses is carried back into rest
 * space, e = (Σ w·T)⁻¹·v_pose − v_rest, and all e (a 3N × P matrix E) are approximated by f displacement fields with
 * one coefficient each per frame, E ≈ D·K (5.3)–(5.6); the pose is the blend of rest + Σ c·d (5.7).
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
  /** Sum of squared errors over vertices and frames, in squared diagonals. */
  error: number;
}

/** Fields beyond those asked for during the iteration: they make the leading ones converge. */
const OVERSAMPLING = 8;
/** Rounds of E·Eᵀ. */
const POWER_ROUNDS = 2;

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
  const field = (a: number): Float64Array => fields.subarray(a * size, (a + 1) * size);
  for (let round = 0; ; round++) {
    fields.fill(0);
    eachFrame((k) => {
      residuals.inRestSpace(e);
      for (let a = 0; a < m; a++) addScaled(field(a), e, mix[k * m + a]);
    });
    orthonormalizeRows(fields, m, size);
    if (round === POWER_ROUNDS) break;
    mix = new Float64Array(frameCount * m);
    eachFrame((k) => {
      residuals.inRestSpace(e);
      for (let a = 0; a < m; a++) mix[k * m + a] = dot(field(a), e);
    });
  }

  // (2) Within it, the f leading directions: those of Dᵀ·E.
  const inside = new Float64Array(m * frameCount);
  eachFrame((k) => {
    residuals.inRestSpace(e);
    for (let a = 0; a < m; a++) inside[a * frameCount + k] = dot(field(a), e);
  });
  const { vectors } = symmetricEigen(gramOfRows(new Float64Array(m * m), inside, m, frameCount), m);
  const leading = multiply(new Float64Array(f * size), vectors.subarray(0, f * m), fields, f, m, size);

  // (3) Coefficients, in each pose.
  const coefficients = new Float64Array(frameCount * f);
  let error = 0;
  for (let k = 0; k < frameCount; k++) {
    throwIfCancelled(run.signal, 'eigenSkin');
    residuals.load(k);
    const solved = residuals.solveCoefficients(leading, f);
    coefficients.set(solved.c, k * f);
    error += solved.error;
  }
  return { fields: leading, coefficients, fieldCount: f, error };
}

/** Gram–Schmidt, twice; a row that depends on those before it becomes 0. */
function orthonormalizeRows(rows: Float64Array, count: number, size: number): void {
  for (let a = 0; a < count; a++) {
    const row = rows.subarray(a * size, (a + 1) * size);
    const before = Math.sqrt(dot(row, row));
    orthogonalize(row, rows, a);
    const length = Math.sqrt(dot(row, row));
    const scale = length > 1e-12 * before ? 1 / length : 0;
    for (let x = 0; x < size; x++) row[x] *= scale;
  }
}
