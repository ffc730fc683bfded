import { effect, type Signal, signal } from '@preact/signals-core';
import { diagonalOf } from '../../../src/doors/mesh.ts';
import { explain } from '../../../src/index.ts';
import { BodyRig, type Moment } from '../core/cloth/body-rig.ts';
import { ClothClock } from '../core/cloth/cloth-clock.ts';
import { ClothLink } from '../core/cloth/cloth-link.ts';
import { clothPanes } from '../core/cloth/cloth-panes.ts';
import type { Dress } from '../core/cloth/dress.ts';
import type { Doc } from '../core/doc.ts';
import { levelPanes } from '../core/levels/level-panes.ts';
import { operatorPanes } from '../core/rig/operator-panes.ts';
import type { ClothContent, Pane, PaneContent } from '../core/view/panes.ts';
import type { ClothPose, WornCloth } from '../worker/cloth-protocol.ts';
import { ClothGrip, firstHit, type Held, nearestPoint } from './cloth-grip.ts';
import { EdgedSurface } from './edged-surface.ts';
import { MovingSurface, type Surface } from './surface.ts';
import type { Viewport } from './viewport.ts';

/** Cloth that moves less between two pictures hangs still, in diagonals. */
const CALM = 1e-4;
/** Steps that the shown time is an average of. */
const AVERAGE = 30;

/** A garment on the stage, simulated while time passes. The body is shown in the pose that the garment was simulated for. */
export class ClothView {
  readonly dress: Dress;
  /** The pose of the body; undefined until the garment is on. */
  readonly moment: Signal<Moment | undefined> = signal(undefined);
  readonly #doc: Doc;
  readonly #viewport: Viewport;
  readonly #body: BodyRig;
  readonly #clock = new ClothClock();
  readonly #link: ClothLink;
  readonly #grip: ClothGrip;
  readonly #stops: (() => void)[] = [];
  #worn?: WornCloth;
  #pose?: ClothPose;
  #shown?: { folds: MovingSurface; embedding: MovingSurface; coarse: EdgedSurface };
  #held?: Held;
  #least = 0;
  #busy = true;
  #stepping?: Promise<void>;
  #ended = false;
  /** Lets the player go on, which waits for the garment. */
  #resume?: () => void;
  #resets: number;
  #spent = { steps: 0, milliseconds: 0 };

