import { surfaceArea } from '../measure/area.ts';
import type { LightModel, LightSpheres } from '../model/light.ts';
import { boneCount } from '../model/skeleton.ts';
import type { PartPose } from '../skin/choose-poses.ts';
import { type PosedSpheres, poseSpheres } from './pose-spheres.ts';
import type { LightScene } from './scene.ts';
import { makeSpheres } from './spheres.ts';

/** The spheres of all models of a scene as those of one, whose bones are theirs one after the other. */
export interface SceneSpheres {
  spheres: LightSpheres;
  /** Of the morphs of all models one after the other: 4S each. */
  morphs: Float32Array[];
}

/** The least number of spheres of a model that has a surface. */
const LEAST = 4;

/** Spheres as they are without a bake; models share them by the areas of their surfaces. */
export function sceneSpheres({ parts }: LightScene, spheres: number): SceneSpheres {
  const areas = parts.map(({ model: { mesh } }) => surfaceArea(mesh.positions, mesh.triangles));
  const total = areas.reduce((sum, area) => sum + area, 0);
  return joinSpheres(
    parts.map(({ model: { mesh, weights, morphs, skeleton } }, m) => {
      const bones = boneCount(skeleton);
      if (!(areas[m] > 0)) return { spheres: NO_SPHERES, morphs: morphs?.map(() => new Float32Array(0)) ?? [], bones };
      const wanted = Math.min(spheres, Math.max(LEAST, Math.round((spheres * areas[m]) / total)));
      const surface = { positions: mesh.positions, triangles: mesh.triangles, weights, morphs };
      const made = makeSpheres(surface, { spheres: wanted });
      return { spheres: made.spheres, morphs: made.morphs, bones };
    }),
  );
}

const NO_SPHERES: LightSpheres = {
  count: 0,
  centres: new Float32Array(0),
  radii: new Float32Array(0),
  opacities: new Float32Array(0),
  joints: new Uint16Array(0),
  weights: new Float32Array(0),
};

/** The spheres of models that have light, joined. */
export const bakedSpheres = (models: readonly { light: LightModel; bones: number; morphs: number }[]): SceneSpheres =>
  joinSpheres(
    models.map(({ light: { spheres, sphereMorphs }, bones, morphs }) => {
      const each = 4 * spheres.count;
      const empty = new Float32Array(each * morphs);
      const rows = sphereMorphs ?? empty;
      return {
        spheres,
        bones,
        morphs: Array.from({ length: morphs }, (_, m) => rows.subarray(each * m, each * (m + 1))),
      };
    }),
  );

/** Spheres of several models as those of one. `bones`: how many bones those behind them come after. */
export function joinSpheres(
  parts: readonly { spheres: LightSpheres; morphs: Float32Array[]; bones: number }[],
): SceneSpheres {
  const count = parts.reduce((sum, { spheres }) => sum + spheres.count, 0);
  const all: LightSpheres = {
    count,
    centres: new Float32Array(3 * count),
    radii: new Float32Array(count),
    opacities: new Float32Array(count),
    joints: new Uint16Array(4 * count),
    weights: new Float32Array(4 * count),
  };
  const joined: Float32Array[] = [];
  let [first, firstBone] = [0, 0];
  for (const { spheres, morphs, bones } of parts) {
    all.centres.set(spheres.centres, 3 * first);
    all.radii.set(spheres.radii, first);
    all.opacities.set(spheres.opacities, first);
    all.weights.set(spheres.weights, 4 * first);
    for (const [q, joint] of spheres.joints.entries()) all.joints[4 * first + q] = firstBone + joint;
    for (const own of morphs) {
      const moved = new Float32Array(4 * count);
      moved.set(own, 4 * first);
      joined.push(moved);
    }
    first += spheres.count;
    firstBone += bones;
  }
  return { spheres: all, morphs: joined };
}

/** What belongs to each model, by the bones that spheres follow. */
export function splitSpheres(
  { parts }: LightScene,
  { spheres, morphs }: SceneSpheres,
): Pick<LightModel, 'spheres' | 'sphereMorphs'>[] {
  let [first, firstBone, firstMorph] = [0, 0, 0];
  return parts.map(({ model }) => {
    const bones = boneCount(model.skeleton);
    let end = first;
    while (end < spheres.count && spheres.joints[4 * end] < firstBone + bones) end++;
    const own: LightSpheres = {
      count: end - first,
      centres: spheres.centres.slice(3 * first, 3 * end),
      radii: spheres.radii.slice(first, end),
      opacities: spheres.opacities.slice(first, end),
      joints: spheres.joints.slice(4 * first, 4 * end).map((joint) => Math.max(0, joint - firstBone)),
      weights: spheres.weights.slice(4 * first, 4 * end),
    };
    const count = model.morphs?.length ?? 0;
    const moved = new Float32Array(4 * own.count * count);
    for (let m = 0; m < count; m++) {
      moved.set(morphs[firstMorph + m].subarray(4 * first, 4 * end), 4 * own.count * m);
    }
    [first, firstBone, firstMorph] = [end, firstBone + bones, firstMorph + count];
    return { spheres: own, ...(moved.length > 0 && { sphereMorphs: moved }) };
  });
}

/** The pose of all models as that of one. */
export function joinedPose(parts: readonly PartPose[]): { transforms: Float32Array; morphWeights: Float32Array } {
  const join = (arrays: readonly Float32Array[]): Float32Array => {
    const out = new Float32Array(arrays.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const array of arrays) {
      out.set(array, at);
      at += array.length;
    }
    return out;
  };
  return {
    transforms: join(parts.map(({ transforms }) => transforms)),
    morphWeights: join(parts.map(({ morphWeights }) => morphWeights ?? new Float32Array(0))),
  };
}

/** The spheres of a scene in a pose. */
export function posedSpheres({ spheres, morphs }: SceneSpheres, parts: readonly PartPose[]): PosedSpheres {
  const { transforms, morphWeights } = joinedPose(parts);
  return poseSpheres(spheres, transforms, { morphs, weights: morphWeights });
}
