import type { ReadonlySignal } from '@preact/signals-core';
import type { Group } from 'three';
import type { SkinnedModel } from '../../../src/index.ts';
import type { Doc } from '../core/doc.ts';
import type { ShownRigs } from '../core/rig/operator-panes.ts';
import { PosedRig } from '../core/rig/posed-rig.ts';
import { drawnBy } from '../core/rig/rig-operators.ts';
import type { JointTurns } from '../core/rig/rig-pose.ts';
import { PoseErrors } from './pose-errors.ts';
import { SkinnedSurface } from './skinned-surface.ts';

/** A model on the stage with what poses it. */
export interface RigPart {
  model: SkinnedModel;
  rig: PosedRig;
  surface: SkinnedSurface;
}

/** The rigs of a document by one operator: the chosen one, or the one beside it. */
export class RigsView {
  #parts: RigPart[] = [];
  /** The models that the parts were built from. */
  #models: readonly SkinnedModel[] = [];
  #errors?: PoseErrors;
  readonly #doc: Doc;
  readonly #group: Group;
  readonly #beside?: ReadonlySignal<ShownRigs>;

  /** @param beside what is shown beside the chosen operator [default: the chosen one itself]. */
  constructor(doc: Doc, group: Group, beside?: ReadonlySignal<ShownRigs>) {
    this.#doc = doc;
    this.#group = group;
    this.#beside = beside;
    this.follow();
  }

  get #shown(): ShownRigs {
    return this.#beside?.value ?? { operator: this.#doc.operator.value, models: this.#doc.models.value };
  }

  get parts(): readonly RigPart[] {
    return this.#parts;
  }

  /** Whether CPU or GPU blends the bones. */
  get processor(): 'GPU' | 'CPU' {
    return this.#parts.at(-1)?.surface.processor ?? 'GPU';
  }

  /** Builds the objects for the current operator. */
  follow(): void {
    const { models, operator } = this.#shown;
    if (models === this.#models) return;
    this.#drop();
    this.#models = models;
    this.#parts = this.#models.map((model) => ({
      model,
      rig: new PosedRig(model),
      surface: new SkinnedSurface(model, drawnBy(operator, model)),
    }));
    for (const { surface } of this.#parts) this.#group.add(surface.object);
  }

  /** Sets the pose of a clip at `time`, with joints turned by hand. */
  pose(clip: string, time: number, turns: JointTurns): void {
    const { operator } = this.#shown;
    for (const [part, { rig, surface, model }] of this.#parts.entries()) {
      rig.pose(clip, time, this.#doc.rig.turnsOf(part, turns));
      surface.setOperator(drawnBy(operator, model));
      surface.pose(rig.transforms, rig.morphWeights);
    }
    if (!this.#beside) this.#compare(clip, time, turns);
  }

  /** 12: current axes and place of a joint, in the first part that has it. */
  jointFrame(joint: number): Float64Array {
    const bones = this.#parts.map((_, part) => this.#doc.rig.boneOf(part, joint));
    const part = bones.findIndex((bone) => bone >= 0);
    return this.#parts[part].rig.frame(bones[part]);
  }

  dispose(): void {
    this.#drop();
    this.#errors?.dispose();
  }

  /** Distance of linear blending, with and without blend bones, from the operator it approximates. */
  #compare(clip: string, time: number, turns: JointTurns): void {
    const { rig, operator, panel, paint } = this.#doc;
    const asked = panel.value === 'rig' || paint.value === 'linear';
    const linearized = operator.value === 'linearized' && asked ? rig.linearized.value : undefined;
    if (linearized !== this.#errors?.linearized) {
      this.#errors?.dispose();
      this.#errors = linearized && new PoseErrors(linearized);
    }
    rig.poseError.value = this.#errors?.measure(clip, time, (part) => rig.turnsOf(part, turns));
  }

  #drop(): void {
    for (const { surface } of this.#parts) {
      this.#group.remove(surface.object);
      surface.dispose();
    }
  }
}
