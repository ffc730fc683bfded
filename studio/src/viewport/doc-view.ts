import { effect, type Signal, signal } from '@preact/signals-core';
import { Vector3 } from 'three';
import { boundsOf } from '../../../src/mesh/bounds.ts';
import type { Mesh } from '../../../src/model/mesh.ts';
import type { SkinnedModel } from '../../../src/model/skinned-model.ts';
import { Skinner } from '../../../src/skin/skinner.ts';
import { type Content, frameOf } from '../core/content.ts';
import type { Comparison, Doc } from '../core/doc.ts';
import { frameErrors, heatColours } from '../core/frame-errors.ts';
import { inspectedModels, lookAtTurned } from '../core/inspected.ts';
import { pathFrame } from '../core/learn-work.ts';
import { Painter } from '../core/painter.ts';
import { drawnBy } from '../core/rig-operators.ts';
import { verticesOfJoints } from '../core/skin-paints.ts';
import { CoarseView } from './coarse-view.ts';
import { DrivenView } from './driven-view.ts';
import { FitView } from './fit-view.ts';
import { JointPicker } from './joint-picker.ts';
import { JointsView } from './joints.ts';
import { PoseErrors } from './pose-errors.ts';
import { PosedRig } from './posed-rig.ts';
import { SkinnedSurface } from './skinned-surface.ts';
import { MovingSurface, type Surface } from './surface.ts';
import type { Viewport } from './viewport.ts';

/** The vertex that is farthest from its place in the frame shown. */
export interface WorstVertex {
  point: Vector3;
  vertex: number;
  percent: number;
}

/** A joint below the pointer, at a place of the canvas in CSS pixels. */
export interface PointedJoint {
  name: string;
  /** How many vertices follow it. */
  vertices: number;
  x: number;
  y: number;
}

/** A model on the stage with what poses it. */
interface RigView {
  model: SkinnedModel;
  rig: PosedRig;
  surface: SkinnedSurface;
}

/** What a document looks like: follows its signals until it is disposed of. */
export class DocView {
  readonly worst: Signal<WorstVertex | undefined> = signal(undefined);
  readonly processor: Signal<'GPU' | 'CPU'> = signal('GPU');
  readonly pointed: Signal<PointedJoint | undefined> = signal(undefined);
  readonly painter: Painter;
  readonly #doc: Doc;
  readonly #viewport: Viewport;
  readonly #moving: MovingSurface[];
  #rigs: RigView[] = [];
  /** What the rigs were built of. */
  #models: readonly SkinnedModel[] = [];
  #poseErrors?: PoseErrors;
  readonly #motions: PosedRig[];
  #fit?: FitView;
  /** A result in the place of the original. */
  #against?: FitView;
  #coarse?: CoarseView;
  #driven?: DrivenView;
  #joints?: { rig: PosedRig; view: JointsView; vertices: Uint32Array };
  readonly #picker: JointPicker;
  readonly #stop: () => void;

  constructor(doc: Doc, viewport: Viewport) {
    this.#doc = doc;
    this.#viewport = viewport;
    this.painter = new Painter(doc);
    viewport.onPane = (shows) => {
      const layer = shows === 'difference' ? 'difference' : 'own';
      for (const { surface } of this.#fit?.parts ?? []) surface.show(layer);
    };
    this.#picker = new JointPicker(viewport, {
      point: (found) => this.#point(found),
      pick: (joint) => {
        if (doc.rig.isBlendBone(joint)) doc.showBlendBone(joint);
        // Where joints are turned, a press chooses the one to turn.
        else if (doc.panel.peek() === 'rig') doc.joint.value = joint;
        else doc.showInfluence(joint);
      },
    });
    const { sequences, meshes, motions } = doc.content;
    this.#moving = [...sequences.map(({ rest }) => rest), ...meshes].map((mesh) => new MovingSurface(mesh));
    this.#followModels();
    this.#motions = motions.map((motion) => new PosedRig(motion));
    for (const { object } of this.#moving) viewport.original.add(object);
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
    this.#fit?.dispose();
    this.#against?.dispose();
    this.#coarse?.dispose();
    this.#picker.dispose();
    this.#poseErrors?.dispose();
    this.#dropDriven();
    this.#dropJoints();
    const { original, fitted, over } = this.#viewport;
    for (const group of [original, fitted, over]) group.clear();
    this.#viewport.invalidate();
  }

