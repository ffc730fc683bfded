import { PliantError } from '../../error.ts';
import { edgeCount, meshEdges, NO_EDGE } from '../../mesh/adjacency.ts';
import { stepsOf } from '../../model/geometry-images.ts';

/** Patches and how they hang together. Side s of a patch runs from its corner s to the next. */
export interface BaseComplex {
  /** 3P. */
  corners: Uint32Array;
  vertexCount: number;
  edgeCount: number;
  /** 3P: the edge that a side is on. */
  edgeOf: Uint32Array;
  /** 3P: 1 where a side runs from the edge's smaller vertex to its larger. */
  forward: Uint8Array;
  /** 3P: the patch beyond a side, −1 at borders. */
  beyond: Int32Array;
}

/** @param corners 3P, as in `GeometryImages`. At most two patches to a side, which run along it in opposite directions. */
export function baseComplex(corners: Uint32Array): BaseComplex {
  let vertexCount = 0;
  for (const v of corners) vertexCount = Math.max(vertexCount, v + 1);
  const edges = meshEdges(corners, vertexCount);
  const { offsets, items } = edges.corners;
  const forward = corners.map((v, c) => (v < corners[c % 3 === 2 ? c - 2 : c + 1] ? 1 : 0));
  const beyond = new Int32Array(corners.length).fill(-1);
  for (let e = 0; e < edgeCount(edges); e++) {
    const a = items[offsets[e]];
    const b = items[offsets[e] + 1];
    if (offsets[e + 1] - offsets[e] === 1) continue;
    if (offsets[e + 1] - offsets[e] > 2 || forward[a] === forward[b]) {
      throw new PliantError('bad-input', 'baseComplex', `patches do not form a surface along edge ${e}`);
    }
    beyond[a] = Math.floor(b / 3);
    beyond[b] = Math.floor(a / 3);
  }
  if (edges.edgeOf.some((e) => e === NO_EDGE)) {
    throw new PliantError('bad-input', 'baseComplex', 'a patch uses a corner twice');
  }
  return {
    corners,
    vertexCount,
    edgeCount: edgeCount(edges),
    edgeOf: edges.edgeOf,
    forward: Uint8Array.from(forward),
    beyond,
  };
}

/** Samples of a patch at a level. */
export const samplesPerPatch = (level: number): number => ((stepsOf(level) + 1) * (stepsOf(level) + 2)) / 2;

/** The number of sample (i, j) within its patch: rows of rising j. */
export const gridIndex = (n: number, i: number, j: number): number => j * (n + 1) - (j * (j - 1)) / 2 + i;

/** Samples of all patches at a level, those on corners and sides counted once. */
export interface SampleNumbers {
  count: number;
  /** P × samples per patch: which of the `count` it is. Base vertices come first, in their order. */
  of: Uint32Array;
}

/** Numbers of the first `patches` patches' samples at a level. */
export function sampleNumbers(base: BaseComplex, level: number, patches = base.corners.length / 3): SampleNumbers {
  const n = stepsOf(level);
  const per = samplesPerPatch(level);
  const inner = ((n - 1) * (n - 2)) / 2;
  const firstEdge = base.vertexCount;
  const firstInner = firstEdge + base.edgeCount * (n - 1);
  const of = new Uint32Array(patches * per);
  for (let p = 0; p < patches; p++) {
    const corners = base.corners.subarray(3 * p, 3 * p + 3);
    let next = firstInner + p * inner;
    for (let j = 0, at = p * per; j <= n; j++) {
      for (let i = 0; i <= n - j; i++, at++) {
        const side = sideOf(n, i, j);
        if (side >= 3) of[at] = corners[side - 3];
        else if (side < 0) of[at] = next++;
        else {
          const along = side === 0 ? i : side === 1 ? j : n - j;
          const step = base.forward[3 * p + side] ? along : n - along;
          of[at] = firstEdge + base.edgeOf[3 * p + side] * (n - 1) + step - 1;
        }
      }
    }
  }
  return { count: firstInner + patches * inner, of };
}

/** Where on its patch a sample is: side 0, 1 or 2, corner 3, 4 or 5, −1 inside. */
export function sideOf(n: number, i: number, j: number): number {
  if (j === 0) return i === 0 ? 3 : i === n ? 4 : 0;
  if (i === 0) return j === n ? 5 : 2;
  return i + j === n ? 1 : -1;
}

/** 3·4^level: the triangles of a patch's grid, as numbers of samples within the patch. */
export function gridTriangles(level: number): Uint32Array {
  const n = stepsOf(level);
  const out = new Uint32Array(3 * n * n);
  let at = 0;
  for (let j = 0; j < n; j++) {
    for (let i = 0; i < n - j; i++) {
      const a = gridIndex(n, i, j);
      const c = gridIndex(n, i, j + 1);
      out.set([a, a + 1, c], at);
      at += 3;
      if (i + j === n - 1) continue;
      out.set([a + 1, c + 1, c], at);
      at += 3;
    }
  }
  return out;
}
