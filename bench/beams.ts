import { type MeshSequence, memorySequence } from '../src/index.ts';

/** A beam along x of 100 rings that bends to an arc, exactly, in `frames` steps from 0 to `degrees`. */
export function bendingBeam(name: string, sides: number, frames: number, degrees: number): MeshSequence {
  const rings = 100;
  const positions = new Float32Array(3 * rings * sides);
  const triangles: number[] = [];
  for (let ring = 0; ring < rings; ring++) {
    for (let s = 0; s < sides; s++) {
      const i = ring * sides + s;
      const angle = (2 * Math.PI * (s + 0.5)) / sides;
      positions.set([(4 * ring) / (rings - 1), 0.4 * Math.cos(angle), 0.4 * Math.sin(angle)], 3 * i);
      if (ring + 1 === rings) continue;
      const j = ring * sides + ((s + 1) % sides);
      triangles.push(i, j, i + sides, j, j + sides, i + sides);
    }
  }
  const poses = Array.from({ length: frames }, (_, k) => {
    const bend = Math.max(1e-6, ((Math.PI / 180) * degrees * k) / (frames - 1));
    const out = positions.slice();
    for (let i = 0; i < out.length; i += 3) {
      const radius = 4 / bend - positions[i + 1];
      const theta = (bend * positions[i]) / 4;
      out[i] = radius * Math.sin(theta);
      out[i + 1] = 4 / bend - radius * Math.cos(theta);
    }
    return out;
  });
  return memorySequence(name, { positions, triangles: Uint32Array.from(triangles) }, poses);
}
