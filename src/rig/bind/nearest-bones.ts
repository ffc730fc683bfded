import { diagonalOf } from '../../mesh/bounds.ts';
import { buildBvh } from '../../mesh/bvh.ts';
import { straightDistance } from '../../mesh/graph-distance.ts';
import { vertexNormals } from '../../mesh/normals.ts';
import type { MeshParts } from '../../mesh/parts.ts';
import { segmentHitsSurface } from '../../mesh/segment-hit.ts';
import type { RunOptions } from '../../model/options.ts';
import { checkpoint } from '../../model/run.ts';
import type { BoneSegments } from './bone-segments.ts';
import { nearestOnSegment } from './segment-distance.ts';
import { pointCount, type Surface } from './surface.ts';

/**
 * Which bone each point of the surface belongs to. Baran & Popović 2007 (§4) take the nearest one, and ignore it where the
 * straight way to it leaves the volume. Here the nearest bone that *is* seen counts, as in an arm that hangs close to the
 * flank: the flank then belongs to the spine rather than to no bone.
 *
 * Parts do not hide bones from each other: a button is no wall for the body. In a closed part the way starts just inside the
 * surface, and must not cross it; an open part has no inside, and the triangles around the point itself do not count.
 */
export interface NearestBones {
  /** n: distance to the nearest bone; ∞ where none is seen. */
  distance: Float64Array;
  /** n·D: 1/k for each of k bones that are nearest and equally near, else 0. Rows without a bone are 0. */
  shares: Float64Array;
  /** Points that see no bone. */
  blind: number;
}

/** Bones this little farther than the nearest are equally near: both of two that meet in a joint. */
const TIE = 1 + 1e-4;

/** How far inside the way to a bone starts, in mean edges around the point. */
const STEP_INSIDE = 1e-3;
/** A bone this near, as a fraction of the mesh's size, lies on the surface: it is seen from there. */
const TOUCHING = 1e-6;

/** Points between two looks at the outside world. */
const STRIDE = 512;

/** @param distances n·D, of `boneDistances`. */
export async function nearestVisibleBones(
  surface: Surface,
  parts: MeshParts,
  segments: BoneSegments,
  distances: Float64Array,
  run: RunOptions,
): Promise<NearestBones> {
  const n = pointCount(surface);
  const columns = segments.bones.length;
  const { positions, triangles } = surface;
  const bvh = buildBvh(positions, triangles);
  const normals = vertexNormals({ positions, triangles });
  const distance = new Float64Array(n).fill(Infinity);
  const shares = new Float64Array(n * columns);
  const segmentsOf = Array.from({ length: columns }, () => [] as number[]);
  segments.columnOf.forEach((column, s) => {
    segmentsOf[column].push(s);
  });

  const touching = TOUCHING * diagonalOf(positions);
  const eye = new Float64Array(3);
  const target = new Float64Array(3);
  let blind = 0;
  const order = Uint32Array.from({ length: columns }, (_, c) => c);
  for (let i = 0; i < n; i++) {
    if (i % STRIDE === 0) await checkpoint(run, 'bind', i, n, 'finding the nearest bones');
    const row = i * columns;
    order.sort((a, b) => distances[row + a] - distances[row + b] || a - b);
    const tied: number[] = [];
    for (const c of order) {
      if (distances[row + c] > distance[i] * TIE) break;
      if (!segmentsOf[c].some((s) => sees(i, s, distances[row + c]))) continue;
      if (tied.length === 0) distance[i] = distances[row + c];
      tied.push(c);
    }
    if (tied.length === 0) blind++;
    for (const c of tied) shares[row + c] = 1 / tied.length;
  }
  return { distance, shares, blind };

  /** Whether point i sees segment s, where that is the one its bone's distance was measured to. */
  function sees(i: number, s: number, boneDistance: number): boolean {
    const d = Math.sqrt(nearestOnSegment(target, segments.ends, 6 * s, positions, 3 * i));
    if (d > boneDistance * TIE) return false;
    if (d <= touching) return true;
    const part = parts.partOf[i];
    const outside = parts.outside[part];
    const step = outside * STEP_INSIDE * meanEdge(i);
    for (let c = 0; c < 3; c++) eye[c] = positions[3 * i + c] - step * normals[3 * i + c];
    return !segmentHitsSurface(bvh, eye, target, (f) => blocks(f, i, part, outside !== 0));
  }

  /** Triangles of other parts are looked through; where there is no inside, those around the point itself too. */
  function blocks(f: number, i: number, part: number, closed: boolean): boolean {
    const [a, b, c] = [triangles[3 * f], triangles[3 * f + 1], triangles[3 * f + 2]];
    return parts.partOf[a] === part && (closed || (a !== i && b !== i && c !== i));
  }

  function meanEdge(i: number): number {
    const { offsets, items } = surface.neighbours;
    let sum = 0;
    for (let q = offsets[i]; q < offsets[i + 1]; q++) sum += straightDistance(positions, i, items[q]);
    return sum / (offsets[i + 1] - offsets[i] || 1);
  }
}

/** What `nearestVisibleBones` says where seeing does not matter: the nearest bones by distance alone, for some points. */
export function assignByDistance(
  nearest: NearestBones,
  distances: Float64Array,
  columns: number,
  points: Iterable<number>,
): void {
  for (const i of points) {
    const row = i * columns;
    let least = Infinity;
    for (let c = 0; c < columns; c++) least = Math.min(least, distances[row + c]);
    let ties = 0;
    for (let c = 0; c < columns; c++) if (distances[row + c] <= least * TIE) ties++;
    for (let c = 0; c < columns; c++) nearest.shares[row + c] = distances[row + c] <= least * TIE ? 1 / ties : 0;
    nearest.distance[i] = least;
  }
}
