import { computed, effect, type Signal, signal } from '@preact/signals-core';
import { Vector3 } from 'three';
import { type Bounds, boundsOf } from '../../../src/doors/mesh.ts';
import { STRETCHED } from '../../../src/learn/strain.ts';
import { followPair } from '../core/cloth/start-train.ts';
import { frameOf, positionsOf, spaceOf } from '../core/content/content.ts';
import type { Doc } from '../core/doc.ts';
import { errorText } from '../core/fit/error-text.ts';
import { coarseOf, followCoarse } from '../core/inspect/coarse.ts';
import { lookAtOwnJoint } from '../core/inspect/inspected.ts';
import { dragPoints, drivenPoints, togglePin } from '../core/learn/driving.ts';
import { frameErrors, heatColours } from '../core/paint/frame-errors.ts';
import { Painter } from '../core/paint/painter.ts';
import { besideOf, operatorPanes } from '../core/rig/operator-panes.ts';
import { PosedRig } from '../core/rig/posed-rig.ts';
import type { Comparison } from '../core/view/looks.ts';
import { markedPane, standsIn } from '../core/view/panes.ts';
import { driven, type Ring, shownPanes } from '../core/view/view-labels.ts';
import { CoarseView } from './coarse-view.ts';
import { DrivenView, type Experience } from './driven-view.ts';
import { FitView } from './fit-view.ts';
import { pointsOver } from './framing.ts';
import { JointsOver } from './joints-over.ts';
import { setTone } from './materials.ts';
import { PanelViews } from './panel-views.ts';
import { decoded } from './pictures.ts';
import { type RigPart, RigsView } from './rigs-view.ts';
import { isShown, MovingSurface, type Surface } from './surface.ts';
import type { Viewport } from './viewport.ts';

/** What the panels need of the view. */
export interface Shown {
  viewport: Viewport;
  view: DocView;
}

/** A ringed place: where the error is largest in the current frame. */
export interface WorstPlace {
  point: Vector3;
  text: string;
}

/** The objects of a document: tracks its signals until disposed. */
export class DocView {
  readonly worst: Signal<WorstPlace | undefined> = signal(undefined);
  readonly processor: Signal<'GPU' | 'CPU'> = signal('GPU');
  readonly joints: JointsOver;
  readonly painter: Painter;
  readonly #doc: Doc;
  readonly #viewport: Viewport;
  readonly #moving: MovingSurface[];
  readonly #rigs: RigsView;
  /** The rigs by another operator. */
  #beside?: RigsView;
  readonly #motions: PosedRig[];
  #fit?: FitView;
  /** A result shown in place of the original. */
  #against?: FitView;
  #coarse?: CoarseView;
  #driven?: DrivenView;
  readonly #ofPanels: PanelViews;
  readonly #stops: (() => void)[];

