import { IDENTITY34 } from '../math/matrix34.ts';
import { quaternionFromAxisAngle } from '../math/quaternion.ts';
import { composeTrs } from '../math/trs.ts';

/** out (12) = one step of a node's transform, as COLLADA and Alembic list them; a rotation has an axis and degrees. */
export function setTransformStep(
  out: Float64Array,
  kind: 'scale' | 'translate' | 'rotate',
  v: ArrayLike<number>,
): void {
  out.set(IDENTITY34);
  if (kind !== 'rotate') {
    for (let c = 0; c < 3; c++) out[kind === 'scale' ? 5 * c : 4 * c + 3] = v[c];
    return;
  }
  const length = Math.hypot(v[0], v[1], v[2]);
  if (length === 0) return; // an axis of length 0 turns nothing
  const local = [0, 0, 0, 0, 0, 0, 1, 1, 1, 1];
  quaternionFromAxisAngle(local, 3, v[0] / length, v[1] / length, v[2] / length, (v[3] * Math.PI) / 180);
  composeTrs(out, 0, local, 0);
}
