/** Normals and areas of single triangles: positions 3N, triangles 3F, t the index of a triangle's first corner. */

const cross = new Float64Array(3);

/** Writes the unit normal and returns the area; a triangle without one gets no normal, and 0. */
export function faceNormal(out: Float64Array, positions: ArrayLike<number>, triangles: Uint32Array, t: number): number {
  const doubleArea = crossOfSides(positions, triangles, t);
  if (!(doubleArea > 0)) return 0;
  for (let c = 0; c < 3; c++) out[c] = cross[c] / doubleArea;
  return doubleArea / 2;
}

/** The area, in square units. */
export function faceArea(positions: ArrayLike<number>, triangles: Uint32Array, t: number): number {
  return crossOfSides(positions, triangles, t) / 2;
}

/** Fills `cross` with the product of the two sides at the first corner and returns its length, twice the area. */
function crossOfSides(positions: ArrayLike<number>, triangles: Uint32Array, t: number): number {
  const a = 3 * triangles[t];
  const b = 3 * triangles[t + 1];
  const c = 3 * triangles[t + 2];
  const ux = positions[b] - positions[a];
  const uy = positions[b + 1] - positions[a + 1];
  const uz = positions[b + 2] - positions[a + 2];
  const vx = positions[c] - positions[a];
  const vy = positions[c + 1] - positions[a + 1];
  const vz = positions[c + 2] - positions[a + 2];
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  cross[0] = nx;
  cross[1] = ny;
  cross[2] = nz;
  return Math.sqrt(nx * nx + ny * ny + nz * nz);
}
