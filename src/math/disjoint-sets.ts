/** Disjoint sets of 0 … count − 1 (union–find). The root of a set is its smallest member. */
export class DisjointSets {
  readonly #parent: Uint32Array;

  constructor(count: number) {
    this.#parent = Uint32Array.from({ length: count }, (_, q) => q);
  }

  root(q: number): number {
    const parent = this.#parent;
    while (parent[q] !== q) q = parent[q] = parent[parent[q]];
    return q;
  }

  join(a: number, b: number): void {
    const [p, q] = [this.root(a), this.root(b)];
    this.#parent[Math.max(p, q)] = Math.min(p, q);
  }

  /** The sets numbered by their first members: the set of each member, and the first member of each set. */
  numbered(): { setOf: Uint32Array; firstOf: Uint32Array } {
    const setOf = new Uint32Array(this.#parent.length);
    const firstOf: number[] = [];
    for (let q = 0; q < setOf.length; q++) {
      const first = this.root(q);
      setOf[q] = first === q ? firstOf.push(q) - 1 : setOf[first];
    }
    return { setOf, firstOf: Uint32Array.from(firstOf) };
  }
}
