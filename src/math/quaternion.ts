/**
 * Quaternions as four numbers x y z w inside flat arrays: every function takes an array and an offset, and writes into
 * `out` at `o`. `out` may be an input. Hamilton's product, so that `multiply(a, b)` turns by b first, then by a.
 */
export type Numbers = Float32Array | Float64Array | number[];

/** out = a · b. Antonopoulos 2010, (2.27) has the cross product the wrong way round; this is `w1·v2 + w2·v1 + v1×v2`. */
export function multiplyQuaternions(out: Numbers, o: number, a: Numbers, ai: number, b: Numbers, bi: number): void {
  const ax = a[ai],
    ay = a[ai + 1],
    az = a[ai + 2],
    aw = a[ai + 3];
  const bx = b[bi],
    by = b[bi + 1],
    bz = b[bi + 2],
    bw = b[bi + 3];
  out[o] = aw * bx + ax * bw + ay * bz - az * by;
  out[o + 1] = aw * by - ax * bz + ay * bw + az * bx;
  out[o + 2] = aw * bz + ax * by - ay * bx + az * bw;
  out[o + 3] = aw * bw - ax * bx - ay * by - az * bz;
}

/** Scales to unit length; a zero quaternion becomes the identity. */
export function normalizeQuaternion(q: Numbers, o = 0): void {
  const length = Math.hypot(q[o], q[o + 1], q[o + 2], q[o + 3]);
  if (length === 0) {
    q[o] = q[o + 1] = q[o + 2] = 0;
    q[o + 3] = 1;
    return;
  }
  for (let c = 0; c < 4; c++) q[o + c] /= length;
}

/** The rotation by `angle` radians about a unit axis. */
export function quaternionFromAxisAngle(out: Numbers, o: number, x: number, y: number, z: number, angle: number): void {
  const s = Math.sin(angle / 2);
  out[o] = x * s;
  out[o + 1] = y * s;
  out[o + 2] = z * s;
  out[o + 3] = Math.cos(angle / 2);
}

/** The rotation of a 3 × 3 block, row-major with rows `stride` apart, which must be a proper rotation (Shepperd). */
export function quaternionFromRotation(out: Numbers, o: number, m: Numbers, mi: number, stride: 3 | 4): void {
  const at = (r: number, c: number): number => m[mi + r * stride + c];
  const trace = at(0, 0) + at(1, 1) + at(2, 2);
  if (trace > 0) {
    const s = 2 * Math.sqrt(trace + 1);
    const [x, y, z] = [at(2, 1) - at(1, 2), at(0, 2) - at(2, 0), at(1, 0) - at(0, 1)];
    out[o] = x / s;
    out[o + 1] = y / s;
    out[o + 2] = z / s;
    out[o + 3] = s / 4;
    return;
  }
  // Of the vector's parts the largest first: i, followed by j and k in cyclic order.
  const i = at(0, 0) >= at(1, 1) && at(0, 0) >= at(2, 2) ? 0 : at(1, 1) >= at(2, 2) ? 1 : 2;
  const [j, k] = [(i + 1) % 3, (i + 2) % 3];
  const s = 2 * Math.sqrt(1 + at(i, i) - at(j, j) - at(k, k));
  const [a, b, w] = [at(i, j) + at(j, i), at(i, k) + at(k, i), at(k, j) - at(j, k)];
  out[o + i] = s / 4;
  out[o + j] = a / s;
  out[o + k] = b / s;
  out[o + 3] = w / s;
}

/** Shortest-path spherical interpolation from a (t = 0) to b (t = 1). */
export function slerp(out: Numbers, o: number, a: Numbers, ai: number, b: Numbers, bi: number, t: number): void {
  let dot = a[ai] * b[bi] + a[ai + 1] * b[bi + 1] + a[ai + 2] * b[bi + 2] + a[ai + 3] * b[bi + 3];
  const sign = dot < 0 ? -1 : 1;
  dot = Math.min(1, Math.abs(dot));
  const theta = Math.acos(dot);
  const sinTheta = Math.sin(theta);
  // Below 1e-6 rad the weights are linear to the last bit of a double.
  const wa = sinTheta < 1e-6 ? 1 - t : Math.sin((1 - t) * theta) / sinTheta;
  const wb = (sinTheta < 1e-6 ? t : Math.sin(t * theta) / sinTheta) * sign;
  for (let c = 0; c < 4; c++) out[o + c] = wa * a[ai + c] + wb * b[bi + c];
  normalizeQuaternion(out, o);
}
