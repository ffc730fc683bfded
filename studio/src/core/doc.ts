import { batch, computed, type ReadonlySignal, type Signal, signal } from '@preact/signals-core';
import type { FitOptions } from '../../../src/fit/fit-options.ts';
import type { LearnOptions } from '../../../src/learn/learn-options.ts';
import type { Predictor } from '../../../src/model/predictor.ts';
import { boneCount } from '../../../src/model/skeleton.ts';
import type { SkinnedModel } from '../../../src/model/skinned-model.ts';
import type { LearnData } from '../worker/protocol.ts';
import { type Content, clipNames, timesOf } from './content/content.ts';
import { Edits, History } from './edits.ts';
import { type FitEntry, FitResults } from './fit/fit-results.ts';
import { Inspection } from './inspect/inspection.ts';
import type { Start } from './jobs/job.ts';
import { type Failure, JobSlot, type Running } from './jobs/job-slot.ts';
import { LearnWork } from './learn/learn-work.ts';
import { firstJoint, treeOf } from './rig/joint-tree.ts';
import type { RigOperator } from './rig/rig-operators.ts';
import type { JointTurns } from './rig/rig-pose.ts';
import { RigWork } from './rig/rig-work.ts';
import type { AskedRange } from './view/frame-range.ts';
import { type Camera, type Comparison, PAINTS, PANELS, type Paint, type PanelName } from './view/looks.ts';
import { Playback } from './view/playback.ts';

/**
 * Something opened, with everything a person does to it. The long work on it is begun by functions that stand beside the
 * state of their panel: `fit/start-fit.ts`, `rig/start-rig.ts`, `learn/start-learn.ts`, `inspect/coarse.ts`.
 */
export class Doc {
  readonly content: Content;
  readonly playback: Playback;
  readonly panel: Signal<PanelName>;
  readonly #jobs = new JobSlot();
  readonly running: Signal<Running | undefined> = this.#jobs.running;
  readonly failure: ReadonlySignal<Failure | undefined> = this.#jobs.failure;

  /** Of everything that is done to the document; looking at it is not an edit. */
  readonly history: History = new History();

  readonly fitOptions: Signal<Partial<FitOptions>> = signal({});
  readonly #results = new FitResults();
  readonly fits: ReadonlySignal<FitEntry[]> = this.#results.all;
  readonly selected: Signal<number | undefined> = this.#results.selected;
  readonly fit: ReadonlySignal<FitEntry | undefined> = this.#results.shown;
  readonly comparison: Signal<Comparison> = signal('original');
  readonly paint: Signal<Paint> = signal('plain');
  readonly wireframe: Signal<boolean> = signal(false);
  readonly joints: Signal<boolean> = signal(false);
  /** Where the original ends and the fitted begins, 0…1 across the view. */
  readonly wipe: Signal<number> = signal(0.5);

  /** What was shown before the influence of a joint. */
  #before: { paint: Paint; joints: boolean } = { paint: 'plain', joints: true };
  readonly inspection: Inspection = new Inspection();

  /** Name of the clip that plays; '' is the rest pose. */
  readonly clip: Signal<string>;
  readonly operator: Signal<RigOperator>;
  readonly rig: RigWork;
  /** The rigs that the operator is shown on. */
  readonly models: ReadonlySignal<SkinnedModel[]> = computed(() => this.rig.modelsFor(this.operator.value));
  /** The joint that is looked at or turned; undefined is none. */
  readonly joint: Signal<number | undefined> = signal(undefined);
  /** The same where a person can turn it. */
  readonly turnable: ReadonlySignal<number | undefined> = computed(() => {
    const { value: joint } = this.joint;
    return joint !== undefined && this.rig.canTurn(joint) ? joint : undefined;
  });
  readonly turns: Edits<JointTurns> = new Edits<JointTurns>(this.history, 'turn of a joint', new Map());

  readonly learn: LearnWork;
  readonly learnOptions: Signal<Partial<LearnOptions>> = signal({});
  readonly learned: Signal<LearnData | undefined> = signal(undefined);
  /** 3n_c: where control points are dragged to; undefined follows the original. */
  readonly points: Edits<Float64Array | undefined> = new Edits<Float64Array | undefined>(
    this.history,
    'drag of a point',
    undefined,
  );
  /** How far the points are from experience, set by who drives the surface. */
  readonly reach: Signal<number> = signal(0);

  /** What of the motion an animation shows. */
  readonly filmFrames: Signal<AskedRange> = signal({});

  /** Where the eye is and looks to; undefined sees everything. */
  readonly camera: Signal<Camera | undefined> = signal(undefined);

  /** The result that stands in the place of the original; undefined is the original itself. */
  readonly against: ReadonlySignal<FitEntry | undefined> = computed(() => {
    const { value: fit } = this.fit;
    const { value: against } = this.inspection.against;
    return fit && fit.id !== against ? this.#results.find(against) : undefined;
  });
  readonly predictor: ReadonlySignal<Predictor | undefined> = computed(
    () => this.learned.value?.predictor ?? this.content.predictors[0],
  );

  constructor(content: Content) {
    this.content = content;
    const { models, motions } = content;
    const names = clipNames(content);
    this.clip = signal(names[0] ?? '');
    this.rig = new RigWork(models);
    this.operator = signal(this.rig.linearized.peek() ? 'linearized' : (models[0]?.operator ?? 'lbs'));
    this.joint.value = firstJoint(models);
    this.panel = signal(firstPanel(this));
    // The original is shown with fewer vertices only where that is looked at.
    this.panel.subscribe((panel) => {
      if (panel !== 'inspect') this.inspection.merged.value = 0;
    });
    this.learn = new LearnWork(this.panel, this.history);
    // What is recorded are the points of one predictor.
    this.predictor.subscribe(() => this.learn.giveUp());
    const times = computed(() => this.learn.shown.value?.times ?? timesOf(content, this.clip.value));
    this.playback = new Playback(times.value);
    times.subscribe((changed) => this.playback.setTimes(changed));
    this.joints.value = models.length + motions.length > 0 && content.sequences.length === 0;
  }

