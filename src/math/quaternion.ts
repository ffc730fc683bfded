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

/**
 * The rotation of a 3 × 3 block, row-major with rows `stride` apart, which must be a proper rotation (Shepperd). Written out: a
 * function for its entries would allocate numbers for every bone of every frame.
 */
export function quaternionFromRotation(out: Numbers, o: number, m: Numbers, mi: number, stride: 3 | 4): void {
  const m00 = m[mi];
  const m01 = m[mi + 1];
  const m02 = m[mi + 2];
  const m10 = m[mi + stride];
  const m11 = m[mi + stride + 1];
  const m12 = m[mi + stride + 2];
  const m20 = m[mi + 2 * stride];
  const m21 = m[mi + 2 * stride + 1];
  const m22 = m[mi + 2 * stride + 2];
  const trace = m00 + m11 + m22;
  if (trace > 0) {
    const s = 2 * Math.sqrt(trace + 1);
    out[o] = (m21 - m12) / s;
    out[o + 1] = (m02 - m20) / s;
    out[o + 2] = (m10 - m01) / s;
    out[o + 3] = s / 4;
  } else if (m00 >= m11 && m00 >= m22) {
    const s = 2 * Math.sqrt(1 + m00 - m11 - m22);
    out[o] = s / 4;
    out[o + 1] = (m01 + m10) / s;
    out[o + 2] = (m02 + m20) / s;
    out[o + 3] = (m21 - m12) / s;
  } else if (m11 >= m22) {
    const s = 2 * Math.sqrt(1 + m11 - m00 - m22);
    out[o] = (m01 + m10) / s;
    out[o + 1] = s / 4;
    out[o + 2] = (m12 + m21) / s;
    out[o + 3] = (m02 - m20) / s;
  } else {
    const s = 2 * Math.sqrt(1 + m22 - m00 - m11);
    out[o] = (m02 + m20) / s;
    out[o + 1] = (m12 + m21) / s;
    out[o + 2] = s / 4;
    out[o + 3] = (m10 - m01) / s;
  }
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
