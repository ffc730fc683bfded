import { PliantError } from '../error.ts';
import { diagonalOf } from './bounds.ts';
import { ContractibleMesh } from './contractible-mesh.ts';
import { IndexedHeap } from './indexed-heap.ts';
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
}

export interface ContractorOptions extends QuadricOptions {
  /** Where the merged vertex lies: where the second vertex was, or where the quadrics of each pose are least. */
  placement: 'second' | 'optimal';
  /** How far, in radians, a contraction may turn the normal of a face in any pose; at most π/2. */
  maxTurn: number;
}

/** What a caller may forbid or want to know. */
export interface ContractionRules {
  /** N: the queue that decides when a vertex is removed, −1 for a vertex that must stay. One queue for all when absent. */
  queueOf?: Int32Array;
  /** Whether i may be merged into j. Asked when costs are computed and again just before a contraction. */
  mayContract?(i: number, j: number): boolean;
  onContract?(i: number, j: number): void;
}

/**
 * Edge contraction by quadric error (Garland & Heckbert 1997), in several poses at once (Mohr & Gleicher 2003; document
 * 000, (4.1)–(4.3) and Algorithm 4.1): the cost of merging i into j is the sum over the poses of Δ = Q_i + Q_j at the
 * merged vertex.
 *
 * A queue holds vertices rather than edges: each with its cheapest contraction. One entry per vertex is enough, because
 * carrying out a contraction of i settles all its other ones. The link condition and the turning of faces are looked at
 * when a contraction is about to happen, not for every edge whose cost is computed; a vertex that finds no valid
 * contraction waits outside the queue until something around it changes. After a contraction into j only j's neighbours
 * are affected.
 */
export class Contractor {
  readonly mesh: ContractibleMesh;
  /** Contractions so far. */
  count = 0;
  /** N, `count` of them used: the removed vertices in order. */
  readonly removed: Uint32Array;
  /** The same: what each was merged into. */
  readonly into: Uint32Array;
  /** The same: the costs, in squared diagonals of the first pose times the weight of planes, mean over the poses. */
  readonly costs: Float64Array;

  private readonly poseCount: number;
  /** 3·K·N: pose by pose within a vertex; each pose centred, all in units of the first one's diagonal. */
  private readonly positions: Float64Array;
  /** 10·K·N. */
  private readonly quadrics: Float64Array;
  /** N: Σ Q_i(v_i), what keeping a vertex where it is costs already. */
  private readonly own: Float64Array;
  /** N: what a vertex would best be merged into, −1 when nothing will do. */
  private readonly target: Int32Array;
  /** N: 1 while a cheaper contraction than `target` is known to be invalid; it may become valid again. */
  private readonly secondBest: Uint8Array;
  private readonly queues: IndexedHeap[] = [];
  private readonly queueOf: Int32Array;
  private readonly rules: ContractionRules;
  private readonly optimal: boolean;
  private readonly minCosine2: number;
  /** 3K: the merged vertex of the contraction last placed. */
  private readonly merged: Float64Array;
  private readonly ring: number[] = [];
  private readonly candidates: number[] = [];

  constructor({ triangles, poses, poseWeights }: PosedMesh, options: ContractorOptions, rules: ContractionRules = {}) {
    const n = poses[0].length / 3;
    const poseCount = poses.length;
    if (poses.some((pose) => pose.length !== 3 * n)) {
      throw new PliantError('bad-input', 'decimate', `poses of different sizes (expected ${n} vertices in each)`);
    }
    this.mesh = new ContractibleMesh(triangles, n);
    this.removed = new Uint32Array(n);
    this.into = new Uint32Array(n);
    this.costs = new Float64Array(n);
    this.poseCount = poseCount;
    this.positions = new Float64Array(3 * poseCount * n);
    this.quadrics = new Float64Array(QUADRIC * poseCount * n);
    this.own = new Float64Array(n);
    this.target = new Int32Array(n).fill(-1);
    this.secondBest = new Uint8Array(n);
    this.rules = rules;
    this.optimal = options.placement === 'optimal';
    this.minCosine2 = Math.cos(Math.min(options.maxTurn, Math.PI / 2)) ** 2;
    this.merged = new Float64Array(3 * poseCount);

    const live = this.mesh.triangles();
    const boundary = boundaryCorners(live, n);
    const scale = 1 / (diagonalOf(poses[0]) || 1);
    const totalWeight = poses.reduce((sum, _, p) => sum + (poseWeights?.[p] ?? 1), 0);
    poses.forEach((pose, p) => {
      const centred = centredPose(pose, scale);
      const weight = (poseWeights?.[p] ?? 1) / totalWeight;
      addPoseQuadrics(
        this.quadrics,
        QUADRIC * p,
        QUADRIC * poseCount,
        centred.positions,
        live,
        boundary,
        options,
        weight,
      );
      for (let i = 0; i < n; i++) {
        for (let c = 0; c < 3; c++) this.positions[3 * (i * poseCount + p) + c] = centred.positions[3 * i + c];
      }
    });

    this.queueOf = rules.queueOf ?? new Int32Array(n);
    const queueCount = this.queueOf.reduce((most, q) => Math.max(most, q + 1), 1);
    for (let q = 0; q < queueCount; q++) this.queues.push(new IndexedHeap(n, this.queues[0]));
    for (let i = 0; i < n; i++) this.own[i] = this.costAt(i, i);
    for (let i = 0; i < n; i++) this.retarget(i, false);
  }

  get queueCount(): number {
    return this.queues.length;
  }

