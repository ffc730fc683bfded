import { type Edges, edgeCount, vertexNeighbours } from '../../mesh/adjacency.ts';
import { faceNormal } from '../../mesh/triangle.ts';
import type { Bends } from './bends.ts';
import { facetsOfEdge } from './refine-borders.ts';

/** Share of all vertices, those that bend most, whose mean curvature a feature line must reach (Feng 2010, §4.4.2). */
const TOP_VERTICES = 0.3;

/**
 * The parts of cluster borders that are features: borders are cut where more than two meet, and a part stays if the mean
 * |κ| of its vertices reaches that of the 30 % of all vertices that bend most. The others only close a loop.
 */
export function curvedSegments(border: readonly number[], { edges, curvature }: Bends): number[] {
  const sorted = curvature.mean.map(Math.abs).sort().reverse();
  const top = sorted.subarray(0, Math.max(1, Math.ceil(TOP_VERTICES * sorted.length)));
  const least = top.reduce((sum, k) => sum + k, 0) / top.length;
  return segmentsOf(border, edges)
    .filter((segment) => {
      let sum = 0;
      for (const e of segment) {
        for (const i of edges.vertices.subarray(2 * e, 2 * e + 2)) sum += Math.abs(curvature.mean[i]) / 2;
      }
      return sum / segment.length >= least;
    })
    .flat();
}

/** Edges → runs of them between vertices where one run ends or several meet; a closed loop is one run. */
export function segmentsOf(lines: readonly number[], edges: Edges): number[][] {
  const at = new Map<number, number[]>();
  for (const e of lines) {
    for (const i of edges.vertices.subarray(2 * e, 2 * e + 2)) at.set(i, [...(at.get(i) ?? []), e]);
  }
  const used = new Set<number>();
  const walk = (start: number, first: number): number[] => {
    const segment = [first];
    used.add(first);
    let e = first;
    for (let i = otherEnd(edges, e, start); at.get(i)!.length === 2 && i !== start; i = otherEnd(edges, e, i)) {
      const [p, q] = at.get(i)!;
      e = p === e ? q : p;
      if (used.has(e)) break;
      used.add(e);
      segment.push(e);
    }
    return segment;
  };
  const out: number[][] = [];
  // Runs from their ends first; what is left are loops.
  for (const [i, around] of at) {
    if (around.length !== 2) for (const e of around) if (!used.has(e)) out.push(walk(i, e));
  }
  for (const e of lines) if (!used.has(e)) out.push(walk(edges.vertices[2 * e], e));
  return out;
}

const otherEnd = ({ vertices }: Edges, e: number, i: number): number =>
  vertices[2 * e] === i ? vertices[2 * e + 1] : vertices[2 * e];

/** Edges whose two facets meet at more than `angle` (radians, 0 where they are in one plane). */
export function creaseEdges({ positions, triangles, edges }: Bends, angle: number): number[] {
  const f0 = new Float64Array(3);
  const f1 = new Float64Array(3);
  const out: number[] = [];
  for (let e = 0; e < edgeCount(edges); e++) {
    const [f, g] = facetsOfEdge(edges, e);
    if (g < 0 || faceNormal(f0, positions, triangles, 3 * f) === 0) continue;
    if (faceNormal(f1, positions, triangles, 3 * g) === 0) continue;
    const cos = f0[0] * f1[0] + f0[1] * f1[1] + f0[2] * f1[2];
    if (Math.acos(Math.max(-1, Math.min(1, cos))) > angle) out.push(e);
  }
  return out;
}

/** Rings within which a corner bends most, and the share of all vertices it must be among (Feng 2010, §4.4.2). */
const RINGS = 8;
const TOP_CORNERS = 0.1;

/** Horns and finger tips: vertices that bend more than all others within 8 rings, among the 10 % that bend most. */
export function cornerVertices({ edges, curvature }: Bends): number[] {
  const n = curvature.mean.length;
  const bend = curvature.mean.map(Math.abs);
  const sorted = bend.slice().sort().reverse();
  const least = Math.max(sorted[Math.min(n - 1, Math.floor(TOP_CORNERS * n))] ?? 0, Number.MIN_VALUE);
  const { offsets, items } = vertexNeighbours(edges, n);
  const seenBy = new Int32Array(n).fill(-1);
  const out: number[] = [];
  for (let i = 0; i < n; i++) {
    if (bend[i] < least) continue;
    seenBy[i] = i;
    let ring = [i];
    let most = true;
    for (let r = 0; r < RINGS && most; r++) {
      const next: number[] = [];
      for (const j of ring) {
        for (let q = offsets[j]; q < offsets[j + 1]; q++) {
          const k = items[q];
          if (seenBy[k] === i) continue;
          seenBy[k] = i;
          next.push(k);
          // The first of equals.
          if (bend[k] > bend[i] || (bend[k] === bend[i] && k < i)) most = false;
        }
      }
      ring = next;
    }
    if (most) out.push(i);
  }
  return out;
}
