import { PliantError } from '../../error.ts';
import { diagonalOf } from '../bounds.ts';
import type { ContractibleMesh } from './contractible-mesh.ts';
import {
  addPoseQuadrics,
  boundaryCorners,
  evaluateQuadric,
  minimizeQuadrics,
  QUADRIC,
  type QuadricOptions,
} from './quadrics.ts';

/** N vertices, their triangles, and K ≥ 1 poses of them: one for a still mesh, several for one that moves. */
export interface PosedMesh {
  /** 3F. */
  triangles: Uint32Array;
  /** K arrays of 3N. */
  poses: readonly ArrayLike<number>[];
  /** K: how much each pose counts; all the same when absent. */
  poseWeights?: readonly number[];
  /** Sides to keep in place, by the corners where they begin, and how much each counts; the boundary when absent. */
  lines?: { corners: Uint32Array; shares: ArrayLike<number> };
}

/** How vertices are merged. */
export interface ContractorOptions extends QuadricOptions {
  /** Where the merged vertex lies: where the second vertex was, or where the quadrics of each pose are least. */
  placement: 'second' | 'optimal';
  /**
   * For vertices that are fitted in the end: how much of the cost, 0 to 1, is what it would be where the quadrics of each pose
   * are least. The rest is what it is where the vertex is put. 0 if absent.
   */
  fitShare?: number;
  /** How far, in radians, a contraction may turn the normal of a face in any pose; at most π/2. */
  maxTurn: number;
  /** Height over width of a triangle below which a contraction must not make it thinner, in the first pose; 0 if absent. */
  minHeight?: number;
}

/**
 * Quadrics of vertices in several poses at once (Antonopoulos 2010, (4.1)–(4.3)): what a contraction costs, where it
 * puts the merged vertex, and whether it turns a face too far.
 */
export class PosedQuadrics {
  readonly #poseCount: number;
  /** 3·K·N: pose by pose within a vertex; each pose centred, all in units of the first one's diagonal. */
  readonly #positions: Float64Array;
  /** 10·K·N. */
  readonly #quadrics: Float64Array;
  /** N: Σ Q_i(v_i), what keeping a vertex where it is costs already. */
  readonly #own: Float64Array;
  readonly #optimal: boolean;
  readonly #fitShare: number;
  #minCosine2: number;
  #anyTurn = false;
  #minHeight: number;
  /** 3K: the merged vertex of the contraction last placed. */
  readonly #merged: Float64Array;

