/** Vectors of three numbers, where a few are handled at a time. Loops over many work on flat arrays instead. */
export type Vector = readonly [x: number, y: number, z: number];

/** Any three numbers in a row. */
type Three = ArrayLike<number>;

export const vectorOf = (at: (axis: 0 | 1 | 2) => number): Vector => [at(0), at(1), at(2)];

export const dot3 = (a: Three, b: Three): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

export const cross3 = (a: Three, b: Three): [number, number, number] => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

export const length3 = (a: Three): number => Math.sqrt(dot3(a, a));

export const distance3 = (a: Three, b: Three): number => Math.hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2]);

/** Of points i and j among 3N numbers. */
export function squaredDistance(points: ArrayLike<number>, i: number, j: number): number {
  const x = points[3 * i] - points[3 * j];
  const y = points[3 * i + 1] - points[3 * j + 1];
  const z = points[3 * i + 2] - points[3 * j + 2];
  return x * x + y * y + z * z;
}
