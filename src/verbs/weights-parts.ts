import { PliantError } from '../error.ts';
import type { ModelGlbOptions } from '../io/glb/options.ts';
import { meshInGltfSpace, modelInGltfSpace } from '../io/glb/space.ts';
import { lostNotes } from '../io/gltf/edit/lost.ts';
import { boundsOf } from '../mesh/bounds.ts';
import type { Asset } from '../model/asset.ts';
import { followedBones } from '../model/influences.ts';
import { type Mesh, vertexCount } from '../model/mesh.ts';
import { type Note, note } from '../model/note.ts';
import type { LostPart } from '../model/note-texts.ts';
import { booleanOption, type OptionSpecs, type OptionsOf, type RunOptions } from '../model/options.ts';
import type { Clip, Skeleton } from '../model/skeleton.ts';
import type { SkinnedModel } from '../model/skinned-model.ts';
import { alignClip, alignment, alignSkeleton, overlapNote } from '../rig/bind/align.ts';
import { BIND_OPTIONS, INFLUENCE_OPTIONS } from '../rig/bind/bind-options.ts';
import { MIRROR_OPTIONS } from '../rig/bind/mirror.ts';
import { allOrNamed, requireRigs } from './choose.ts';
import {
  deformingBones,
  largestSkeleton,
  type MovedSkeleton,
  motionsOf,
  type NameMap,
  playOn,
} from './other-motions.ts';
import type { GlbTarget } from './verb.ts';

/** The options of `weights`. */
export const WEIGHTS_OPTIONS = {
  object: { type: 'string', default: undefined, description: 'object of the file [default all]' },
  align: booleanOption(false, 'scale and move the skeleton into the bounding box of the mesh'),
  ...BIND_OPTIONS,
  ...INFLUENCE_OPTIONS,
  symmetrize: booleanOption(false, 'average the weights of both sides'),
  ...MIRROR_OPTIONS,
} as const satisfies OptionSpecs;

/** Options of `weights`. */
export interface WeightsVerbOptions extends Partial<OptionsOf<typeof WEIGHTS_OPTIONS>>, RunOptions, GlbTarget {
  /** An asset whose skeleton and clips are taken [default the input]. */
  skeleton?: Asset;
  /** Assets whose clips are added. */
  clips?: readonly Asset[];
  /** For `clips`. */
  map?: NameMap;
  /** Names of bones that no vertex follows. */
  exclude?: readonly string[];
  /** Writes a GLB, with as many influences as are kept. */
  glb?: Partial<ModelGlbOptions>;
}

/** A mesh with its skeleton and clips. `deforms`, where its weights are still to be computed: the bones to bind to. */
export interface WeightsPart {
  model: SkinnedModel;
  deforms?: (bone: number) => boolean;
}

const VERB = 'weights';

/** The parts of an asset: its rigs, or its meshes with the skeleton of another asset; with the clips of others. */
export function weightsParts(asset: Asset, options: WeightsVerbOptions, notes: Note[]): WeightsPart[] {
  const parts = options.skeleton ? boundParts(asset, options.skeleton, options, notes) : ownParts(asset, options);
  if (options.map && !options.clips?.length) {
    throw new PliantError('bad-option', VERB, 'needs {option:clips}', { option: 'map' });
  }
  const motions = (options.clips ?? []).flatMap((clips) => motionsOf(VERB, clips));
  for (const motion of motions) {
    const played = new Map<Skeleton, Clip[]>();
    for (const part of parts) {
      const { skeleton } = part.model;
      const clips = played.get(skeleton) ?? playOn(VERB, movedBy(skeleton, parts), motion, options.map ?? {}, notes);
      played.set(skeleton, clips);
      part.model = { ...part.model, clips: [...part.model.clips, ...clips] };
    }
  }
  return parts;
}

/** A skeleton with the bones that its parts follow, or will be bound to. */
function movedBy(skeleton: Skeleton, all: readonly WeightsPart[]): MovedSkeleton {
  const parts = all.filter(({ model }) => model.skeleton === skeleton);
  const followed = new Set(parts.flatMap(({ model }) => [...followedBones(model.weights)]));
  return { skeleton, deforms: parts.find(({ deforms }) => deforms)?.deforms ?? ((bone) => followed.has(bone)) };
}

/** Options that ask for new weights; smoothing works on those that are there, too. */
const { smoothing: _, ...REBINDING } = BIND_OPTIONS;

