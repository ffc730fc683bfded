import { Group, NeutralToneMapping, NoToneMapping, type WebGLRenderer } from 'three';
import type { NamedEnvironment } from '../core/view/environment.ts';
import type { AxisView, Camera, Comparison } from '../core/view/looks.ts';
import { isCloth, type Pane, type PaneContent, panesOf, shapeOf, sideBySide, standsIn } from '../core/view/panes.ts';
import { prefiltered } from './environment.ts';
import { Eye } from './eye.ts';
import { Pace } from './pace.ts';
import { PaneTarget } from './pane-target.ts';
import { canvasOf, sharedRenderer } from './renderer.ts';
import { PLAIN, SOFT } from './shadows.ts';
import { Stage, type Up } from './stage.ts';

/**
 * Two scenes in one canvas with one camera: the original and the fitted model. Draws only when something has changed, as
 * sharply as time allows.
 */
export class Viewport {
  /** The visible canvas. */
  readonly canvas: HTMLCanvasElement;
  readonly stage = new Stage();
  readonly eye: Eye;
  readonly original = new Group();
  readonly fitted = new Group();
  /** Drawn on top of both: joints, handles, marks. */
  readonly over = new Group();
  comparison: Comparison = 'original';
  /** How materials of files are lit: by what, and how bright, in stops. */
  materialLight: { environment?: NamedEnvironment; exposure: number } = { exposure: 0 };
  /** Whether the content of the next pane has such materials. */
  physical = false;
  /** What is shown side by side instead of the comparison. */
  contents?: readonly PaneContent[];
  /** 0…1. */
  wipe = 0.5;
  /** CSS pixels of every pane below what lies over the view. */
  covered = { head: 0, foot: 0 };
  /** Called for each drawn frame to place overlays. The returned function is called when the frame is shown. */
  readonly drawn = new Set<() => () => void>();
  /** Called when the camera has moved. */
  onLook: (camera: Camera) => void = () => {};
  /** Called before a picture of an animation, with the seconds since the last; undefined for the first. */
  onMoment: (seconds: number | undefined) => Promise<void> = async () => {};
  /** Called before a pane is drawn. */
  onPane: (shows: PaneContent) => void = () => {};
  readonly #renderer: WebGLRenderer;
  readonly #target: PaneTarget;
  /** CSS pixels. */
  #size = { width: 0, height: 0 };
  readonly #software: boolean;
  readonly #pace: Pace;
  /** Canvas pixels per CSS pixel in a sharp frame. */
  #full = pixelRatio();
  #stale = true;
  /** What the current shadows were drawn of, unless something other than the camera has moved. */
  #shadows?: PaneContent;
  /** For a frame that is not shown yet: the functions that place its overlays. */
  #fresh?: (() => void)[];
  /** Milliseconds of the page's own work since the last check, without showing frames. */
  #busy = 0;
  #disposed = false;
  /** What was framed before something else was. */
  #before?: Float32Array;
  /** The size to restore while frames of another size are drawn. */
  #held?: { width: number; height: number };

