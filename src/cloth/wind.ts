/**
 * Wind: a steady stream that carries eddies along with it (Taylor's frozen turbulence). The eddies are value noise, a
 * smooth interpolation between random vectors at the points of a lattice, of two sizes. Whole-number hashes and
 * arithmetic only: no sines, which engines round differently.
 */
export interface Wind {
  /** Velocity of the stream, m/s. */
  velocity: readonly [number, number, number];
  /** Speed of the eddies as a fraction of the stream's. */
  turbulence: number;
  /** Size of the large eddies, m. The small ones are a third of it and half as fast. */
  eddy: number;
  seed: number;
}

/** The eddies of a wind of which only the velocity is given: half a metre wide and a third as fast. */
export const EDDIES = { turbulence: 0.3, eddy: 0.5, seed: 1 } as const satisfies Omit<Wind, 'velocity'>;

/** Writes the wind at N points (3N) and time (s) into `out` (3N). */
export function windAt({ velocity, turbulence, eddy, seed }: Wind, time: number, x: Float64Array, out: Float64Array) {
  const [wx, wy, wz] = velocity;
  const speed = turbulence * Math.sqrt(wx * wx + wy * wy + wz * wz);
  for (let i = 0; i < x.length; i += 3) {
    out[i] = wx;
    out[i + 1] = wy;
    out[i + 2] = wz;
    if (speed === 0) continue;
    const px = (x[i] - wx * time) / eddy;
    const py = (x[i + 1] - wy * time) / eddy;
    const pz = (x[i + 2] - wz * time) / eddy;
    addNoise(px, py, pz, seed, speed, out, i);
    addNoise(3 * px, 3 * py, 3 * pz, seed + 1, speed / 2, out, i);
  }
}

/** Adds a vector with components in ±amplitude, smooth in p, to out[o…o+2]. */
function addNoise(px: number, py: number, pz: number, seed: number, amplitude: number, out: Float64Array, o: number) {
  const ix = Math.floor(px);
  const iy = Math.floor(py);
  const iz = Math.floor(pz);
  const u = smooth(px - ix);
  const v = smooth(py - iy);
  const w = smooth(pz - iz);
  for (let corner = 0; corner < 8; corner++) {
    const dx = corner & 1;
    const dy = (corner >> 1) & 1;
    const dz = corner >> 2;
    const weight = (dx ? u : 1 - u) * (dy ? v : 1 - v) * (dz ? w : 1 - w) * amplitude;
    let h = hash(ix + dx, iy + dy, iz + dz, seed);
    for (let c = 0; c < 3; c++) {
      out[o + c] += weight * ((h & 0x3ff) / 511.5 - 1);
      h >>>= 10;
    }
  }
}

const smooth = (t: number): number => t * t * (3 - 2 * t);

/** 32 well-mixed bits of a lattice point. */
function hash(x: number, y: number, z: number, seed: number): number {
  let h = Math.imul(x, 0x27d4eb2d) ^ Math.imul(y, 0x165667b1) ^ Math.imul(z, 0x9e3779b1) ^ Math.imul(seed, 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d);
  h = Math.imul(h ^ (h >>> 12), 0x297a2d39);
  return (h ^ (h >>> 15)) >>> 0;
}
