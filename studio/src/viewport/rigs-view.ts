import type { Group } from 'three';
import type { SkinnedModel } from '../../../src/model/skinned-model.ts';
import type { Doc } from '../core/doc.ts';
import { drawnBy } from '../core/rig/rig-operators.ts';
import { PoseErrors } from './pose-errors.ts';
import { PosedRig } from './posed-rig.ts';
import { SkinnedSurface } from './skinned-surface.ts';

/** A model on the stage with what poses it. */
export interface RigPart {
  model: SkinnedModel;
  rig: PosedRig;
  surface: SkinnedSurface;
}

/** The rigs of a document, by the operator that was chosen. */
export class RigsView {
  #parts: RigPart[] = [];
  /** What the parts were built of. */
  #models: readonly SkinnedModel[] = [];
  #errors?: PoseErrors;
  readonly #doc: Doc;
  readonly #group: Group;

  constructor(doc: Doc, group: Group) {
    this.#doc = doc;
    this.#group = group;
    this.follow();
  }

  get parts(): readonly RigPart[] {
    return this.#parts;
  }

  /** Which processor blends the bones. */
  get processor(): 'GPU' | 'CPU' {
    return this.#parts.at(-1)?.surface.processor ?? 'GPU';
  }

  /** Builds what is drawn of the rigs that the operator is shown on. */
  follow(): void {
    const { models, operator } = this.#doc;
    if (models.value === this.#models) return;
    this.#drop();
    this.#models = models.value;
    this.#parts = this.#models.map((model) => ({
      model,
      rig: new PosedRig(model),
      surface: new SkinnedSurface(model, drawnBy(operator.value, model)),
    }));
    for (const { surface } of this.#parts) this.#group.add(surface.object);
  }

  /** Takes the pose of a clip at `time`, with the turns of joints. */
  pose(clip: string, time: number): void {
    const { turns, operator } = this.#doc;
    for (const [part, { rig, surface, model }] of this.#parts.entries()) {
      rig.pose(clip, time, this.#doc.rig.turnsOf(part, turns.value.value));
      surface.setOperator(drawnBy(operator.value, model));
      surface.pose(rig.transforms, rig.morphWeights);
    }
    this.#compare(clip, time);
  }

  /** 12: the axes of a joint and its place, as it stands in the first part that has it. */
  jointFrame(joint: number): Float64Array {
    const bones = this.#parts.map((_, part) => this.#doc.rig.boneOf(part, joint));
    const part = bones.findIndex((bone) => bone >= 0);
    return this.#parts[part].rig.frame(bones[part]);
  }

  dispose(): void {
    this.#drop();
    this.#errors?.dispose();
  }

  /** How far linear blending, with and without blend bones, is from the operator that it is to come close to. */
  #compare(clip: string, time: number): void {
    const { rig, operator, turns, panel, paint } = this.#doc;
    const asked = panel.value === 'rig' || paint.value === 'linear';
    const linearized = operator.value === 'linearized' && asked ? rig.linearized.value : undefined;
    if (linearized !== this.#errors?.linearized) {
      this.#errors?.dispose();
      this.#errors = linearized && new PoseErrors(linearized);
    }
    rig.poseError.value = this.#errors?.measure(clip, time, (part) => rig.turnsOf(part, turns.value.value));
  }

  #drop(): void {
    for (const { surface } of this.#parts) {
      this.#group.remove(surface.object);
      surface.dispose();
    }
  }
}
