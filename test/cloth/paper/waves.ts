import { sheet } from '../../../src/cloth/shapes.ts';
import type { Mesh } from '../../../src/model/mesh.ts';
import { type MeshSequence, memorySequence } from '../../../src/model/sequence.ts';

/** A sheet of 1 × 1 m with slow waves, and the same on a finer mesh with small waves that come and go with them. */
export const coarseSheet: Mesh = sheet('coarse', 30, [0, 0, 0], [1, 0, 0], [0, 0, -1]);
export const fineSheet: Mesh = sheet('fine', 220, [0, 0, 0], [1, 0, 0], [0, 0, -1]);

const slow = (x: number, z: number, phase: number): number =>
  0.12 * Math.sin(3 * x + phase) + 0.08 * Math.sin(4 * z - 1.7 * phase);
const small = (x: number, z: number, phase: number): number => 0.03 * Math.sin(phase) * Math.sin(14 * x + 6 * z);

const posed = (mesh: Mesh, height: (x: number, z: number) => number): Float32Array =>
  mesh.positions.map((value, c) => (c % 3 === 1 ? height(mesh.positions[c - 1], mesh.positions[c + 1]) : value));

/** Phases of frames at 30 frames per second. */
export function waves(
  name: string,
  phases: readonly number[],
): { name: string; coarse: MeshSequence; fine: MeshSequence } {
  const times = Float64Array.from(phases, (_, k) => k / 30);
  const coarse = phases.map((p) => posed(coarseSheet, (x, z) => slow(x, z, p)));
  const fine = phases.map((p) => posed(fineSheet, (x, z) => slow(x, z, p) + small(x, z, p)));
  return {
    name,
    coarse: memorySequence(`${name} coarse`, coarseSheet, coarse, times),
    fine: memorySequence(`${name} fine`, fineSheet, fine, times),
  };
}

export const steps = (count: number, step: number, from = 0): number[] =>
  Array.from({ length: count }, (_, k) => from + k * step);
