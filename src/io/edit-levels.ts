import type { GLTF } from '@gltf-transform/core';
import { type Bytes, totalLength } from '../model/bytes.ts';
import type { GltfSource } from '../model/gltf-source.ts';
import { addNotes, type Note } from '../model/note.ts';
import { resolveOptions } from '../model/options.ts';
import { emptyReport, type Report } from '../model/report.ts';
import type { EditOptions } from './edit-gltf.ts';
import { MODEL_GLB_OPTIONS, type ModelGlbOptions } from './glb/options.ts';
import { meshoptView } from './gltf/check.ts';
import { GltfEditor } from './gltf/edit/editor.ts';
import { meshWithSurface, type NewSurface, type SurfaceNode } from './gltf/edit/level-mesh.ts';
import { dropLevels, hangLevels, type LevelFacts } from './gltf/edit/levels.ts';
import { ownMesh } from './gltf/edit/vertices.ts';

/** A glTF file with levels of detail of its meshes, made by editing it: everything else stays what and where it was. */

const OPERATION = 'editLevels';

/** Levels of a mesh node, finest first. */
export interface LeveledNode extends SurfaceNode {
  levels: { surface: NewSurface; facts: LevelFacts }[];
  /** The least share of the screen, 0 to 1, at which the node itself and each level are shown. */
  coverage: number[];
}

/** A file in parts to be written one after the other. */
export interface LeveledFile {
  parts: Bytes[];
  /** Of each level, of each node: what its vertices and triangles take in the file. */
  levelBytes: number[][];
  report: Report;
}

/** The file as a GLB with MSFT_lod: viewers that do not know it show the given meshes. */
export async function leveledGltf(
  source: GltfSource,
  nodes: readonly LeveledNode[],
  options: EditOptions = {},
): Promise<LeveledFile> {
  const { editor, plain, report, addNote, finish } = begin(source, options);
  const meshes: number[][] = [];
  for (const at of nodes) {
    if (at.levels.length === 0) continue;
    const levels = at.levels.map(({ surface, facts }) => ({
      mesh: meshWithSurface(editor, at, surface, plain, addNote),
      facts,
    }));
    for (const [l, mesh] of hangLevels(editor, at.node, levels, at.coverage, OPERATION).entries()) {
      meshes[l] ??= [];
      meshes[l].push(mesh);
    }
  }
  const parts = await finish();
  return { parts, levelBytes: meshes.map((own) => own.map((mesh) => bytesOf(editor.json, mesh))), report };
}

/** The file as a GLB with other surfaces in the place of those of some nodes, without levels that these had. */
export async function replacedGltf(
  source: GltfSource,
  nodes: readonly { at: SurfaceNode; surface: NewSurface }[],
  options: EditOptions = {},
): Promise<LeveledFile> {
  const { editor, plain, report, addNote, finish } = begin(source, options);
  const meshes: number[] = [];
  for (const { at, surface } of nodes) {
    const mesh = meshWithSurface(editor, at, surface, plain, addNote);
    const own = ownMesh(editor, at.node);
    Object.assign(editor.change('meshes', own), mesh);
    dropLevels(editor, at.node);
    meshes.push(own);
  }
  const parts = await finish();
  return { parts, levelBytes: [meshes.map((mesh) => bytesOf(editor.json, mesh))], report };
}

function begin(source: GltfSource, options: EditOptions) {
  // What is new is stored plainly: views are compressed when all is there.
  const { compress, ...settings } = resolveOptions(MODEL_GLB_OPTIONS, options, OPERATION);
  const plain: ModelGlbOptions = { ...settings, compress: 'none' };
  const report = emptyReport(OPERATION);
  const editor = new GltfEditor(source);
  const addNote = (added: Note) => addNotes(report.notes, added);
  const finish = async () => {
    const parts = await editor.finish(OPERATION, compress === 'meshopt');
    report.figures.bytes = totalLength(parts);
    return parts;
  };
  return { editor, plain, report, addNote, finish };
}

/** Bytes of all that the primitives of a mesh refer to. */
function bytesOf({ meshes = [], accessors = [], bufferViews = [] }: GLTF.IGLTF, mesh: number): number {
  const used = meshes[mesh].primitives.flatMap(({ indices = -1, attributes, targets = [] }) => [
    indices,
    ...Object.values(attributes),
    ...targets.flatMap((target) => Object.values(target)),
  ]);
  const views = new Set(used.flatMap((accessor) => accessors[accessor]?.bufferView ?? []));
  let bytes = 0;
  for (const view of views) bytes += (meshoptView(bufferViews[view]) ?? bufferViews[view]).byteLength;
  return bytes;
}
