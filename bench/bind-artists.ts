import { diagonalOf } from '../src/doors/mesh.ts';
import { posedSequence } from '../src/doors/skin.ts';
import { type Clip, readAsset, type Skeleton, type SkinnedModel, type SkinWeights, vertexCount } from '../src/index.ts';
import { multiplyQuaternions, normalizeQuaternion, quaternionFromAxisAngle } from '../src/math/quaternion.ts';
import { randomNormal, seededRandom } from '../src/math/rng.ts';
import { skinTransforms } from '../src/math/trs.ts';
import { steadyTimes } from '../src/model/sequence.ts';
import { LOCAL_STRIDE } from '../src/model/skeleton.ts';
import { nodeFiles } from '../src/platform/node/index.ts';
import { makeSample } from '../src/samples.ts';
import { realData } from './data.ts';

/** Rigs that an artist weighed, and how far other weights are from those: over their own clips, and over turned poses. */

const FILES: readonly [name: string, path: string][] = [
  ['CesiumMan', 'gltf/CesiumMan.glb'],
  ['Fox', 'gltf/Fox.glb'],
  ['RiggedFigure', 'gltf/RiggedFigure.glb'],
  ['stormtrooper', 'collada/stormtrooper.dae'],
];

/** The given rigs that are there, and the sample figures, whose weights were made with them. */
export async function artistRigs(): Promise<SkinnedModel[]> {
  const rigs: SkinnedModel[] = [];
  for (const [name, path] of FILES) {
    const file = realData(path);
    if (file) rigs.push({ ...(await readAsset(nodeFiles, [file])).models[0], name });
  }
  rigs.push((await makeSample('figure')).model!);
  return rigs;
}

const POSES = 12;
const SPREAD = (15 * Math.PI) / 180;

/** Poses with every joint turned by N(0, 15°) about each of its axes. */
export function turnedPoses({ parents, restLocals, inverseBind }: Skeleton, seed = 1): Clip {
  const random = seededRandom(seed);
  const locals = new Float32Array(POSES * restLocals.length);
  const turn = new Float64Array(4);
  for (let at = 0; at < locals.length; at += LOCAL_STRIDE) {
    locals.set(restLocals.subarray(at % restLocals.length, (at % restLocals.length) + LOCAL_STRIDE), at);
    for (const [x, y, z] of [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ]) {
      quaternionFromAxisAngle(turn, 0, x, y, z, SPREAD * randomNormal(random));
      multiplyQuaternions(locals, at + 3, Array.from(locals.subarray(at + 3, at + 7)), 0, turn, 0);
    }
    normalizeQuaternion(locals, at + 3);
  }
  const transforms = skinTransforms(parents, inverseBind, locals);
  return { name: 'turned', times: steadyTimes(POSES, 24), transforms, locals };
}

/** In % of the diagonal of the rest pose: RMS and largest distance of posed vertices. */
export interface PosedErrors {
  rms: number;
  largest: number;
}

/** Over the frames of some clips, each of which counts alike; vertices count as often as renderers have them. */
export async function posedErrors(
  rig: SkinnedModel,
  weights: SkinWeights,
  clips: readonly Clip[],
): Promise<PosedErrors> {
  const copies = new Float64Array(vertexCount(rig.mesh));
  for (const i of rig.mesh.seams?.vertexOf ?? copies.keys()) copies[i]++;
  const all = copies.reduce((sum, count) => sum + count, 0);
  const percent = 100 / diagonalOf(rig.mesh.positions);
  let [squares, largest] = [0, 0];
  for (const clip of clips) {
    const before = posedSequence({ ...rig, clips: [clip] }, 0);
    const after = posedSequence({ ...rig, weights, clips: [clip] }, 0);
    for (let k = 0; k < before.frameCount; k++) {
      const [p, q] = [await before.readFrame(k), await after.readFrame(k)];
      copies.forEach((count, i) => {
        const d2 = (p[3 * i] - q[3 * i]) ** 2 + (p[3 * i + 1] - q[3 * i + 1]) ** 2 + (p[3 * i + 2] - q[3 * i + 2]) ** 2;
        squares += (count * d2) / (all * before.frameCount * clips.length);
        largest = Math.max(largest, Math.sqrt(d2));
      });
    }
  }
  return { rms: percent * Math.sqrt(squares), largest: percent * largest };
}
