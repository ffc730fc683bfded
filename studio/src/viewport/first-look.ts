import { Vector3 } from 'three';
import { type Up, upVector } from './stage.ts';

/** Margin around the content. */
export const MARGIN = 1.1;
/** Initial view direction: from the right, above, in front; with y up. */
const FIRST_LOOK = new Vector3(0.62, 0.42, 1).normalize();

/** Where a camera is, and what it needs there. */
export interface FramedPlace {
  position: Vector3;
  target: Vector3;
  /** Of a square view, margin included: 1 is all of it. What is tall needs less width, what is flat less height. */
  width: number;
  height: number;
}

/**
 * The camera that frames all points (3 each), with what is seen in the middle of the picture.
 * @param field Vertical field of view in degrees. @param from Direction of the camera, with y up [default: the initial one].
 */
export function placeFor(
  points: ArrayLike<number>,
  centre: Vector3,
  up: Up,
  field: number,
  from = FIRST_LOOK,
): FramedPlace {
  const look = axisFor(up, from).normalize();
  const right = new Vector3().crossVectors(upVector(up), look).normalize();
  const above = new Vector3().crossVectors(look, right);
  const tangent = Math.tan((field * Math.PI) / 360) / MARGIN;
  const across = spanAlong(points, centre, right, look, tangent);
  const high = spanAlong(points, centre, above, look, tangent);
  const distance = Math.max(across.distance, high.distance, 1e-6);
  const target = centre.clone().addScaledVector(right, across.middle).addScaledVector(above, high.middle);
  return {
    position: target.clone().addScaledVector(look, distance),
    target,
    width: across.distance / distance,
    height: high.distance / distance,
  };
}

/** A direction of a scene with y up, in the axes of a file. */
function axisFor(up: Up, { x, y, z }: Vector3): Vector3 {
  const turned = { x: [y, -x, z], y: [x, y, z], z: [x, -z, y] }[up];
  return new Vector3().fromArray(turned);
}

/**
 * Where along an axis of the picture, and how far from `centre`, a camera sees all points (3 each) within an angle of that
 * tangent to both sides.
 */
function spanAlong(
  points: ArrayLike<number>,
  centre: Vector3,
  axis: Vector3,
  look: Vector3,
  tangent: number,
): { middle: number; distance: number } {
  const point = new Vector3();
  let [least, most] = points.length > 0 ? [Infinity, -Infinity] : [0, 0];
  for (let i = 0; i < points.length; i += 3) {
    point.set(points[i], points[i + 1], points[i + 2]).sub(centre);
    const [place, nearer] = [point.dot(axis), tangent * point.dot(look)];
    least = Math.min(least, place - nearer);
    most = Math.max(most, place + nearer);
  }
  return { middle: (least + most) / 2, distance: (most - least) / (2 * tangent) };
}
