/**
 * The passes of a sub-step of the detail, over arrays of detail-arrays.ts: as kernels where the host has SIMD, and the same in
 * TypeScript.
 */
import { loadKernels } from '../kernels/load.ts';
import { type DetailArrays, FRAME, QUAD, VECTOR } from './detail-arrays.ts';

/** Which vectors a pass is about. */
type Vectors = 'base' | 'target';

export interface DetailPasses {
  /** base = Σ β (R p + origin), carried = keep Q d, u ← Q u. */
  carry(keep: number): void;
  /** target = base + what the offsets are at t of the frame. */
  aim(t: number): void;
  /** x = origin + carried + left (u + even (mean of the neighbours' u − u)). */
  launch(origin: Vectors, even: number, left: number): void;
  /** Edges to their rest lengths. */
  limitEdges(backwards: boolean): void;
  /** Each hinge by itself: x_i −= stiffness · k_i / Σ k² · (K·x − R K·r). */
  bendHinges(backwards: boolean, stiffness: number): void;
  /** Takes back what hats see of the way to the target on average, at one rate, and the way itself, at another. */
  follow(target: Vectors, hatRate: number, pullRate: number): void;
  /** d = x − origin, u = d − carried. */
  settle(origin: Vectors): void;
  /** world = x + place, and back. */
  toWorld(px: number, py: number, pz: number): void;
  fromWorld(px: number, py: number, pz: number): void;
}

export function detailPasses(arrays: DetailArrays): DetailPasses {
  const { memory, at } = arrays;
  if (!('buffer' in memory)) return plainPasses(arrays);
  const kernels = loadKernels(memory);
  return {
    carry: (keep) => kernels.detailCarry(at.table, keep),
    aim: (t) => kernels.detailTarget(at.table, t),
    launch: (origin, even, left) => kernels.detailLaunch(at.table, at[origin], even, left),
    limitEdges: (backwards) => kernels.detailEdges(at.table, backwards),
    bendHinges: (backwards, stiffness) => kernels.detailHinges(at.table, backwards, stiffness),
    follow: (target, hatRate, pullRate) => kernels.detailFollow(at.table, at[target], hatRate, pullRate),
    settle: (origin) => kernels.detailSettle(at.table, at[origin]),
    toWorld: (px, py, pz) => kernels.detailToWorld(at.table, px, py, pz),
    fromWorld: (px, py, pz) => kernels.detailFromWorld(at.table, px, py, pz),
  };
}

function plainPasses(arrays: DetailArrays): DetailPasses {
  return {
    carry: (keep) => carry(arrays, keep),
    aim: (t) => aim(arrays, t),
    launch: (origin, even, left) => launch(arrays, arrays[origin], even, left),
    limitEdges: (backwards) => limitEdges(arrays, backwards),
    bendHinges: (backwards, stiffness) => bendHinges(arrays, backwards, stiffness),
    follow: (target, hatRate, pullRate) => follow(arrays, arrays[target], hatRate, pullRate),
    settle: (origin) => settle(arrays, arrays[origin]),
    toWorld: (px, py, pz) => toWorld(arrays, px, py, pz),
    fromWorld: (px, py, pz) => fromWorld(arrays, px, py, pz),
  };
}

function carry(arrays: DetailArrays, keep: number): void {
  const { coarse, weights, points, frames, base, carried, d, u } = arrays;
  for (let j = 0; j < arrays.sizes.vertices; j++) {
    const o = 3 * j;
    const v = VECTOR * j;
    const a = FRAME * coarse[o];
    const b = FRAME * coarse[o + 1];
    const c = FRAME * coarse[o + 2];
    const wa = weights[o];
    const wb = weights[o + 1];
    const wc = weights[o + 2];
    const [ux, uy, uz] = [u[v], u[v + 1], u[v + 2]];
    for (let row = 0; row < 3; row++) {
      // Columns of the blended frame: R, the origin, Q.
      const f = (column: number): number => {
        const q = VECTOR * column + row;
        return wa * frames[a + q] + wb * frames[b + q] + wc * frames[c + q];
      };
      const qx = f(4);
      const qy = f(5);
      const qz = f(6);
      base[v + row] = f(0) * points[v] + f(1) * points[v + 1] + f(2) * points[v + 2] + f(3);
      carried[v + row] = keep * (qx * d[v] + qy * d[v + 1] + qz * d[v + 2]);
      u[v + row] = qx * ux + qy * uy + qz * uz;
    }
  }
}

function aim({ base, target, offsetsFrom: from, offsetsTo: to }: DetailArrays, t: number): void {
  for (let c = 0; c < base.length; c++) target[c] = base[c] + (from[c] + t * (to[c] - from[c]));
}

function launch(arrays: DetailArrays, origin: Float32Array, even: number, left: number): void {
  const { starts, neighbours, carried, u, x } = arrays;
  for (let j = 0; j < arrays.sizes.vertices; j++) {
    const v = VECTOR * j;
    let sx = 0;
    let sy = 0;
    let sz = 0;
    for (let q = starts[j]; q < starts[j + 1]; q++) {
      const i = VECTOR * neighbours[q];
      sx += u[i];
      sy += u[i + 1];
      sz += u[i + 2];
    }
    const own = left * (1 - even);
    const share = (left * even) / Math.max(1, starts[j + 1] - starts[j]);
    x[v] = origin[v] + carried[v] + own * u[v] + share * sx;
    x[v + 1] = origin[v + 1] + carried[v + 1] + own * u[v + 1] + share * sy;
    x[v + 2] = origin[v + 2] + carried[v + 2] + own * u[v + 2] + share * sz;
  }
}