  /** The surface that follows control points, while it is shown. */
  get driven(): DrivenView | undefined {
    return this.#driven;
  }

  /** What turns when a joint is turned by hand. */
  get rig(): PosedRig | undefined {
    return this.#rigs[0]?.rig;
  }

  /** Picks the joint at a place of the canvas, as a click there does. */
  pickAt(pointerType: string, offsetX: number, offsetY: number): void {
    this.#picker.pickAt({ pointerType, offsetX, offsetY });
  }

  #update(): void {
    const doc = this.#doc;
    const frame = doc.playback.frame.value;
    // While a recording plays, what was opened waits.
    const k = doc.learn.shown.value ? 0 : frame;
    this.#followModels();
    lookAtTurned(doc);
    this.#poseOriginal(k);
    this.#followFits();
    const driving = this.#drive(frame);
    const comparison = driving ? 'fitted' : this.#fit ? doc.comparison.value : 'original';
    if (!driving) this.#paint(k, comparison);
    this.#showCoarse(k);
    this.worst.value = !driving && this.#fit ? this.#compare(this.#fit, k, comparison) : undefined;
    this.#showJoints(driving);
    const wireframe = doc.wireframe.value;
    for (const { materials } of this.#surfaces()) materials.wireframe = wireframe;
    const left = this.#against ? this.#against.parts.map(({ surface }) => surface) : this.#moving;
    for (const { materials } of left) materials.ghost = comparison === 'overlay';
    Object.assign(this.#viewport, { comparison, wipe: doc.wipe.value });
    this.#viewport.invalidate();
  }

  #surfaces(): Surface[] {
    const rigs = [...this.#rigs, ...(this.#fit?.parts ?? []), ...(this.#against?.parts ?? [])].map(
      ({ surface }) => surface,
    );
    return [...this.#moving, ...rigs, ...(this.#driven ? [this.#driven.surface] : [])];
  }

  /** Builds what is drawn of the rigs that the operator is shown on. */
  #followModels(): void {
    const { models, operator } = this.#doc;
    if (models.value === this.#models) return;
    for (const { surface } of this.#rigs) {
      this.#viewport.original.remove(surface.object);
      surface.dispose();
    }
    this.#models = models.value;
    this.#rigs = this.#models.map((model) => rigView(model, drawnBy(operator.value, model)));
    for (const { surface } of this.#rigs) this.#viewport.original.add(surface.object);
  }

  /** How far linear blending, with and without blend bones, is from the operator that it is to come close to. */
  #comparePoses(clip: string, time: number): void {
    const { rig, operator, turns, panel } = this.#doc;
    const linearized = operator.value === 'linearized' && panel.value === 'rig' ? rig.linearized.value : undefined;
    if (linearized !== this.#poseErrors?.linearized) {
      this.#poseErrors?.dispose();
      this.#poseErrors = linearized && new PoseErrors(linearized);
    }
    rig.poseError.value = this.#poseErrors?.measure(clip, time, turns.value.value);
  }

  #poseOriginal(k: number): void {
    const doc = this.#doc;
    doc.content.sequences.forEach((part, p) => {
      this.#moving[p].move(frameOf(part, k));
    });
    const [time, clip, turns, operator] = [
      doc.playback.times.value[k],
      doc.clip.value,
      doc.turns.value.value,
      doc.operator.value,
    ];
    for (const { rig, surface, model } of this.#rigs) {
      rig.pose(clip, time, turns);
      surface.setOperator(drawnBy(operator, model));
      surface.pose(rig.transforms, rig.morphWeights);
      this.processor.value = surface.processor;
    }
    for (const rig of this.#motions) rig.pose(clip, time);
    this.#comparePoses(clip, time);
  }

  /** Builds what is drawn of the results that are looked at now. */
  #followFits(): void {
    const { fit, against } = this.#doc;
    const { original, fitted } = this.#viewport;
    const follow = (view: FitView | undefined, entry: typeof fit.value, group: typeof fitted): FitView | undefined => {
      if (entry === view?.entry) return view;
      view?.dispose();
      const next = entry && new FitView(entry);
      for (const { surface } of next?.parts ?? []) group.add(surface.object);
      return next;
    };
    this.#fit = follow(this.#fit, fit.value, fitted);
    this.#against = follow(this.#against, against.value, original);
  }

