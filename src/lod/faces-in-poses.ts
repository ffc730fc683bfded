import { faceArea, isDegenerate } from '../mesh/triangle.ts';

/** What there is to see of a surface in its poses. */
export interface FacesInPoses {
  /** Faces that have an area in no pose. */
  bare: number;
  /** Per pose, in square units. */
  areas: number[];
}

export function facesInPoses(triangles: Uint32Array, poses: Iterable<ArrayLike<number>>): FacesInPoses {
  const isSeen = new Uint8Array(triangles.length / 3);
  const areas: number[] = [];
  for (const positions of poses) {
    let sum = 0;
    for (let f = 0; f < isSeen.length; f++) {
      sum += faceArea(positions, triangles, 3 * f);
      if (isSeen[f] === 0 && !isDegenerate(positions, triangles, 3 * f)) isSeen[f] = 1;
    }
    areas.push(sum);
  }
  return { bare: isSeen.reduce((sum, seen) => sum + 1 - seen, 0), areas };
}

/** Share of the largest area below which a pose shows next to nothing: things that are scaled to a point until they appear. */
const NEXT_TO_NOTHING = 1e-4;

/** The pose that lengths are measured in: the first, unless next to nothing is seen of it; then the one with the largest area. */
export function poseToMeasureIn(areas: readonly number[]): number {
  const largest = areas.reduce((a, b) => Math.max(a, b), 0);
  return areas[0] < NEXT_TO_NOTHING * largest ? areas.indexOf(largest) : 0;
}
