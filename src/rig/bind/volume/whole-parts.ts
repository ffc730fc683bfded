import { gatherRows } from '../../../math/rows.ts';
import { boundsOf, diagonalOf } from '../../../mesh/bounds.ts';
import type { MeshParts } from '../../../mesh/parts.ts';
import type { Surface } from '../surface.ts';

/** Loose parts that follow one bone as a whole: eyes, and rigid things that are worn. */

/** Parts below this size, in diagonals of the mesh, may be eyes, */
const EYE_SIZE = 0.06;
/** if their middle is this near to the bone, in their own size. */
const EYE_DISTANCE = 0.35;
/** Closed parts below this size, in diagonals of the mesh, may be rigid, */
const RIGID_SIZE = 0.3;
/** if this much of their weight is on one bone. */
const RIGID_SHARE = 0.7;

/** A part: its points, its size (the diagonal of its box) and the middle of the box. */
export interface PartBox {
  points: number[];
  size: number;
  middle: readonly number[];
  open: boolean;
}

export function partBoxes({ positions }: Surface, { count, partOf, open, triangles }: MeshParts): PartBox[] {
  const points: number[][] = Array.from({ length: count }, () => []);
  partOf.forEach((part, i) => {
    points[part].push(i);
  });
  return points.map((own, part) => {
    const places = gatherRows(positions, 3, own);
    const { min, max } = boundsOf(places);
    const middle = min.map((low, c) => (low + max[c]) / 2);
    return { points: own, size: diagonalOf(places), middle, open: open[part] === 1 || triangles[part] === 0 };
  });
}

/**
 * Gives parts that are eyes to their bones alone, in place, and returns them.
 *
 * @param eyes columns and joints of bones that are eyes.
 */
export function placeEyes(
  weights: Float64Array,
  columns: number,
  parts: readonly PartBox[],
  eyes: readonly { column: number; joint: readonly number[] }[],
  diagonal: number,
): PartBox[] {
  const far = (part: PartBox, joint: readonly number[]): number =>
    Math.hypot(...joint.map((x, c) => x - part.middle[c]));
  return parts.filter((part) => {
    if (part.size >= EYE_SIZE * diagonal || eyes.length === 0) return false;
    const nearest = eyes.reduce((a, b) => (far(part, b.joint) < far(part, a.joint) ? b : a));
    if (far(part, nearest.joint) > EYE_DISTANCE * part.size) return false;
    followAlone(weights, columns, part, nearest.column);
    return true;
  });
}

/** Lets closed parts follow the bone that has most of their weight alone, in place, and returns these parts. */
export function stiffenParts(
  weights: Float64Array,
  columns: number,
  parts: readonly PartBox[],
  diagonal: number,
): PartBox[] {
  return parts.filter((part) => {
    if (part.open || part.size >= RIGID_SIZE * diagonal) return false;
    const sums = new Float64Array(columns);
    for (const i of part.points) for (let c = 0; c < columns; c++) sums[c] += weights[i * columns + c];
    const most = sums.reduce((best, sum, c) => (sum > sums[best] ? c : best), 0);
    if (sums[most] < RIGID_SHARE * part.points.length) return false;
    followAlone(weights, columns, part, most);
    return true;
  });
}

function followAlone(weights: Float64Array, columns: number, { points }: PartBox, column: number): void {
  for (const i of points) {
    weights.fill(0, i * columns, (i + 1) * columns);
    weights[i * columns + column] = 1;
  }
}