  /** Shows the original with fewer vertices, where that is asked for; hides it where something else has its place. */
  #showCoarse(k: number): void {
    const { inspection, content } = this.#doc;
    const merged = inspection.merged.value;
    const data = merged > 0 && !this.#against ? this.#doc.coarse().result.value : undefined;
    if (data !== this.#coarse?.data) {
      this.#coarse?.dispose();
      this.#coarse = data && new CoarseView(data);
      if (this.#coarse) this.#viewport.original.add(this.#coarse.object);
    }
    this.#coarse?.show(merged, positionsOf(content, k));
    for (const { object } of this.#moving) object.visible = !this.#against && !this.#coarse;
  }

  /** Poses the results that are shown, and gives surfaces the colours that were chosen. */
  #paint(k: number, comparison: Comparison): void {
    const { sequences } = this.#doc.content;
    this.#rigs.forEach(({ surface, model }, part) => {
      surface.paint(this.painter.colours({ part, model, positions: () => model.mesh.positions }, k));
    });
    const left = comparison !== 'fitted';
    for (const view of [this.#fit, this.#against]) {
      view?.pose(k, sequences[0].times);
      if (view === this.#fit ? comparison === 'original' : !left) continue;
      for (const part of view?.parts ?? []) part.surface.paint(this.painter.colours(part, k));
    }
    if (this.#against || !left) return;
    sequences.forEach((sequence, part) => {
      this.#moving[part].paint(this.painter.colours({ part, positions: () => frameOf(sequence, k) }, k));
    });
  }

  /** How far the result is from what it is compared with: paints it where there is a pane for it, and finds the worst. */
  #compare({ entry, parts }: FitView, k: number, comparison: Comparison): WorstVertex | undefined {
    const side = comparison === 'side';
    const seen = side || (this.#doc.paint.value === 'error' && comparison !== 'original');
    if (!seen) return undefined;
    const { sequences } = this.#doc.content;
    let worst: WorstVertex | undefined;
    let before = 0;
    parts.forEach(({ surface, positions: place }, p) => {
      const positions = place();
      const other = (side && this.#against?.parts[p].positions()) || frameOf(sequences[p], k);
      const errors = frameErrors(other, positions, entry.data.errors.diagonal);
      if (side) surface.paint(heatColours(errors.percent, this.painter.errorTop), 'difference');
      const percent = errors.percent[errors.worst];
      if (!worst || percent > worst.percent) {
        const point = new Vector3().fromArray(positions, 3 * errors.worst);
        worst = { point, vertex: before + errors.worst, percent };
      }
      before += errors.percent.length;
    });
    return worst;
  }

  /** Shows the surface that follows control points while its panel is open. */
  #drive(k: number): boolean {
    const doc = this.#doc;
    const predictor = doc.panel.value === 'learn' ? doc.predictor.value : undefined;
    if (predictor !== this.#driven?.predictor) {
      this.#dropDriven();
      if (predictor) {
        this.#driven = new DrivenView(predictor, this.#viewport, {
          begin: (point) => {
            doc.playback.playing.value = false;
            doc.learn.point.value = point;
            doc.points.begin();
          },
          move: (points) => doc.points.set(points),
          pin: (point) => doc.togglePin(point),
        });
        this.#viewport.over.add(this.#driven.object);
      }
    }
    if (!this.#driven) return false;
    // The fitted group shows either the fit or this.
    const { fitted } = this.#viewport;
    fitted.add(this.#driven.surface.object);
    for (const { surface } of this.#fit?.parts ?? []) fitted.remove(surface.object);
    const take = doc.learn.shown.value;
    const width = 3 * predictor!.points.length;
    const dragged = doc.points.value.value;
    // An undo may bring back what belongs to an earlier predictor.
    const points =
      (dragged?.length === width ? dragged : undefined) ??
      (take && take.points.length === width * take.times.length
        ? pathFrame(take, k)
        : pointsAt(doc.content, predictor!.points, predictor!.mesh, k));
    this.#driven.pins = doc.learn.pins.value;
    doc.learn.now = points;
    doc.reach.value = this.#driven.drive(points);
    return true;
  }

  #showJoints(driving: boolean): void {
    const wanted = this.#doc.joints.value && !driving;
    const skeleton = inspectedModels(this.#doc)[0]?.skeleton;
    const own = this.#rigs.find(({ model }) => model.skeleton === skeleton)?.rig;
    const rig = wanted ? (this.#fit?.parts[0].rig ?? own ?? this.#motions[0]) : undefined;
    if (rig !== this.#joints?.rig) {
      this.#dropJoints();
      if (rig) {
        const skins = inspectedModels(this.#doc).map(({ weights }) => weights);
        const vertices = verticesOfJoints(skins, rig.skeleton);
        const blends = Array.from(vertices.keys()).filter(
          (j) => rig.skeleton === this.#rigs[0]?.rig.skeleton && this.#doc.rig.isBlendBone(j),
        );
        this.#joints = { rig, vertices, view: new JointsView(rig.skeleton.parents, vertices, blends) };
        this.#viewport.over.add(this.#joints.view.object);
      }
    }
    if (!this.#joints) return;
    const positions = this.#fit?.joints() ?? this.#joints.rig.joints();
    const { joint, paint } = this.#doc;
    const marked = paint.value === 'influence' && joint.value < this.#joints.vertices.length;
    this.#joints.view.show(positions, marked ? joint.value : undefined);
    this.#picker.positions = positions;
    this.#picker.pickable = this.#joints.vertices;
  }

  #point(found: { joint: number; x: number; y: number } | undefined): void {
    const { rig, vertices } = this.#joints ?? {};
    this.pointed.value = found &&
      rig &&
      vertices && {
        name: rig.skeleton.names[found.joint] || `joint ${found.joint}`,
        vertices: vertices[found.joint],
        x: found.x,
        y: found.y,
      };
  }

  #dropDriven(): void {
    if (!this.#driven) return;
    const { fitted, over } = this.#viewport;
    fitted.remove(this.#driven.surface.object);
    over.remove(this.#driven.object);
    this.#driven.dispose();
    this.#driven = undefined;
    for (const { surface } of this.#fit?.parts ?? []) fitted.add(surface.object);
  }

  #dropJoints(): void {
    if (!this.#joints) return;
    this.#viewport.over.remove(this.#joints.view.object);
    this.#joints.view.dispose();
    this.#joints = undefined;
    this.#picker.positions = undefined;
    this.pointed.value = undefined;
  }
}

const rigView = (model: SkinnedModel, operator: SkinnedModel['operator']): RigView => ({
  model,
  rig: new PosedRig(model),
  surface: new SkinnedSurface(model, operator),
});

/** 3N of all parts, one after the other, in frame k. */
function positionsOf({ sequences }: Content, k: number): Float32Array {
  if (sequences.length === 1) return frameOf(sequences[0], k);
  const parts = sequences.map((part) => frameOf(part, k));
  const out = new Float32Array(parts.reduce((sum, { length }) => sum + length, 0));
  parts.reduce((at, part) => {
    out.set(part, at);
    return at + part.length;
  }, 0);
  return out;
}

/** 3n_c: where vertices are in frame k, counted through all parts; at rest where nothing moves. */
function pointsAt(content: Content, vertices: Uint32Array, mesh: Mesh, k: number): Float64Array {
  const positions = content.sequences.length === 0 ? mesh.positions : positionsOf(content, k);
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
