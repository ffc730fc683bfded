import { multiplySparse, type SparseMatrix } from '../../math/sparse-matrix.ts';
import { signedFaceArea } from '../../mesh/triangle.ts';
import { type JudgedFaces, judgedFaces } from './judged-faces.ts';
import type { MixSurface } from './mix-surface.ts';
import { type PosePair, placePoints } from './pose-pairs.ts';
import type { TotalMeasure } from './total-measure.ts';

/**
 * What a mix m (N, one weight per vertex) costs over the poses of weight q, each of some motion:
 *
 *   E(m) = Σ q [ λl·Σ_f (A_f/A)·(ρ_f − 1)² + λi·Σ_f (A_f/A)·max(0, 0.1 − ρ_f)² + λg·((T − T₀)/T_ref)² ]
 *          + λs·s·mᵀKm + λp·Σ_i (M_i/A_all)·(m_i − 1)²
 *
 * with ρ_f = a_f/A_f, signed area of face f in the pose over that at rest; T the total area or volume; K the cotangent
 * stiffness and M the lumped mass. Positions p = L + m·D are affine in m, so a_f is quadratic, and a volume cubic:
 * ∂a/∂m_a = ½·n·D_a × (b − c), cyclic; ∂V/∂m_a = D_a·(b × c)/6.
 *
 * Sums over f are over the faces on which the operators differ in the motion that the pose belongs to. A is their area,
 * T_ref the same share of T₀, A_all the area for all motions and s = Σ q·A/A_all. So all terms are pure numbers, which
 * neither the model's scale, nor parts that never bend, nor motions of other parts change.
 */
export interface MixWeights {
  /** λl: every face keeps its area. */
  local: number;
  /** λi: no face turns over. */
  inversion: number;
  /** λg: area or volume is kept as a whole; of each motion, or the same for all. */
  total: number | ReadonlyMap<string, number>;
  /** λs: neighbours are mixed alike. */
  smoothness: number;
  /** λp: dual quaternions where nothing speaks against them. */
  prior: number;
}

/** A face counts as close to turning over below this share of its area. */
const NEARLY_INVERTED = 0.1;
/** The terms of E(m). `energy` is their sum. */
export interface MixEnergyTerms {
  energy: number;
  local: number;
  inversion: number;
  total: number;
  smoothness: number;
  prior: number;
}

/** E's Gauss–Newton model at some m: H ≈ sparse + Σ_k u_k·u_kᵀ. */
export interface MixSystem {
  /** N: the gradient. */
  gradient: Float64Array;
  /** N × N, of the pattern of K. */
  sparse: SparseMatrix;
  /** P vectors of N: one rank-1 term per pose from the total. Empty without one. */
  ranks: Float64Array[];
}

export class MixEnergy {
  readonly size: number;
  readonly judged: JudgedFaces;
  readonly surface: MixSurface;
  readonly #pairs: readonly PosePair[];
  readonly #weights: MixWeights;
  /** T, T₀, and T_ref for an area A of 1. */
  readonly #total?: { measure: TotalMeasure; rest: number; perArea: number };
  /** λs·s. */
  readonly #smoothness: number;
  /** λp/A_all. */
  readonly #prior: number;
  readonly #points: Float64Array;
  readonly #slopes: Float64Array;