  /** Throws if the browser has no WebGL 2. Only one is alive at a time: they share the renderer and its canvas. */
  constructor() {
    const shared = sharedRenderer();
    const { renderer, screen } = shared;
    this.canvas = canvasOf(shared);
    this.#renderer = renderer;
    this.#software = screen !== undefined;
    this.#target = new PaneTarget(renderer, screen);
    // In software, moving content has hard edges and shadows.
    this.#pace = new Pace(this.#software);
    renderer.domElement.addEventListener('webglcontextrestored', this.#redraw);
    this.stage.scene.add(this.original, this.fitted, this.over);
    this.eye = new Eye(this, () => {
      // Shadows do not change.
      this.#stale = true;
      // Frames of another size have their own camera.
      if (!this.#held) this.onLook(this.eye.place);
    });
  }

  /** Where things are shown. */
  get panes(): Pane[] {
    const { width, height } = this.#size;
    const shape = shapeOf(width, height);
    return this.contents ? sideBySide(this.contents, shape) : panesOf(this.comparison, this.wipe, shape);
  }

  /** Whether pictures of another size are drawn, one by one. */
  get filming(): boolean {
    return this.#held !== undefined;
  }

  /** Whether the canvas can be read at any time: others are empty once they are shown. */
  get keepsPicture(): boolean {
    return this.#software;
  }

  /** Size of the drawing in CSS pixels. */
  get size(): { width: number; height: number } {
    return this.#size;
  }

  /** Size of a sharp frame of the whole view, in pixels. */
  get pixels(): { width: number; height: number } {
    const { width, height } = this.#held ?? this.#size;
    return { width: Math.floor(width * this.#full), height: Math.floor(height * this.#full) };
  }

  /** Requests a new frame. */
  invalidate(): void {
    this.#stale = true;
    this.#shadows = undefined;
  }

  resize(width: number, height: number): void {
    if (this.#held) this.#held = { width, height };
    else {
      // The canvas is resized with the next frame.
      this.#size = { width, height };
      this.invalidate();
    }
  }

  /** Frames all points (3 each, in the axes of the file); the ground goes below the lowest. */
  frame(points?: Float32Array, up?: Up): void {
    this.eye.frame(points, up);
    this.stage.fit(this.eye.ground);
    this.invalidate();
  }

  /** Frames points that are shown instead for a while; without any, what was framed before. */
  frameBeside(points?: Float32Array): void {
    if (points) this.#before ??= this.eye.framed;
    const framed = points ?? this.#before;
    if (!points) this.#before = undefined;
    if (framed) this.frame(framed);
  }

  /** Looks along an axis. */
  lookAlong(view: AxisView): void {
    this.eye.lookAlong(view);
    this.invalidate();
  }

  /** Restores the initial view. */
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
    // The canvas belongs to another view by now.
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

  /** Restores a camera, or orbits from there by a share (0…1) of a full turn. */
  look(place: Camera, turn = 0): void {
    this.eye.look(place, turn);
    this.invalidate();
  }

  /** An animation frame: draws if something has changed. @param busy ms of the page's own work in the last one. */
  animate(now: number, busy: number): void {
    // Frames of another size are drawn on request.
    if (this.#held) return;
    this.#busy += busy;
    // A window moved to a finer screen keeps its size.
    if (this.#full !== pixelRatio()) this.invalidate();
    this.#full = pixelRatio();
    // The next frame starts when the last one is shown.
    if (this.#target.busy) return;
    const [before, shown] = [this.#busy, this.#show()];
    this.#busy = -shown;
    const ratio = this.#pace.next({ now, changed: this.#stale, busy: before, full: this.#full });
    if (ratio === undefined) return;
    this.#draw(ratio, this.#pace.rough);
    // An off-screen frame takes a while.
    if (!this.#software) this.#busy -= this.#show();
  }

  /** A sharp frame at one pixel per CSS pixel, drawn at once. @param opaque Whether it has a background. */
  #drawNow(opaque: boolean): void {
    this.#forget();
    this.#draw(1);
    this.#show(opaque);
  }

  /** @param ratio Canvas pixels per CSS pixel. @param rough Whether the content moves and time is short. */
  #draw(ratio: number, rough = false): void {
    const { width, height } = this.#size;
    this.#stale = false;
    // A lost context reports when it is back.
    if (width === 0 || height === 0 || this.#renderer.getContext().isContextLost()) return;
    this.stage.setDistance(this.eye.clear);
    if (this.stage.drawShadows(rough ? PLAIN : SOFT)) this.#shadows = undefined;
    this.#target.begin(this.#size, ratio, !rough);
    for (const pane of this.panes) this.#drawPane(pane, width, height);
    this.#target.end();
    this.#renderer.shadowMap.autoUpdate = true;
    this.#fresh = Array.from(this.drawn, (place) => place());
  }

  /** Milliseconds it took, without overlays. */
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

  /** Drops the pending frame. */
  #forget(): void {
    this.#fresh = undefined;
    this.#target.drop();
  }

  readonly #redraw = (): void => {
    this.#forget();
    this.invalidate();
  };

  /** Releases GPU resources. */
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

  /** The element with the canvas and its overlays. */
  get host(): Element {
    return this.canvas.closest('main') ?? this.canvas;
  }

  /** Draws the content with or without the stage; the canvas keeps it until the next frame. */
  still(background: boolean): HTMLCanvasElement {
    this.stage.shown = background;
    // three.js clears with the background of the previous scene.
    if (!background) this.#renderer.setClearAlpha(0);
    this.#drawNow(background);
    this.stage.shown = true;
    this.invalidate();
    return this.canvas;
  }

  /** Materials of files look as they do in other viewers: lit by an environment, tones mapped as Khronos proposes. */
  #light(): void {
    const { environment, exposure } = this.materialLight;
    this.#renderer.toneMapping = this.physical ? NeutralToneMapping : NoToneMapping;
    this.#renderer.toneMappingExposure = 2 ** exposure;
    this.stage.light(this.physical ? prefiltered(this.#renderer, environment) : null);
  }

  #drawPane(pane: Pane, width: number, height: number): void {
    const { shows } = pane;
    const [from, to] = pane.seen.map((share) => share * width);
    const across = pane.width * width;
    const high = pane.height * height;
    if (to - from < 1) return;
    const cloth = isCloth(shows);
    const other = standsIn(shows);
    const beside = shows === 'beside';
    this.original.visible = shows === 'original' || shows === 'overlay' || cloth || other || beside;
    this.fitted.visible = shows !== 'original' && !cloth && !other && !beside;
    this.over.visible =
      shows === 'fitted' || shows === 'overlay' || cloth || (this.comparison === 'original' && !other);
    this.onPane(shows);
    this.#light();
    this.eye.lookThrough(pane);
    // WebGL has its origin at the bottom.
    const below = height - pane.top * height - high;
    this.#target.aim(
      { x: pane.left * width, y: below, width: across, height: high },
      { x: from, y: below, width: to - from, height: high },
    );
    // The shadow casters of a pane: the difference is drawn on the fitted model.
    const casting = shows === 'difference' ? 'fitted' : shows;
    this.#renderer.shadowMap.autoUpdate = casting !== this.#shadows;
    this.#renderer.render(this.stage.scene, this.eye.camera);
    this.#shadows = casting;
  }
}

/** Canvas pixels per CSS pixel: more than two cost time without visible gain. */
const pixelRatio = (): number => Math.min(2, devicePixelRatio);
