import type { GLTF } from '@gltf-transform/core';
import { PliantError } from '../error.ts';
import { levelTriangles } from '../io/gltf/lod-extension.ts';
import { type PointRange, pointRanges } from '../learn/point-ranges.ts';
import { type Bounds, boundsOf } from '../mesh/bounds.ts';
import { inspectMesh, type MeshFacts } from '../mesh/inspect.ts';
import type { Asset, AssetObject, Motion } from '../model/asset.ts';
import type { GltfSource } from '../model/gltf-source.ts';
import { firstNonFinite, type Mesh, type Space, vertexCount } from '../model/mesh.ts';
import type { Note } from '../model/note.ts';
import { booleanOption, type OptionSpecs, type OptionsOf, type RunOptions } from '../model/options.ts';
import type { Predictor } from '../model/predictor.ts';
import { checkpoint } from '../model/run.ts';
import type { MeshSequence } from '../model/sequence.ts';
import { boneCount } from '../model/skeleton.ts';
import type { SkinnedModel } from '../model/skinned-model.ts';
import type { TrainedCloth } from '../model/trained-cloth.ts';
import {
  assetOf,
  type ClipReport,
  clipReport,
  meshPart,
  modelPart,
  sequenceClip,
  type VerbInput,
  type VerbReport,
  verbReport,
} from './verb.ts';

/** The options of `info`. */
export const INFO_OPTIONS = {
  frames: booleanOption(true, 'read the frames of sequences, which is slower but finds more problems'),
} as const satisfies OptionSpecs;

/** What only `info` reports. */
export interface InfoDetail {
  assets: AssetInfo[];
}

/** What an asset holds. */
export interface AssetInfo {
  name?: string;
  format: string;
  bytes: number;
  space?: Space;
  meshes: (MeshInfo & { name?: string })[];
  sequences: SequenceInfo[];
  models: ModelInfo[];
  predictors: PredictorInfo[];
  cloths: ClothInfo[];
  motions: SkeletonInfo[];
  /** The file's own tree of objects. */
  objects?: AssetObject[];
  /** What was repaired or left out; those of all assets are in the report, too. */
  notes: Note[];
}

/** A mesh, as `info` describes it. */
export interface MeshInfo extends MeshFacts {
  normals: boolean;
  uvs: boolean;
  /** Further vertex attributes, by glTF's names. */
  attributes?: string[];
  groups?: { name: string; triangles: number; material?: number }[];
  materials?: string[];
  /** Triangles of its levels of detail in the file, finest first; the mesh itself is none of them. */
  levels?: number[];
}

/** A sequence, as `info` describes it. */
export interface SequenceInfo {
  name: string;
  /** The clip that moves it, where its file has clips. */
  clip?: string;
  frames: number;
  /** Seconds of each frame. */
  times: Float64Array;
  /** The box of all frames, where they were read. */
  boundsOverTime?: Bounds;
  rest: MeshInfo;
}

/** A skeleton with its clips, as `info` describes it. */
export interface SkeletonInfo {
  name: string;
  bones: number;
  boneNames: string[];
  clips: ClipReport[];
}

/** A skinned model, as `info` describes it. */
export interface ModelInfo extends SkeletonInfo {
  operator: SkinnedModel['operator'];
  influences: number;
  morphs?: string[];
  mesh: MeshInfo;
}

/** A predictor, as `info` describes it. */
export interface PredictorInfo {
  name: string;
  /** How many it was learned from. */
  examples: number;
  controlPoints: PointRange[];
  bones: number;
  kernel: string;
  translations: string;
  residualShapes: number;
}

/** Trained cloth, as `info` describes it. */
export interface ClothInfo {
  name: string;
  /** Its own way: what gives folds, and what physics adds. */
  method: string;
  physics: string;
  vertices: number;
  coarseVertices: number;
  pinnedVertices: number;
  /** Shapes per patch, where folds were learned by regression. */
  modes?: number;
}

/** Shows what assets hold, and problems that would trouble algorithms. Of many assets it needs one at a time. */
export async function info(
  input: VerbInput | Iterable<VerbInput> | AsyncIterable<VerbInput>,
  options: Partial<OptionsOf<typeof INFO_OPTIONS>> & RunOptions = {},
): Promise<{ report: VerbReport<InfoDetail> }> {
  const report = verbReport<InfoDetail>({ assets: [] });
  const several = Symbol.iterator in input || Symbol.asyncIterator in input;
  for await (const each of several ? input : [input]) {
    const asset = assetOf(each);
    const { models, sequences, motions, meshes, notes } = asset;
    report.detail.assets.push(await assetInfo(asset, options));
    report.notes.push(...notes);
    report.clips.push(
      ...[...models, ...motions].flatMap(({ name, clips }) => clips.map((clip) => clipReport(clip, name))),
      ...sequences.map((sequence) => sequenceClip(sequence, sequence.name)),
    );
    report.parts.push(
      ...models.map(modelPart),
      ...sequences.map(({ name, rest }) => meshPart(name, rest)),
      ...meshes.map((mesh) => meshPart(mesh.name ?? '', mesh)),
    );
  }
  return { report };
}

