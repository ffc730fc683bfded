import { batch, computed, type ReadonlySignal, type Signal, signal } from '@preact/signals-core';
import {
  boneCount,
  type FitOptions,
  type LearnOptions,
  type Predictor,
  type SkinnedModel,
} from '../../../src/index.ts';
import { ClothWork } from './cloth/cloth-work.ts';
import { type Content, clipNames, timesOf } from './content/content.ts';
import { Edits, History } from './edits.ts';
import { FitCurve } from './fit/fit-curve.ts';
import { type FitEntry, FitResults, type SoFarBones } from './fit/fit-results.ts';
import { Inspection } from './inspect/inspection.ts';
import type { Start } from './jobs/job.ts';
import { type Failure, JobSlot, type Running } from './jobs/job-slot.ts';
import { type LearnData, LearnWork } from './learn/learn-work.ts';
import { LevelsWork } from './levels/levels-work.ts';
import { LightWork } from './light/light-work.ts';
import { firstJoint, treeOf } from './rig/joint-tree.ts';
import type { RigOperator } from './rig/rig-operators.ts';
import type { JointTurns } from './rig/rig-pose.ts';
import { RigWork } from './rig/rig-work.ts';
import type { NamedEnvironment } from './view/environment.ts';
import type { AskedRange } from './view/frame-range.ts';
import {
  type Camera,
  type Comparison,
  PAINTS,
  PANELS,
  type Paint,
  type PanelName,
  type SurfaceLook,
} from './view/looks.ts';
import { Playback } from './view/playback.ts';

/**
 * An opened document, with all edits and results. Long jobs are started by functions beside the state of their panel:
 * `fit/start-fit.ts`, `rig/start-rig.ts`, `learn/start-learn.ts`, `inspect/coarse.ts`.
 */
export class Doc {
  readonly content: Content;
  readonly playback: Playback;
  readonly panel: Signal<PanelName>;
  readonly #jobs = new JobSlot();
  readonly running: Signal<Running | undefined> = this.#jobs.running;
  readonly failure: ReadonlySignal<Failure | undefined> = this.#jobs.failure;
  /** What a panel needs of the view and could not be loaded. */
  readonly lostView: Signal<Failure | undefined> = signal(undefined);

  /** Edits of the document; changing the view is no edit. */
  readonly history: History = new History();

  readonly fitOptions: Signal<Partial<FitOptions>> = signal({});
  readonly fitCurve: FitCurve = new FitCurve();
  /** While bones are fitted, or learned. */
  readonly soFar: Signal<SoFarBones | undefined> = signal(undefined);
  readonly #results = new FitResults();
  readonly fits: ReadonlySignal<FitEntry[]> = this.#results.all;
  readonly selected: Signal<number | undefined> = this.#results.selected;
  readonly fit: ReadonlySignal<FitEntry | undefined> = this.#results.shown;
  readonly comparison: Signal<Comparison> = signal('original');
  readonly paint: Signal<Paint> = signal('plain');
  readonly wireframe: Signal<boolean> = signal(false);
  readonly look: Signal<SurfaceLook> = signal('material');
  /** Brightness of materials, in stops. */
  readonly exposure: Signal<number> = signal(0);
  /** What lights materials; undefined is a neutral room. */
  readonly environment: Signal<NamedEnvironment | undefined> = signal(undefined);
  readonly ground: Signal<boolean> = signal(true);
  readonly orthographic: Signal<boolean> = signal(false);
  readonly joints: Signal<boolean> = signal(false);
  /** Position of the wipe between original and fitted, 0…1 across the view. */
  readonly wipe: Signal<number> = signal(0.5);

  /** The paint before the weights of a joint were shown. */
  #before: { paint: Paint; joints: boolean } = { paint: 'plain', joints: true };
  readonly inspection: Inspection = new Inspection();

  /** Name of the clip that plays; '' is the rest pose. */
  readonly clip: Signal<string>;
  /** Whether the next clip follows when one has ended. */
  readonly inRow: Signal<boolean> = signal(false);
  readonly operator: Signal<RigOperator>;
  readonly rig: RigWork;
  /** The rigs that the operator is shown on. */
  readonly models: ReadonlySignal<SkinnedModel[]> = computed(() => this.rig.modelsFor(this.operator.value));
  /** The selected joint; undefined is none. */
  readonly joint: Signal<number | undefined> = signal(undefined);
  /** The selected joint, if it can be turned. */
  readonly turnable: ReadonlySignal<number | undefined> = computed(() => {
    const { value: joint } = this.joint;
    return joint !== undefined && this.rig.canTurn(joint) ? joint : undefined;
  });
  readonly turns: Edits<JointTurns> = new Edits<JointTurns>(this.history, 'joint rotation', new Map());

  /** Whether joints are turned by clicks and rings. */
  readonly turning: ReadonlySignal<boolean> = computed(() => ['rig', 'cloth'].includes(this.panel.value));

  readonly cloth: ClothWork = new ClothWork(this.history);

  readonly levels: LevelsWork = new LevelsWork();

  readonly light: LightWork;

  readonly learn: LearnWork;
  readonly learnOptions: Signal<Partial<LearnOptions>> = signal({});
  readonly learned: Signal<LearnData | undefined> = signal(undefined);
  /** 3n_c: dragged control points; undefined follows the original. */
  readonly points: Edits<Float64Array | undefined> = new Edits<Float64Array | undefined>(
    this.history,
    'point drag',
    undefined,
  );
  /** Distance of the points from the examples, set by the view. */
  readonly reach: Signal<number> = signal(0);

