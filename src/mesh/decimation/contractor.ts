import { IndexedHeap } from '../indexed-heap.ts';
import { ContractibleMesh } from './contractible-mesh.ts';
import { type ContractorOptions, type PosedMesh, PosedQuadrics } from './posed-quadrics.ts';

/** What a caller may forbid or want to know. */
export interface ContractionRules {
  /** N: the queue that decides when a vertex is removed, −1 for a vertex that must stay. One queue for all when absent. */
  queueOf?: Int32Array;
  /** Whether i may be merged into j. Asked when costs are computed and again just before a contraction. */
  mayContract?(i: number, j: number): boolean;
  /** The same, for what takes longer: asked last, and only when a contraction is about to happen. */
  isSafe?(i: number, j: number): boolean;
  /** What merging i into j costs beside the distances, ≥ 0. */
  extraCost?(i: number, j: number): number;
  /** Called before i is merged into j, right after `isSafe`. */
  beforeContract?(i: number, j: number): void;
  /** Called after i was merged into j. */
  onContract?(i: number, j: number): void;
}

/**
 * Edge contraction by quadric error (Garland & Heckbert 1997), in several poses at once (Mohr & Gleicher 2003;
 * Antonopoulos 2010, (4.1)–(4.3) and Algorithm 4.1): the cost of merging i into j is the sum over the poses of Δ = Q_i
 * + Q_j at the merged vertex.
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

  readonly #quadrics: PosedQuadrics;
  /** N: what a vertex would best be merged into, −1 when nothing will do. */
  readonly #target: Int32Array;
  /** N: 1 while a cheaper contraction than `target` is known to be invalid; it may become valid again. */
  readonly #secondBest: Uint8Array;
  readonly #queues: IndexedHeap[] = [];
  readonly #queueOf: Int32Array;
  readonly #rules: ContractionRules;
  readonly #ring: number[] = [];
  readonly #candidates: number[] = [];

  constructor(posed: PosedMesh, options: ContractorOptions, rules: ContractionRules = {}) {
    const n = posed.poses[0].length / 3;
    this.mesh = new ContractibleMesh(posed.triangles, n);
    this.#quadrics = new PosedQuadrics(posed.lines ? posed.triangles : this.mesh.triangles(), posed, options);
    this.removed = new Uint32Array(n);
    this.into = new Uint32Array(n);
    this.costs = new Float64Array(n);
    this.#target = new Int32Array(n).fill(-1);
    this.#secondBest = new Uint8Array(n);
    this.#rules = rules;
    this.#queueOf = rules.queueOf ?? new Int32Array(n);
    const queueCount = this.#queueOf.reduce((most, q) => Math.max(most, q + 1), 1);
    for (let q = 0; q < queueCount; q++) this.#queues.push(new IndexedHeap(n, this.#queues[0]));
    for (let i = 0; i < n; i++) this.#retarget(i, false);
  }

  get queueCount(): number {
    return this.#queues.length;
  }

  /** How many vertices of a queue have a contraction, |PQ| of (4.6). Some may turn out to be invalid. */
  queueSize(queue: number): number {
    return this.#queues[queue].size;
  }

  /** What the cheapest contraction of a queue costs, or less: it may turn out to be invalid. Infinity when there is none. */
  nextCost(queue = 0): number {
    const heap = this.#queues[queue];
    return heap.size > 0 ? heap.keys[heap.peek()] : Infinity;
  }

  /** Takes away all faces of a piece of the surface. */
  removePiece(faces: Uint32Array): void {
    for (const f of faces) {
      if (this.mesh.alive[f] === 0) continue;
      for (const v of this.mesh.corners.subarray(3 * f, 3 * f + 3)) {
        if (this.#queueOf[v] >= 0) this.#queues[this.#queueOf[v]].remove(v);
      }
      this.mesh.removeFace(f);
    }
  }

  /** Carries out the cheapest valid contraction of a queue. Returns false when there is none. */
  contractNext(queue = 0): boolean {
    const heap = this.#queues[queue];
    while (heap.size > 0) {
      const i = heap.peek();
      if (this.#isValid(i, this.#target[i])) {
        this.#contract(i, this.#target[i], heap.keys[i]);
        return true;
      }
      this.#retarget(i, true);
    }
    return false;
  }

  /** What was refused because it turns faces or makes them thin is allowed from now on. */
  allowHarm(): void {
    this.#quadrics.allowHarm();
    this.retry();
  }

  /** Looks at every vertex again: the rules have changed. */
  retry(): void {
    for (let i = 0; i < this.#target.length; i++) if (this.mesh.firstCorner[i] >= 0) this.#retarget(i, false);
  }

  #contract(i: number, j: number, cost: number): void {
    const { mesh } = this;
    const quadrics = this.#quadrics;
    const target = this.#target;
    this.#rules.beforeContract?.(i, j);
    quadrics.merge(i, j);
    this.#queues[this.#queueOf[i]].remove(i);
    mesh.contract(i, j);
    this.removed[this.count] = i;
    this.into[this.count] = j;
    this.costs[this.count] = cost;
    this.count++;
    this.#rules.onContract?.(i, j);

    this.#retarget(j, false);
    for (const n of mesh.neighbours(j, this.#ring)) {
      if (target[n] < 0 || target[n] === i || target[n] === j || this.#secondBest[n] === 1) this.#retarget(n, false);
      else if (this.#allowed(n, j)) {
        const other = this.#cost(n, j);
        const heap = this.#queues[this.#queueOf[n]];
        if (other < heap.keys[n]) {
          target[n] = j;
          heap.set(n, other);
        }
      }
    }
  }

  /** Finds the cheapest contraction of i, among the valid ones or among all, and puts i into its queue or takes it out. */
  #retarget(i: number, onlyValid: boolean): void {
    if (this.#queueOf[i] < 0) return;
    let best = Infinity;
    let bestTarget = -1;
    for (const j of this.mesh.neighbours(i, this.#candidates)) {
      if (!this.#allowed(i, j)) continue;
      const cost = this.#cost(i, j);
      if (cost > best || (cost === best && j > bestTarget)) continue;
      if (onlyValid && !this.#isValid(i, j)) continue;
      best = cost;
      bestTarget = j;
    }
    this.#target[i] = bestTarget;
    this.#secondBest[i] = onlyValid ? 1 : 0;
    const heap = this.#queues[this.#queueOf[i]];
    if (bestTarget < 0) heap.remove(i);
    else heap.set(i, best);
  }

  #cost(i: number, j: number): number {
    return this.#quadrics.cost(i, j) + (this.#rules.extraCost?.(i, j) ?? 0);
  }

  #allowed(i: number, j: number): boolean {
    return this.#queueOf[i] >= 0 && (this.#rules.mayContract?.(i, j) ?? true);
  }

  #isValid(i: number, j: number): boolean {
    return (
      this.#allowed(i, j) &&
      this.mesh.isContractible(i, j) &&
      !this.#quadrics.harmsFaces(this.mesh, i, j) &&
      (this.#rules.isSafe?.(i, j) ?? true)
    );
  }
}