  /** @param isTaken Whether something before the cloth takes a press. */
  constructor(doc: Doc, viewport: Viewport, dress: Dress, isTaken: (event: PointerEvent) => boolean) {
    this.dress = dress;
    this.#doc = doc;
    this.#viewport = viewport;
    this.#body = new BodyRig(doc);
    this.#resets = doc.cloth.resets.peek();
    this.#grip = new ClothGrip(viewport, {
      at: (event, pane) => (isTaken(event) ? undefined : this.#at(event, pane)),
      move: (held) => {
        this.#held = held;
        this.#clock.stir();
      },
    });
    // The body waits for its garment.
    const { playing } = doc.playback;
    const played = playing.peek();
    playing.value = false;
    this.#resume = () => {
      playing.value ||= played;
      this.#resume = undefined;
    };
    const moment = this.#moment();
    this.#body.pose(moment);
    const { breeze, bending, state } = doc.cloth;
    state.value = { kind: 'dressing', progress: { label: 'starting' } };
    const wearing = { dress, model: this.#body.model, transforms: this.#body.transforms };
    this.#link = new ClothLink(
      { ...wearing, breeze: breeze.value.peek(), bending: bending.value.peek() },
      (progress) => {
        state.value = { kind: 'dressing', progress };
      },
    );
    this.#link.worn.then(
      (worn) => {
        if (this.#ended) return;
        this.#put(worn);
        this.moment.value = moment;
        state.value = { kind: 'on', facts: worn.facts };
        this.#follow();
        this.#resume?.();
      },
      (error: unknown) => this.#fail(error),
    );
  }

  /** The surfaces on the stage. */
  get surfaces(): Surface[] {
    if (!this.#shown) return [];
    const { folds, embedding, coarse } = this.#shown;
    return [folds, embedding, coarse.surface];
  }

  /** Shows what a pane is about. */
  show(content: PaneContent): void {
    if (!this.#shown) return;
    // Levels and operators are of the body alone, and so is what they are compared with.
    const isWorn = content === 'original' && !levelPanes(this.#doc) && !operatorPanes(this.#doc);
    for (const [name, { object }] of Object.entries(this.#shown)) {
      object.visible = name === content || (name === 'folds' && isWorn);
    }
  }

  /** Called for every animation frame: simulates if time has passed. */
  tick(seconds: number): void {
    const { playback, cloth } = this.#doc;
    if (this.#held) this.#clock.stir();
    this.#clock.tick(seconds, playback.speed.peek(), playback.playing.peek(), playback.last === 0);
    const reset = cloth.resets.peek() !== this.#resets;
    if (this.#busy || this.#viewport.filming || !(this.#clock.runs || reset)) return;
    this.#resets = cloth.resets.peek();
    this.#stepping = this.#step(this.#clock.take(), reset);
  }

  /** For pictures one by one: simulates so many seconds; at first the garment is put on anew. */
  async goOn(seconds: number | undefined): Promise<void> {
    await this.#stepping;
    if (!this.#ended && this.#shown) await this.#step(seconds ?? 0, seconds === undefined);
  }

  dispose(): void {
    this.#ended = true;
    this.#link.end();
    this.#resume?.();
    for (const stop of this.#stops) stop();
    this.#grip.dispose();
    this.#body.dispose();
    this.#drop();
    this.#doc.cloth.state.value = { kind: 'off' };
    this.#doc.cloth.stepTime.value = undefined;
  }

  /** What moves the cloth while the player is paused. */
  #follow(): void {
    const { turns, cloth, playback, clip } = this.#doc;
    let played = false;
    this.#stops.push(
      effect(() => {
        const playing = playback.playing.value;
        void [turns.value.value, cloth.breeze.value.value, cloth.bending.value.value, clip.value, cloth.look.value];
        if (!playing) void playback.frame.value;
        if (played && !playing) this.#clock.pause();
        else this.#clock.stir();
        played = playing;
      }),
    );
  }

  #moment(): Moment {
    const { clip, playback, turns } = this.#doc;
    return { clip: clip.peek(), time: playback.time, turns: turns.value.peek() };
  }

  async #step(seconds: number, reset: boolean): Promise<void> {
    const { breeze, bending } = this.#doc.cloth;
    const moment = this.#moment();
    this.#body.pose(moment);
    this.#busy = true;
    const shows = new Set<ClothContent>(clothPanes(this.#doc));
    const { vertex, point } = this.#held ?? {};
    try {
      const pose = await this.#link.step({
        transforms: this.#body.transforms,
        seconds,
        reset,
        breeze: breeze.value.peek(),
        bending: bending.value.peek(),
        shows: { embedding: shows.has('embedding'), coarse: shows.has('coarse') },
        ...(point && { grip: { vertex: vertex!, place: point.toArray() } }),
      });
      if (this.#ended) return;
      this.#busy = false;
      this.#clock.calm = this.#isCalm(pose);
      this.#move(pose);
      this.#count(pose);
      this.moment.value = moment;
      this.#viewport.invalidate();
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Whether nothing moves it, and it hardly moves. */
  #isCalm({ folds }: ClothPose): boolean {
    if (this.#held || this.#doc.cloth.breeze.value.peek().speed > 0) return false;
    const before = this.#pose!.folds;
    return folds.every((x, c) => Math.abs(x - before[c]) < this.#least);
  }

  #put(worn: WornCloth): void {
    this.#worn = worn;
    this.#least = CALM * diagonalOf(worn.mesh.positions);
    this.#shown = {
      folds: new MovingSurface(worn.mesh),
      embedding: new MovingSurface(worn.mesh),
      coarse: new EdgedSurface(worn.coarse),
    };
    for (const { object } of Object.values(this.#shown)) this.#viewport.original.add(object);
    this.#move(worn.pose);
    this.#busy = false;
  }

  #move(pose: ClothPose): void {
    this.#pose = { ...this.#pose, ...pose };
    const { folds, embedding, coarse } = this.#shown!;
    folds.move(pose.folds);
    if (pose.embedding) embedding.move(pose.embedding);
    if (pose.coarse) coarse.surface.move(pose.coarse);
  }

  #count({ steps, milliseconds }: ClothPose): void {
    this.#spent.steps += steps;
    this.#spent.milliseconds += milliseconds;
    if (this.#spent.steps < AVERAGE) return;
    this.#doc.cloth.stepTime.value = this.#spent.milliseconds / this.#spent.steps;
    this.#spent = { steps: 0, milliseconds: 0 };
  }

  #fail(error: unknown): void {
    if (this.#ended) return;
    this.#link.end();
    this.#resume?.();
    this.#drop();
    this.moment.value = undefined;
    this.#doc.cloth.state.value = { kind: 'failed', message: explain(error) };
  }

  #drop(): void {
    for (const surface of Object.values(this.#shown ?? {})) {
      surface.object.removeFromParent();
      surface.dispose();
    }
    this.#shown = undefined;
  }

  #at({ offsetX, offsetY }: PointerEvent, { shows, ...pane }: Pane): Held | undefined {
    if (!this.#worn || !this.#pose || !this.#shown) return undefined;
    const ray = this.#viewport.eye.rayAt(offsetX, offsetY, { shows, ...pane });
    const { folds } = this.#pose;
    const found =
      shows === 'coarse'
        ? firstHit(ray, this.#pose.coarse ?? this.#worn.coarse.positions, this.#worn.coarse.triangles)
        : firstHit(ray, (shows === 'embedding' && this.#pose.embedding) || folds, this.#worn.mesh.triangles);
    if (!found) return undefined;
    this.#body.pose(this.moment.peek()!);
    const body = firstHit(ray, this.#body.surface(), this.#body.model.mesh.triangles);
    if (body && body.distanceTo(ray.origin) < found.distanceTo(ray.origin)) return undefined;
    return { vertex: nearestPoint(folds, found), point: found };
  }
}
