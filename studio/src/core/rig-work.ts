import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals-core';
import type { Report } from '../../../src/model/report.ts';
import { boneCount, type Skeleton } from '../../../src/model/skeleton.ts';
import type { BlendBone, SkinnedModel, SkinOperator } from '../../../src/model/skinned-model.ts';
import type { LinearizeOptions } from '../../../src/rig/linearize/linearize-options.ts';
import type { BendCurves } from '../worker/protocol.ts';
import { Aside } from './aside.ts';
import { effectiveRig } from './effective-rig.ts';
import { RIG_OPERATORS, type RigOperator } from './rig-operators.ts';
import type { JointTurns } from './rig-pose.ts';
import { sameJoints } from './same-joints.ts';

/** A rig and what linear blending shows of it with blend bones. */
export interface Linearized {
  /** One per part. */
  models: SkinnedModel[];
  /** What they come close to, by `operator`: the same rest poses, without blend bones. */
  rigs: SkinnedModel[];
  operator: SkinOperator;
  /** Of making them; absent where a file had them. */
  reports?: Report[];
}

/** Distances from the surface by a nonlinear operator, in % of the diagonal. */
export interface Distances {
  rms: number;
  most: number;
}

/** How far linear blending is from the operator that it is to come close to, in one pose. */
export interface PoseError {
  linearized: Distances;
  /** Without blend bones. */
  lbs: Distances;
  /** Per part and vertex, of the linearized. */
  percent: Float32Array[];
  /** Where the scale of colours ends: a round number. */
  top: number;
}

/** A blend bone of one of the models. */
export interface BlendBoneOf {
  part: number;
  model: SkinnedModel;
  blend: BlendBone;
}

/** What is made of the rigs of a document. */
export class RigWork {
  readonly linearizeOptions: Signal<Partial<LinearizeOptions>> = signal({});
  readonly linearized: Signal<Linearized | undefined>;
  /** The rigs with mix weights that were solved for. */
  readonly mixed: Signal<SkinnedModel[] | undefined> = signal(undefined);
  /** Of the linearized rig in the pose shown, set by who shows it. */
  readonly poseError: Signal<PoseError | undefined> = signal(undefined);
  /** Which of `blendBones` is looked at; undefined is all of them. */
  readonly blendBone: Signal<number | undefined> = signal(undefined);
  /** How a joint bends, by all operators. */
  readonly bends: Aside<BendCurves> = new Aside<BendCurves>();
  readonly #rigs: SkinnedModel[];
  /** Part → bone → the same bone of the first part, or −1. */
  readonly #same: Int32Array[];

  constructor(opened: readonly SkinnedModel[]) {
    this.#rigs = opened.map(effectiveRig);
    const known = new Map<Skeleton, Int32Array>();
    this.#same = opened.map(({ skeleton }) => {
      const same = known.get(skeleton) ?? sameJoints(skeleton, opened[0].skeleton);
      known.set(skeleton, same);
      return same;
    });
    const operator = opened.find(({ blendBones }) => blendBones)?.blendBones?.operator;
    this.linearized = signal(operator && { models: [...opened], rigs: this.#rigs, operator });
  }

  /** The rigs without blend bones, with mix weights where there are some. */
  get rigs(): SkinnedModel[] {
    return this.mixed.value ?? this.#rigs;
  }

  /** The operators that there is something to show of. */
  readonly operators: ReadonlySignal<RigOperator[]> = computed(() =>
    RIG_OPERATORS.filter((name) => {
      if (name === 'mix') return this.rigs.some(({ mixWeights }) => mixWeights);
      return name !== 'linearized' || this.linearized.value !== undefined;
    }),
  );

  /** What an operator is shown on. */
  modelsFor(operator: RigOperator): SkinnedModel[] {
    return (operator === 'linearized' && this.linearized.value?.models) || this.rigs;
  }

  /** Whether a person can turn a joint, which is one of the first part. */
  canTurn(joint: number): boolean {
    return joint < boneCount(this.rigs[0].skeleton) && this.blendBoneAt(0, joint) < 0;
  }

  /** The joint of a part that a joint of the first part is, or −1: parts may hang on other nodes, or on some of its. */
  jointOf(part: number, joint: number): number {
    return this.#same[part].indexOf(joint);
  }

  /** Turns of joints of the first part, as a part has them. */
  turnsOf(part: number, turns: JointTurns): JointTurns {
    const own = Array.from(turns, ([joint, angles]) => [this.jointOf(part, joint), angles] as const);
    return new Map(own.filter(([joint]) => joint >= 0));
  }

  /** Which of `blendBones` a joint of a part is, or −1. It follows others, and cannot be turned by itself. */
  blendBoneAt(part: number, joint: number): number {
    return this.blendBones.value.findIndex((found) => found.part === part && found.blend.bone === joint);
  }

  /** The blend bones of all parts. */
  readonly blendBones: ReadonlySignal<readonly BlendBoneOf[]> = computed(() =>
    (this.linearized.value?.models ?? []).flatMap((model, part) =>
      (model.blendBones?.bones ?? []).map((blend) => ({ part, model, blend })),
    ),
  );

  /** The blend bone that is looked at, where it is one. */
  readonly blendLooked: ReadonlySignal<BlendBoneOf | undefined> = computed(
    () => this.blendBones.value[this.blendBone.value ?? -1],
  );
}

/** N: how much each vertex follows blend bones, 0…1. */
export function blendShare({ weights, blendBones }: SkinnedModel): Float32Array {
  const blends = new Set(blendBones?.bones.map(({ bone }) => bone));
  const out = new Float32Array(weights.joints.length / weights.influences);
  weights.joints.forEach((j, slot) => {
    if (blends.has(j)) out[Math.floor(slot / weights.influences)] += weights.weights[slot];
  });
  return out;
}