  /** @param triangles 3F: those that count, in the numbers of the poses' vertices. */
  constructor(triangles: Uint32Array, { poses, poseWeights, lines }: PosedMesh, options: ContractorOptions) {
    const n = poses[0].length / 3;
    const poseCount = poses.length;
    if (poses.some((pose) => pose.length !== 3 * n)) {
      throw new PliantError('bad-input', 'decimate', `poses of different sizes (expected ${n} vertices in each)`);
    }
    this.#poseCount = poseCount;
    this.#positions = new Float64Array(3 * poseCount * n);
    this.#quadrics = new Float64Array(QUADRIC * poseCount * n);
    this.#own = new Float64Array(n);
    this.#optimal = options.placement === 'optimal';
    this.#fitShare = this.#optimal ? 1 : (options.fitShare ?? 0);
    this.#minCosine2 = Math.cos(Math.min(options.maxTurn, Math.PI / 2)) ** 2;
    this.#minHeight = options.minHeight ?? 0;
    this.#merged = new Float64Array(3 * poseCount);
    const boundary = lines?.corners ?? boundaryCorners(triangles, n);
    const surface = { triangles, boundary, boundaryShares: lines?.shares };
    const scale = 1 / (diagonalOf(poses[0]) || 1);
    const totalWeight = poses.reduce((sum, _, p) => sum + (poseWeights?.[p] ?? 1), 0);
    const stride = QUADRIC * poseCount;
    poses.forEach((pose, p) => {
      const { positions } = centredPose(pose, scale);
      const weight = (poseWeights?.[p] ?? 1) / totalWeight;
      const ofPose = { q: this.#quadrics, o: QUADRIC * p, stride };
      addPoseQuadrics(ofPose, positions, surface, options, weight);
      for (let i = 0; i < n; i++) {
        for (let c = 0; c < 3; c++) this.#positions[3 * (i * poseCount + p) + c] = positions[3 * i + c];
      }
    });
    for (let i = 0; i < n; i++) this.#own[i] = this.#costAt(i, i);
  }

  /** (4.3). Never negative, whatever rounding says. */
  cost(i: number, j: number): number {
    const share = this.#fitShare;
    const there = share < 1 ? this.#own[j] + this.#costAt(i, j) : 0;
    return Math.max(0, (1 - share) * there + (share > 0 ? share * this.#leastCost(i, j) : 0));
  }

  /** The cost where the quadrics of each pose are least. */
  #leastCost(i: number, j: number): number {
    this.#place(i, j, true);
    const poseCount = this.#poseCount;
    const quadrics = this.#quadrics;
    const merged = this.#merged;
    let sum = 0;
    for (let p = 0; p < poseCount; p++) {
      const x = merged[3 * p];
      const y = merged[3 * p + 1];
      const z = merged[3 * p + 2];
      sum += evaluateQuadric(quadrics, QUADRIC * (i * poseCount + p), x, y, z);
      sum += evaluateQuadric(quadrics, QUADRIC * (j * poseCount + p), x, y, z);
    }
    return sum;
  }

  /** Whether a face turns too far in some pose, or becomes too thin, when i is merged into j. */
  harmsFaces(mesh: ContractibleMesh, i: number, j: number): boolean {
    this.#place(i, j);
    return this.#harms(mesh, i, j) || (this.#optimal && this.#harms(mesh, j, i));
  }

  /** From now on faces may turn as they like and become as thin as they like. */
  allowHarm(): void {
    this.#anyTurn = true;
    this.#minHeight = 0;
  }

  #harms(mesh: ContractibleMesh, i: number, j: number): boolean {
    return (!this.#anyTurn && this.#turns(mesh, i, j)) || (this.#minHeight > 0 && this.#thins(mesh, i, j));
  }

  /** Whether a face of i without j becomes thinner than `minHeight`, and than it was, when i moves to `merged`. */
  #thins(mesh: ContractibleMesh, i: number, j: number): boolean {
    const positions = this.#positions;
    const { corners, nextCorner } = mesh;
    const stride = 3 * this.#poseCount;
    for (let c = mesh.firstCorner[i]; c >= 0; c = nextCorner[c]) {
      const t = c - (c % 3);
      const a = corners[t + ((c + 1) % 3)];
      const b = corners[t + ((c + 2) % 3)];
      if (a === j || b === j) continue;
      const height = heightOverWidth(positions, stride * a, stride * b, this.#merged, 0);
      if (
        height < this.#minHeight &&
        height < heightOverWidth(positions, stride * a, stride * b, positions, stride * i)
      ) {
        return true;
      }
    }
    return false;
  }

  /** Merges i into j: its place, and the sum of the quadrics. */
  merge(i: number, j: number): void {
    const poseCount = this.#poseCount;
    const quadrics = this.#quadrics;
    this.#place(i, j);
    this.#positions.set(this.#merged, 3 * poseCount * j);
    const from = QUADRIC * poseCount * i;
    const to = QUADRIC * poseCount * j;
    for (let c = 0; c < QUADRIC * poseCount; c++) quadrics[to + c] += quadrics[from + c];
    this.#own[j] = this.#costAt(j, j);
  }

  /** Σ Q_i(v_j) over the poses. */
  #costAt(i: number, j: number): number {
    const poseCount = this.#poseCount;
    const quadrics = this.#quadrics;
    const positions = this.#positions;
    let sum = 0;
    let v = 3 * poseCount * j;
    let q = QUADRIC * poseCount * i;
    for (let p = 0; p < poseCount; p++, v += 3, q += QUADRIC) {
      sum += evaluateQuadric(quadrics, q, positions[v], positions[v + 1], positions[v + 2]);
    }
    return sum;
  }

  /** Where merging i into j puts the vertex in every pose: `merged`. */
  #place(i: number, j: number, optimal = this.#optimal): void {
    const poseCount = this.#poseCount;
    const positions = this.#positions;
    const merged = this.#merged;
    const quadrics = this.#quadrics;
    for (let p = 0; p < poseCount; p++) {
      const a = i * poseCount + p;
      const b = j * poseCount + p;
      if (optimal && minimizeQuadrics(merged, 3 * p, quadrics, QUADRIC * a, QUADRIC * b)) continue;
      merged[3 * p] = positions[3 * b];
      merged[3 * p + 1] = positions[3 * b + 1];
      merged[3 * p + 2] = positions[3 * b + 2];
    }
  }