  constructor(doc: Doc, viewport: Viewport) {
    this.#doc = doc;
    this.#viewport = viewport;
    this.painter = new Painter(doc);
    viewport.onPane = (shows) => {
      setTone(doc.wireframe.peek(), viewport.stage.dark);
      const layer = shows === 'difference' ? 'difference' : 'own';
      for (const { surface } of this.#fit?.parts ?? []) surface.layers.show(layer);
      this.#ofPanels.show(shows);
      for (const { surface } of this.#rigs.parts) surface.object.visible = !standsIn(shows) && shows !== 'beside';
      for (const { surface } of this.#beside?.parts ?? []) surface.object.visible = shows === 'beside';
      const casting = this.#surfaces().filter(({ object }) => object.parent && isShown(object));
      viewport.stage.caster = unionOf(casting.map(({ bounds }) => bounds));
      viewport.physical = casting.some(({ materials, layers }) => materials.physical && !layers.painted);
    };
    viewport.onMoment = async (seconds) => this.#ofPanels.cloth.peek()?.goOn(seconds);
    this.joints = new JointsOver(doc, viewport);
    const { sequences, meshes, motions } = doc.content;
    this.#moving = [...sequences.map(({ rest }) => rest), ...meshes].map((mesh) => new MovingSurface(mesh));
    this.#rigs = new RigsView(doc, viewport.original);
    this.#motions = motions.map((motion) => new PosedRig(motion));
    for (const { object } of this.#moving) viewport.original.add(object);
    viewport.frame(pointsOver(doc, this.#rigs.parts, this.#motions), spaceOf(doc.content).up);
    this.#ofPanels = new PanelViews(doc, viewport, (event) => this.joints.picker.at(event) !== undefined);
    this.#stops = [effect(() => followCoarse(doc)), effect(() => followPair(doc)), effect(() => this.#update())];
  }

  dispose(): void {
    for (const stop of this.#stops) stop();
    this.#ofPanels.dispose();
    for (const surface of this.#moving) surface.dispose();
    this.#rigs.dispose();
    this.#beside?.dispose();
    this.#fit?.dispose();
    this.#against?.dispose();
    this.#coarse?.dispose();
    this.joints.dispose();
    this.#dropDriven();
    const { original, fitted, over } = this.#viewport;
    for (const group of [original, fitted, over]) group.clear();
    this.#viewport.invalidate();
  }

  /** The surface driven by control points, while shown. */
  get driven(): DrivenView | undefined {
    return this.#driven;
  }

  /** Called for every animation frame, with the seconds since the last. */
  tick(seconds: number): void {
    this.#ofPanels.tick(seconds);
  }

  /** 12: axes and place of the joint turned by hand. */
  jointFrame(joint: number): Float64Array {
    return this.#rigs.jointFrame(joint);
  }

  /** The worst place in the last frame, if visible: on the canvas, in CSS pixels. */
  get ring(): Ring | undefined {
    const worst = this.worst.peek();
    const place = worst && this.#viewport.eye.project(worst.point);
    if (!place) return undefined;
    const { panes, size } = this.#viewport;
    const [from, to] = markedPane(panes).seen.map((share) => share * size.width);
    return place.x < from || place.x > to ? undefined : { ...place, text: worst.text, pane: [from, to] };
  }

  /** Picks the joint at a place of the canvas, like a click. */
  pickAt(pointerType: string, offsetX: number, offsetY: number): void {
    this.joints.picker.pickAt({ pointerType, offsetX, offsetY });
  }

  #update(): void {
    const doc = this.#doc;
    const frame = doc.playback.frame.value;
    void decoded.value;
    // While a recording plays, the motion waits.
    const k = doc.learn.shown.value ? 0 : frame;
    this.#rigs.follow();
    this.#followBeside();
    lookAtOwnJoint(doc);
    this.#poseOriginal(k);
    this.#ofPanels.showPair(k);
    this.#followFits();
    const driven = this.#drive(frame);
    const driving = driven !== undefined;
    const comparison = driving ? 'fitted' : this.#fit ? doc.comparison.value : 'original';
    if (!driving) this.#paint(k, comparison);
    this.#showCoarse(k);
    this.worst.value = driven ? stretchedPlace(driven) : this.#fit && this.#compare(this.#fit, k, comparison);
    this.joints.show({ fit: this.#fit, parts: this.#rigs.parts, motions: this.#motions }, doc.joints.value && !driving);
    this.#dress(comparison);
    Object.assign(this.#viewport, { comparison, wipe: doc.wipe.value, contents: shownPanes(doc) });
    // Rigs have their own clips, and joints turned by hand.
    this.#viewport.stage.roaming = driving || doc.content.models.length > 0;
    this.#viewport.invalidate();
  }

  /** Looks of surfaces, ground and lights. */
  #dress(comparison: Comparison): void {
    const { wireframe, look, ground, environment, exposure, orthographic } = this.#doc;
    const ghosts = comparison === 'overlay' ? this.#left() : [];
    for (const surface of this.#surfaces()) {
      const { materials, layers } = surface;
      Object.assign(materials, { wireframe: wireframe.value, look: look.value, ghost: ghosts.includes(surface) });
      layers.show();
    }
    this.#viewport.stage.grounded = ground.value;
    this.#viewport.eye.orthographic = orthographic.value;
    this.#viewport.materialLight = { environment: environment.value, exposure: exposure.value };
  }

  #surfaces(): Surface[] {
    const rigs = [...this.#rigs.parts, ...(this.#beside?.parts ?? []), ...(this.#fit?.parts ?? [])].map(
      ({ surface }) => surface,
    );
    const driven = this.#driven ? [this.#driven.surface] : [];
    return [...this.#moving, ...this.#left(), ...rigs, ...driven, ...this.#ofPanels.surfaces];
  }

  /** What is shown in place of the original. */
  #left(): readonly Surface[] {
    if (this.#against) return this.#against.parts.map(({ surface }) => surface);
    return this.#coarse?.surface ? [this.#coarse.surface] : this.#moving;
  }

  #poseOriginal(k: number): void {
    const doc = this.#doc;
    doc.content.sequences.forEach((part, p) => {
      this.#moving[p].move(frameOf(part, k));
    });
    const now = { time: doc.playback.times.value[k], clip: doc.clip.value, turns: doc.turns.value.value };
    // A body is shown as its garment has met it.
    const { time, clip, turns } = this.#ofPanels.cloth.value?.moment.value ?? now;
    this.#rigs.pose(clip, time, turns);
    this.#beside?.pose(clip, time, turns);
    this.#ofPanels.pose(k, clip, time, turns);
    this.processor.value = this.#rigs.processor;
    for (const rig of this.#motions) rig.pose(clip, time);
  }

  /** Another operator beside the chosen one, while there is a pane for it. */
  #followBeside(): void {
    const doc = this.#doc;
    if (!operatorPanes(doc)) {
      this.#beside?.dispose();
      this.#beside = undefined;
    } else if (this.#beside) this.#beside.follow();
    else {
      this.#beside = new RigsView(
        doc,
        this.#viewport.original,
        computed(() => besideOf(doc)),
      );
    }
  }

  /** Builds the objects of the visible results. */
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
    this.#fit = follow(this.#fit, this.#ofPanels.soFar.value ? undefined : fit.value, fitted);
    this.#against = follow(this.#against, against.value, original);
  }

  /** Shows the decimated original if asked for; hides it if something else is in its place. */
  #showCoarse(k: number): void {
    const { inspection, content } = this.#doc;
    const merged = inspection.merged.value;
    const data = merged > 0 && !this.#against ? coarseOf(this.#doc).result.value : undefined;
    if (data !== this.#coarse?.data) {
      this.#coarse?.dispose();
      this.#coarse = data && new CoarseView(data);
      if (this.#coarse) this.#viewport.original.add(this.#coarse.object);
    }
    this.#coarse?.show(merged, positionsOf(content, k));
    for (const { object } of this.#moving) object.visible = !this.#against && !this.#coarse;
  }

  /** Poses the visible results and paints surfaces. */
  #paint(k: number, comparison: Comparison): void {
    const { sequences } = this.#doc.content;
    const paintRig = ({ surface, model }: RigPart, part: number) => {
      surface.layers.paint(this.painter.colours({ part, model, positions: () => model.mesh.positions }, k));
    };
    this.#rigs.parts.forEach(paintRig);
    this.#beside?.parts.forEach(paintRig);
    const left = comparison !== 'fitted';
    for (const view of [this.#fit, this.#against]) {
      view?.pose(k, sequences[0].times);
      if (view === this.#fit ? comparison === 'original' : !left) continue;
      for (const part of view?.parts ?? []) part.surface.layers.paint(this.painter.colours(part, k));
    }
    if (this.#against || !left) return;
    // Beside its result the original stays plain; alone it is painted.
    const followers = comparison === 'original' ? this.#fit?.parts : undefined;
    sequences.forEach((sequence, part) => {
      const follower = followers?.[part].model;
      this.#moving[part].layers.paint(
        this.painter.colours({ part, follower, positions: () => frameOf(sequence, k) }, k),
      );
    });
  }

  /** Paints the difference, if there is a pane for it, and finds the worst vertex. */
  #compare({ entry, parts }: FitView, k: number, comparison: Comparison): WorstPlace | undefined {
    const side = comparison === 'side';
    const seen = side || (this.#doc.paint.value === 'error' && comparison !== 'original');
    if (!seen) return undefined;
    const { sequences } = this.#doc.content;
    let worst: WorstPlace | undefined;
    let most = -1;
    parts.forEach(({ surface, positions: place }, p) => {
      const positions = place();
      const other = (side && this.#against?.parts[p].positions()) || frameOf(sequences[p], k);
      const errors = frameErrors(other, positions, entry.data.errors.diagonal);
      if (side) surface.layers.paint(heatColours(errors.percent, this.painter.errorTop), 'difference');
      const percent = errors.percent[errors.worst];
      if (percent <= most) return;
      most = percent;
      const point = new Vector3().fromArray(positions, 3 * errors.worst);
      worst = { point, text: `worst ${errorText(percent)} %` };
    });
    return worst;
  }

  /** Shows the driven surface while its panel is open. */
  #drive(k: number): Experience | undefined {
    const doc = this.#doc;
    const predictor = driven(doc) ? doc.predictor.value : undefined;
    if (predictor !== this.#driven?.predictor) {
      this.#dropDriven();
      if (predictor) {
        this.#driven = new DrivenView(predictor, this.#viewport, {
          begin: (point) => {
            doc.playback.playing.value = false;
            doc.learn.point.value = point;
            doc.points.begin();
          },
          move: (points, held) => dragPoints(doc, points, held),
          pin: (point) => togglePin(doc, point),
        });
        this.#viewport.over.add(this.#driven.object);
      }
    }
    if (!this.#driven) return undefined;
    // The fitted group shows either the fit or the driven surface.
    const { fitted } = this.#viewport;
    fitted.add(this.#driven.surface.object);
    for (const { surface } of this.#fit?.parts ?? []) fitted.remove(surface.object);
    const points = drivenPoints(doc, this.#driven.predictor, k);
    this.#driven.pins = doc.learn.pins.value;
    this.#driven.whole = doc.learn.whole.value;
    doc.learn.now = points;
    const found = this.#driven.drive(points);
    doc.reach.value = found.distance;
    doc.learn.strain.value = found.strain;
    return found;
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
}

/** Undefined if it is on one, and if there are none. */
function unionOf(boxes: readonly (Bounds | undefined)[]): Bounds | undefined {
  if (boxes.length === 0 || boxes.includes(undefined)) return undefined;
  return boundsOf(boxes.flatMap((box) => [...box!.min, ...box!.max]));
}

const stretchedPlace = ({ strain = 0, place }: Experience): WorstPlace | undefined =>
  place && strain > STRETCHED ? { point: place, text: `stretched ${strain.toFixed(1)} ×` } : undefined;
