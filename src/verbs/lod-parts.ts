import { memorySource, NO_FILES } from '../io/files.ts';
import type { SurfaceNode } from '../io/gltf/edit/level-mesh.ts';
import { readGltf } from '../io/read-gltf.ts';
import { writeMeshGlb, writeModelGlb } from '../io/write-glb.ts';
import { IDENTITY34 } from '../math/matrix34.ts';
import type { Asset } from '../model/asset.ts';
import type { GltfSource } from '../model/gltf-source.ts';
import { type Mesh, vertexCount } from '../model/mesh.ts';
import type { Note } from '../model/note.ts';
import { LOCAL_STRIDE } from '../model/skeleton.ts';
import type { SkinnedModel } from '../model/skinned-model.ts';
import { allOrNamed } from './choose.ts';
import { requireFaces } from './lod-checks.ts';

/** What gets levels: rigs and still meshes of a glTF file. Others become one first. */

/** A mesh of a glTF file, with or without bones. */
export interface LodPart {
  /** A still mesh follows a bone that never moves. */
  model: SkinnedModel;
  /** The mesh itself, where it is still. */
  still?: Mesh;
  at: SurfaceNode;
}

/** The parts, all or the named one, and their file. */
export async function lodParts(
  verb: string,
  given: Asset,
  object: string | undefined,
  notes: Note[],
): Promise<{ parts: LodPart[]; source: GltfSource }> {
  const asset = given.source && isWhole(given) ? given : await asGltf(verb, given, notes);
  const models = asset.models.map(
    (model): LodPart => ({
      model,
      at: { node: model.origin!.node, place: model.origin!.place, bones: model.origin!.bones },
    }),
  );
  const meshes = asset.meshes.map(
    (mesh, m): LodPart => ({ model: stillModel(mesh), still: mesh, at: asset.meshOrigins![m] }),
  );
  const named = [...models, ...meshes].map((part) => ({ ...part, name: part.model.name }));
  return { parts: allOrNamed(named, { verb, asset: given, option: 'object', name: object }), source: asset.source! };
}

/** Whether everything is as it was read: levels are made of what the file shows. */
const isWhole = ({ models, meshes, meshOrigins = [], source }: Asset): boolean =>
  meshOrigins.length === meshes.length &&
  models.every(({ origin, mesh }) => origin?.source === source && origin?.read.mesh === mesh);

async function asGltf(verb: string, asset: Asset, notes: Note[]): Promise<Asset> {
  requireFaces(verb, asset, [...asset.meshes, ...asset.models.map(({ mesh }) => mesh)]);
  const still = asset.meshes.map(stillModel);
  const { bytes, report } =
    asset.models.length === 0
      ? await writeMeshGlb(asset.meshes)
      : await writeModelGlb([...asset.models, ...still], { weights: 'float' });
  notes.push(...report.notes);
  const name = asset.name ?? 'memory.glb';
  return readGltf(memorySource(name, bytes), NO_FILES, name);
}

/** A mesh on one bone that stays where it is. */
function stillModel(mesh: Mesh): SkinnedModel {
  const n = vertexCount(mesh);
  const restLocals = new Float32Array(LOCAL_STRIDE);
  restLocals.set([0, 0, 0, 0, 0, 0, 1, 1, 1, 1]);
  return {
    name: mesh.name ?? 'mesh',
    mesh,
    weights: { influences: 1, joints: new Uint16Array(n), weights: new Float32Array(n).fill(1) },
    skeleton: { names: ['still'], parents: Int32Array.of(-1), restLocals, inverseBind: Float32Array.from(IDENTITY34) },
    clips: [],
    operator: 'rigid',
  };
}
