import { readAsset } from '../src/io/read-asset.ts';
import { readEnvironment } from '../src/io/read-environment.ts';
import { LightBase, turnVectors } from '../src/light/base.ts';
import { boneGroups } from '../src/light/bone-groups.ts';
import { environmentSh } from '../src/light/environment.ts';
import { boneRotation } from '../src/light/pose-features.ts';
import { type PosedSpheres, poseSpheres } from '../src/light/pose-spheres.ts';
import { makeSpheres } from '../src/light/spheres.ts';
import { type Transfer, traceTransfer } from '../src/light/transfer.ts';
import { cosineLobe, shRotation } from '../src/math/spherical-harmonics.ts';
import { meshEdges } from '../src/mesh/adjacency.ts';
import { vertexNormals } from '../src/mesh/normals.ts';
import type { Asset } from '../src/model/asset.ts';
import { type Clip, clipFrame, clipFrameCount } from '../src/model/skeleton.ts';
import type { SkinnedModel } from '../src/model/skinned-model.ts';
import { nodeFiles } from '../src/platform/node/index.ts';
import { skinPlain } from '../src/skin/plain.ts';
import { playOn } from '../src/verbs/other-motions.ts';
import { realData } from './data.ts';

/** Characters, poses, traced truth and errors of light. */

const SIZE = 25;

/** A character ready to be lit in any pose. */
export class LitCharacter {
  readonly model: SkinnedModel;
  readonly base: LightBase;
  readonly groups: ReturnType<typeof boneGroups>;
  readonly made: ReturnType<typeof makeSpheres>;

  constructor(model: SkinnedModel, spheres = 64, directions = 64) {
    this.model = model;
    const { positions, triangles } = model.mesh;
    this.made = makeSpheres({ positions, triangles, weights: model.weights }, { spheres });
    this.groups = boneGroups(model);
    const { groupOf, bones } = this.groups;
    this.base = new LightBase({ groupOf, groups: bones.length, spheres }, { directions });
  }

  posed(transforms: Float32Array): PosedCharacter {
    const { mesh } = this.model;
    const positions = Float32Array.from(skinPlain(this.model, transforms, { operator: 'lbs' }).positions);
    const normals = vertexNormals({ positions, triangles: mesh.triangles });
    const frames = new Float64Array(9 * this.groups.bones.length);
    this.groups.bones.forEach((bone, g) => {
      boneRotation(frames, 9 * g, transforms, bone);
    });
    return { positions, normals, frames, spheres: poseSpheres(this.made.spheres, transforms) };
  }

  /** N × 25 in the space of the pose. */
  light(pose: PosedCharacter, bounces: ArrayLike<number> | undefined): Float32Array {
    const n = pose.positions.length / 3;
    const transfer = new Float32Array(SIZE * n);
    this.base.bounceFactors = bounces;
    this.base.run(pose.positions, pose.normals, pose.spheres, pose.frames, { transfer });
    return turnVectors(5, transfer, this.groups.groupOf, pose.frames);
  }

  trace(pose: PosedCharacter, rays: number, bounces: number, seed: number): Transfer {
    const { triangles } = this.model.mesh;
    const { positions, normals } = pose;
    return traceTransfer({ positions, normals, triangles, albedo: 0.6 }, { rays, bounces, seed });
  }
}

export interface PosedCharacter {
  positions: Float32Array;
  normals: Float32Array;
  /** 9 per group. */
  frames: Float64Array;
  spheres: PosedSpheres;
}

/** Evenly chosen poses of a clip. */
export const posesOf = (clip: Clip, count: number): Float32Array[] =>
  Array.from({ length: count }, (_, p) =>
    clipFrame(clip, Math.floor(((p + 0.5) / count) * clipFrameCount(clip))).slice(),
  );

/** N × 25: what nothing shades. */
export function unshadowed(normals: Float32Array): Float32Array {
  const out = new Float32Array((SIZE * normals.length) / 3);
  const lobe = new Float64Array(SIZE);
  for (let i = 0; i < normals.length / 3; i++) {
    cosineLobe(5, normals.subarray(3 * i, 3 * i + 3), lobe);
    out.set(lobe, SIZE * i);
  }
  return out;
}

/** The environments that shading is measured under: two maps, each in four rotations about y, red, green and blue. */
export async function testLights(): Promise<Float32Array[]> {
  const lights: Float32Array[] = [];
  for (const path of ['hdr/venice_sunset_1k.hdr', 'hdr/quarry_01_1k.hdr']) {
    const file = realData(path);
    if (!file) continue;
    const source = await nodeFiles.open(file);
    const planes = environmentSh(await readEnvironment(source), 5);
    await source.close();
    for (let quarter = 0; quarter < 4; quarter++) {
      const [c, s] = [Math.cos((quarter * Math.PI) / 2), Math.sin((quarter * Math.PI) / 2)];
      const turn = shRotation(5, [c, 0, s, 0, 1, 0, -s, 0, c]);
      for (let colour = 0; colour < 3; colour++) {
        const light = new Float32Array(SIZE);
        turn.apply(planes, light, SIZE * colour);
        lights.push(light);
      }
    }
  }
  return lights;
}

/** Sums of squares over poses: relative RMS errors in % of transfer, and of shading as the mean over lights. */
export class LightError {
  #wrong = 0;
  #all = 0;
  readonly #shading: { wrong: number; all: number }[];
  readonly #lights: readonly Float32Array[];

