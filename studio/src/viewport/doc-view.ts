import { effect, type Signal, signal } from '@preact/signals-core';
import { Vector3 } from 'three';
import { boundsOf } from '../../../src/mesh/bounds.ts';
import type { Mesh } from '../../../src/model/mesh.ts';
import type { SkinnedModel } from '../../../src/model/skinned-model.ts';
import { Skinner } from '../../../src/skin/skinner.ts';
import { type Content, frameOf } from '../core/content.ts';
import type { Doc, FitEntry } from '../core/doc.ts';
import { type FrameErrors, frameErrors, heatColours, roundTop } from '../core/frame-errors.ts';
import { DrivenView } from './driven-view.ts';
import { JointsView } from './joints.ts';
import { boneColours, PosedRig } from './posed-rig.ts';
import { SkinnedSurface } from './skinned-surface.ts';
import { MovingSurface, type Surface } from './surface.ts';
import type { Viewport } from './viewport.ts';

/** The vertex that is farthest from its place in the frame shown. */
export interface WorstVertex {
  point: Vector3;
  vertex: number;
  percent: number;
}

/** A model on the stage with what poses it. */
interface RigView {
  model: SkinnedModel;
  rig: PosedRig;
  surface: SkinnedSurface;
}

/** The fit that is compared, ready to be posed. */
interface FitView {
  entry: FitEntry;
  parts: (RigView & { skinner: Skinner })[];
  /** % of the diagonal where the scale of colours ends. */
  top: number;
}

/** What a document looks like: follows its signals until it is disposed of. */
export class DocView {
  readonly worst: Signal<WorstVertex | undefined> = signal(undefined);
  readonly heatTop: Signal<number> = signal(1);
  readonly processor: Signal<'GPU' | 'CPU'> = signal('GPU');
  readonly #doc: Doc;
  readonly #viewport: Viewport;
  readonly #moving: MovingSurface[];
  readonly #rigs: RigView[];
  readonly #motions: PosedRig[];
  #fit?: FitView;
  #driven?: DrivenView;
  #joints?: { rig: PosedRig; view: JointsView };
  readonly #stop: () => void;

