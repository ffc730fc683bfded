import { connectedComponents } from '../mesh/adjacency.ts';
import { diagonalOf } from '../mesh/bounds.ts';
import { buildBvh, refitBvh } from '../mesh/bvh.ts';
import { nearestOnSurface, surfacePoint } from '../mesh/nearest.ts';
import { faceArea } from '../mesh/triangle.ts';
import type { FanMesh } from './weld.ts';

/**
 * Small pieces of a surface, such as bolts on a machine. Collapses cannot take them away: a closed piece has four triangles at
 * least, and a coarse level of many pieces would be made of nothing else. So they may vanish as a whole, at their price.
 */
export interface Piece {
  /** Faces of the surface, all of them. */
  faces: Uint32Array;
  /** What it costs, as collapses count: area times squared distance, in diagonals, mean over poses. */
  cost: number;
}

/** Share of the area that stays, in the largest pieces. */
const LARGE = 0.9;
/** How much more it is to lose a piece than to be off by as much: a fit brings back most of what collapses cost, not this. */
const PRICE = 16;

/**
 * The pieces that may vanish, the cheapest first. Each costs its distance from the large ones, to which it is as if flattened.
 * `poses`: K × 3n; `kept`: n, 1 for vertices that stay.
 */
export function smallPieces({ triangles }: FanMesh, poses: readonly Float32Array[], kept: Uint8Array): Piece[] {
  const { count, componentOf } = connectedComponents(triangles, kept.length);
  if (count === 1) return [];
  const faceCount = new Uint32Array(count);
  const areas = new Float64Array(count);
  let whole = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    const area = faceArea(poses[0], triangles, t);
    areas[componentOf[triangles[t]]] += area;
    faceCount[componentOf[triangles[t]]]++;
    whole += area;
  }

  // (1) The large ones, which stay; so do those with vertices that are to be kept.
  const isLarge = new Uint8Array(count);
  let reached = 0;
  for (const piece of [...areas.keys()].sort((a, b) => areas[b] - areas[a] || a - b)) {
    if (reached < LARGE * whole) isLarge[piece] = 1;
    reached += areas[piece];
  }
  for (let v = 0; v < kept.length; v++) if (kept[v] === 1) isLarge[componentOf[v]] = 1;
  const ofLarge = triangles.filter((_, c) => isLarge[componentOf[triangles[c - (c % 3)]]] === 1);

  // (2) The distance of the others from them, pose by pose.
  const bvh = buildBvh(poses[0], ofLarge);
  const unit = diagonalOf(poses[0]) || 1;
  const costs = new Float64Array(count);
  const square = new Float64Array(kept.length);
  for (const pose of poses) {
    refitBvh(bvh, pose);
    for (let v = 0; v < kept.length; v++) {
      if (isLarge[componentOf[v]] === 1) continue;
      nearestOnSurface(bvh, pose[3 * v], pose[3 * v + 1], pose[3 * v + 2], found);
      square[v] = found.distance ** 2;
    }
    for (let t = 0; t < triangles.length; t += 3) {
      const piece = componentOf[triangles[t]];
      if (isLarge[piece] === 1) continue;
      const mean = (square[triangles[t]] + square[triangles[t + 1]] + square[triangles[t + 2]]) / 3;
      costs[piece] += (mean * faceArea(pose, triangles, t)) / poses.length;
    }
  }

  // (3) Their faces.
  const pieces = new Map<number, Piece>();
  const filled = new Uint32Array(count);
  for (let f = 0; f < triangles.length / 3; f++) {
    const q = componentOf[triangles[3 * f]];
    if (isLarge[q] === 1) continue;
    const piece = pieces.get(q) ?? { faces: new Uint32Array(faceCount[q]), cost: (PRICE * costs[q]) / unit ** 4 };
    piece.faces[filled[q]++] = f;
    pieces.set(q, piece);
  }
  return [...pieces.values()].sort((a, b) => a.cost - b.cost || a.faces[0] - b.faces[0]);
}

const found = surfacePoint();