  /** How many vertices of a queue have a contraction, |PQ| of (4.6). Some may turn out to be invalid. */
  queueSize(queue: number): number {
    return this.queues[queue].size;
  }

  /** Carries out the cheapest valid contraction of a queue. Returns false when there is none. */
  contractNext(queue = 0): boolean {
    const heap = this.queues[queue];
    while (heap.size > 0) {
      const i = heap.peek();
      if (this.isValid(i, this.target[i])) {
        this.contract(i, this.target[i], heap.keys[i]);
        return true;
      }
      this.retarget(i, true);
    }
    return false;
  }

  private contract(i: number, j: number, cost: number): void {
    const { mesh, poseCount, quadrics, target } = this;
    this.place(i, j);
    this.positions.set(this.merged, 3 * poseCount * j);
    const from = QUADRIC * poseCount * i;
    const to = QUADRIC * poseCount * j;
    for (let c = 0; c < QUADRIC * poseCount; c++) quadrics[to + c] += quadrics[from + c];
    this.own[j] = this.costAt(j, j);

    this.queues[this.queueOf[i]].remove(i);
    mesh.contract(i, j);
    this.removed[this.count] = i;
    this.into[this.count] = j;
    this.costs[this.count] = cost;
    this.count++;
    this.rules.onContract?.(i, j);

    this.retarget(j, false);
    for (const n of mesh.neighbours(j, this.ring)) {
      if (target[n] < 0 || target[n] === i || target[n] === j || this.secondBest[n] === 1) this.retarget(n, false);
      else if (this.allowed(n, j)) {
        const other = this.cost(n, j);
        const heap = this.queues[this.queueOf[n]];
        if (other < heap.keys[n]) {
          target[n] = j;
          heap.set(n, other);
        }
      }
    }
  }

  /** Finds the cheapest contraction of i, among the valid ones or among all, and puts i into its queue or takes it out. */
  private retarget(i: number, onlyValid: boolean): void {
    if (this.queueOf[i] < 0) return;
    let best = Infinity;
    let bestTarget = -1;
    for (const j of this.mesh.neighbours(i, this.candidates)) {
      if (!this.allowed(i, j)) continue;
      const cost = this.cost(i, j);
      if (cost > best || (cost === best && j > bestTarget)) continue;
      if (onlyValid && !this.isValid(i, j)) continue;
      best = cost;
      bestTarget = j;
    }
    this.target[i] = bestTarget;
    this.secondBest[i] = onlyValid ? 1 : 0;
    const heap = this.queues[this.queueOf[i]];
    if (bestTarget < 0) heap.remove(i);
    else heap.set(i, best);
  }

  private allowed(i: number, j: number): boolean {
    return this.queueOf[i] >= 0 && (this.rules.mayContract?.(i, j) ?? true);
  }

  private isValid(i: number, j: number): boolean {
    if (!this.allowed(i, j) || !this.mesh.isContractible(i, j)) return false;
    this.place(i, j);
    return !this.turns(i, j) && !(this.optimal && this.turns(j, i));
  }

  /** (4.3). Never negative, whatever rounding says. */
  private cost(i: number, j: number): number {
    if (!this.optimal) return Math.max(0, this.own[j] + this.costAt(i, j));
    this.place(i, j);
    const { poseCount, quadrics, merged } = this;
    let sum = 0;
    for (let p = 0; p < poseCount; p++) {
      const x = merged[3 * p];
      const y = merged[3 * p + 1];
      const z = merged[3 * p + 2];
      sum += evaluateQuadric(quadrics, QUADRIC * (i * poseCount + p), x, y, z);
      sum += evaluateQuadric(quadrics, QUADRIC * (j * poseCount + p), x, y, z);
    }
    return Math.max(0, sum);
  }

  /** Σ Q_i(v_j) over the poses. */
  private costAt(i: number, j: number): number {
    const { poseCount, quadrics, positions } = this;
    let sum = 0;
    let v = 3 * poseCount * j;
    let q = QUADRIC * poseCount * i;
    for (let p = 0; p < poseCount; p++, v += 3, q += QUADRIC) {
      sum += evaluateQuadric(quadrics, q, positions[v], positions[v + 1], positions[v + 2]);
    }
    return sum;
  }

  /** Where merging i into j puts the vertex in every pose: `merged`. */
  private place(i: number, j: number): void {
    const { poseCount, positions, merged, quadrics } = this;
    for (let p = 0; p < poseCount; p++) {
      const a = i * poseCount + p;
      const b = j * poseCount + p;
      if (this.optimal && minimizeQuadrics(merged, 3 * p, quadrics, QUADRIC * a, QUADRIC * b)) continue;
      merged[3 * p] = positions[3 * b];
      merged[3 * p + 1] = positions[3 * b + 1];
      merged[3 * p + 2] = positions[3 * b + 2];
    }
  }

  /** Whether a face of i without j turns too far in some pose when i moves to `merged` (document 000, §4.3.2). */
  private turns(i: number, j: number): boolean {
    const { mesh, poseCount, positions, merged, minCosine2 } = this;
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

/** A pose about the mean of its vertices, in double precision: quadrics lose digits with the distance from the origin. */
export function centredPose(pose: ArrayLike<number>, scale: number): { positions: Float64Array; centre: number[] } {
  const n = pose.length / 3;
  const centre = [0, 0, 0];
  for (let c = 0; c < pose.length; c++) centre[c % 3] += pose[c] / n;
  const positions = new Float64Array(pose.length);
  for (let c = 0; c < pose.length; c++) positions[c] = (pose[c] - centre[c % 3]) * scale;
  return { positions, centre };
}
