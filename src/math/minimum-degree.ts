import type { SparseMatrix } from './sparse-matrix.ts';

/**
 * An order of elimination that keeps sparse Cholesky factors sparse: approximate minimum degree (Amestoy, Davis & Duff
 * 1996, "An approximate minimum degree ordering algorithm"). Eliminating a variable p joins all its neighbours to a clique;
 * the quotient graph keeps that clique as one *element* instead of its edges. A variable i then has variables A_i and
 * elements E_i around it, an element e has variables L_e. Variables that have become indistinguishable move as one
 * (supervariables of size `weight`), and elements inside newer ones are absorbed.
 *
 * Only the pattern of the symmetric matrix matters. Returns n: place → the variable eliminated there.
 */
export function minimumDegreeOrder(a: SparseMatrix): Uint32Array {
  const n = a.offsets.length - 1;
  /** A_i, for variables; L_e, for elements. */
  const around: number[][] = [];
  /** E_i. */
  const elements: number[][] = [];
  for (let i = 0; i < n; i++) {
    around.push(Array.from(a.columns.subarray(a.offsets[i], a.offsets[i + 1])).filter((j) => j !== i));
    elements.push([]);
  }
  /** Variables that a supervariable stands for; 0 for those that are eliminated or inside another. */
  const weight = new Int32Array(n).fill(1);
  const isElement = new Uint8Array(n);
  const degree = Int32Array.from(around, (list) => list.length);
  /** The supervariable's other members, as a list that starts at `nextMember[i]` and ends at `lastMember[i]`. */
  const nextMember = new Int32Array(n).fill(-1);
  const lastMember = Int32Array.from({ length: n }, (_, i) => i);
  const buckets = new Buckets(n);
  for (let i = 0; i < n; i++) buckets.add(i, degree[i]);

  const inClique = new Int32Array(n).fill(-1); // the pivot whose L_p a variable was last seen in
  const outside = new Int32Array(n); // |L_e \ L_p|
  const outsideOf = new Int32Array(n).fill(-1); // the pivot for which `outside` was computed
  const sizeOf = new Int32Array(n); // Σ weight over L_e
  /** Variables of a clique by a hash of what is around them: lists that start at `firstAlike` and go on at `nextAlike`. */
  const firstAlike = new Int32Array(n).fill(-1);
  const nextAlike = new Int32Array(n).fill(-1);
  const hashOf = new Int32Array(n);
  const order = new Uint32Array(n);
  let placed = 0;

  while (placed < n) {
    const p = buckets.takeLowest();
    const pivotWeight = weight[p];
    weight[p] = 0;

    // (1) L_p: all neighbours of p, through variables and through elements, which are absorbed.
    const clique: number[] = [];
    inClique[p] = p;
    const gather = (list: readonly number[]): void => {
      for (const i of list) {
        if (weight[i] === 0 || inClique[i] === p) continue;
        inClique[i] = p;
        clique.push(i);
      }
    };
    gather(around[p]);
    for (const e of elements[p]) {
      if (!isElement[e]) continue;
      gather(around[e]);
      isElement[e] = 0;
      around[e] = [];
    }
    let cliqueWeight = 0;
    for (const i of clique) cliqueWeight += weight[i];

    // (2) |L_e \ L_p| for every element that touches the clique.
    for (const i of clique) {
      for (const e of elements[i]) {
        if (!isElement[e]) continue;
        if (outsideOf[e] !== p) {
          outsideOf[e] = p;
          outside[e] = sizeOf[e];
        }
        outside[e] -= weight[i];
      }
    }

    // (3) What is left around each variable of the clique, and its approximate degree.
    let left = n - placed - pivotWeight;
    let massWeight = 0;
    const mass: number[] = [];
    for (const i of clique) {
      buckets.remove(i, degree[i]);
      let external = 0;
      let hash = p;
      const keptElements: number[] = [];
      for (const e of elements[i]) {
        if (!isElement[e]) continue;
        if (outside[e] === 0) continue; // inside L_p: absorbed
        keptElements.push(e);
        external += outside[e];
        hash += e;
      }
      const keptVariables: number[] = [];
      for (const v of around[i]) {
        if (weight[v] === 0 || inClique[v] === p) continue;
        keptVariables.push(v);
        external += weight[v];
        hash += v;
      }
      keptElements.push(p);
      elements[i] = keptElements;
      around[i] = keptVariables;
      if (external === 0) {
        // Nothing but the clique: eliminating i right after p costs nothing.
        mass.push(i);
        massWeight += weight[i];
        continue;
      }
      degree[i] = Math.min(degree[i] + cliqueWeight - weight[i], external + cliqueWeight - weight[i]);
      const key = hash % n;
      hashOf[i] = key;
      nextAlike[i] = firstAlike[key];
      firstAlike[key] = i;
    }
    for (const i of mass) join(p, i);
    left -= massWeight;
    cliqueWeight -= massWeight;

    // (4) Variables of the clique with equal surroundings become one.
    for (const first of clique) {
      if (weight[first] === 0 || firstAlike[hashOf[first]] < 0) continue;
      for (let i = firstAlike[hashOf[first]]; i >= 0; i = nextAlike[i]) {
        if (weight[i] === 0) continue;
        for (let j = nextAlike[i]; j >= 0; j = nextAlike[j]) {
          if (weight[j] === 0 || !sameSet(elements[i], elements[j]) || !sameSet(around[i], around[j])) continue;
          degree[i] -= weight[j];
          weight[i] += weight[j];
          join(i, j);
        }
      }
      firstAlike[hashOf[first]] = -1;
    }

    // (5) p becomes an element; its variables go back into the buckets.
    const kept = clique.filter((i) => weight[i] > 0);
    for (const i of kept) {
      degree[i] = Math.max(0, Math.min(degree[i] - massWeight, left - weight[i]));
      buckets.add(i, degree[i]);
    }
    around[p] = kept;
    elements[p] = [];
    sizeOf[p] = cliqueWeight;
    isElement[p] = kept.length > 0 ? 1 : 0;
    for (let m = p; m >= 0; m = nextMember[m]) order[placed++] = m;
  }
  return order;

  /** Puts j and its members behind i and its members. */
  function join(i: number, j: number): void {
    weight[j] = 0;
    around[j] = [];
    elements[j] = [];
    nextMember[lastMember[i]] = j;
    lastMember[i] = lastMember[j];
  }
}

