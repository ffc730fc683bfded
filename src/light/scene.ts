import { PliantError } from '../error.ts';
import { determinant34 } from '../math/matrix34.ts';
import { vertexNormals } from '../mesh/normals.ts';
import { turnedAround } from '../mesh/transform-mesh.ts';
import { splitVertexCount, vertexCount } from '../model/mesh.ts';
import { MATRIX_STRIDE } from '../model/skeleton.ts';
import type { SkinnedModel } from '../model/skinned-model.ts';
import type { PartPose } from '../skin/choose-poses.ts';
import { restClip } from '../skin/poses.ts';
import { Skinner } from '../skin/skinner.ts';
import { type BoneGroups, boneGroups } from './bone-groups.ts';
import { boneRotation } from './pose-features.ts';

/** All models of a file, which shade each other, as one surface: N vertices, G groups of bones, in the order of the models. */
export class LightScene {
  readonly parts: readonly ScenePart[];
  /** N. */
  readonly vertices: number;
  /** G. */
  readonly groups: number;
  readonly triangles: Uint32Array;
  /** N: vertex → group. */
  readonly groupOf: Uint32Array;
  readonly #posed: PosedScene;
  readonly #skinners: Skinner[];

  constructor(models: readonly SkinnedModel[]) {
    const parts: ScenePart[] = [];
    let [vertex, group] = [0, 0];
    for (const model of models) {
      const groups = boneGroups(model);
      parts.push({ model, triangles: facesOf(model), groups, firstVertex: vertex, firstGroup: group });
      vertex += vertexCount(model.mesh);
      group += groups.bones.length;
    }
    if (vertex === 0) throw new PliantError('bad-input', 'light', 'no vertices to light');
    this.parts = parts;
    this.vertices = vertex;
    this.groups = group;
    this.triangles = Uint32Array.from(
      parts.flatMap(({ triangles, firstVertex }) => Array.from(triangles, (i) => firstVertex + i)),
    );
    this.groupOf = Uint32Array.from(
      parts.flatMap(({ groups, firstGroup }) => Array.from(groups.groupOf, (g) => firstGroup + g)),
    );
    this.#skinners = models.map((model) => new Skinner(model));
    this.#posed = {
      positions: new Float32Array(3 * vertex),
      normals: new Float32Array(3 * vertex),
      frames: new Float64Array(9 * group),
    };
  }

  /** The scene in a pose. Returns the same arrays every time. */
  pose(poses: readonly PartPose[]): PosedScene {
    const { positions, normals, frames } = this.#posed;
    this.parts.forEach((part, m) => {
      const { groups, firstVertex, firstGroup } = part;
      const { transforms, morphWeights } = poses[m];
      const posed = this.#skinners[m].pose(transforms, undefined, morphWeights);
      positions.set(posed.positions, 3 * firstVertex);
      normals.set(normalsOf(part, posed.positions, posed.normals), 3 * firstVertex);
      for (const [g, bone] of groups.bones.entries()) boneRotation(frames, 9 * (firstGroup + g), transforms, bone);
    });
    return this.#posed;
  }
}

/** A model of a scene. */
export interface ScenePart {
  model: SkinnedModel;
  /** Of the mesh, counter-clockwise seen from outside where the scene has them. */
  triangles: Uint32Array;
  groups: BoneGroups;
  firstVertex: number;
  firstGroup: number;
}

/** A scene in a pose. */
export interface PosedScene {
  /** 3N. */
  positions: Float32Array;
  /** 3N, of length 1. */
  normals: Float32Array;
  /** 9G: rotations of the groups' bones, rest → pose, row-major. */
  frames: Float64Array;
}

/** Bones may mirror their mesh, as nodes of a negative scale do: its faces then wind the other way, and engines turn them. */
function facesOf({ mesh, weights, skeleton }: SkinnedModel): Uint32Array {
  const { transforms } = restClip(skeleton, 'rest');
  const mirrors = determinant34(transforms, MATRIX_STRIDE * weights.joints[0]) < 0;
  return mirrors ? turnedAround(mesh.triangles) : mesh.triangles;
}

/** 3N: what renderers shade by, the mean where a crease or a seam has several. */
function normalsOf(
  { model: { mesh }, triangles }: ScenePart,
  positions: Float32Array,
  split?: Float32Array,
): Float32Array {
  const n = vertexCount(mesh);
  if (!split) return vertexNormals({ positions, triangles });
  if (!mesh.seams) return split;
  const out = new Float32Array(3 * n);
  const { vertexOf } = mesh.seams;
  for (let w = 0; w < splitVertexCount(mesh); w++) {
    for (let c = 0; c < 3; c++) out[3 * vertexOf[w] + c] += split[3 * w + c];
  }
  let whole: Float32Array | undefined;
  for (let at = 0; at < 3 * n; at += 3) {
    const length = Math.hypot(out[at], out[at + 1], out[at + 2]);
    if (length > 1e-6) {
      for (let c = 0; c < 3; c++) out[at + c] /= length;
      continue;
    }
    // Two sides of a sheet: as good as any.
    whole ??= vertexNormals({ positions, triangles });
    for (let c = 0; c < 3; c++) out[at + c] = whole[at + c];
  }
  return out;
}
