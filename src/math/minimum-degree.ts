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
  const graph = new QuotientGraph(a);
  const order = new Uint32Array(n);
  for (let placed = 0; placed < n; ) {
    for (const i of graph.eliminateNext(n - placed)) order[placed++] = i;
  }
  return order;
}

class QuotientGraph {
  /** A_i, for variables; L_e, for elements. */
  readonly #around: number[][] = [];
  /** E_i. */
  readonly #elements: number[][] = [];
  /** Variables that a supervariable stands for; 0 for those that are eliminated or inside another. */
  readonly #weight: Int32Array;
  readonly #isElement: Uint8Array;
  readonly #degree: Int32Array;
  /** The supervariable's other members, as a list that starts at `nextMember[i]` and ends at `lastMember[i]`. */
  readonly #nextMember: Int32Array;
  readonly #lastMember: Int32Array;
  /** Variables by degree. */
  readonly #buckets: Buckets;

  /** The pivot whose L_p a variable was last seen in. */
  readonly #inClique: Int32Array;
  /** |L_e \ L_p|, and the pivot for which it was computed. */
  readonly #outside: Int32Array;
  readonly #outsideOf: Int32Array;
  /** Σ weight over L_e. */
  readonly #sizeOf: Int32Array;
  /** Variables of a clique by a hash of what is around them: lists that start at `firstAlike` and go on at `nextAlike`. */
  readonly #firstAlike: Int32Array;
  readonly #nextAlike: Int32Array;
  readonly #hashOf: Int32Array;

  constructor(a: SparseMatrix) {
    const n = a.offsets.length - 1;
    for (let i = 0; i < n; i++) {
      this.#around.push(Array.from(a.columns.subarray(a.offsets[i], a.offsets[i + 1]).filter((j) => j !== i)));
      this.#elements.push([]);
    }
    this.#weight = new Int32Array(n).fill(1);
    this.#isElement = new Uint8Array(n);
    this.#degree = Int32Array.from(this.#around, (list) => list.length);
    this.#nextMember = new Int32Array(n).fill(-1);
    this.#lastMember = Int32Array.from({ length: n }, (_, i) => i);
    this.#buckets = new Buckets(n);
    for (let i = 0; i < n; i++) this.#buckets.add(i, this.#degree[i]);
    this.#inClique = new Int32Array(n).fill(-1);
    this.#outside = new Int32Array(n);
    this.#outsideOf = new Int32Array(n).fill(-1);
    this.#sizeOf = new Int32Array(n);
    this.#firstAlike = new Int32Array(n).fill(-1);
    this.#nextAlike = new Int32Array(n).fill(-1);
    this.#hashOf = new Int32Array(n);
  }