function sameSet(a: readonly number[], b: readonly number[]): boolean {
  if (a.length !== b.length) return false;
  for (const x of a) if (!b.includes(x)) return false;
  return true;
}

/** Ids by a whole number below n each; takes out one of the lowest. Doubly linked lists. */
class Buckets {
  readonly #first: Int32Array;
  readonly #next: Int32Array;
  readonly #previous: Int32Array;
  #lowest = 0;

  constructor(n: number) {
    this.#first = new Int32Array(n).fill(-1);
    this.#next = new Int32Array(n).fill(-1);
    this.#previous = new Int32Array(n).fill(-1);
  }

  add(id: number, key: number): void {
    const after = this.#first[key];
    this.#next[id] = after;
    this.#previous[id] = -1;
    if (after >= 0) this.#previous[after] = id;
    this.#first[key] = id;
    if (key < this.#lowest) this.#lowest = key;
  }

  remove(id: number, key: number): void {
    const before = this.#previous[id];
    const after = this.#next[id];
    if (before >= 0) this.#next[before] = after;
    else this.#first[key] = after;
    if (after >= 0) this.#previous[after] = before;
  }

  /** There must be one. */
  takeLowest(): number {
    while (this.#first[this.#lowest] < 0) this.#lowest++;
    const id = this.#first[this.#lowest];
    this.remove(id, this.#lowest);
    return id;
  }
}
