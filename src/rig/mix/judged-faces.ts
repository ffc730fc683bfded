import { diagonalOf } from '../../mesh/bounds.ts';
import { faceArea } from '../../mesh/triangle.ts';
import type { Mesh } from '../../model/mesh.ts';
import type { PosePair } from './pose-pairs.ts';

/** The operators differ on a vertex when they do by more than this fraction of the diagonal, in some pose. */
const DIFFERENT = 1e-5;
/** A face whose height is below this share of its longest side is too thin to say by how much its area changes. */
const THIN = 1e-4;

/** The faces on which the operators differ in some pose of a motion: those by which a mix is judged. */
interface MotionFaces {
  /** Places in `JudgedFaces.faces`. */
  places: Uint32Array;
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
  /** F: areas at rest, 0 for faces that are too thin. */
  areas: Float64Array;
  ofMotion: ReadonlyMap<string, MotionFaces>;
}

export function judgedFaces(mesh: Mesh, pairs: readonly PosePair[]): JudgedFaces {
  const areas = restAreas(mesh);
  const areaOf = (faces: Uint32Array): number => faces.reduce((sum, f) => sum + areas[f], 0);
  const facesWith = (differs: Uint8Array): Uint32Array =>
    Uint32Array.from(areas.keys()).filter(
      (f) => areas[f] > 0 && mesh.triangles.subarray(3 * f, 3 * f + 3).some((i) => differs[i]),
    );
  const differs = differingVertices(mesh, pairs);
  const faces = facesWith(differs);
  const placeOf = new Uint32Array(areas.length);
  faces.forEach((f, place) => {
    placeOf[f] = place;
  });
  const ofMotion = new Map<string, MotionFaces>();
  for (const name of new Set(pairs.map(({ motion }) => motion))) {
    const own = facesWith(
      differingVertices(
        mesh,
        pairs.filter(({ motion }) => motion === name),
      ),
    );
    ofMotion.set(name, { faces: own, places: own.map((f) => placeOf[f]), area: areaOf(own) });
  }
  return { differs, faces, area: areaOf(faces), areas, ofMotion };
}

/** F: the areas at rest, 0 for faces that are too thin. */
export function restAreas({ positions: p, triangles }: Mesh): Float64Array {
  const out = new Float64Array(triangles.length / 3);
  const side = (a: number, b: number): number =>
    Math.hypot(p[3 * b] - p[3 * a], p[3 * b + 1] - p[3 * a + 1], p[3 * b + 2] - p[3 * a + 2]);
  for (let f = 0; f < out.length; f++) {
    const [a, b, c] = triangles.subarray(3 * f, 3 * f + 3);
    const longest = Math.max(side(a, b), side(b, c), side(c, a));
    const area = faceArea(p, triangles, 3 * f);
    if (2 * area > THIN * longest * longest) out[f] = area;
  }
  return out;
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