  /** Whether a face of i without j turns too far in some pose when i moves to `merged` (Antonopoulos 2010, §4.3.2). */
  #turns(mesh: ContractibleMesh, i: number, j: number): boolean {
    const poseCount = this.#poseCount;
    const positions = this.#positions;
    const merged = this.#merged;
    const minCosine2 = this.#minCosine2;
    const { corners, nextCorner } = mesh;
    const oi = 3 * poseCount * i;
    for (let c = mesh.firstCorner[i]; c >= 0; c = nextCorner[c]) {
      const t = c - (c % 3);
      const a = corners[t + ((c + 1) % 3)];
      const b = corners[t + ((c + 2) % 3)];
      if (a === j || b === j) continue;
      const oa = 3 * poseCount * a;
      const ob = 3 * poseCount * b;
      for (let p = 0; p < 3 * poseCount; p += 3) {
        const ax = positions[oa + p];
        const ay = positions[oa + p + 1];
        const az = positions[oa + p + 2];
        const ex = positions[ob + p] - ax;
        const ey = positions[ob + p + 1] - ay;
        const ez = positions[ob + p + 2] - az;
        const ux = positions[oi + p] - ax;
        const uy = positions[oi + p + 1] - ay;
        const uz = positions[oi + p + 2] - az;
        const vx = merged[p] - ax;
        const vy = merged[p + 1] - ay;
        const vz = merged[p + 2] - az;
        const mx = ey * uz - ez * uy;
        const my = ez * ux - ex * uz;
        const mz = ex * uy - ey * ux;
        const nx = ey * vz - ez * vy;
        const ny = ez * vx - ex * vz;
        const nz = ex * vy - ey * vx;
        const before2 = mx * mx + my * my + mz * mz;
        if (before2 === 0) continue; // it had no normal to turn
        const dot = mx * nx + my * ny + mz * nz;
        if (dot <= 0 || dot * dot < minCosine2 * before2 * (nx * nx + ny * ny + nz * nz)) return true;
      }
    }
    return false;
  }
}

/** Twice the area over the square of the longest side, of the points at a and b of p and at c of q. */
function heightOverWidth(p: Float64Array, a: number, b: number, q: Float64Array, c: number): number {
  const ex = p[b] - p[a];
  const ey = p[b + 1] - p[a + 1];
  const ez = p[b + 2] - p[a + 2];
  const ux = q[c] - p[a];
  const uy = q[c + 1] - p[a + 1];
  const uz = q[c + 2] - p[a + 2];
  const vx = ux - ex;
  const vy = uy - ey;
  const vz = uz - ez;
  const nx = ey * uz - ez * uy;
  const ny = ez * ux - ex * uz;
  const nz = ex * uy - ey * ux;
  const longest2 = Math.max(ex * ex + ey * ey + ez * ez, ux * ux + uy * uy + uz * uz, vx * vx + vy * vy + vz * vz);
  return longest2 > 0 ? Math.sqrt(nx * nx + ny * ny + nz * nz) / longest2 : 0;
}

/** A pose about the mean of its vertices, in double precision: quadrics lose digits with the distance from the origin. */
export function centredPose(pose: ArrayLike<number>, scale: number): { positions: Float64Array; centre: number[] } {
  const n = pose.length / 3;
  const centre = [0, 0, 0];
  for (let c = 0; c < pose.length; c++) centre[c % 3] += pose[c] / n;
  const positions = new Float64Array(pose.length);
  for (let c = 0; c < pose.length; c++) positions[c] = (pose[c] - centre[c % 3]) * scale;
  return { positions, centre };
}
