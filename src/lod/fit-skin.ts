import { MATRIX_STRIDE } from '../math/matrix34.ts';
import { DenseSimplexQp } from '../math/simplex-qp.ts';
import { type Edges, type Lists, vertexNeighbours } from '../mesh/adjacency.ts';
import type { SkinWeights } from '../model/skinned-model.ts';
import { BlockSystem } from './block-system.ts';
import { CANDIDATES, type Candidates } from './candidates.ts';
import { addSandwich, addTransposed, form, solveSymmetric, subtractProduct } from './forms.ts';
import type { Moments } from './moments.ts';
import { MOST_INFLUENCES, setInfluences } from './pose.ts';
import type { SurfaceSkin } from './surface.ts';

/** How strongly a fit is held back. */
export interface FitSettings {
  /** Pull of positions to where they start, relative to what the samples say. */
  damping: number;
  /** Pull of weights to those of the original around the vertex, the same. */
  weightPull: number;
  /** Rounds of weights after positions. */
  rounds: number;
  /** Sweeps over the vertices in a round of weights. */
  sweeps: number;
}

/** What poses the level's vertices. */
export interface FitSkin {
  skin: SurfaceSkin;
  candidates: Candidates;
  /** K × 3n: what morphs add to the rest pose in each pose; absent where there are none. */
  morphed?: readonly Float64Array[];
}

/**
 * Rest positions and weights of a level, so that it follows the original in all poses at once: the minimum over x and w of
 * the moments at d_ip = Σ_j w_ij A_jp x_i − start. Positions for given weights are a linear system; the weights of one
 * vertex for given positions a quadratic program on the simplex, vertex after vertex (Gauss–Seidel).
 */
export class SkinFit {
  /** 3n: rest positions. */
  readonly x: Float64Array;
  readonly weights: SkinWeights;
  readonly #settings: FitSettings;
  readonly #of: FitSkin;
  readonly #edges: Edges;
  readonly #around: Lists;
  readonly #system: BlockSystem;
  readonly #qp = new DenseSimplexQp(CANDIDATES, MOST_INFLUENCES);
  #moments!: Moments;
  /** n: 1 for vertices that stay as they are. */
  #frozen?: Uint8Array;
  /** K × 3n: where the moments start. */
  #start!: readonly ArrayLike<number>[];
  /** 9 per vertex and pose: the linear part of what poses it; 3: where it is, relative to the start. */
  #matrices = new Float32Array(0);
  #offsets = new Float64Array(0);

  constructor(rest: ArrayLike<number>, weights: SkinWeights, edges: Edges, of: FitSkin, settings: FitSettings) {
    this.x = Float64Array.from(rest);
    this.weights = weights;
    this.#of = of;
    this.#settings = settings;
    this.#edges = edges;
    this.#around = vertexNeighbours(edges, this.x.length / 3);
    this.#system = new BlockSystem(this.x.length / 3, edges.vertices);
  }

