/**
 * Minimum s-t cut by maximum flow: Dinic 1970, level by level. Graphs here are undirected and small (the facets beside a
 * border); arcs are kept in pairs, so that arc a ^ 1 is the way back.
 */
export class FlowGraph {
  readonly #first: Int32Array;
  readonly #next: number[] = [];
  readonly #to: number[] = [];
  readonly #room: number[] = [];
  readonly #level: Int32Array;
  readonly #at: Int32Array;
  readonly #path: number[] = [];

  constructor(nodes: number) {
    this.#first = new Int32Array(nodes).fill(-1);
    this.#level = new Int32Array(nodes);
    this.#at = new Int32Array(nodes);
  }

  /** Joins a and b; up to `capacity` ≥ 0 may flow either way. */
  join(a: number, b: number, capacity: number): void {
    this.#arc(a, b, capacity);
    this.#arc(b, a, capacity);
  }

  #arc(from: number, to: number, room: number): void {
    this.#next.push(this.#first[from]);
    this.#to.push(to);
    this.#room.push(room);
    this.#first[from] = this.#to.length - 1;
  }

  /** Sends all it can from s to t. Capacities are used up: once per graph. Returns the flow, which is the cut's weight. */
  maxFlow(s: number, t: number): number {
    let flow = 0;
    while (this.#measure(s, t)) {
      this.#at.set(this.#first);
      for (let sent = this.#send(s, t); sent > 0; sent = this.#send(s, t)) flow += sent;
    }
    return flow;
  }

  /** After `maxFlow`: nodes → 1 on the side of s. */
  sideOfSource(): Uint8Array {
    return Uint8Array.from(this.#level, (level) => (level >= 0 ? 1 : 0));
  }

  /** Levels: arcs from s, over arcs with room left. Returns whether t is reached. */
  #measure(s: number, t: number): boolean {
    const level = this.#level.fill(-1);
    level[s] = 0;
    const queue = [s];
    for (let q = 0; q < queue.length; q++) {
      for (let a = this.#first[queue[q]]; a >= 0; a = this.#next[a]) {
        if (!(this.#room[a] > 0) || level[this.#to[a]] >= 0) continue;
        level[this.#to[a]] = level[queue[q]] + 1;
        queue.push(this.#to[a]);
      }
    }
    return level[t] >= 0;
  }

  /** One path from s to t that rises by a level per arc: what it carries, 0 when there is none left. */
  #send(s: number, t: number): number {
    const path = this.#path;
    path.length = 0;
    for (let node = s; node !== t; ) {
      const a = this.#at[node];
      if (a < 0) {
        // A dead end: back, and past the arc that led here.
        if (node === s) return 0;
        node = this.#to[path.pop()! ^ 1];
        this.#at[node] = this.#next[this.#at[node]];
      } else if (this.#room[a] > 0 && this.#level[this.#to[a]] === this.#level[node] + 1) {
        path.push(a);
        node = this.#to[a];
      } else this.#at[node] = this.#next[a];
    }
    let least = Infinity;
    for (const a of path) least = Math.min(least, this.#room[a]);
    for (const a of path) {
      this.#room[a] -= least;
      this.#room[a ^ 1] += least;
    }
    return least;
  }
}