async function assetInfo(asset: Asset, options: Parameters<typeof info>[1] = {}): Promise<AssetInfo> {
  const { name, format, bytes, space, meshes, models, motions, predictors = [], cloths = [], objects, notes } = asset;
  const { source, meshOrigins = [] } = asset;
  const sequences: SequenceInfo[] = [];
  for (const sequence of asset.sequences) {
    const boundsOverTime = (options.frames ?? true) ? await reachOf(sequence, options) : undefined;
    const { name: called, clip, times, frameCount: frames, rest } = sequence;
    // A cache alone has no faces either, and its reader says so.
    const info = { name: called, ...(clip !== undefined && { clip }), frames, times, boundsOverTime };
    sequences.push({ ...info, rest: meshInfo(rest, inspectMesh(rest)) });
  }
  return {
    name,
    format,
    bytes,
    space,
    meshes: meshes.map((mesh, m) => ({
      name: mesh.name,
      ...meshInfo(mesh),
      ...levelsIn(source, meshOrigins[m]?.node),
    })),
    sequences,
    models: models.map(modelInfo),
    predictors: predictors.map(predictorInfo),
    cloths: cloths.map(clothInfo),
    motions: motions.map(skeletonInfo),
    objects,
    notes,
  };
}

const meshInfo = (mesh: Mesh, facts = factsOf(mesh)): MeshInfo => ({
  ...facts,
  normals: mesh.normals !== undefined,
  uvs: mesh.uvs !== undefined,
  attributes: mesh.attributes && Object.keys(mesh.attributes),
  groups: mesh.groups?.map(({ name, count: triangles, material }) => ({ name, triangles, material })),
  materials: mesh.materials?.map((material) => material.name),
});

/** What a file says of the levels of detail of a node. */
function levelsIn(source: GltfSource | undefined, node: number | undefined): Pick<MeshInfo, 'levels'> {
  const levels = source && node !== undefined ? levelTriangles(source.json as unknown as GLTF.IGLTF, node) : [];
  return levels.length > 0 ? { levels } : {};
}

/** To the library points are as good as faces; in a file they may be what is left of a mesh. */
function factsOf(mesh: Mesh): MeshFacts {
  const facts = inspectMesh(mesh);
  if (facts.triangles > 0) return facts;
  const text = 'no faces, only points; the file may be truncated';
  return { ...facts, problems: [{ kind: 'no-faces', count: facts.vertices, first: 0, text }, ...facts.problems] };
}

const skeletonInfo = ({ name, skeleton, clips }: Motion): SkeletonInfo => ({
  name,
  bones: boneCount(skeleton),
  boneNames: skeleton.names,
  clips: clips.map((clip) => clipReport(clip)),
});

const modelInfo = (model: SkinnedModel): ModelInfo => ({
  ...skeletonInfo(model),
  operator: model.operator,
  influences: model.weights.influences,
  morphs: model.morphs?.map((morph) => morph.name),
  mesh: { ...meshInfo(model.mesh), ...levelsIn(model.origin?.source, model.origin?.node) },
});

export const predictorInfo = (predictor: Predictor): PredictorInfo => ({
  name: predictor.name,
  examples: predictor.kernel.rowMeans.length,
  controlPoints: pointRanges(predictor),
  bones: predictor.centroids.length / 3,
  kernel: predictor.kernel.name,
  translations: predictor.translations.mode,
  residualShapes: (predictor.residual?.shapes.length ?? 0) / predictor.mesh.positions.length,
});

const clothInfo = ({ name, method, physics, fine, coarse, pinned, upsampler }: TrainedCloth): ClothInfo => ({
  name,
  method,
  physics,
  vertices: vertexCount(fine),
  coarseVertices: vertexCount(coarse),
  pinnedVertices: pinned.fine.length,
  ...(upsampler && { modes: upsampler.modes }),
});

/** Reads every frame: finds coordinates that are no numbers, and how far the motion reaches. */
async function reachOf(sequence: MeshSequence, run: RunOptions): Promise<Bounds> {
  const reach: Bounds = { min: [Infinity, Infinity, Infinity], max: [-Infinity, -Infinity, -Infinity] };
  const frame = new Float32Array(sequence.rest.positions.length);
  for (let k = 0; k < sequence.frameCount; k++) {
    await checkpoint(run, 'info', k, sequence.frameCount, 'reading frames');
    await sequence.readFrame(k, frame);
    const nan = firstNonFinite(frame);
    if (nan >= 0) {
      const cause = `frame ${k}, vertex ${Math.floor(nan / 3)} has a coordinate ${frame[nan]} (expected a finite number)`;
      throw new PliantError('bad-file', 'info', cause, { file: sequence.name });
    }
    const { min, max } = boundsOf(frame);
    for (let c = 0; c < 3; c++) {
      reach.min[c] = Math.min(reach.min[c], min[c]);
      reach.max[c] = Math.max(reach.max[c], max[c]);
    }
  }
  return reach;
}