  constructor(surface: MixSurface, pairs: readonly PosePair[], weights: MixWeights, total?: TotalMeasure) {
    const { mesh, areas, mass } = surface;
    this.surface = surface;
    this.size = mass.length;
    this.#weights = weights;
    this.judged = judgedFaces(surface, pairs);
    const { ofMotion } = this.judged;
    const area = this.judged.area || 1;
    // Where the operators agree all the time there is nothing to judge.
    this.#pairs = pairs.filter(({ motion }) => ofMotion.get(motion)!.area > 0);
    const share = this.#pairs.reduce(
      (sum, { weight, motion }) => sum + (weight * ofMotion.get(motion)!.area) / area,
      0,
    );
    this.#smoothness = weights.smoothness * share;
    this.#prior = weights.prior / area;
    this.#points = new Float64Array(3 * this.size);
    this.#slopes = new Float64Array(3 * this.size);
    if (total && weights.total !== 0) {
      // The rest pose is seen from the side that flat meshes keep; volumes do not ask.
      const rest = total.measure(Float64Array.from(mesh.positions), pairs[0].normals);
      this.#total = { measure: total, rest, perArea: Math.abs(rest) / areas.reduce((sum, a) => sum + a, 0) };
    }
  }

  /** E(m) and its terms. */
  terms(m: Float64Array): MixEnergyTerms {
    const { local, inversion } = this.#weights;
    const { ofMotion } = this.judged;
    const { mesh, areas, stiffness, mass } = this.surface;
    let [changed, inverted, lost] = [0, 0, 0];
    for (const pair of this.#pairs) {
      const { normals, weight } = pair;
      const { faces, area } = ofMotion.get(pair.motion)!;
      const points = placePoints(this.#points, pair, m);
      const stride = normals.length === 3 ? 0 : 3;
      let [squares, below] = [0, 0];
      for (let q = 0; q < faces.length; q++) {
        const f = faces[q];
        const ratio = signedFaceArea(points, mesh.triangles, 3 * f, normals, stride * f) / areas[f];
        squares += areas[f] * (ratio - 1) * (ratio - 1);
        if (ratio < NEARLY_INVERTED) below += areas[f] * (NEARLY_INVERTED - ratio) * (NEARLY_INVERTED - ratio);
      }
      changed += (weight * squares) / area;
      inverted += (weight * below) / area;
      if (this.#total) {
        const { measure, rest, perArea } = this.#total;
        lost += this.#totalWeight(pair) * weight * ((measure.measure(points, normals) - rest) / (perArea * area)) ** 2;
      }
    }
    const bent = multiplySparse(new Float64Array(this.size), stiffness, m);
    const terms = {
      local: local * changed,
      inversion: inversion * inverted,
      total: lost,
      smoothness: this.#smoothness * m.reduce((sum, x, i) => sum + x * bent[i], 0),
      prior: this.#prior * m.reduce((sum, x, i) => sum + mass[i] * (x - 1) ** 2, 0),
    };
    return { ...terms, energy: Object.values(terms).reduce((sum, x) => sum + x, 0) };
  }

  /** λg of the motion that a pose belongs to. */
  #totalWeight({ motion }: PosePair): number {
    const { total } = this.#weights;
    return typeof total === 'number' ? total : (total.get(motion) ?? 0);
  }

  /** Gradient and Gauss–Newton Hessian at m. The next call, of any energy of this surface, overwrites the sparse matrix. */
  system(m: Float64Array): MixSystem {
    const { local, inversion } = this.#weights;
    const { mesh, areas, stiffness, mass, slots, values } = this.surface;
    const { triangles } = mesh;
    const { offsets, columns } = stiffness;
    const gradient = multiplySparse(new Float64Array(this.size), stiffness, m);
    for (let q = 0; q < values.length; q++) values[q] = 2 * this.#smoothness * stiffness.values[q];
    for (let r = 0; r < this.size; r++) {
      const held = 2 * this.#prior * mass[r];
      gradient[r] = 2 * this.#smoothness * gradient[r] + held * (m[r] - 1);
      for (let q = offsets[r]; q < offsets[r + 1]; q++) if (columns[q] === r) values[q] += held;
    }

    const { ofMotion } = this.judged;
    const ranks: Float64Array[] = [];
    const slope = new Float64Array(3);
    for (const pair of this.#pairs) {
      const { normals, weight, difference } = pair;
      const { faces, area } = ofMotion.get(pair.motion)!;
      const points = placePoints(this.#points, pair, m);
      const stride = normals.length === 3 ? 0 : 3;
      for (let q = 0; q < faces.length; q++) {
        const f = faces[q];
        const ratio = signedFaceArea(points, triangles, 3 * f, normals, stride * f) / areas[f];
        const share = (2 * weight * areas[f]) / area;
        const over = ratio < NEARLY_INVERTED ? inversion : 0;
        const force = share * (local * (ratio - 1) + over * (ratio - NEARLY_INVERTED));
        const stiff = share * (local + over);
        this.#ratioSlope(slope, points, difference, f, normals, stride * f);
        for (let c = 0; c < 3; c++) gradient[triangles[3 * f + c]] += force * slope[c];
        for (let r = 0; r < 3; r++) {
          const row = stiff * slope[r];
          for (let c = 0; c < 3; c++) values[slots[9 * f + 3 * r + c]] += row * slope[c];
        }
      }
      if (this.#total) ranks.push(this.#rankOf(pair, area, points, gradient));
    }
    return { gradient, sparse: { offsets, columns, values }, ranks };
  }

  /** The rank-1 term of a pose's total, u = √(2·q·λg)·∂T/∂m / T_ref, whose share of the gradient is added. */
  #rankOf(pair: PosePair, area: number, points: Float64Array, gradient: Float64Array): Float64Array {
    const { normals, weight, difference } = pair;
    const { measure, rest, perArea } = this.#total!;
    const reference = perArea * area;
    const residual = (measure.measure(points, normals) - rest) / reference;
    measure.gradient(this.#slopes, points, normals);
    const scale = 2 * weight * this.#totalWeight(pair);
    const u = new Float64Array(this.size);
    for (let i = 0; i < this.size; i++) {
      let along = 0;
      for (let c = 3 * i; c < 3 * i + 3; c++) along += difference[c] * this.#slopes[c];
      along /= reference;
      gradient[i] += scale * residual * along;
      u[i] = Math.sqrt(scale) * along;
    }
    return u;
  }

  /** out (3) = ∂ρ_f/∂m of its corners. */
  #ratioSlope(out: Float64Array, p: Float64Array, d: Float32Array, f: number, normals: Float32Array, o: number): void {
    const [nx, ny, nz] = [normals[o], normals[o + 1], normals[o + 2]];
    const { triangles } = this.surface.mesh;
    const scale = 1 / (2 * this.surface.areas[f]);
    for (let corner = 0; corner < 3; corner++) {
      const a = 3 * triangles[3 * f + corner];
      const b = 3 * triangles[3 * f + ((corner + 1) % 3)];
      const c = 3 * triangles[3 * f + ((corner + 2) % 3)];
      const x = p[b] - p[c];
      const y = p[b + 1] - p[c + 1];
      const z = p[b + 2] - p[c + 2];
      // n·D × (b − c) = D·(b − c) × n
      out[corner] = scale * (d[a] * (y * nz - z * ny) + d[a + 1] * (z * nx - x * nz) + d[a + 2] * (x * ny - y * nx));
    }
  }
}
