import { diagonalOf } from '../../mesh/bounds.ts';
import type { Mesh } from '../../model/mesh.ts';
import type { MixSurface } from './mix-surface.ts';
import type { PosePair } from './pose-pairs.ts';

/** The operators differ on a vertex when they do by more than this fraction of the diagonal, in some pose. */
const DIFFERENT = 1e-5;

/** The faces on which the operators differ in some pose of a motion: those by which a mix is judged. */
interface MotionFaces {
  faces: Uint32Array;
  /** At rest. */
  area: number;
}

/** The same for all motions together, and for each. */
export interface JudgedFaces {
  /** N: 1 where the operators differ in some pose. Elsewhere a mix has no effect that could be judged. */
  differs: Uint8Array;
  faces: Uint32Array;
  area: number;
  ofMotion: ReadonlyMap<string, MotionFaces>;
}

export function judgedFaces({ mesh, areas }: MixSurface, pairs: readonly PosePair[]): JudgedFaces {
  const areaOf = (faces: Uint32Array): number => faces.reduce((sum, f) => sum + areas[f], 0);
  const facesWith = (differs: Uint8Array): Uint32Array =>
    Uint32Array.from(areas.keys()).filter(
      (f) => areas[f] > 0 && mesh.triangles.subarray(3 * f, 3 * f + 3).some((i) => differs[i]),
    );
  const differs = differingVertices(mesh, pairs);
  const faces = facesWith(differs);
  const ofMotion = new Map<string, MotionFaces>();
  for (const name of new Set(pairs.map(({ motion }) => motion))) {
    const own = facesWith(
      differingVertices(
        mesh,
        pairs.filter(({ motion }) => motion === name),
      ),
    );
    ofMotion.set(name, { faces: own, area: areaOf(own) });
  }
  return { differs, faces, area: areaOf(faces), ofMotion };
}

/** N: 1 where the operators differ in some pose. */
function differingVertices({ positions }: Mesh, pairs: readonly PosePair[]): Uint8Array {
  const differs = new Uint8Array(positions.length / 3);
  const limit = DIFFERENT * diagonalOf(positions);
  for (const { difference } of pairs) {
    for (let c = 0; c < difference.length; c++) if (Math.abs(difference[c]) > limit) differs[Math.floor(c / 3)] = 1;
  }
  return differs;
}
