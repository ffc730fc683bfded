import { multiplyQuaternions, quaternionFromAxisAngle } from '../../../../src/math/quaternion.ts';
import { type Angles, quaternionOf } from './rig-pose.ts';

const DEGREES = 180 / Math.PI;

/**
 * Angles of a joint after it has turned further by `degrees` about a unit axis of its frame as it stands: R·R(axis). Of the
 * triples that mean the same turn it is the one nearest to the angles before, so that sliders move steadily.
 */
export function turnedAbout(before: Angles, axis: readonly [number, number, number], degrees: number): Angles {
  const turn = [0, 0, 0, 1];
  quaternionFromAxisAngle(turn, 0, ...axis, degrees / DEGREES);
  multiplyQuaternions(turn, 0, quaternionOf(before), 0, turn, 0);
  return anglesOf(turn, before);
}

/** Angles are rounded to this many degrees, in sliders and in files. */
const FINE = 0.01;

/** Euler angles (x, then y, then z) of a unit quaternion, nearest to those before. */
function anglesOf([x, y, z, w]: number[], before: Angles): Angles {
  const sinY = Math.min(1, Math.max(-1, 2 * (w * y - z * x)));
  const pitch = Math.asin(sinY) * DEGREES;
  let [roll, yaw]: number[] = [];
  if (Math.abs(sinY) > 1 - 1e-9) {
    // Gimbal lock: x and z turn about the same axis, so x stays as it was.
    roll = before[0];
    const sum = 2 * Math.atan2(z, w) * DEGREES;
    yaw = sum + Math.sign(sinY) * roll;
  } else {
    roll = Math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y)) * DEGREES;
    yaw = Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)) * DEGREES;
  }
  const triples: Angles[] = [
    [roll, pitch, yaw],
    [roll + 180, 180 - pitch, yaw + 180],
  ];
  const [one, other] = triples.map((angles) => angles.map(wrapped) as unknown as Angles);
  return distance(one, before) <= distance(other, before) ? one : other;
}

/** −180 < angle ≤ 180. */
function wrapped(angle: number): number {
  const turns = angle - 360 * Math.ceil((angle - 180) / 360);
  return Math.round(turns / FINE) * FINE || 0;
}

const distance = (a: Angles, b: Angles): number => Math.hypot(...a.map((angle, c) => wrapped(angle - b[c])));

/** The shorter way from one angle to another, in radians. */
export const shortest = (radians: number): number => Math.atan2(Math.sin(radians), Math.cos(radians));
