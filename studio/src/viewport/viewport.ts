import { Group, type WebGLRenderer } from 'three';
import type { Camera, Comparison } from '../core/view/looks.ts';
import { type Pane, type PaneContent, panesOf, shapeOf } from '../core/view/panes.ts';
import { Eye } from './eye.ts';
import { Pace } from './pace.ts';
import { PaneTarget } from './pane-target.ts';
import { canvasOf, sharedRenderer } from './renderer.ts';
import { PLAIN, SOFT } from './shadows.ts';
import { Stage, type Up } from './stage.ts';

/**
 * Two scenes in one canvas with one camera: what was, and what became of it. Draws only when something has changed, as
 * sharply as there is time for.
 */
export class Viewport {
  /** Where pictures are seen. */
  readonly canvas: HTMLCanvasElement;
  readonly stage = new Stage();
  readonly eye: Eye;
  readonly original = new Group();
  readonly fitted = new Group();
  /** What is in front of both: joints, handles, marks. */
  readonly over = new Group();
  comparison: Comparison = 'original';
  /** 0…1. */
  wipe = 0.5;
  /** Called as each picture is drawn: what lies over it finds its place. What that returns is called when it is seen. */
  readonly drawn = new Set<() => () => void>();
  /** Called when the eye has moved. */
  onLook: (camera: Camera) => void = () => {};
  /** Called before a pane is drawn. */
  onPane: (shows: PaneContent) => void = () => {};
  readonly #renderer: WebGLRenderer;
  readonly #target: PaneTarget;
  /** CSS pixels. */
  #size = { width: 0, height: 0 };
  readonly #software: boolean;
  readonly #pace: Pace;
  /** Canvas pixels for one of CSS in a sharp picture. */
  #full = pixelRatio();
  #stale = true;
  /** What shadows are there of, unless something but the eye has moved since. */
  #shadows?: PaneContent;
  /** Of a picture that is drawn, or on its way, and not shown yet: what puts things in their places over it. */
  #fresh?: (() => void)[];
  /** Milliseconds that the page itself worked since the last look at its pace, but for what showing pictures took. */
  #busy = 0;
  #disposed = false;
  /** The size to go back to, while pictures of another are taken. */
  #held?: { width: number; height: number };

