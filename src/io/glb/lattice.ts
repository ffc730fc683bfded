import { multiply34 } from '../../math/matrix34.ts';
import { boundsOf } from '../../mesh/bounds.ts';

/**
 * Positions as whole numbers on a cubic lattice (KHR_mesh_quantization): x = origin + step · q. Steps are alike in all
 * directions, so that what takes positions back, a node or the inverse bind matrices, leaves the angles of normals alone.
 */
export interface Lattice {
  origin: readonly [number, number, number];
  step: number;
}

/** q runs from 0 to this: 14 bits, off by at most half a step, 0.003 % of the longest side. */
const LARGEST = 2 ** 14 - 1;
/** Morph targets are stored as signed 16-bit differences. */
const LARGEST_OFFSET = 2 ** 15 - 1;

/** The lattice of 3N positions from which no frame moves farther than `reach` along any axis. */
export function latticeOf(positions: Float32Array, reach = 0): Lattice {
  const { min, max } = boundsOf(positions);
  const side = Math.max(max[0] - min[0], max[1] - min[1], max[2] - min[2]);
  // Differences of rounded numbers may exceed the reach by one step.
  const step = Math.fround(Math.max(side / LARGEST, reach / (LARGEST_OFFSET - 1))) || 1;
  return { origin: min, step };
}

const onLattice = ({ origin, step }: Lattice, x: number, c: number): number => Math.round((x - origin[c % 3]) / step);

export const latticePositions = (lattice: Lattice, positions: Float32Array): Uint16Array<ArrayBuffer> =>
  Uint16Array.from(positions, (x, c) => Math.min(LARGEST, Math.max(0, onLattice(lattice, x, c))));

/** A frame's offsets from the stored rest positions: rounded where the frame is, so that errors do not add up. */
export const latticeOffsets = (lattice: Lattice, frame: Float32Array, stored: Uint16Array): Int16Array<ArrayBuffer> =>
  Int16Array.from(frame, (x, c) => onLattice(lattice, x, c) - stored[c]);

/** How many times 3N displacements can be enlarged and still be stored in 16 bits. */
export function latticeRoom({ step }: Lattice, displacements: Float32Array): number {
  let farthest = 0;
  for (let c = 0; c < displacements.length; c++) farthest = Math.max(farthest, Math.abs(displacements[c]));
  return farthest > 0 ? (LARGEST_OFFSET * step) / farthest : Number.POSITIVE_INFINITY;
}

/** Displacements as whole steps, enlarged by `scale` first, which `latticeRoom` must allow. */
export const latticeVectors = (lattice: Lattice, displacements: Float32Array, scale: number): Int16Array<ArrayBuffer> =>
  Int16Array.from(displacements, (x) => Math.round((scale * x) / lattice.step));

/** m (12 numbers at mi) with the lattice taken back first: out = m · T(origin) · S(step). */
export function throughLattice(out: Float32Array, o: number, m: Float32Array, mi: number, lattice: Lattice): void {
  const { origin, step } = lattice;
  multiply34(out, o, m, mi, [step, 0, 0, origin[0], 0, step, 0, origin[1], 0, 0, step, origin[2]], 0);
}

/** Unit normals at 8 bits: 3 signed bytes each, of which players restore the length. */
export const normalsAsBytes = (normals: Float32Array): Int8Array<ArrayBuffer> =>
  Int8Array.from(normals, (x) => Math.round(127 * x));
