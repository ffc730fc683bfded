import { type Note, note } from '../../model/note.ts';
import type { ArchiveObject } from './archive.ts';
import { isIndex } from './pods.ts';
import { kindOfSchema, schemaOf } from './schemas.ts';

/** Faces of a mesh by the face set they are in. */
export interface FaceSets {
  /** In the order of the archive. */
  names: string[];
  /** Face → index of its set, or the number of sets when it is in none. */
  setOf: Uint32Array;
}

/** The face sets below a mesh, or undefined. A face that is in several stays in the first. */
export async function readFaceSets(
  mesh: ArchiveObject,
  faceCount: number,
  notes: Note[],
): Promise<FaceSets | undefined> {
  const sets = mesh.children.filter((child) => kindOfSchema(schemaOf(child.metaData)) === 'face set');
  const names: string[] = [];
  const setOf = new Uint32Array(faceCount).fill(sets.length);
  let twice = 0;
  let beyond = 0;
  for (const set of sets) {
    const schema = await (await set.properties()).compound('.faceset');
    const faces = await schema?.numeric('.faces', 1, isIndex);
    if (!faces || faces.samples === 0) continue;
    for (const face of await faces.numbers(0)) {
      if (!(face >= 0 && face < faceCount)) beyond++;
      else if (setOf[face] !== sets.length) twice++;
      else setOf[face] = names.length;
    }
    names.push(set.name);
  }
  if (names.length === 0) return undefined;
  if (beyond > 0) notes.push(note('face-set-unknown-faces', { count: beyond }));
  if (twice > 0) notes.push(note('face-sets-overlap', { count: twice }));
  return { names, setOf: setOf.map((set) => Math.min(set, names.length)) };
}