  /** Throws where the browser has no WebGL 2. Only one is alive at a time: they share the renderer and its canvas. */
  constructor() {
    const shared = sharedRenderer();
    const { renderer, screen } = shared;
    this.canvas = canvasOf(shared);
    this.#renderer = renderer;
    this.#software = screen !== undefined;
    this.#target = new PaneTarget(renderer, screen);
    // Where the processor draws, what moves has hard edges, of surfaces and of their shadows.
    this.#pace = new Pace(this.#software);
    renderer.domElement.addEventListener('webglcontextrestored', this.#redraw);
    this.stage.scene.add(this.original, this.fitted, this.over);
    this.eye = new Eye(this, () => {
      // Shadows stay where they are.
      this.#stale = true;
      // Pictures of another size have a camera of their own.
      if (!this.#held) this.onLook(this.eye.place);
    });
  }

  /** Where things are shown. */
  get panes(): Pane[] {
    const { width, height } = this.#size;
    return panesOf(this.comparison, this.wipe, shapeOf(width, height));
  }

  /** CSS pixels of what is drawn. */
  get size(): { width: number; height: number } {
    return this.#size;
  }

  /** Of a sharp picture of the whole view, in pixels. */
  get pixels(): { width: number; height: number } {
    const { width, height } = this.#held ?? this.#size;
    return { width: Math.floor(width * this.#full), height: Math.floor(height * this.#full) };
  }

  /** Asks for a new picture. */
  invalidate(): void {
    this.#stale = true;
    this.#shadows = undefined;
  }

  resize(width: number, height: number): void {
    if (this.#held) this.#held = { width, height };
    else {
      // The canvas follows with the next picture: until then it has none.
      this.#size = { width, height };
      this.invalidate();
    }
  }

  /** Stands so that all points (3 each, in the file's own axes) are in view; the ground goes below the lowest. */
  frame(points?: Float32Array, up?: Up): void {
    this.eye.frame(points, up);
    this.stage.fit(this.eye.ground);
    this.invalidate();
  }

  /** The same view as at first. */
  reset(): void {
    this.frame();
  }

  /**
   * Works with pictures of another size, whatever the window does meanwhile. `work` gets what draws one, with the camera so
   * far (0…1) around; the canvas has it until the next is drawn.
   */
  async atSize<T>(width: number, height: number, work: (draw: (turn: number) => void) => Promise<T>): Promise<T> {
    const mine = () => {
      if (this.#disposed)
        throw new Error('Stopped when another tab came to the front: the animation is drawn from this view.');
    };
    // The canvas serves another view by then.
    mine();
    const { place } = this.eye;
    this.#held = this.#size;
    this.#size = { width, height };
    this.#forget();
    this.canvas.classList.add('held');
    try {
      return await work((turn) => {
        mine();
        this.look(place, turn);
        this.#drawNow(true);
      });
    } finally {
      this.#size = this.#held;
      this.#held = undefined;
      if (!this.#disposed) {
        this.canvas.classList.remove('held');
        this.look(place);
      }
    }
  }

  /** Looks from where someone looked before, or so far (0…1) around from there. */
  look(place: Camera, turn = 0): void {
    this.eye.look(place, turn);
    this.invalidate();
  }

  /** An animation frame: draws if something has changed. @param busy ms that the page itself worked in the last one. */
  animate(now: number, busy: number): void {
    // Pictures of another size are drawn by those who want them.
    if (this.#held) return;
    this.#busy += busy;
    // A window that is dragged to a finer screen keeps its size.
    if (this.#full !== pixelRatio()) this.invalidate();
    this.#full = pixelRatio();
    // Another picture is begun when the last one is there.
    if (this.#target.busy) return;
    const [before, shown] = [this.#busy, this.#show()];
    this.#busy = -shown;
    const ratio = this.#pace.next({ now, changed: this.#stale, busy: before, full: this.#full });
    if (ratio === undefined) return;
    this.#draw(ratio, this.#pace.rough);
    // One that is drawn aside takes a while.
    if (!this.#software) this.#busy -= this.#show();
  }

  /** A sharp picture, with a pixel for each of CSS, that is there at once. @param opaque Whether all of it is. */
  #drawNow(opaque: boolean): void {
    this.#forget();
    this.#draw(1);
    this.#show(opaque);
  }

  /** @param ratio Canvas pixels for one of CSS. @param rough Whether what there is to see moves, and time is short. */
  #draw(ratio: number, rough = false): void {
    const { width, height } = this.#size;
    this.#stale = false;
    // A card that is lost says so when it is back.
    if (width === 0 || height === 0 || this.#renderer.getContext().isContextLost()) return;
    this.stage.setDistance(this.eye.clear);
    if (this.stage.drawShadows(rough ? PLAIN : SOFT)) this.#shadows = undefined;
    this.#target.begin(this.#size, ratio, !rough);
    for (const pane of this.panes) this.#drawPane(pane, width, height);
    this.#target.end();
    this.#renderer.shadowMap.autoUpdate = true;
    this.#fresh = Array.from(this.drawn, (place) => place());
  }

  /** Milliseconds that it took, without what lies over the picture. */
  #show(opaque = true): number {
    const over = this.#fresh;
    if (!over) return 0;
    this.#fresh = undefined;
    const begun = performance.now();
    this.#target.show(opaque);
    const shown = performance.now() - begun;
    for (const put of over) put();
    return shown;
  }

  /** The picture that is on its way is not wanted any more. */
  #forget(): void {
    this.#fresh = undefined;
    this.#target.drop();
  }

  readonly #redraw = (): void => {
    this.#forget();
    this.invalidate();
  };

  /** Gives the graphics card back what it holds. */
  dispose(): void {
    this.#disposed = true;
    this.#forget();
    this.eye.dispose();
    this.stage.dispose();
    this.#target.dispose();
    this.#renderer.renderLists.dispose();
    this.#renderer.domElement.removeEventListener('webglcontextrestored', this.#redraw);
    this.canvas.classList.remove('held');
    this.canvas.remove();
  }

  /** The element that the picture lies in, with what lies over it. */
  get host(): Element {
    return this.canvas.closest('main') ?? this.canvas;
  }

  /** What there is to see, drawn with the stage around it or alone; the canvas has it until the next is drawn. */
  still(background: boolean): HTMLCanvasElement {
    this.stage.shown = background;
    // Three.js clears with what the scene before had behind it.
    if (!background) this.#renderer.setClearAlpha(0);
    this.#drawNow(background);
    this.stage.shown = true;
    this.invalidate();
    return this.canvas;
  }

  #drawPane(pane: Pane, width: number, height: number): void {
    const { shows } = pane;
    const [from, to] = pane.seen.map((share) => share * width);
    const across = pane.width * width;
    const high = pane.height * height;
    if (to - from < 1) return;
    this.original.visible = shows === 'original' || shows === 'overlay';
    this.fitted.visible = shows !== 'original';
    this.over.visible = shows === 'fitted' || shows === 'overlay' || this.comparison === 'original';
    this.onPane(shows);
    this.eye.lookThrough(pane);
    // WebGL counts from below.
    const below = height - pane.top * height - high;
    this.#target.aim(
      { x: pane.left * width, y: below, width: across, height: high },
      { x: from, y: below, width: to - from, height: high },
    );
    // What casts shadows in a pane: the difference is drawn on the fitted.
    const casting = shows === 'difference' ? 'fitted' : shows;
    this.#renderer.shadowMap.autoUpdate = casting !== this.#shadows;
    this.#renderer.render(this.stage.scene, this.eye.camera);
    this.#shadows = casting;
  }
}

/** Pixels of the canvas for one of CSS: more than two cost time and show nothing. */
const pixelRatio = (): number => Math.min(2, devicePixelRatio);