  constructor(lights: readonly Float32Array[]) {
    this.#lights = lights;
    this.#shading = lights.map(() => ({ wrong: 0, all: 0 }));
  }

  add(found: Float32Array, truth: Float32Array, counts: (vertex: number) => boolean = () => true): void {
    for (let i = 0; i < truth.length / SIZE; i++) {
      if (!counts(i)) continue;
      for (let c = SIZE * i; c < SIZE * (i + 1); c++) {
        this.#wrong += (found[c] - truth[c]) ** 2;
        this.#all += truth[c] ** 2;
      }
      this.#lights.forEach((light, q) => {
        let a = 0;
        let b = 0;
        for (let c = 0; c < SIZE; c++) {
          a += found[SIZE * i + c] * light[c];
          b += truth[SIZE * i + c] * light[c];
        }
        this.#shading[q].wrong += (a - b) ** 2;
        this.#shading[q].all += b * b;
      });
    }
  }

  get transfer(): number {
    return 100 * Math.sqrt(this.#wrong / this.#all);
  }

  get shading(): number {
    const each = this.#shading.map(({ wrong, all }) => Math.sqrt(wrong / all));
    return (100 * each.reduce((sum, x) => sum + x, 0)) / each.length;
  }
}

/** Joints of CMU's motion capture → bones of CesiumMan. */
const CAPTURED: Readonly<Record<string, string>> = {
  Hips: 'Skeleton_torso_joint_1',
  LowerBack: 'Skeleton_torso_joint_2',
  Spine: 'torso_joint_3',
  Neck: 'Skeleton_neck_joint_1',
  Head: 'Skeleton_neck_joint_2',
  LeftArm: 'Skeleton_arm_joint_L__4_',
  LeftForeArm: 'Skeleton_arm_joint_L__3_',
  LeftHand: 'Skeleton_arm_joint_L__2_',
  RightArm: 'Skeleton_arm_joint_R',
  RightForeArm: 'Skeleton_arm_joint_R__2_',
  RightHand: 'Skeleton_arm_joint_R__3_',
  LeftUpLeg: 'leg_joint_L_1',
  LeftLeg: 'leg_joint_L_2',
  LeftFoot: 'leg_joint_L_3',
  RightUpLeg: 'leg_joint_R_1',
  RightLeg: 'leg_joint_R_2',
  RightFoot: 'leg_joint_R_3',
};

/** A model of a file, without its seams, with the clips that motion-capture files have retargeted to it. */
export async function fileModel(path: string, motions: readonly string[] = []): Promise<SkinnedModel | undefined> {
  const file = realData(path);
  if (!file) return undefined;
  const asset: Asset = await readAsset(nodeFiles, [file]);
  const [model] = asset.models;
  const clips = [...model.clips];
  for (const motion of motions) {
    const from = realData(motion);
    if (!from) continue;
    const [source] = (await readAsset(nodeFiles, [from])).motions;
    const played = playOn('bench', model, { ...source, captured: true }, CAPTURED, []);
    clips.push(...played.map((clip) => ({ ...clip, name: motion })));
  }
  const { positions, triangles } = model.mesh;
  return { ...model, mesh: { positions, triangles }, clips };
}

/** Every triangle as four. Coarse meshes have too few vertices to show light on. */
export function subdivided(model: SkinnedModel): SkinnedModel {
  const { positions, triangles } = model.mesh;
  const n = positions.length / 3;
  const edges = meshEdges(triangles, n);
  const e = edges.vertices.length / 2;
  const { influences: k, joints, weights } = model.weights;
  const outPositions = new Float32Array(3 * (n + e));
  outPositions.set(positions);
  const outJoints = new Uint16Array(2 * k * (n + e));
  const outWeights = new Float32Array(2 * k * (n + e));
  const put = (vertex: number, sums: Map<number, number>) => {
    [...sums]
      .sort((a, b) => b[1] - a[1])
      .forEach(([joint, weight], slot) => {
        outJoints[2 * k * vertex + slot] = joint;
        outWeights[2 * k * vertex + slot] = weight;
      });
  };
  const addTo = (sums: Map<number, number>, vertex: number, part: number) => {
    for (let s = k * vertex; s < k * (vertex + 1); s++) {
      if (weights[s] > 0) sums.set(joints[s], (sums.get(joints[s]) ?? 0) + part * weights[s]);
    }
    return sums;
  };
  for (let i = 0; i < n; i++) put(i, addTo(new Map(), i, 1));
  for (let q = 0; q < e; q++) {
    const [a, b] = edges.vertices.subarray(2 * q, 2 * q + 2);
    for (let c = 0; c < 3; c++) outPositions[3 * (n + q) + c] = (positions[3 * a + c] + positions[3 * b + c]) / 2;
    put(n + q, addTo(addTo(new Map(), a, 0.5), b, 0.5));
  }
  const faces: number[] = [];
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = triangles.subarray(t, t + 3);
    const [ab, bc, ca] = edges.edgeOf.subarray(t, t + 3).map((edge) => n + edge);
    faces.push(a, ab, ca, ab, b, bc, ca, bc, c, ab, bc, ca);
  }
  return {
    ...model,
    mesh: { positions: outPositions, triangles: Uint32Array.from(faces) },
    weights: { influences: 2 * k, joints: outJoints, weights: outWeights },
  };
}
