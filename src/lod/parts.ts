import { gatherRows } from '../math/rows.ts';
import { weldVertices } from '../mesh/seams.ts';
import { type Mesh, splitVertexCount, vertexCount } from '../model/mesh.ts';
import { MATRIX_STRIDE } from '../model/skeleton.ts';
import type { Morph, SkinnedModel, SkinWeights } from '../model/skinned-model.ts';
import { keepsShape, type Pose } from '../skin/choose-poses.ts';
import { Skinner } from '../skin/skinner.ts';
import { groupsOf, joined, perSplit, sideBySide } from './join-meshes.ts';
import { meetingSkin, ownSkin, partBones, partMesh, rigidSkin } from './part-level.ts';
import type { PosedSurface, SurfaceLevel } from './surface.ts';

/**
 * All models of a file as one surface, and its levels as models again. Triangles then go where they matter most in the whole
 * file, and parts that meet (a head and a body on one skeleton) still meet in every level: their common vertices are one.
 */

/** A model at a level: what of it is new. */
export interface PartLevel {
  mesh: Mesh;
  weights: SkinWeights;
  morphs?: Morph[];
  mixWeights?: Float32Array;
}

/** One surface for several models. */
export interface JoinedParts {
  surface: PosedSurface;
  /** The models at a level of the surface, in their order. */
  partsOf(level: SurfaceLevel): PartLevel[];
}

/** Mix weights travel as an attribute. */
const MIX = '_MIX';

/** `poses` are those of `choosePoses`. */
export function joinParts(models: readonly SkinnedModel[], poses: readonly Pose[]): JoinedParts {
  const meshes = models.map(withMix);
  const bones = sharedBones(models);
  const morphs = sharedMorphs(models, poses);

  // (1) Split vertices of all parts, one behind the other; vertices that are alike in every way become one.
  const influences = models.reduce((most, { weights }) => Math.max(most, weights.influences), 1);
  const skins = models.map((model, m) => splitSkin(model, bones.of[m], influences));
  const joints = joined(
    Uint16Array,
    skins.map((skin) => skin.joints),
  );
  const weights = joined(
    Float32Array,
    skins.map((skin) => skin.weights),
  );
  const splitMorphs = morphs.map(({ ofPart }) =>
    joined(
      Float32Array,
      meshes.map((mesh, m) => {
        const own = ofPart[m] === undefined ? undefined : models[m].morphs![ofPart[m]].positions;
        return own ? perSplit(own, 3, mesh) : new Float32Array(3 * splitVertexCount(mesh));
      }),
    ),
  );
  const { mesh, vertexOf } = weldVertices(sideBySide(meshes), { keys: [joints, weights, ...splitMorphs] });
  const first = new Uint32Array(vertexCount(mesh));
  for (let w = vertexOf.length - 1; w >= 0; w--) first[vertexOf[w]] = w;

  // (2) Where everything is in each pose.
  const posed = posedSplits(models, meshes, poses);
  const bends = !models.every(keepsShape) || morphs.length > 0;
  const surface: PosedSurface = {
    mesh,
    poses: posed.map((positions) => gatherRows(positions, 3, first)),
    ...(bends && {
      skin: {
        weights: {
          influences,
          joints: gatherRows(joints, influences, first),
          weights: gatherRows(weights, influences, first),
        },
        bones: poses.map((pose) => bones.transforms(pose)),
      },
    }),
    ...(morphs.length > 0 && {
      morphs: morphs.map(({ name }, q) => ({ name, positions: gatherRows(splitMorphs[q], 3, first) })),
      morphWeights: poses.map((_, k) => Float32Array.from(morphs, ({ weights }) => weights[k])),
    }),
  };
  let group = 0;
  const ranges = meshes.map((own) => {
    const start = group;
    group += groupsOf(own).length;
    return { start, count: group - start };
  });
  return {
    surface,
    partsOf(level) {
      const cut = meshes.map((own, m) => ({
        ...partMesh(level.mesh, ranges[m], own),
        bones: partBones(models[m].weights, bones.of[m]),
      }));
      const skin = level.weights && meetingSkin(level.weights, cut);
      // A morph that a neighbour does not have leaves their common vertices alone, as it did.
      const levelMorphs = morphs.map(({ ofPart }, q) => {
        const positions = level.morphs![q].positions.slice();
        for (const [m, { vertices }] of cut.entries()) {
          if (ofPart[m] === undefined) for (const v of vertices) positions.fill(0, 3 * v, 3 * v + 3);
        }
        return positions;
      });
      return models.map((model, m) => {
        const { mesh: whole, vertices } = cut[m];
        const weights = skin ? ownSkin(skin, cut[m]) : rigidSkin(model, vertices.length);
        const ownMorphs = model.morphs?.map(({ name }, q): Morph => {
          const shared = morphs.findIndex(({ ofPart }) => ofPart[m] === q);
          return { name, positions: gatherRows(levelMorphs[shared], 3, vertices) };
        });
        return { ...withoutMix(whole, model), weights, ...(ownMorphs && { morphs: ownMorphs }) };
      });
    },
  };
}

