import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals-core';
import type { BlendBone, BlendBones, LinearizeOptions, SkinnedModel } from '../../../../src/index.ts';
import { Aside } from '../jobs/aside.ts';
import { effectiveRig } from './effective-rig.ts';
import { boneOf, type JointTree, jointTree } from './joint-tree.ts';
import type { Outcome } from './outcomes.ts';
import { RIG_OPERATORS, type RigOperator } from './rig-operators.ts';
import type { JointTurns } from './rig-pose.ts';

/** A rig and what linear blending shows of it with blend bones. */
export interface Linearized {
  /** One per part. */
  models: SkinnedModel[];
  /** What they come close to, by `operator`: the same rest poses, without blend bones. */
  rigs: SkinnedModel[];
  operator: BlendBones['operator'];
  /** False if the file came with blend bones. */
  made: boolean;
}

/** What linearizing has found, while it goes on. */
export interface LinearizedSoFar {
  /** One per part, as given where its turn has not come. */
  models: SkinnedModel[];
  blendBones: number;
  /** EE in % of the parts whose turn has come. */
  errors: number[];
}

/** Distances from the surface by a nonlinear operator, in % of the diagonal. */
export interface Distances {
  rms: number;
  most: number;
}

/** Distance of linear blending from the operator it approximates, in one pose. */
export interface PoseError {
  linearized: Distances;
  /** Without blend bones. */
  lbs: Distances;
  /** Per part and vertex, of the linearized. */
  percent: Float32Array[];
  /** End of the colour scale: a round number. */
  top: number;
}

/** What a joint does to the surface while it turns about one of its axes. */
export interface BendCurves {
  /** 0, 1, 2: x, y, z. */
  axis: number;
  /** Degrees, rising. */
  angles: number[];
  /** For each operator, at each angle. */
  curves: { operator: RigOperator; area: Float64Array; volume: Float64Array }[];
  rest: { area: number; volume: number };
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
  readonly soFar: Signal<LinearizedSoFar | undefined> = signal(undefined);
  /** The rigs with mix weights that were solved for. */
  readonly mixed: Signal<SkinnedModel[] | undefined> = signal(undefined);
  /** The operator that is shown beside the chosen one. */
  readonly beside: Signal<RigOperator | undefined> = signal(undefined);
  /** What the last runs have gained. */
  readonly outcomes: Signal<{ linearize?: Outcome; mix?: Outcome }> = signal({});
  /** Errors of the linearized rig in the current pose, set by the view. */
  readonly poseError: Signal<PoseError | undefined> = signal(undefined);
  /** The selected one of `blendBones`; undefined is all of them. */
  readonly blendBone: Signal<number | undefined> = signal(undefined);
  /** Curves of how a joint bends, by operator. */
  readonly bends: Aside<BendCurves> = new Aside<BendCurves>();
  readonly #rigs: SkinnedModel[];

  constructor(opened: readonly SkinnedModel[]) {
    this.#rigs = opened.map(effectiveRig);
    const operator = opened.find(({ blendBones }) => blendBones)?.blendBones?.operator;
    this.linearized = signal(operator && { models: [...opened], rigs: this.#rigs, operator, made: false });
  }

  /** The rigs without blend bones, with mix weights where there are some. */
  get rigs(): SkinnedModel[] {
    return this.mixed.value ?? this.#rigs;
  }

  /** Operators that can be shown. */
  readonly operators: ReadonlySignal<RigOperator[]> = computed(() =>
    RIG_OPERATORS.filter((name) => {
      if (name === 'mix') return this.rigs.some(({ mixWeights }) => mixWeights);
      return name !== 'linearized' || this.linearized.value !== undefined;
    }),
  );

  /** The models that an operator is shown on. */
  modelsFor(operator: RigOperator): SkinnedModel[] {
    return (operator === 'linearized' && this.linearized.value?.models) || this.rigs;
  }

  /** The joints of all rigs. */
  readonly joints: ReadonlySignal<JointTree> = computed(() => jointTree(this.rigs.map(({ skeleton }) => skeleton)));
  /** The same, then the blend bones of linearized rigs. */
  readonly #allJoints: ReadonlySignal<JointTree> = computed(() =>
    jointTree([...this.rigs, ...(this.linearized.value?.models ?? [])].map(({ skeleton }) => skeleton)),
  );

  /** The joints of the models that an operator is shown on. */
  jointsFor(operator: RigOperator): JointTree {
    return operator === 'linearized' ? this.#allJoints.value : this.joints.value;
  }

  /** Whether a person can turn a joint. */
  canTurn(joint: number): boolean {
    return joint < this.joints.value.names.length && this.blendBoneAt(joint) < 0;
  }

  /** The bone of a part for a joint, or −1: parts may use other nodes. */
  boneOf(part: number, joint: number): number {
    return boneOf(this.joints.value, this.rigs[part].skeleton, joint);
  }

  /** Turns of joints, by bone of a part. */
  turnsOf(part: number, turns: JointTurns): JointTurns {
    const own = Array.from(turns, ([joint, angles]) => [this.boneOf(part, joint), angles] as const);
    return new Map(own.filter(([bone]) => bone >= 0));
  }

  /** Index into `blendBones` of a joint, or −1. Blend bones follow others and cannot be turned. */
  blendBoneAt(joint: number): number {
    return this.#blendBoneOf.value.get(joint) ?? -1;
  }

  /** The blend bones of all parts. */
  readonly blendBones: ReadonlySignal<readonly BlendBoneOf[]> = computed(() =>
    (this.linearized.value?.models ?? []).flatMap((model, part) =>
      (model.blendBones?.bones ?? []).map((blend) => ({ part, model, blend })),
    ),
  );

  /** Joint → which of `blendBones` it is: the first, where parts share one. */
  readonly #blendBoneOf: ReadonlySignal<ReadonlyMap<number, number>> = computed(() => {
    const { jointsOf } = this.#allJoints.value;
    const joints = this.blendBones.value.map(({ model, blend }) => jointsOf.get(model.skeleton)![blend.bone]);
    return new Map(joints.map((joint, b) => [joint, b] as const).reverse());
  });

  /** The selected blend bone, if any. */
  readonly blendLooked: ReadonlySignal<BlendBoneOf | undefined> = computed(
    () => this.blendBones.value[this.blendBone.value ?? -1],
  );
}

/** N: total weight of blend bones per vertex, 0…1. */
export function blendShare({ weights, blendBones }: SkinnedModel): Float32Array {
  const blends = new Set(blendBones?.bones.map(({ bone }) => bone));
  const out = new Float32Array(weights.joints.length / weights.influences);
  weights.joints.forEach((j, slot) => {
    if (blends.has(j)) out[Math.floor(slot / weights.influences)] += weights.weights[slot];
  });
  return out;
}