  /** Fits to these moments, which were gathered where the level's vertices are now (`start`: K × 3n). `frozen`: n, 1 for vertices that stay as they are. */
  fit(moments: Moments, start: readonly ArrayLike<number>[], frozen?: Uint8Array): void {
    this.#frozen = frozen;
    this.#moments = moments;
    this.#start = start;
    const n = this.x.length / 3;
    if (this.#matrices.length !== 9 * n * moments.poses) {
      this.#matrices = new Float32Array(9 * n * moments.poses);
      this.#offsets = new Float64Array(3 * n * moments.poses);
    }
    for (let i = 0; i < n; i++) this.#place(i);
    this.solvePositions();
    for (let round = 0; round < this.#settings.rounds; round++) {
      for (let sweep = 0; sweep < this.#settings.sweeps; sweep++) this.solveWeights();
      this.solvePositions();
    }
  }

  /** Mean squared distance of the samples over the poses, as the moments weigh directions. */
  objective(): number {
    const { poses, vertices, edges, sides, constants } = this.#moments;
    const d = this.#offsets;
    let sum = constants.reduce((total, c) => total + c, 0);
    for (let q = 0; q < d.length / 3; q++) {
      sum += form(vertices, 6 * q, d, 3 * q, d, 3 * q);
      for (let c = 0; c < 3; c++) sum -= 2 * d[3 * q + c] * sides[3 * q + c];
    }
    const ends = this.#edges.vertices;
    for (let e = 0; e < ends.length / 2; e++) {
      for (let p = 0; p < poses; p++) {
        sum +=
          2 * form(edges, 6 * (e * poses + p), d, 3 * (ends[2 * e] * poses + p), d, 3 * (ends[2 * e + 1] * poses + p));
      }
    }
    return sum / poses;
  }

  /** The best rest positions for the weights at hand. */
  solvePositions(): void {
    const system = this.#system;
    const { poses, vertices, edges, sides } = this.#moments;
    const { vertices: ends } = this.#edges;
    const m = this.#matrices;
    const d = this.#offsets;
    const n = this.x.length / 3;
    system.clear();
    const { b } = system;
    for (let i = 0; i < n; i++) {
      for (let p = 0; p < poses; p++) {
        const q = i * poses + p;
        addSandwich(system.vertices, 9 * i, m, 9 * q, vertices, 6 * q, m, 9 * q);
        residual[0] = sides[3 * q];
        residual[1] = sides[3 * q + 1];
        residual[2] = sides[3 * q + 2];
        subtractProduct(residual, vertices, 6 * q, d, 3 * q);
        addTransposed(b, 3 * i, m, 9 * q, residual);
      }
    }
    for (let e = 0; e < ends.length / 2; e++) {
      const i = ends[2 * e];
      const j = ends[2 * e + 1];
      for (let p = 0; p < poses; p++) {
        const s = 6 * (e * poses + p);
        const qi = i * poses + p;
        const qj = j * poses + p;
        addSandwich(system.edges, 9 * e, m, 9 * qi, edges, s, m, 9 * qj);
        residual.fill(0);
        subtractProduct(residual, edges, s, d, 3 * qj);
        addTransposed(b, 3 * i, m, 9 * qi, residual);
        residual.fill(0);
        subtractProduct(residual, edges, s, d, 3 * qi);
        addTransposed(b, 3 * j, m, 9 * qj, residual);
      }
    }
    for (let i = 0; i < n; i++) {
      const o = 9 * i;
      const trace = system.vertices[o] + system.vertices[o + 4] + system.vertices[o + 8];
      const held = this.#frozen?.[i] === 1;
      const more = ((held ? HELD : this.#settings.damping) * trace) / 3 + Number.MIN_VALUE;
      system.vertices[o] += more;
      system.vertices[o + 4] += more;
      system.vertices[o + 8] += more;
      if (held) b.fill(0, 3 * i, 3 * i + 3);
    }
    const step = new Float64Array(3 * n);
    system.solve(step);
    for (let c = 0; c < step.length; c++) if (this.#frozen?.[Math.floor(c / 3)] !== 1) this.x[c] += step[c];
    for (let i = 0; i < n; i++) this.#place(i);
  }

  /** The best weights of every vertex in turn, for the positions at hand. */
  solveWeights(): void {
    for (let i = 0; i < this.x.length / 3; i++) if (this.#frozen?.[i] !== 1) this.#solveWeightsOf(i);
  }

  #solveWeightsOf(i: number): void {
    const { poses, vertices, edges, sides } = this.#moments;
    const { candidates, skin } = this.#of;
    const count = candidates.counts[i];
    if (count < 2) return;
    const g = gram.fill(0, 0, count * count);
    const d = this.#offsets;
    const { offsets, items } = this.#around;
    for (let p = 0; p < poses; p++) {
      const q = i * poses + p;
      // (1) Where the vertex wants to be in this pose: S⁻¹(Y − Σ_j S_ij d_j), relative to the start.
      residual[0] = sides[3 * q];
      residual[1] = sides[3 * q + 1];
      residual[2] = sides[3 * q + 2];
      for (let a = offsets[i]; a < offsets[i + 1]; a++) {
        subtractProduct(residual, edges, 6 * (this.#edgeAt(a) * poses + p), d, 3 * (items[a] * poses + p));
      }
      if (!solveSymmetric(wanted, vertices, 6 * q, residual)) continue;
      // (2) Where each candidate bone would take it, relative to that.
      const start = this.#start[p];
      const bones = skin.bones[p];
      const morphed = this.#of.morphed?.[p];
      const x = this.x[3 * i] + (morphed ? morphed[3 * i] : 0);
      const y = this.x[3 * i + 1] + (morphed ? morphed[3 * i + 1] : 0);
      const z = this.x[3 * i + 2] + (morphed ? morphed[3 * i + 2] : 0);
      for (let c = 0; c < count; c++) {
        const o = MATRIX_STRIDE * candidates.joints[CANDIDATES * i + c];
        for (let row = 0; row < 3; row++) {
          const r = o + 4 * row;
          apart[3 * c + row] =
            bones[r] * x + bones[r + 1] * y + bones[r + 2] * z + bones[r + 3] - start[3 * i + row] - wanted[row];
        }
      }
      for (let r = 0; r < count; r++) {
        for (let c = r; c < count; c++) g[r * count + c] += form(vertices, 6 * q, apart, 3 * r, apart, 3 * c);
      }
    }
    for (let r = 0; r < count; r++) for (let c = 0; c < r; c++) g[r * count + c] = g[c * count + r];
    this.#pull(g, i, count);

    // (3) From the weights at hand to the best ones.
    const { weights: skinWeights } = this;
    const k = skinWeights.influences;
    const w = this.#qp.w.fill(0, 0, count);
    let sum = 0;
    for (let s = k * i; s < k * (i + 1); s++) {
      for (let c = 0; c < count && skinWeights.weights[s] > 0; c++) {
        if (candidates.joints[CANDIDATES * i + c] !== skinWeights.joints[s]) continue;
        w[c] += skinWeights.weights[s];
        sum += skinWeights.weights[s];
      }
    }
    for (let c = 0; c < count && sum > 0; c++) w[c] /= sum;
    this.#qp.minimize(g, count);
    for (let c = 0; c < count; c++) {
      newJoints[c] = candidates.joints[CANDIDATES * i + c];
      newWeights[c] = w[c];
    }
    setInfluences(skinWeights, i, newJoints, newWeights, count);
    this.#place(i);
  }

  /** Adds λ‖w − w⁰‖², with w⁰ those of the original around the vertex: as a form of weights whose sum is 1. */
  #pull(g: Float64Array, i: number, count: number): void {
    const { shares } = this.#of.candidates;
    let spread = 0;
    for (let c = 1; c < count; c++) spread += g[c * count + c] + g[0] - 2 * g[c];
    const lambda = (this.#settings.weightPull * spread) / count;
    let norm = 0;
    for (let c = 0; c < count; c++) norm += shares[CANDIDATES * i + c] ** 2;
    for (let r = 0; r < count; r++) {
      for (let c = 0; c < count; c++) {
        const [a, b] = [shares[CANDIDATES * i + r], shares[CANDIDATES * i + c]];
        g[r * count + c] += lambda * ((r === c ? 1 : 0) - a - b + norm);
      }
    }
  }

  /** Brings the matrices and offsets of a vertex up to date. */
  #place(i: number): void {
    const { influences: k, joints, weights } = this.weights;
    const { skin, morphed } = this.#of;
    const { poses } = this.#moments;
    for (let p = 0; p < poses; p++) {
      const bones = skin.bones[p];
      const q = i * poses + p;
      blended.fill(0);
      for (let s = k * i; s < k * (i + 1); s++) {
        const w = weights[s];
        if (w === 0) continue;
        const o = MATRIX_STRIDE * joints[s];
        for (let c = 0; c < MATRIX_STRIDE; c++) blended[c] += w * bones[o + c];
      }
      const at = morphed?.[p];
      const x = this.x[3 * i] + (at ? at[3 * i] : 0);
      const y = this.x[3 * i + 1] + (at ? at[3 * i + 1] : 0);
      const z = this.x[3 * i + 2] + (at ? at[3 * i + 2] : 0);
      for (let row = 0; row < 3; row++) {
        const r = 4 * row;
        for (let c = 0; c < 3; c++) this.#matrices[9 * q + 3 * row + c] = blended[r + c];
        this.#offsets[3 * q + row] =
          blended[r] * x + blended[r + 1] * y + blended[r + 2] * z + blended[r + 3] - this.#start[p][3 * i + row];
      }
    }
  }

  /** The edge to the neighbour at place `a` of the lists of neighbours. */
  #edgeAt(a: number): number {
    this.#edgeOfPlace ??= edgesOfPlaces(this.#edges, this.#around);
    return this.#edgeOfPlace[a];
  }
  #edgeOfPlace?: Uint32Array;
}

/** What holds a vertex in place whatever the samples say. */
export const HELD = 1e9;

const residual = new Float64Array(3);
const wanted = new Float64Array(3);
const blended = new Float64Array(MATRIX_STRIDE);
const apart = new Float64Array(3 * CANDIDATES);
const gram = new Float64Array(CANDIDATES * CANDIDATES);
const newJoints = new Uint16Array(CANDIDATES);
const newWeights = new Float64Array(CANDIDATES);

/** Place in the lists of neighbours → edge. Lists rise, and edges are sorted by their smaller end, then by the other. */
function edgesOfPlaces({ vertices }: Edges, { offsets }: Lists): Uint32Array {
  const next = offsets.slice();
  const out = new Uint32Array(vertices.length);
  // The smaller neighbours of a vertex come first, from edges of theirs that come first, too.
  for (let e = 0; e < vertices.length / 2; e++) out[next[vertices[2 * e + 1]]++] = e;
  for (let e = 0; e < vertices.length / 2; e++) out[next[vertices[2 * e]]++] = e;
  return out;
}
