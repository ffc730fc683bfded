/** Vertices that kernels take at a time, and the numbers of their vectors. */
export const QUAD = 4;
const QUAD_STRIDE = 3 * QUAD;

/** Where component c of vertex v is kept: vectors lie by fours, x x x x y y y y z z z z, as SIMD reads them. */
export const inQuads = (v: number, c: number): number => QUAD_STRIDE * (v >> 2) + QUAD * c + (v & 3);