  /** The frames of an exported animation. */
  readonly filmFrames: Signal<AskedRange> = signal({});

  /** Position and target of the camera; undefined frames everything. */
  readonly camera: Signal<Camera | undefined> = signal(undefined);

  /** A small picture of the view; absent while another document is in front. */
  portrait?: () => Promise<Blob | undefined>;

  /** The result shown in place of the original; undefined is the original itself. */
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
    this.light = new LightWork(this.history, models);
    this.operator = signal(this.rig.linearized.peek() ? 'linearized' : (models[0]?.operator ?? 'lbs'));
    this.joint.value = firstJoint(models);
    this.panel = signal(firstPanel(this));
    // The decimated original is shown only in its panel.
    this.panel.subscribe((panel) => {
      if (panel !== 'inspect') this.inspection.merged.value = 0;
    });
    this.learn = new LearnWork(this.panel, this.history);
    // A recording belongs to one predictor.
    this.predictor.subscribe(() => this.learn.giveUp());
    const times = computed(() => this.learn.shown.value?.times ?? timesOf(content, this.clip.value));
    this.playback = new Playback(times.value);
    times.subscribe((changed) => this.playback.setTimes(changed));
    this.playback.onEnd = () => this.#playNext();
    this.joints.value = models.length + motions.length > 0 && content.sequences.length === 0;
  }

  /** The panels that apply to this document. */
  get panels(): PanelName[] {
    const { sequences, models, predictors, pairs } = this.content;
    return PANELS.filter((panel) => {
      if (panel === 'fit') return sequences.length > 0 || models.some(({ clips }) => clips.length > 0);
      if (panel === 'rig' || panel === 'levels' || panel === 'light' || (panel === 'cloth' && !pairs))
        return models.length > 0;
      if (panel === 'inspect') return sequences.length + models.length > 0;
      if (panel === 'learn') return sequences.length > 0 || predictors.length > 0;
      return true;
    });
  }

  /** Goes on to the next clip, if clips play in a row. */
  #playNext(): boolean {
    const names = clipNames(this.content).filter((name) => name !== this.content.clipsTogether);
    if (!this.inRow.value || names.length < 2) return false;
    this.clip.value = names[(names.indexOf(this.clip.value) + 1) % names.length];
    return true;
  }

  /** Changes a value as an edit that can be undone. */
  edit<T>(name: string, changed: Signal<T>, value: T): void {
    if (changed.peek() === value) return;
    this.history.remember(name, changed);
    changed.value = value;
  }

  setOperator(operator: RigOperator): void {
    this.edit('skinning operator', this.operator, operator);
  }

  /** Runs a job of this document: one at a time, see `JobSlot.run`. */
  run<T>(title: string, start: Start<T>): Promise<T | undefined> {
    return this.#jobs.run(title, start);
  }

  /** Adds a result and selects it. */
  addFit(found: Omit<FitEntry, 'id'>): void {
    this.#results.add(found);
  }

  /** Restores the results of a session. */
  restoreResults(fits: FitEntry[], learned: LearnData | undefined): void {
    this.#results.restore(fits);
    this.learned.value = learned;
  }

  /** Paints the weights of a joint. */
  showInfluence(joint: number): void {
    if (this.paint.value !== 'influence') this.#before = { paint: this.paint.value, joints: this.joints.value };
    this.joint.value = joint;
    this.joints.value = true;
    this.paint.value = 'influence';
  }

  /** Paints the weights of one blend bone, or of all of them. */
  showBlendBone(bone: number | undefined): void {
    this.rig.blendBone.value = bone;
    this.paint.value = 'blend';
  }

  /** Restores the paint from before the weights of a joint, and hides the joints if they came with it. */
  endInfluence(): void {
    if (this.paint.value !== 'influence') return;
    const { paint, joints } = this.#before;
    this.paint.value = this.paints.includes(paint) ? paint : 'plain';
    this.joints.value &&= joints;
  }

  /** Deselects the joint. */
  letGo(): void {
    this.endInfluence();
    this.joint.value = undefined;
  }

  removeFit(id: number): void {
    const { against, charted } = this.inspection;
    const { selected, comparison, paint, joint, joints } = this;
    const touched = [this.#results.removed, selected, comparison, paint, joint, joints, against, charted] as const;
    this.history.remember(`removal of result ${id}`, ...touched);
    // One update for all observers.
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

  /** Whether closing the document would lose results. */
  get hasResults(): boolean {
    return this.resultCount > 0;
  }

  get resultCount(): number {
    const { rig, learn } = this;
    const made = [
      this.learned,
      this.cloth.pairs.trained,
      this.light.made,
      learn.take,
      rig.mixed,
      rig.linearized.peek()?.made ? rig.linearized : undefined,
    ];
    const results = this.fits.peek().length + this.levels.kinds.peek().length;
    return results + made.filter((result) => result?.peek() !== undefined).length;
  }

  /** Stops the running job and the recording; everything else stays. */
  rest(): void {
    this.#jobs.leave();
    this.learn.giveUp();
    this.playback.playing.value = false;
  }

  /** Stops everything and starts nothing more. */
  close(): void {
    this.#jobs.close();
    this.rig.bends.close();
    this.learn.close();
    this.cloth.pairs.close();
    this.light.traced.close();
    this.inspection.close();
  }
}

/** The first panel: Learn for a file with a predictor; Info if there is little else to do. */
function firstPanel({ content, panels }: Doc): PanelName {
  if (content.predictors.length > 0) return 'learn';
  if (content.sequences.length === 0 && panels.includes('rig')) return 'rig';
  return panels[0] === 'export' ? 'info' : panels[0];
}
