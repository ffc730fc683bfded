import type { Mesh } from '../../src/model/mesh.ts';
import { type MeshSequence, memorySequence } from '../../src/model/sequence.ts';

/** An open tube along x, 0…4, of radius 0.4. */
export function tubeMesh(rings = 33, around = 12): Mesh {
  const positions: number[] = [];
  const triangles: number[] = [];
  for (let ring = 0; ring < rings; ring++) {
    for (let a = 0; a < around; a++) {
      const angle = (2 * Math.PI * a) / around;
      positions.push((4 * ring) / (rings - 1), 0.4 * Math.cos(angle), 0.4 * Math.sin(angle));
      if (ring + 1 === rings) continue;
      const [i, j] = [ring * around + a, ring * around + ((a + 1) % around)];
      triangles.push(i, j, i + around, j, j + around, i + around);
    }
  }
  return { positions: Float32Array.from(positions), triangles: Uint32Array.from(triangles) };
}

/** The tube bent to an arc of the given angle, in the plane that `turn` tilts about x: exact, not skinned. */
export function bentTube(rest: Mesh, angle: number, turn = 0): Float32Array {
  const out = new Float32Array(rest.positions.length);
  const bend = angle === 0 ? 1e-9 : angle;
  const [c, s] = [Math.cos(turn), Math.sin(turn)];
  for (let i = 0; i < out.length; i += 3) {
    const [x, y, z] = rest.positions.subarray(i, i + 3);
    const [inPlane, across] = [y * c + z * s, z * c - y * s];
    const theta = (bend * x) / 4;
    const radius = 4 / bend - inPlane;
    const [px, py] = [radius * Math.sin(theta), 4 / bend - radius * Math.cos(theta)];
    out.set([px, py * c - across * s, py * s + across * c], i);
  }
  return out;
}

export function bendingTube(angles: readonly number[], turn = 0): MeshSequence {
  const rest = tubeMesh();
  const poses = angles.map((angle) => bentTube(rest, angle, turn));
  return memorySequence('tube', rest, poses);
}

/** Root mean square distance between two poses. */
export function rms(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let c = 0; c < a.length; c++) sum += (a[c] - b[c]) ** 2;
  return Math.sqrt(sum / (a.length / 3));
}