  constructor(doc: Doc, viewport: Viewport) {
    this.#doc = doc;
    this.#viewport = viewport;
    const { sequences, meshes, models, motions } = doc.content;
    this.#moving = [...sequences.map(({ rest }) => rest), ...meshes].map((mesh) => new MovingSurface(mesh));
    this.#rigs = models.map((model) => rigView(model, doc.operator.peek()));
    this.#motions = motions.map((motion) => new PosedRig(motion));
    for (const { object } of [...this.#moving, ...this.#rigs.map(({ surface }) => surface)])
      viewport.original.add(object);
    viewport.frame(
      pointsOver(doc.content, this.#rigs, this.#motions, doc.playback.times.peek(), doc.clip.peek()),
      upOf(doc.content),
    );
    this.#stop = effect(() => this.#update());
  }

  dispose(): void {
    this.#stop();
    for (const surface of this.#moving) surface.dispose();
    for (const { surface } of this.#rigs) surface.dispose();
    this.#dropFit();
    this.#dropDriven();
    this.#dropJoints();
    const { original, fitted, over } = this.#viewport;
    for (const group of [original, fitted, over]) group.clear();
    this.#viewport.invalidate();
  }

  #update(): void {
    const doc = this.#doc;
    const k = doc.playback.frame.value;
    this.#poseOriginal(k);
    this.#followFit();
    const driving = this.#drive(k);
    const comparison = driving ? 'fitted' : this.#fit ? doc.comparison.value : 'original';
    if (!driving && this.#fit) this.#compare(this.#fit, k, comparison !== 'original');
    else this.worst.value = undefined;
    if (!this.#fit) this.#paintRigs();
    this.#showJoints(driving);
    const wireframe = doc.wireframe.value;
    for (const { materials } of this.#surfaces()) materials.wireframe = wireframe;
    for (const { materials } of this.#moving) materials.ghost = comparison === 'overlay';
    Object.assign(this.#viewport, { comparison, wipe: doc.wipe.value });
    this.#viewport.invalidate();
  }

  #surfaces(): Surface[] {
    const rigs = [...this.#rigs, ...(this.#fit?.parts ?? [])].map(({ surface }) => surface);
    return [...this.#moving, ...rigs, ...(this.#driven ? [this.#driven.surface] : [])];
  }

  #poseOriginal(k: number): void {
    const doc = this.#doc;
    doc.content.sequences.forEach((part, p) => {
      this.#moving[p].show(frameOf(part, k));
    });
    const [time, clip, turns, operator] = [
      doc.playback.times.value[k],
      doc.clip.value,
      doc.turns.value.value,
      doc.operator.value,
    ];
    for (const { rig, surface, model } of this.#rigs) {
      rig.pose(clip, time, turns);
      surface.setOperator(operator === 'mix' && !model.mixWeights ? 'lbs' : operator);
      surface.pose(rig.transforms, rig.morphWeights);
      this.processor.value = surface.processor;
    }
    for (const rig of this.#motions) rig.pose(clip, time);
  }

  #paintRigs(): void {
    const byBone = this.#doc.paint.value === 'bones';
    for (const { surface, model } of this.#rigs) surface.paint(byBone ? boneColours(model) : undefined);
  }

  /** Builds what is drawn of the fit that is selected now. */
  #followFit(): void {
    const entry = this.#doc.fit.value;
    if (entry === this.#fit?.entry) return;
    this.#dropFit();
    if (!entry) return;
    const parts = entry.data.models.map((model) => ({
      ...rigView(model, 'lbs'),
      skinner: new Skinner(model, { operator: 'lbs', normals: false }),
    }));
    const { rmsePercent = 0, maxErrorPercent = 0 } = entry.data.errors;
    const top = roundTop(Math.min(maxErrorPercent, 4 * rmsePercent));
    this.#fit = { entry, parts, top };
    this.heatTop.value = top;
    for (const { surface } of parts) this.#viewport.fitted.add(surface.object);
  }

  /** Poses the fit at frame k of the original, and looks how far off it is. */
  #compare({ entry, parts, top }: FitView, k: number, seen: boolean): void {
    const { sequences } = this.#doc.content;
    const { firstFrame = 0 } = entry.options;
    const { times } = sequences[0];
    const diagonal = entry.data.errors.diagonal;
    let worst: WorstVertex | undefined;
    let before = 0;
    parts.forEach(({ model, rig, surface, skinner }, p) => {
      rig.pose(model.clips[0].name, times[k] - times[firstFrame]);
      surface.pose(rig.transforms, rig.morphWeights);
      const original = frameOf(sequences[p], k);
      const { positions } = skinner.pose(rig.transforms, undefined, rig.morphWeights);
      const errors = frameErrors(original, positions, diagonal);
      surface.paint(this.#colours(model, errors, top));
      const percent = errors.percent[errors.worst];
      if (!worst || percent > worst.percent) {
        const point = new Vector3().fromArray(positions, 3 * errors.worst);
        worst = { point, vertex: before + errors.worst, percent };
      }
      before += errors.percent.length;
    });
    this.worst.value = seen && this.#doc.paint.value === 'error' ? worst : undefined;
  }

  #colours(model: SkinnedModel, { percent }: FrameErrors, top: number): Float32Array | undefined {
    const paint = this.#doc.paint.value;
    if (paint === 'error') return heatColours(percent, top);
    return paint === 'bones' ? boneColours(model) : undefined;
  }

  /** Shows the surface that follows control points while its panel is open. */
  #drive(k: number): boolean {
    const doc = this.#doc;
    const predictor = doc.panel.value === 'learn' ? doc.predictor.value : undefined;
    if (predictor !== this.#driven?.predictor) {
      this.#dropDriven();
      if (predictor) {
        this.#driven = new DrivenView(predictor, this.#viewport, {
          begin: () => {
            doc.playback.playing.value = false;
            doc.points.begin();
          },
          move: (points) => doc.points.set(points),
        });
        this.#viewport.over.add(this.#driven.dots.object);
      }
    }
    if (!this.#driven) return false;
    // The fitted group shows either the fit or this.
    const { fitted } = this.#viewport;
    fitted.add(this.#driven.surface.object);
    for (const { surface } of this.#fit?.parts ?? []) fitted.remove(surface.object);
    const points =
      doc.points.value.value ?? pointsAt(doc.content, this.#driven.predictor.points, this.#driven.predictor.mesh, k);
    doc.reach.value = this.#driven.drive(points);
    return true;
  }

  #showJoints(driving: boolean): void {
    const wanted = this.#doc.joints.value && !driving;
    const rig = wanted ? (this.#fit?.parts[0].rig ?? this.#rigs[0]?.rig ?? this.#motions[0]) : undefined;
    if (rig !== this.#joints?.rig) {
      this.#dropJoints();
      if (rig) {
        this.#joints = { rig, view: new JointsView(rig.skeleton.parents) };
        this.#viewport.over.add(this.#joints.view.object);
      }
    }
    if (this.#joints) this.#joints.view.show(this.#joints.rig.joints());
  }

  #dropFit(): void {
    for (const { surface, skinner } of this.#fit?.parts ?? []) {
      this.#viewport.fitted.remove(surface.object);
      surface.dispose();
      skinner.dispose();
    }
    this.#fit = undefined;
  }

  #dropDriven(): void {
    if (!this.#driven) return;
    const { fitted, over } = this.#viewport;
    fitted.remove(this.#driven.surface.object);
    over.remove(this.#driven.dots.object);
    this.#driven.dispose();
    this.#driven = undefined;
    for (const { surface } of this.#fit?.parts ?? []) fitted.add(surface.object);
  }

  #dropJoints(): void {
    if (!this.#joints) return;
    this.#viewport.over.remove(this.#joints.view.object);
    this.#joints.view.dispose();
    this.#joints = undefined;
  }
}

const rigView = (model: SkinnedModel, operator: SkinnedModel['operator']): RigView => ({
  model,
  rig: new PosedRig(model),
  surface: new SkinnedSurface(model, operator),
});

/** 3n_c: where vertices are in frame k, counted through all parts; at rest where nothing moves. */
function pointsAt({ sequences }: Content, vertices: Uint32Array, mesh: Mesh, k: number): Float64Array {
  const positions =
    sequences.length === 0
      ? mesh.positions
      : sequences.length === 1
        ? frameOf(sequences[0], k)
        : Float32Array.from(sequences.flatMap((part) => [...frameOf(part, k)]));
  return Float64Array.from(
    { length: 3 * vertices.length },
    (_, c) => positions[3 * vertices[Math.floor(c / 3)] + (c % 3)],
  );
}

function upOf({ meshes, sequences, models }: Content): 'x' | 'y' | 'z' {
  const mesh = sequences[0]?.rest ?? models[0]?.mesh ?? meshes[0];
  return mesh?.space?.up ?? 'y';
}

/** Frames, and vertices of each, that are looked at to keep a whole motion in view. */
const LOOKS = 24;
const SAMPLES = 400;

/** Points (3 each) of everything over the whole motion: a sample of the vertices, and what is farthest out. */
function pointsOver(
  { sequences, meshes }: Content,
  rigs: readonly RigView[],
  motions: readonly PosedRig[],
  times: Float64Array,
  clip: string,
): Float32Array {
  const found: number[] = [];
  const add = (points: Float32Array): void => {
    if (points.length === 0) return;
    const { min, max } = boundsOf(points);
    const step = Math.max(1, Math.floor(points.length / 3 / SAMPLES));
    for (let i = 0; i < points.length / 3; i++) {
      const outermost = [0, 1, 2].some((c) => points[3 * i + c] === min[c] || points[3 * i + c] === max[c]);
      if (i % step === 0 || outermost) found.push(points[3 * i], points[3 * i + 1], points[3 * i + 2]);
    }
  };
  for (const mesh of meshes) add(mesh.positions);
  const looks = Array.from({ length: Math.min(LOOKS, times.length) }, (_, l) =>
    Math.round((l * (times.length - 1)) / Math.max(1, Math.min(LOOKS, times.length) - 1)),
  );
  for (const part of sequences) for (const k of looks) add(frameOf(part, k));
  for (const { model, rig } of rigs) {
    const skinner = new Skinner(model, { operator: 'lbs', normals: false });
    for (const k of looks) {
      rig.pose(clip, times[k]);
      add(skinner.pose(rig.transforms, undefined, rig.morphWeights).positions);
    }
    skinner.dispose();
  }
  for (const rig of motions) {
    for (const k of looks) {
      rig.pose(clip, times[k]);
      add(rig.joints());
    }
  }
  return Float32Array.from(found);
}