/** The rigs of the asset: to be bound again where options ask for it. */
function ownParts(asset: Asset, options: WeightsVerbOptions): WeightsPart[] {
  const { models, meshes, sequences } = asset;
  if (models.length === 0) {
    const reason = meshes.length + sequences.length > 0 ? 'needs-skeleton' : undefined;
    throw new PliantError('not-found', VERB, 'contains no rig', { file: asset.name, reason });
  }
  if (options.align) throw new PliantError('bad-option', VERB, 'needs {option:skeleton}', { option: 'align' });
  const chosen = requireRigs(VERB, asset, options.object);
  const { exclude = [], clips = [] } = options;
  const rebind =
    exclude.length > 0 ||
    (Object.keys(REBINDING) as (keyof typeof REBINDING)[]).some((name) => options[name] !== undefined);
  // Clips of other assets are y up: so must be the rig that they move.
  const parts = clips.length > 0 ? inGltfSpace(chosen) : chosen;
  return parts.map((model) => {
    if (!rebind) return { model };
    const together = parts.filter(({ skeleton }) => skeleton === model.skeleton);
    return { model, deforms: without(model.skeleton, exclude, deformingBones(model.skeleton, together)) };
  });
}

/** Models that share a skeleton still do. */
function inGltfSpace(models: readonly SkinnedModel[]): SkinnedModel[] {
  const first = new Map<Skeleton, SkinnedModel>();
  return models.map((model) => {
    const converted = modelInGltfSpace(model);
    const before = first.get(model.skeleton);
    if (!before) first.set(model.skeleton, converted);
    return before ? { ...converted, skeleton: before.skeleton, clips: before.clips } : converted;
  });
}

/** Every mesh of the asset with the skeleton of another. */
function boundParts(
  asset: Asset,
  other: Asset,
  { align = false, exclude, object }: WeightsVerbOptions,
  notes: Note[],
): WeightsPart[] {
  const all: Mesh[] = [
    ...asset.meshes,
    ...asset.models.map(({ name, mesh }) => ({ ...mesh, name })),
    ...asset.sequences.map(({ name, rest }) => ({ ...rest, name })),
  ];
  if (all.length === 0) throw new PliantError('not-found', VERB, 'contains no mesh', { file: asset.name });
  const choice = { verb: VERB, asset, option: 'object', name: object };
  const meshes = allOrNamed(all, choice).map(meshInGltfSpace);
  notes.push(...lostNotes(asset.source, undefined, lostMotions(asset)));
  const boxes = meshes.filter((mesh) => vertexCount(mesh) > 0).map(({ positions }) => boundsOf(positions));
  const corners = Float32Array.from(boxes.flatMap(({ min, max }) => [...min, ...max]));
  const box: Mesh = { positions: corners, triangles: new Uint32Array() };
  const source = largestSkeleton(VERB, other, notes);

  let { skeleton } = source;
  let clips = source.captured ? [] : source.clips;
  if (align) {
    const fit = alignment(skeleton, box, VERB);
    notes.push(note('skeleton-aligned', { scale: fit.scale, offset: fit.offset }));
    clips = clips.map((clip) => alignClip(clip, skeleton, fit));
    skeleton = alignSkeleton(skeleton, fit);
  }
  const apart = overlapNote(box, skeleton, { aligned: align, operation: VERB });
  if (apart) notes.push(apart);
  if (source.captured) clips = playOn(VERB, { skeleton }, source, {}, notes);
  const deforms = without(skeleton, exclude, source.deforms);
  return meshes.map((mesh, m) => {
    const n = vertexCount(mesh);
    // All on the first bone, until they are computed.
    const weights = { influences: 1, joints: new Uint16Array(n), weights: new Float32Array(n).fill(1) };
    return { model: { name: mesh.name || `mesh ${m}`, mesh, skeleton, clips, operator: 'lbs', weights }, deforms };
  });
}

/** What moved the meshes, which another skeleton will move. */
function lostMotions({ models, sequences }: Asset): LostPart[] {
  const isMoved = sequences.length > 0 || models.some(({ clips }) => clips.length > 0);
  return [
    ...(isMoved ? (['clips'] as const) : []),
    ...(models.some(({ morphs }) => morphs) ? (['morphs'] as const) : []),
  ];
}

/** Leaves out bones by name; a name that no bone has is an error. */
function without(
  { names }: Skeleton,
  exclude: readonly string[] = [],
  deforms: (bone: number) => boolean = () => true,
): (bone: number) => boolean {
  const unknown = exclude.find((name) => !names.includes(name));
  if (unknown !== undefined) {
    const cause = `names no bone (got ${unknown}, expected some of ${names.join(', ')})`;
    throw new PliantError('not-found', VERB, cause, { option: 'exclude' });
  }
  return (bone) => deforms(bone) && !exclude.includes(names[bone]);
}