  /** The panels that have something to do here. */
  get panels(): PanelName[] {
    const { sequences, models, predictors } = this.content;
    return PANELS.filter((panel) => {
      if (panel === 'fit') return sequences.length > 0;
      if (panel === 'rig') return models.length > 0;
      if (panel === 'inspect') return sequences.length + models.length > 0;
      if (panel === 'learn') return sequences.length > 0 || predictors.length > 0;
      return true;
    });
  }

  /** Changes a value as a person does: it can be taken back. */
  edit<T>(name: string, changed: Signal<T>, value: T): void {
    if (changed.peek() === value) return;
    this.history.remember(name, changed as Signal<unknown>);
    changed.value = value;
  }

  setOperator(operator: RigOperator): void {
    this.edit('skinning operator', this.operator, operator);
  }

  /** A job of this document: one at a time, as `JobSlot.run` has it. */
  run<T>(title: string, start: Start<T>): Promise<T | undefined> {
    return this.#jobs.run(title, start);
  }

  /** Enters a result and selects it. */
  addFit(found: Omit<FitEntry, 'id'>): void {
    this.#results.add(found);
  }

  /** What was computed in an earlier session. */
  restoreResults(fits: FitEntry[], learned: LearnData | undefined): void {
    this.#results.restore(fits);
    this.learned.value = learned;
  }

  /** Paints how much the surface follows a joint. */
  showInfluence(joint: number): void {
    if (this.paint.value !== 'influence') this.#before = { paint: this.paint.value, joints: this.joints.value };
    this.joint.value = joint;
    this.joints.value = true;
    this.paint.value = 'influence';
  }

  /** Paints how much the surface follows one of the rig's blend bones, or all of them. */
  showBlendBone(bone: number | undefined): void {
    this.rig.blendBone.value = bone;
    this.paint.value = 'blend';
  }

  /** Paints what was painted before the influence of a joint, if there still is such a thing; joints go that came with it. */
  endInfluence(): void {
    if (this.paint.value !== 'influence') return;
    const { paint, joints } = this.#before;
    this.paint.value = this.paints.includes(paint) ? paint : 'plain';
    this.joints.value &&= joints;
  }

  /** No joint is looked at or turned any more. */
  letGo(): void {
    this.endInfluence();
    this.joint.value = undefined;
  }

  removeFit(id: number): void {
    const { against, charted } = this.inspection;
    const { selected, comparison, paint, joint, joints } = this;
    const touched = [this.#results.removed, selected, comparison, paint, joint, joints, against, charted];
    this.history.remember(`removal of result ${id}`, ...(touched as Signal<unknown>[]));
    // Who follows these sees all of it at once.
    batch(() => {
      this.#results.remove(id);
      this.inspection.forget(id);
      if (selected.value === undefined) comparison.value = 'original';
      if ((joint.value ?? 0) >= this.mostJoints) {
        const first = firstJoint(this.content.models);
        if (first === undefined) this.letGo();
        else joint.value = first;
      }
      if (!this.paints.includes(paint.value)) paint.value = 'plain';
    });
  }

  /** Whether there is a surface whose deformation can be shown. */
  get deforms(): boolean {
    return this.content.sequences.some(({ rest }) => rest.triangles.length > 0);
  }

  /** The paints that this document has colours for. */
  get paints(): Paint[] {
    const { deforms } = this;
    const fit = this.fit.value;
    const skinned = fit !== undefined || this.content.models.length > 0;
    const blends = this.operator.value === 'linearized';
    const there: Record<Paint, boolean> = {
      plain: true,
      error: fit !== undefined,
      rotation: deforms,
      scale: deforms,
      shear: deforms,
      bones: skinned,
      regions: fit?.data.regions !== undefined,
      influence: skinned,
      blend: blends,
      linear: blends,
      mix: this.models.value.some(({ mixWeights }) => mixWeights),
    };
    return PAINTS.filter((paint) => there[paint]);
  }

  /** The largest number of joints: of the rigs, of what moves, or of a result. */
  get mostJoints(): number {
    const trees = [this.rig.jointsFor('linearized'), treeOf(this.content.motions)];
    const bones = this.fits.value.map(({ data }) => boneCount(data.merged.skeleton));
    return Math.max(1, ...trees.map(({ names }) => names.length), ...bones);
  }

  /** Whether there is something that was made here, and is lost when the document is closed. */
  get hasResults(): boolean {
    const { rig, learn } = this;
    const made = [this.learned, learn.take, rig.mixed, rig.linearized.peek()?.reports && rig.linearized];
    return this.fits.peek().length > 0 || made.some((result) => result?.peek() !== undefined);
  }

  /** Stops the job that runs, and what is recorded; all else stays as it is. */
  rest(): void {
    this.#jobs.leave();
    this.learn.giveUp();
    this.playback.playing.value = false;
  }

  /** Stops everything that is under way; nothing begins any more. */
  close(): void {
    this.#jobs.close();
    this.rig.bends.close();
    this.learn.close();
    this.inspection.close();
  }
}

/** A file with a predictor is there to be driven; of one that there is little to do with it is told what it holds. */
function firstPanel({ content, panels }: Doc): PanelName {
  if (content.predictors.length > 0) return 'learn';
  return panels[0] === 'export' ? 'info' : panels[0];
}
