import { PliantError } from '../error.ts';
import type { Mesh } from '../model/mesh.ts';
import { type Note, note } from '../model/note.ts';
import { frameOutOfRange, type MeshSequence, steadyTimes } from '../model/sequence.ts';
import { plural } from '../model/wording.ts';
import { type FileAccess, readAll, withSource } from './files.ts';
import { frameNameNotes, restByName } from './frame-names.ts';
import { withMtl } from './mtl.ts';
import { scanObjFrame } from './obj-frame.ts';
import { fileName, naturalOrder, stem } from './paths.ts';
import { meshFromPolygons, meshFromVertexPolygons, type PolygonMesh } from './polygons.ts';
import { parseObj } from './read-obj.ts';
import { parseOff } from './read-off.ts';
import { parsePly } from './read-ply.ts';
import type { FORMATS, FormatKind } from './sniff.ts';

/** A sequence that has one file per frame: OBJ, PLY or OFF. Frames are read when asked for. */

const OPERATION = 'readSequence';

/** Mesh formats: each can be a frame. */
export type FrameFormat = { [K in FormatKind]: (typeof FORMATS)[K]['role'] extends 'mesh' ? K : never }[FormatKind];

const PARSERS: Record<FrameFormat, (bytes: Uint8Array, file: string, notes: Note[]) => PolygonMesh> = {
  obj: parseObj,
  ply: parsePly,
  off: parseOff,
};

/** Frames, one file each. */
export interface FileSequence {
  sequence: MeshSequence;
  /** Of all files. */
  bytes: number;
  notes: Note[];
}

interface SequenceSettings {
  name: string;
  /** The file with the rest pose. */
  rest?: string;
  /** Whether one of the frames will be the rest pose. */
  restIsFrame?: boolean;
  framesPerSecond: number;
}

/** Frames are read several times, and parsing takes longer than what is done with them: as many bytes of positions are kept. */
const KEPT_BYTES = 2 ** 28;

/**
 * The files in natural order, 2 before 10. The rest mesh is `rest` if given, else the file named `rest`, else the one whose
 * name says so (unless the rest pose is to be a frame), else the first; all but the last are not frames. Every frame must have
 * the rest's vertices and faces.
 */
export async function sequenceFromFiles(
  files: FileAccess,
  paths: readonly string[],
  format: FrameFormat,
  { name, rest, restIsFrame = false, framesPerSecond }: SequenceSettings,
): Promise<FileSequence> {
  const named = rest ?? paths.find((path) => stem(path).toLowerCase() === 'rest');
  const restPath = named ?? (restIsFrame ? undefined : restByName(paths));
  const frames = paths.filter((path) => path !== restPath).sort(naturalOrder);
  if (frames.length === 0) throw new PliantError('not-found', OPERATION, `${name}: no frames`);

  const notes = frameNameNotes(frames, restPath);
  if (restPath !== named) notes.push(note('rest-by-name', { file: fileName(restPath!) }));
  const reference = await readReference(files, restPath ?? frames[0], format, notes);
  const n = reference.polygons.positions.length / 3;
  let bytes = restPath === undefined ? 0 : reference.bytes;
  for (const path of frames) bytes += await withSource(files, path, async (source) => source.size);

  // The first frames: of frames that are read in order, the latest ones would be gone when they are wanted again.
  const kept = new Map<number, Float32Array>();
  const keep = Math.floor(KEPT_BYTES / (12 * n));
  const sequence: MeshSequence = {
    name,
    rest: reference.mesh,
    frameCount: frames.length,
    times: steadyTimes(frames.length, framesPerSecond),
    async readFrame(k, out = new Float32Array(3 * n)) {
      if (!(k in frames)) throw frameOutOfRange(name, k, frames.length);
      const known = kept.get(k);
      if (known) {
        out.set(known);
        return out;
      }
      const content = await withSource(files, frames[k], (source) => readAll(source, OPERATION));
      readFramePositions(content, frames[k], format, reference, out);
      if (k < keep) kept.set(k, out.slice());
      return out;
    },
    async close() {
      kept.clear();
    },
  };
  return { sequence, bytes, notes };
}

/** The file that every frame is compared with. */
interface Reference {
  path: string;
  bytes: number;
  polygons: PolygonMesh;
  mesh: Mesh;
  faceDigest?: string;
}

async function readReference(files: FileAccess, path: string, format: FrameFormat, notes: Note[]): Promise<Reference> {
  const bytes = await withSource(files, path, (source) => readAll(source, OPERATION));
  const polygons = PARSERS[format](bytes, path, notes);
  const made = format === 'obj' ? meshFromPolygons(polygons, notes) : meshFromVertexPolygons(polygons, notes);
  const mesh = await withMtl(made, polygons.libraries ?? [], { files, path }, notes);
  const faceDigest =
    format === 'obj' ? scanObjFrame(bytes, path, new Float32Array(polygons.positions.length)).faceDigest : undefined;
  return { path, bytes: bytes.length, polygons, mesh, faceDigest };
}

function readFramePositions(
  bytes: Uint8Array,
  path: string,
  format: FrameFormat,
  reference: Reference,
  out: Float32Array,
): void {
  const expected = reference.polygons.positions.length / 3;
  const checkCount = (got: number): void => {
    if (got === expected) return;
    const cause = `the number of vertices changes (got ${got}, expected ${expected} like ${fileName(reference.path)})`;
    throw new PliantError('bad-file', OPERATION, cause, { file: path });
  };
  if (format === 'obj') {
    const frame = scanObjFrame(bytes, path, out);
    checkCount(frame.vertices);
    if (frame.faceDigest === reference.faceDigest) return;
  }
  const polygons = PARSERS[format](bytes, path, []);
  checkCount(polygons.positions.length / 3);
  const difference = firstDifference(polygons, reference.polygons);
  if (difference) {
    const cause = `the faces differ from those of ${fileName(reference.path)} (${difference})`;
    throw new PliantError('bad-file', OPERATION, cause, { file: path });
  }
  out.set(polygons.positions);
}

/** Where the faces of two meshes differ, in words, or undefined. */
function firstDifference(got: PolygonMesh, expected: PolygonMesh): string | undefined {
  if (got.starts.length !== expected.starts.length) {
    return `got ${plural(got.starts.length - 1, 'face')}, expected ${expected.starts.length - 1}`;
  }
  for (let q = 0; q + 1 < got.starts.length; q++) {
    const face = (mesh: PolygonMesh) => mesh.corners.subarray(mesh.starts[q], mesh.starts[q + 1]);
    const [a, b] = [face(got), face(expected)];
    if (a.length !== b.length) return `face ${q} has ${a.length} corners, expected ${b.length}`;
    const c = a.findIndex((corner, at) => corner !== b[at]);
    if (c >= 0) return `face ${q} has vertex ${a[c]}, expected ${b[c]}`;
  }
  return undefined;
}
