import { buildBvh } from '../../mesh/bvh.ts';
import { nearestOnSurface, surfacePoint } from '../../mesh/nearest.ts';
import { type MeshParts, meshParts } from '../../mesh/parts.ts';
import type { RunOptions } from '../../model/options.ts';
import type { BoneSegments } from './bone-segments.ts';
import { assignByDistance, type NearestBones, nearestVisibleBones } from './nearest-bones.ts';
import type { Surface } from './surface.ts';

/** Which bones points belong to, and what could not be decided by looking. */
export interface Assignment {
  parts: MeshParts;
  nearest: NearestBones;
  /** Per part: 1 where it holds no bone, and is carried by those that do. */
  carried: Uint8Array;
  /** The points of carried parts. */
  held: number[];
}

/** The nearest visible bones; where nothing can be seen, the nearest by distance. */
export async function assignBones(
  surface: Surface,
  segments: BoneSegments,
  distances: Float64Array,
  run: RunOptions,
): Promise<Assignment> {
  const columns = segments.bones.length;
  const parts = meshParts(surface.positions, surface.triangles);
  const nearest = await nearestVisibleBones(surface, parts, segments, distances, run);
  const carried = carriedParts(parts, nearest);
  const points = Array.from(parts.partOf.keys());
  const held = points.filter((i) => carried[parts.partOf[i]]);
  assignByDistance(nearest, distances, columns, nearest.blind === points.length ? points : held);
  return { parts, nearest, carried, held };
}

/**
 * Parts that hold no bone (buttons, eyes, a sword; single points): none of their points sees one. They take the weights of
 * the nearest place on a part that does, so that they stay where they are worn.
 */

/** Per part: 1 where it is carried. All 0 when no part holds a bone, since nothing could carry them. */
function carriedParts(parts: MeshParts, nearest: NearestBones): Uint8Array {
  const carried = new Uint8Array(parts.count).fill(1);
  for (let i = 0; i < parts.partOf.length; i++) {
    const part = parts.partOf[i];
    if (nearest.distance[i] < Infinity && parts.triangles[part] > 0) carried[part] = 0;
  }
  return carried.includes(0) ? carried : carried.fill(0);
}

/** Overwrites the rows of `weights` (n·D) that belong to carried parts. */
export function carryWeights(
  surface: Surface,
  { parts, carried }: Assignment,
  weights: Float64Array,
  columns: number,
): void {
  if (!carried.includes(1)) return;
  const { positions, triangles } = surface;
  const faces: number[] = [];
  for (let t = 0; t < triangles.length; t += 3) if (!carried[parts.partOf[triangles[t]]]) faces.push(t);
  const carriers = Uint32Array.from(faces.flatMap((t) => [triangles[t], triangles[t + 1], triangles[t + 2]]));
  const bvh = buildBvh(positions, carriers);
  const place = surfacePoint();
  for (let i = 0; i < parts.partOf.length; i++) {
    if (!carried[parts.partOf[i]]) continue;
    nearestOnSurface(bvh, positions[3 * i], positions[3 * i + 1], positions[3 * i + 2], place);
    const { face, second, third } = place;
    const [a, b, c] = [0, 1, 2].map((corner) => carriers[3 * face + corner] * columns);
    for (let q = 0; q < columns; q++) {
      weights[i * columns + q] =
        (1 - second - third) * weights[a + q] + second * weights[b + q] + third * weights[c + q];
    }
  }
}
