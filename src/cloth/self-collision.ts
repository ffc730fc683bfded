/**
 * Layers of cloth that keep their distance: two vertices that are far apart in the rest shape, but nearer than
 * `distance` now, are pushed apart, with friction. Vertices alone suffice as long as `distance` is at least three
 * quarters of an edge: a layer then has no hole through which another layer's vertex could slip.
 *
 * Candidate pairs are collected with some reserve, and again when a vertex has moved by half of the reserve (the
 * "Verlet lists" of molecular dynamics).
 */
import { squaredDistance } from '../math/vector.ts';
import { boundsOf } from '../mesh/bounds.ts';
import type { Pushed } from './contact.ts';

/**
 * Edges that layers keep apart. With less than 0.8, vertices of a simulation slip through each other's triangles. A coarse cloth
 * that stands for a fine one, with folds of a few edges, is left more room to fold. The detail, which hats draw back to the coarse
 * cloth, needs more to part at all.
 */
export const LAYERS = { simulated: 0.8, coarse: 0.5, detail: 1.2 } as const;

/** Candidates are collected up to this multiple of the distance kept. */
const REACH = 2;
/** Size of the grid that finds candidates. */
const CELLS_PER_VERTEX = 16;
/** Share of the overlap that one pass removes. */
const PUSH = 0.5;

export interface SelfCollision {
  /** Distance that layers keep, m. */
  distance: number;
  /** 3N: the rest shape, which tells layers from neighbours. */
  rest: Float64Array;
  /** 3N: where the vertices were when the pairs were collected. */
  collectedAt: Float64Array;
  /** Candidate pairs, two indices each, `count` of them. */
  pairs: Uint32Array;
  count: number;
}

/** Of cloth with a rest shape (3N). */
export function selfCollision(rest: Float64Array, distance: number): SelfCollision {
  const self = {
    distance,
    rest: rest.slice(),
    collectedAt: rest.slice(),
    pairs: new Uint32Array((16 * rest.length) / 3),
    count: 0,
  };
  collectPairs(self, rest);
  return self;
}

/** Cloth whose layers are pushed apart. */
type Layers = Pick<Pushed, 'x' | 'previous' | 'inverseMass'>;

/** Collects pairs anew if a vertex (3N) has moved too far for those that are known. */
export function refreshPairs(self: SelfCollision, x: Float64Array): void {
  if (hasMoved(self, x)) collectPairs(self, x);
}

/** Pushes layers apart, in place and in the fixed order of the pairs. */
export function separateLayers(self: SelfCollision, { x, previous = x, inverseMass }: Layers, friction: number): void {
  const { distance, pairs, count } = self;
  const distance2 = distance * distance;
  for (let p = 0; p < 2 * count; p += 2) {
    const i = pairs[p];
    const j = pairs[p + 1];
    const io = 3 * i;
    const jo = 3 * j;
    const dx = x[jo] - x[io];
    const dy = x[jo + 1] - x[io + 1];
    const dz = x[jo + 2] - x[io + 2];
    const d2 = dx * dx + dy * dy + dz * dz;
    const weight = inverseMass[i] + inverseMass[j];
    if (d2 >= distance2 || d2 === 0 || weight === 0) continue;
    const d = Math.sqrt(d2);
    const push = PUSH * (distance - d);
    // The two vertices' relative way in this sub-step, less its part along the line between them.
    let sx = x[jo] - previous[jo] - x[io] + previous[io];
    let sy = x[jo + 1] - previous[jo + 1] - x[io + 1] + previous[io + 1];
    let sz = x[jo + 2] - previous[jo + 2] - x[io + 2] + previous[io + 2];
    const along = (sx * dx + sy * dy + sz * dz) / d2;
    sx -= along * dx;
    sy -= along * dy;
    sz -= along * dz;
    const side = Math.sqrt(sx * sx + sy * sy + sz * sz);
    const brake = side > friction * push ? (friction * push) / side : 1;
    const mx = ((push / d) * dx - brake * sx) / weight;
    const my = ((push / d) * dy - brake * sy) / weight;
    const mz = ((push / d) * dz - brake * sz) / weight;
    x[io] -= inverseMass[i] * mx;
    x[io + 1] -= inverseMass[i] * my;
    x[io + 2] -= inverseMass[i] * mz;
    x[jo] += inverseMass[j] * mx;
    x[jo + 1] += inverseMass[j] * my;
    x[jo + 2] += inverseMass[j] * mz;
  }
}

