import { boneCount, type Clip, MATRIX_STRIDE, type Mesh, type SkinnedModel, Skinner } from '../../../../src/index.ts';
import type { Doc } from '../doc.ts';
import { PosedRig } from '../rig/posed-rig.ts';
import { drawnBy } from '../rig/rig-operators.ts';
import type { JointTurns } from '../rig/rig-pose.ts';

/** A pose of the body. */
export interface Moment {
  clip: string;
  time: number;
  turns: JointTurns;
}

/** All parts of a document as one body, posed. */
export class BodyRig {
  /** Without clips, morphs and materials. */
  readonly model: SkinnedModel;
  /** 12B, rest → pose. */
  readonly transforms: Float32Array;
  readonly #doc: Doc;
  readonly #rigs: PosedRig[];
  #skinner?: Skinner;

  constructor(doc: Doc) {
    const { rigs } = doc.rig;
    this.#doc = doc;
    this.#rigs = rigs.map((model) => new PosedRig(model));
    this.model = mergedRig(rigs.map((model) => ({ ...model, operator: drawnBy(doc.operator.peek(), model) })));
    this.transforms = new Float32Array(MATRIX_STRIDE * boneCount(this.model.skeleton));
  }

  pose({ clip, time, turns }: Moment): void {
    let first = 0;
    for (const [part, rig] of this.#rigs.entries()) {
      rig.pose(clip, time, this.#doc.rig.turnsOf(part, turns));
      this.transforms.set(rig.transforms, first);
      first += rig.transforms.length;
    }
  }

  /** 3N: its surface in this pose. Overwritten the next time. */
  surface(): Float32Array {
    this.#skinner ??= new Skinner(this.model, { normals: false });
    return this.#skinner.pose(this.transforms).positions;
  }

  /** A clip with joints turned by hand, at these times (P seconds). */
  clip(name: string, times: Float64Array, turns: JointTurns): Clip {
    const transforms = new Float32Array(times.length * this.transforms.length);
    for (const [k, time] of times.entries()) {
      this.pose({ clip: name, time, turns });
      transforms.set(this.transforms, k * this.transforms.length);
    }
    return { name, times: times.map((time) => time - times[0]), transforms };
  }

  dispose(): void {
    this.#skinner?.dispose();
  }
}

/** Rigs as one, with all their bones, each for its own vertices. */
export function mergedRig(rigs: readonly SkinnedModel[]): SkinnedModel {
  const [{ name, mesh, operator, mixWeights }] = rigs;
  const influences = Math.max(...rigs.map(({ weights }) => weights.influences));
  const merged = {
    positions: [] as Float32Array[],
    triangles: [] as Uint32Array[],
    joints: [] as Uint16Array[],
    weights: [] as Float32Array[],
    parents: [] as Int32Array[],
  };
  let [vertices, bones] = [0, 0];
  for (const { mesh: part, weights, skeleton } of rigs) {
    const [firstVertex, firstBone] = [vertices, bones];
    merged.positions.push(part.positions);
    merged.triangles.push(part.triangles.map((i) => firstVertex + i));
    merged.joints.push(
      widened(
        weights.joints.map((j) => firstBone + j),
        weights.influences,
        influences,
      ),
    );
    merged.weights.push(widened(weights.weights, weights.influences, influences));
    merged.parents.push(skeleton.parents.map((parent) => (parent < 0 ? -1 : firstBone + parent)));
    vertices += part.positions.length / 3;
    bones += boneCount(skeleton);
  }
  const skeletons = rigs.map(({ skeleton }) => skeleton);
  const surface: Mesh = {
    positions: joined(merged.positions, Float32Array),
    triangles: joined(merged.triangles, Uint32Array),
    ...(mesh.space && { space: mesh.space }),
  };
  return {
    name,
    mesh: surface,
    weights: { influences, joints: joined(merged.joints, Uint16Array), weights: joined(merged.weights, Float32Array) },
    skeleton: {
      names: skeletons.flatMap(({ names }) => names),
      parents: joined(merged.parents, Int32Array),
      restLocals: joined(
        skeletons.map(({ restLocals }) => restLocals),
        Float32Array,
      ),
      inverseBind: joined(
        skeletons.map(({ inverseBind }) => inverseBind),
        Float32Array,
      ),
    },
    clips: [],
    // Parts with operators of their own collide as linear blending has them.
    ...(rigs.length === 1 && mixWeights && { mixWeights }),
    operator:
      rigs.every((rig) => rig.operator === operator) && (rigs.length === 1 || operator !== 'mix') ? operator : 'lbs',
  };
}

type Numbers = Float32Array | Uint32Array | Uint16Array | Int32Array;

function joined<T extends Numbers>(arrays: readonly T[], type: new (length: number) => T): T {
  const out = new type(arrays.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const array of arrays) {
    (out as Float32Array).set(array as Float32Array, at);
    at += array.length;
  }
  return out;
}

/** Slots of `from` per vertex as slots of `to`; the new ones are 0. */
function widened<T extends Float32Array | Uint16Array>(values: T, from: number, to: number): T {
  if (from === to) return values;
  const out = new (values.constructor as new (length: number) => T)((values.length / from) * to);
  for (let i = 0; i * from < values.length; i++) {
    (out as Float32Array).set((values as Float32Array).subarray(i * from, (i + 1) * from), i * to);
  }
  return out;
}
