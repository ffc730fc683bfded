/** Points (3N) as vectors of four floats, x y z and 0, as the physics of the detail has them. */
export const vectorsOf = (points: ArrayLike<number>): Float32Array =>
  Float32Array.from({ length: (4 * points.length) / 3 }, (_, c) =>
    c % 4 === 3 ? 0 : points[3 * Math.floor(c / 4) + (c % 4)],
  );

/** And back. */
export const pointsOf = (vectors: ArrayLike<number>): Float64Array =>
  Float64Array.from({ length: (3 * vectors.length) / 4 }, (_, c) => vectors[4 * Math.floor(c / 3) + (c % 3)]);