function hasMoved({ collectedAt, distance }: SelfCollision, x: Float64Array): boolean {
  const reserve = ((REACH - 1) * distance) / 2;
  const limit = reserve * reserve;
  for (let o = 0; o < x.length; o += 3) {
    const dx = x[o] - collectedAt[o];
    const dy = x[o + 1] - collectedAt[o + 1];
    const dz = x[o + 2] - collectedAt[o + 2];
    if (dx * dx + dy * dy + dz * dz > limit) return true;
  }
  return false;
}

/** All pairs within reach: vertices are sorted by grid cell, and those of neighbouring cells compared. */
function collectPairs(self: SelfCollision, x: Float64Array): void {
  const { distance, rest, collectedAt } = self;
  const reach = REACH * distance;
  const n = x.length / 3;
  collectedAt.set(x);
  self.count = 0;

  // (1) A grid of cells at least as wide as the reach, and not many more of them than vertices.
  const { min, max } = boundsOf(x);
  const size = (cell: number) => min.map((low, c) => Math.floor((max[c] - low) / cell) + 3);
  let cell = reach;
  while (size(cell).reduce((p, s) => p * s) > CELLS_PER_VERTEX * n) cell *= 1.25;
  // One empty cell around all: neighbours need no test for the border.
  const [columns, rows, slices] = size(cell);

  // (2) Counting sort: cell → the run of its vertices in `order`.
  const cellOf = new Int32Array(n);
  const starts = new Int32Array(columns * rows * slices + 1);
  for (let i = 0; i < n; i++) {
    const cx = Math.floor((x[3 * i] - min[0]) / cell) + 1;
    const cy = Math.floor((x[3 * i + 1] - min[1]) / cell) + 1;
    const cz = Math.floor((x[3 * i + 2] - min[2]) / cell) + 1;
    cellOf[i] = cx + columns * (cy + rows * cz);
    starts[cellOf[i]]++;
  }
  for (let s = 1; s < starts.length; s++) starts[s] += starts[s - 1];
  const order = new Int32Array(n);
  for (let i = n - 1; i >= 0; i--) order[--starts[cellOf[i]]] = i;

  // (3) Each vertex against those after it in its own row of three cells, and against four further rows: each pair of
  // cells once. The three cells of a row lie side by side, so that their vertices are one run.
  const reach2 = reach * reach;
  const slice = columns * rows;
  const furtherRows = [columns, slice - columns, slice, slice + columns];
  for (let s = 0; s < n; s++) {
    const i = order[s];
    const home = cellOf[i];
    for (let r = s + 1; r < starts[home + 2]; r++) addPair(self, i, order[r], x, rest, reach2);
    for (const row of furtherRows) {
      for (let r = starts[home + row - 1]; r < starts[home + row + 2]; r++) addPair(self, i, order[r], x, rest, reach2);
    }
  }
}

function addPair(self: SelfCollision, i: number, j: number, x: Float64Array, rest: Float64Array, reach2: number): void {
  if (squaredDistance(x, i, j) > reach2 || squaredDistance(rest, i, j) <= reach2) return;
  if (2 * self.count === self.pairs.length) {
    const larger = new Uint32Array(2 * self.pairs.length);
    larger.set(self.pairs);
    self.pairs = larger;
  }
  self.pairs[2 * self.count] = i;
  self.pairs[2 * self.count + 1] = j;
  self.count++;
}
