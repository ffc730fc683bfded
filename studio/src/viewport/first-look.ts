import { Vector3 } from 'three';
import { type Up, upVector } from './stage.ts';

/** Margin around the content. */
const MARGIN = 1.15;
/** Initial view direction: from the right, above, in front; with y up. */
const FIRST_LOOK = new Vector3(0.62, 0.42, 1).normalize();

/** Where a camera is first, and what it sees there. */
export interface FirstPlace {
  position: Vector3;
  /** Width that is needed of a square view, margin included: 1 is all of it. What is tall needs less. */
  width: number;
}

/** Initial camera position that frames all points (3 each). @param field Vertical field of view in degrees. */
export function firstPlace(points: ArrayLike<number>, centre: Vector3, up: Up, field: number): FirstPlace {
  const look = axisFor(up, FIRST_LOOK);
  const right = new Vector3().crossVectors(upVector(up), look).normalize();
  const above = new Vector3().crossVectors(look, right);
  const distance = distanceFor(points, centre, look, [right, above], field);
  const width = distanceFor(points, centre, look, [right], field) / distance;
  return { position: centre.clone().addScaledVector(look, distance), width };
}

/** A direction of a scene with y up, in the axes of a file. */
export function axisFor(up: Up, { x, y, z }: Vector3): Vector3 {
  const turned = { x: [y, -x, z], y: [x, y, z], z: [x, -z, y] }[up];
  return new Vector3().fromArray(turned);
}

/** Distance from `centre` in the direction `look` that frames all points (3 each) in a square view, along some axes of it. */
function distanceFor(
  points: ArrayLike<number>,
  centre: Vector3,
  look: Vector3,
  axes: readonly Vector3[],
  field: number,
): number {
  const tangent = Math.tan((field * Math.PI) / 360);
  const point = new Vector3();
  let distance = 1e-6;
  for (let i = 0; i < points.length; i += 3) {
    point.set(points[i], points[i + 1], points[i + 2]).sub(centre);
    const across = Math.max(...axes.map((axis) => Math.abs(point.dot(axis))));
    distance = Math.max(distance, (MARGIN * across) / tangent + point.dot(look));
  }
  return distance;
}
