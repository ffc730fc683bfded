import { concatBytes } from '../math/bytes.ts';
import { smoothingGroups, vertexNormals } from '../mesh/normals.ts';
import { textureUvs } from '../mesh/texture-uvs.ts';
import type { Mesh } from '../model/mesh.ts';
import type { RunOptions } from '../model/options.ts';
import { checkpoint } from '../model/run.ts';
import type { MeshSequence } from '../model/sequence.ts';
import type { FolderSink } from './files.ts';
import { floatText } from './float-text.ts';

/** Wavefront OBJ: one mesh, or a folder with one file per frame. */

const FACES_PER_CHUNK = 1 << 16;

/** A mesh as an OBJ file. Numbers are as short as reading them back exactly allows. */
export function writeObj(mesh: Mesh): Uint8Array {
  return concatBytes([
    header(mesh),
    ...numberLines('v', mesh.positions, 3),
    ...normalLines(mesh.normals),
    ...faceLines(mesh),
  ]);
}

/** The name of frame k of P in a folder that Pliant writes. */
const frameFile = (k: number, frameCount: number): string =>
  `frame-${String(k).padStart(Math.max(4, String(frameCount - 1).length), '0')}.obj`;

/** Whether a file has a name that `writeObjSequence` gives. */
export const isFrameFile = (name: string): boolean => /^(rest|frame-\d{4,})\.obj$/.test(name);

/**
 * A sequence as `rest.obj` and `frame-0000.obj` … in a folder, which the caller closes. When the rest mesh has normals,
 * those of the frames are computed from their faces, smooth and creased where the rest mesh is. OBJ has no times.
 */
export async function writeObjSequence(
  sequence: MeshSequence,
  folder: FolderSink,
  run: RunOptions = {},
): Promise<void> {
  const { rest, frameCount } = sequence;
  const writeFile = async (name: string, parts: Uint8Array[]): Promise<void> => {
    const sink = await folder.file(name);
    for (const part of parts) await sink.write(part);
    await sink.close();
  };
  // What is the same in every file is made once.
  const head = header(rest);
  const faces = faceLines(rest);
  const smooth = smoothingGroups(rest);
  const frame = new Float32Array(rest.positions.length);
  const normals = rest.normals && new Float32Array(rest.normals.length);

  await writeFile('rest.obj', [writeObj(rest)]);
  for (let k = 0; k < frameCount; k++) {
    await checkpoint(run, 'writeObjSequence', k, frameCount, 'writing frames');
    await sequence.readFrame(k, frame);
    if (normals) vertexNormals(rest, frame, 'angle', smooth, normals);
    await writeFile(frameFile(k, frameCount), [head, ...numberLines('v', frame, 3), ...normalLines(normals), ...faces]);
  }
  run.onProgress?.(frameCount, frameCount, 'writing frames');
}

const encoder = new TextEncoder();

/** A name on one line: line ends would start a statement. */
const oneLine = (name: string): string => name.replace(/\s+/g, ' ').trim();

const header = (mesh: Mesh): Uint8Array =>
  encoder.encode(`# Pliant\n${mesh.name === undefined ? '' : `o ${oneLine(mesh.name)}\n`}`);

const normalLines = (normals: Float32Array | undefined): Uint8Array[] => (normals ? numberLines('vn', normals, 3) : []);

/** Lines "keyword a b c", a few MB to a part. */
function numberLines(keyword: string, values: Float32Array, stride: number): Uint8Array[] {
  const parts: Uint8Array[] = [];
  for (let from = 0; from < values.length; from += stride * FACES_PER_CHUNK) {
    const to = Math.min(values.length, from + stride * FACES_PER_CHUNK);
    let text = '';
    for (let o = from; o < to; o += stride) {
      text += keyword;
      for (let c = 0; c < stride; c++) text += ` ${floatText(values[o + c])}`;
      text += '\n';
    }
    parts.push(encoder.encode(text));
  }
  return parts;
}

/** The uvs, which no frame changes, and the faces by group. */
function faceLines(mesh: Mesh): Uint8Array[] {
  const uvs = textureUvs(mesh);
  const parts = uvs ? numberLines('vt', uvs, 2) : [];
  const triangles = mesh.triangles.length / 3;
  const groups = mesh.groups ?? [{ name: undefined, start: 0, count: triangles, material: undefined }];
  const hasMaterials = groups.some((group) => group.material !== undefined);
  for (const group of groups) {
    if (group.name !== undefined) {
      // A material lasts until the next: a group without one says so by an empty name.
      const material = group.material === undefined ? '' : oneLine(mesh.materials![group.material].name);
      parts.push(encoder.encode(`g ${oneLine(group.name)}\n${hasMaterials ? `usemtl ${material}\n` : ''}`));
    }
    for (let f = group.start; f < group.start + group.count; f += FACES_PER_CHUNK) {
      parts.push(encoder.encode(faceText(mesh, f, Math.min(group.start + group.count, f + FACES_PER_CHUNK))));
    }
  }
  return parts;
}

/** Lines "f v/vt/vn …" of the triangles from … to − 1. Split vertex w has the vt and vn of its own number. */
function faceText(mesh: Mesh, from: number, to: number): string {
  const split = mesh.seams?.triangles ?? mesh.triangles;
  let text = '';
  for (let f = from; f < to; f++) {
    text += 'f';
    for (let c = 3 * f; c < 3 * f + 3; c++) {
      const w = split[c] + 1;
      text += ` ${mesh.triangles[c] + 1}`;
      if (mesh.uvs) text += `/${w}`;
      if (mesh.normals) text += mesh.uvs ? `/${w}` : `//${w}`;
    }
    text += '\n';
  }
  return text;
}
