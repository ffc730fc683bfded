import { signedVolume, surfaceArea } from '../../../../src/doors/measure.ts';
import { isClosed } from '../../../../src/doors/mesh.ts';
import type { Mesh } from '../../../../src/index.ts';

/** A volume below this share of area^1.5 is rounding error: a sphere has about 0.1. */
const FLAT = 1e-6;

/** Whether meshes together enclose a volume: all are closed, and they are not flat. */
export function encloses(meshes: readonly Mesh[]): boolean {
  const sum = (of: typeof surfaceArea) => meshes.reduce((all, mesh) => all + of(mesh.positions, mesh.triangles), 0);
  return meshes.every(isClosed) && Math.abs(sum(signedVolume)) > FLAT * sum(surfaceArea) ** 1.5;
}