  /** Eliminates a supervariable of least degree, of the `left` variables that there are. Returns what goes with it. */
  eliminateNext(left: number): number[] {
    const p = this.#buckets.takeLowest();
    const pivotWeight = this.#weight[p];
    this.#weight[p] = 0;

    // (1) L_p, and what the elements that touch it have outside of it.
    const clique = this.#gatherClique(p);
    let cliqueWeight = 0;
    for (const i of clique) cliqueWeight += this.#weight[i];
    this.#measureOutside(p, clique);

    // (2) What is left around each variable of the clique. Those with nothing else are eliminated right after p, for free.
    const mass = clique.filter((i) => !this.#reduceSurroundings(p, i, cliqueWeight));
    let massWeight = 0;
    for (const i of mass) {
      massWeight += this.#weight[i];
      this.#join(p, i);
    }

    // (3) Variables of the clique with equal surroundings become one.
    this.#mergeAlike(clique);

    // (4) p becomes an element; its variables go back into the buckets.
    const kept = clique.filter((i) => this.#weight[i] > 0);
    const others = left - pivotWeight - massWeight;
    for (const i of kept) {
      this.#degree[i] = Math.max(0, Math.min(this.#degree[i] - massWeight, others - this.#weight[i]));
      this.#buckets.add(i, this.#degree[i]);
    }
    this.#around[p] = kept.slice();
    this.#elements[p] = [];
    this.#sizeOf[p] = cliqueWeight - massWeight;
    this.#isElement[p] = kept.length > 0 ? 1 : 0;
    const members: number[] = [];
    for (let m = p; m >= 0; m = this.#nextMember[m]) members.push(m);
    return members;
  }

  /** L_p: all neighbours of p, through variables and through elements, which are absorbed. */
  #gatherClique(p: number): number[] {
    const weight = this.#weight;
    const inClique = this.#inClique;
    const clique: number[] = [];
    inClique[p] = p;
    const gather = (list: readonly number[]): void => {
      for (const i of list) {
        if (weight[i] === 0 || inClique[i] === p) continue;
        inClique[i] = p;
        clique.push(i);
      }
    };
    gather(this.#around[p]);
    for (const e of this.#elements[p]) {
      if (!this.#isElement[e]) continue;
      gather(this.#around[e]);
      this.#isElement[e] = 0;
      this.#around[e] = [];
    }
    return clique;
  }

  /** |L_e \ L_p| for every element that touches the clique. */
  #measureOutside(p: number, clique: readonly number[]): void {
    const outside = this.#outside;
    for (const i of clique) {
      for (const e of this.#elements[i]) {
        if (!this.#isElement[e]) continue;
        if (this.#outsideOf[e] !== p) {
          this.#outsideOf[e] = p;
          outside[e] = this.#sizeOf[e];
        }
        outside[e] -= this.#weight[i];
      }
    }
  }

  /** Leaves around i what is not in L_p, and p; updates its approximate degree. Returns false where nothing but p is left. */
  #reduceSurroundings(p: number, i: number, cliqueWeight: number): boolean {
    const weight = this.#weight;
    const degree = this.#degree;
    this.#buckets.remove(i, degree[i]);
    let external = 0;
    let hash = p;
    // In place: arrays that grow have room for 16 more, which is several times what most variables have around them.
    const elements = this.#elements[i];
    let kept = 0;
    for (const e of elements) {
      if (!this.#isElement[e] || this.#outside[e] === 0) continue; // inside L_p: absorbed
      elements[kept++] = e;
      external += this.#outside[e];
      hash += e;
    }
    if (kept < elements.length) {
      elements[kept] = p;
      elements.length = kept + 1;
    } else this.#elements[i] = elements.concat(p);
    const variables = this.#around[i];
    kept = 0;
    for (const v of variables) {
      if (weight[v] === 0 || this.#inClique[v] === p) continue;
      variables[kept++] = v;
      external += weight[v];
      hash += v;
    }
    variables.length = kept;
    if (external === 0) return false;
    degree[i] = Math.min(degree[i] + cliqueWeight - weight[i], external + cliqueWeight - weight[i]);
    const key = hash % weight.length;
    this.#hashOf[i] = key;
    this.#nextAlike[i] = this.#firstAlike[key];
    this.#firstAlike[key] = i;
    return true;
  }

  /** Variables of the clique with equal surroundings become one. */
  #mergeAlike(clique: readonly number[]): void {
    const weight = this.#weight;
    const next = this.#nextAlike;
    for (const variable of clique) {
      const key = this.#hashOf[variable];
      if (weight[variable] === 0 || this.#firstAlike[key] < 0) continue;
      for (let i = this.#firstAlike[key]; i >= 0; i = next[i]) {
        if (weight[i] === 0) continue;
        for (let j = next[i]; j >= 0; j = next[j]) {
          if (weight[j] === 0 || !this.#areAlike(i, j)) continue;
          this.#degree[i] -= weight[j];
          weight[i] += weight[j];
          this.#join(i, j);
        }
      }
      this.#firstAlike[key] = -1;
    }
  }

  #areAlike(i: number, j: number): boolean {
    return sameSet(this.#elements[i], this.#elements[j]) && sameSet(this.#around[i], this.#around[j]);
  }

  /** Puts j and its members behind i and its members. */
  #join(i: number, j: number): void {
    this.#weight[j] = 0;
    this.#around[j] = [];
    this.#elements[j] = [];
    this.#nextMember[this.#lastMember[i]] = j;
    this.#lastMember[i] = this.#lastMember[j];
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