const withMix = ({ mesh, mixWeights }: SkinnedModel): Mesh =>
  mixWeights
    ? { ...mesh, attributes: { ...mesh.attributes, [MIX]: { size: 1, values: perSplit(mixWeights, 1, mesh) } } }
    : mesh;

function withoutMix(mesh: Mesh, { mesh: given, mixWeights }: SkinnedModel): Pick<PartLevel, 'mesh' | 'mixWeights'> {
  if (!mixWeights) return { mesh };
  const { [MIX]: mix, ...others } = mesh.attributes!;
  const { attributes: _, ...plain } = mesh;
  const found = new Float32Array(vertexCount(mesh));
  mix.values.forEach((value, w) => {
    found[mesh.seams?.vertexOf[w] ?? w] = Math.min(1, Math.max(0, value));
  });
  return { mesh: given.attributes ? { ...plain, attributes: others } : plain, mixWeights: found };
}

/** Which bones of models are the same: the same node of a file, bound alike. */
function sharedBones(models: readonly SkinnedModel[]): {
  /** Of each model: bone → shared bone. */
  of: Uint16Array[];
  transforms(pose: Pose): Float32Array;
} {
  const known = new Map<string, number>();
  const owners: [model: number, bone: number][] = [];
  const of = models.map(({ skeleton, origin }, m) =>
    Uint16Array.from(skeleton.parents, (_, j) => {
      const bind = skeleton.inverseBind.subarray(MATRIX_STRIDE * j, MATRIX_STRIDE * (j + 1));
      const node = origin?.bones[j];
      const key = node === undefined ? `${m} ${j}` : `node ${node} ${bind.join()}`;
      const shared = known.get(key) ?? known.size;
      if (shared === known.size) owners.push([m, j]);
      known.set(key, shared);
      return shared;
    }),
  );
  return {
    of,
    transforms: ({ parts }) =>
      joined(
        Float32Array,
        owners.map(([m, j]) => parts[m].transforms.subarray(MATRIX_STRIDE * j, MATRIX_STRIDE * (j + 1))),
      ),
  };
}

/** Morphs of several models: those of one name that are always dialled alike are one. */
interface SharedMorph {
  name: string;
  /** Per pose. */
  weights: number[];
  /** Of each model: which of its morphs, if any. */
  ofPart: (number | undefined)[];
}

function sharedMorphs(models: readonly SkinnedModel[], poses: readonly Pose[]): SharedMorph[] {
  const found = new Map<string, SharedMorph>();
  for (const [m, { morphs = [] }] of models.entries()) {
    for (const [q, { name }] of morphs.entries()) {
      const weights = poses.map(({ parts }) => parts[m].morphWeights?.[q] ?? 0);
      let key = `${name} ${weights.join()}`;
      while (found.get(key)?.ofPart[m] !== undefined) key += ' again';
      const shared = found.get(key) ?? { name, weights, ofPart: [] };
      shared.ofPart[m] = q;
      found.set(key, shared);
    }
  }
  return [...found.values()];
}

/** Weights of the W split vertices, of shared bones. */
function splitSkin({ mesh, weights: skin }: SkinnedModel, shared: Uint16Array, influences: number): SkinWeights {
  const w = splitVertexCount(mesh);
  const joints = new Uint16Array(influences * w);
  const weights = new Float32Array(influences * w);
  for (let i = 0; i < w; i++) {
    const from = skin.influences * (mesh.seams?.vertexOf[i] ?? i);
    for (let s = 0; s < skin.influences; s++) {
      if (skin.weights[from + s] === 0) continue;
      joints[influences * i + s] = shared[skin.joints[from + s]];
      weights[influences * i + s] = skin.weights[from + s];
    }
  }
  return { influences, joints, weights };
}

/** Per pose the positions of all split vertices. */
function posedSplits(models: readonly SkinnedModel[], meshes: readonly Mesh[], poses: readonly Pose[]): Float32Array[] {
  const skinners = models.map((model) => new Skinner(model, { operator: 'lbs', normals: false }));
  return poses.map(({ parts }) =>
    joined(
      Float32Array,
      skinners.map((skinner, m) => {
        const { positions } = skinner.pose(parts[m].transforms, undefined, parts[m].morphWeights);
        return perSplit(positions, 3, meshes[m]).slice();
      }),
    ),
  );
}