/** Added to lengths, m: squares of floats underflow long before lengths do. */
const TINY = 1e-9;

function limitEdges(arrays: DetailArrays, backwards: boolean): void {
  const { edgeEnds, edgeLengths, edgeShares, x } = arrays;
  const count = edgeLengths.length;
  for (let q = 0; q < count; q++) {
    const e = backwards ? count - 1 - q : q;
    const o = 2 * e - (e % QUAD); // 2 · QUAD · quad + lane
    const a = VECTOR * edgeEnds[o];
    const b = VECTOR * edgeEnds[o + QUAD];
    const dx = x[b] - x[a];
    const dy = x[b + 1] - x[a + 1];
    const dz = x[b + 2] - x[a + 2];
    const strain = 1 - edgeLengths[e] / (Math.sqrt(dx * dx + dy * dy + dz * dz) + TINY);
    const sa = strain * edgeShares[o];
    const sb = strain * edgeShares[o + QUAD];
    x[a] += sa * dx;
    x[a + 1] += sa * dy;
    x[a + 2] += sa * dz;
    x[b] -= sb * dx;
    x[b + 1] -= sb * dy;
    x[b + 2] -= sb * dz;
  }
}

function bendHinges(arrays: DetailArrays, backwards: boolean, stiffness: number): void {
  const { hingeVertices, hingeWeights: k, hingeParts: parts, hingeRest: rest, hingeCoarse, frames: r, x } = arrays;
  const { hinges, curved } = arrays.sizes;
  for (let q = 0; q < hinges; q++) {
    const h = 4 * (backwards ? hinges - 1 - q : q);
    const o0 = VECTOR * hingeVertices[h];
    const o1 = VECTOR * hingeVertices[h + 1];
    const o2 = VECTOR * hingeVertices[h + 2];
    const o3 = VECTOR * hingeVertices[h + 3];
    const m = FRAME * hingeCoarse[h / 4];
    for (let c = 0; c < 3; c++) {
      let bend = k[h] * x[o0 + c] + k[h + 1] * x[o1 + c] + k[h + 2] * x[o2 + c] + k[h + 3] * x[o3 + c];
      if (curved) {
        bend -= r[m + c] * rest[h] + r[m + VECTOR + c] * rest[h + 1] + r[m + 2 * VECTOR + c] * rest[h + 2];
      }
      bend *= stiffness;
      x[o0 + c] -= parts[h] * bend;
      x[o1 + c] -= parts[h + 1] * bend;
      x[o2 + c] -= parts[h + 2] * bend;
      x[o3 + c] -= parts[h + 3] * bend;
    }
  }
}

function follow(arrays: DetailArrays, target: Float32Array, hatRate: number, pullRate: number): void {
  const { hats, hatWeights: weights, hatShares, hatMeans: means, x } = arrays;
  const { vertices } = arrays.sizes;
  means.fill(0);
  for (let j = 0; j < vertices; j++) {
    const v = VECTOR * j;
    const wayX = target[v] - x[v];
    const wayY = target[v + 1] - x[v + 1];
    const wayZ = target[v + 2] - x[v + 2];
    for (let h = 3 * j; h < 3 * j + 3; h++) {
      const m = VECTOR * hats[h];
      means[m] += weights[h] * wayX;
      means[m + 1] += weights[h] * wayY;
      means[m + 2] += weights[h] * wayZ;
    }
  }
  for (let c = 0; c < means.length; c++) means[c] *= hatRate * hatShares[Math.floor(c / VECTOR)];
  for (let j = 0; j < vertices; j++) {
    const o = 3 * j;
    const a = VECTOR * hats[o];
    const b = VECTOR * hats[o + 1];
    const c = VECTOR * hats[o + 2];
    for (let axis = 0; axis < 3; axis++) {
      const v = VECTOR * j + axis;
      const mean = weights[o] * means[a + axis] + weights[o + 1] * means[b + axis] + weights[o + 2] * means[c + axis];
      const moved = x[v] + mean;
      x[v] = moved + pullRate * (target[v] - moved);
    }
  }
}

function settle(arrays: DetailArrays, origin: Float32Array): void {
  const { carried, d, u, x } = arrays;
  for (let c = 0; c < VECTOR * arrays.sizes.vertices; c++) {
    d[c] = x[c] - origin[c];
    u[c] = d[c] - carried[c];
  }
}

function toWorld({ x, world }: DetailArrays, px: number, py: number, pz: number): void {
  for (let c = 0, v = 0; c < world.length; c += 3, v += VECTOR) {
    world[c] = x[v] + px;
    world[c + 1] = x[v + 1] + py;
    world[c + 2] = x[v + 2] + pz;
  }
}

function fromWorld({ x, world }: DetailArrays, px: number, py: number, pz: number): void {
  for (let c = 0, v = 0; c < world.length; c += 3, v += VECTOR) {
    x[v] = world[c] - px;
    x[v + 1] = world[c + 1] - py;
    x[v + 2] = world[c + 2] - pz;
  }
}
