import { Group, PerspectiveCamera, Plane, Raycaster, Vector2, Vector3, type WebGLRenderer } from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { type Bounds, boundsOf } from '../../../src/mesh/bounds.ts';
import type { Camera, Comparison, Point } from '../core/view/looks.ts';
import { markedPane, type Pane, type PaneContent, panesOf, shapeOf } from '../core/view/panes.ts';
import { firstPlace } from './first-look.ts';
import { Pace } from './pace.ts';
import { PaneTarget } from './pane-target.ts';
import { canvasOf, sharedRenderer } from './renderer.ts';
import { PLAIN, SOFT } from './shadows.ts';
import { Stage, type Up, upVector } from './stage.ts';
import { zoomInPanes } from './zoom-in-panes.ts';

/** Degrees from bottom to top. */
const FIELD = 35;

/**
 * Two scenes in one canvas with one camera: what was, and what became of it. Draws only when something has changed, as
 * sharply as there is time for.
 */
export class Viewport {
  /** Where pictures are seen. */
  readonly canvas: HTMLCanvasElement;
  readonly stage = new Stage();
  readonly original = new Group();
  readonly fitted = new Group();
  /** What is in front of both: joints, handles, marks. */
  readonly over = new Group();
  comparison: Comparison = 'original';
  /** 0…1. */
  wipe = 0.5;
  /** Called after each picture: what lies over it finds its place. */
  readonly drawn = new Set<() => void>();
  /** Called when the eye has moved. */
  onLook: (camera: Camera) => void = () => {};
  /** Called before a pane is drawn. */
  onPane: (shows: PaneContent) => void = () => {};
  readonly #renderer: WebGLRenderer;
  readonly #target: PaneTarget;
  readonly #camera = new PerspectiveCamera(FIELD, 1, 0.1, 100);
  #controls: OrbitControls;
  #points: Float32Array = new Float32Array();
  #bounds: Bounds = { min: [-1, -1, -1], max: [1, 1, 1] };
  #up: Up = 'y';
  /** CSS pixels. */
  #size = { width: 0, height: 0 };
  readonly #software: boolean;
  readonly #pace: Pace;
  /** Canvas pixels for one of CSS in a sharp picture. */
  #full = pixelRatio();
  #stale = true;
  /** What shadows are there of, unless something but the eye has moved since. */
  #shadows?: PaneContent;
  /** Whether a picture is drawn, or on its way, that is not shown yet. */
  #fresh = false;
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
    this.#controls = this.#makeControls();
  }

  /** Where things are shown. */
  get panes(): Pane[] {
    const { width, height } = this.#size;
    return panesOf(this.comparison, this.wipe, shapeOf(width, height));
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
  frame(points: Float32Array, up: Up): void {
    const bounds = boundsOf(points);
    this.#points = points;
    this.#bounds = bounds;
    this.#up = up;
    const { centre, radius } = this.#ball();
    this.#camera.up.copy(upVector(up));
    this.#controls.dispose();
    this.#controls = this.#makeControls();
    this.#controls.target.copy(centre);
    this.#camera.position.copy(firstPlace(points, centre, up, FIELD));
    const axis = { x: 0, y: 1, z: 2 }[up];
    const floor = centre.clone().setComponent(axis, bounds.min[axis]);
    this.stage.fit(floor, radius, up, points);
    this.#controls.update();
    this.invalidate();
  }

  /** The same view as at first. */
  reset(): void {
    this.frame(this.#points, this.#up);
  }

  /**
   * Works with pictures of another size, whatever the window does meanwhile. `work` gets what draws one, with the camera so
   * far (0…1) around; the canvas has it until the next is drawn.
   */
  async atSize<T>(width: number, height: number, work: (draw: (turn: number) => void) => Promise<T>): Promise<T> {
    const mine = () => {
      if (this.#disposed)
        throw new Error('Given up when another tab came in front: the pictures are those of this view.');
    };
    // The canvas serves another view by then.
    mine();
    const { position, target } = this.#look();
    const [around, up] = [new Vector3(...position).sub(new Vector3(...target)), upVector(this.#up)];
    this.#held = this.#size;
    this.#size = { width, height };
    this.#forget();
    this.canvas.classList.add('held');
    try {
      return await work((turn) => {
        mine();
        this.#camera.position
          .copy(around)
          .applyAxisAngle(up, 2 * Math.PI * turn)
          .add(this.#controls.target);
        this.#controls.update();
        this.invalidate();
        this.#drawNow(true);
      });
    } finally {
      this.#size = this.#held;
      this.#held = undefined;
      if (!this.#disposed) {
        this.canvas.classList.remove('held');
        this.look({ position, target });
      }
    }
  }

  /** Looks from where someone looked before. */
  look({ position, target }: Camera): void {
    this.#camera.position.set(...position);
    this.#controls.target.set(...target);
    this.#controls.update();
    this.invalidate();
  }

  /** An animation frame: draws if something has changed. @param busy ms that the page itself worked in the last one. */
  animate(now: number, busy: number): void {
    // Pictures of another size are drawn by those who want them.
    if (this.#held) return;
    // A window that is dragged to a finer screen keeps its size.
    if (this.#full !== pixelRatio()) this.invalidate();
    this.#full = pixelRatio();
    // Another picture is begun when the last one is there.
    if (this.#target.busy) return;
    this.#show();
    const ratio = this.#pace.next({ now, changed: this.#stale, busy, full: this.#full });
    if (ratio === undefined) return;
    this.#draw(ratio, this.#pace.rough);
    // One that is drawn aside takes a while.
    if (!this.#software) this.#show();
  }

  /** A sharp picture, with a pixel for each of CSS, that is there at once. @param opaque Whether all of it is. */
  #drawNow(opaque: boolean): void {
    this.#draw(1);
    this.#show(opaque);
  }

  /** @param ratio Canvas pixels for one of CSS. @param rough Whether what there is to see moves, and time is short. */
  #draw(ratio: number, rough = false): void {
    const { width, height } = this.#size;
    this.#stale = false;
    // A card that is lost says so when it is back.
    if (width === 0 || height === 0 || this.#renderer.getContext().isContextLost()) return;
    const { radius } = this.#ball();
    const distance = this.#camera.position.distanceTo(this.#controls.target);
    this.#camera.near = Math.max(distance - 4 * radius, distance * 0.01);
    this.#camera.far = distance + 40 * radius;
    this.stage.setDistance(Math.max(distance, 2.5 * radius));
    if (this.stage.drawShadows(rough ? PLAIN : SOFT)) this.#shadows = undefined;
    this.#target.begin(this.#size, ratio, !rough);
    for (const pane of this.panes) this.#drawPane(pane, width, height);
    this.#target.end();
    this.#renderer.shadowMap.autoUpdate = true;
    this.#fresh = true;
  }

  #show(opaque = true): void {
    if (!this.#fresh) return;
    this.#fresh = false;
    this.#target.show(opaque);
    for (const follow of this.drawn) follow();
  }

  /** The picture that is on its way is not wanted any more. */
  #forget(): void {
    this.#fresh = false;
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
    this.#controls.dispose();
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

  /** Where a point is on the canvas, in CSS pixels, in the pane given or the one with marks; undefined behind the eye. */
  project(point: Vector3, pane: Pane = markedPane(this.panes)): { x: number; y: number } | undefined {
    const { width, height } = this.#size;
    this.#lookThrough(pane);
    const { x, y, z } = point.clone().project(this.#camera);
    if (z > 1 || z < -1) return undefined;
    return {
      x: (pane.left + ((x + 1) / 2) * pane.width) * width,
      y: (pane.top + ((1 - y) / 2) * pane.height) * height,
    };
  }

  /** Where the plane through `point`, by default the one that faces the eye, is met below a place of the canvas, in CSS pixels. */
  onPlane(
    x: number,
    y: number,
    point: Vector3,
    normal = this.#camera.getWorldDirection(new Vector3()),
  ): Vector3 | undefined {
    const { width, height } = this.#size;
    const pane = markedPane(this.panes);
    this.#lookThrough(pane);
    const ray = new Raycaster();
    const [u, v] = [(x / width - pane.left) / pane.width, (y / height - pane.top) / pane.height];
    ray.setFromCamera(new Vector2(2 * u - 1, 1 - 2 * v), this.#camera);
    return ray.ray.intersectPlane(new Plane().setFromNormalAndCoplanarPoint(normal, point), new Vector3()) ?? undefined;
  }

  /** Unit vector from a point to the eye. */
  towardsEye(point: Vector3): Vector3 {
    return this.#camera.position.clone().sub(point).normalize();
  }

  /** What a CSS pixel measures where `point` is. */
  pixelSize(point: Vector3): number {
    const depth = point.clone().sub(this.#camera.position).dot(this.#camera.getWorldDirection(new Vector3()));
    const pane = markedPane(this.panes);
    const high = pane.height * this.#size.height;
    this.#lookThrough(pane);
    return (2 * depth * Math.tan((this.#camera.fov * Math.PI) / 360)) / high;
  }

  /** Fits the camera to a pane. */
  #lookThrough(pane: Pane): void {
    const { width, height } = this.#size;
    this.#camera.aspect = (pane.width * width) / (pane.height * height);
    // A narrow pane is wide enough for the same things when it shows more from top to bottom.
    const narrow = Math.min(1, this.#camera.aspect);
    this.#camera.fov = (Math.atan(Math.tan((FIELD * Math.PI) / 360) / narrow) * 360) / Math.PI;
    this.#camera.updateProjectionMatrix();
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
    this.#lookThrough(pane);
    // WebGL counts from below.
    const below = height - pane.top * height - high;
    this.#target.aim(
      { x: pane.left * width, y: below, width: across, height: high },
      { x: from, y: below, width: to - from, height: high },
    );
    // What casts shadows in a pane: the difference is drawn on the fitted.
    const casting = shows === 'difference' ? 'fitted' : shows;
    this.#renderer.shadowMap.autoUpdate = casting !== this.#shadows;
    this.#renderer.render(this.stage.scene, this.#camera);
    this.#shadows = casting;
  }

  #look(): Camera {
    const [position, target] = [this.#camera.position, this.#controls.target].map((p) => p.toArray() satisfies Point);
    return { position, target };
  }

  #ball(): { centre: Vector3; radius: number } {
    const [min, max] = [new Vector3(...this.#bounds.min), new Vector3(...this.#bounds.max)];
    return { centre: min.clone().add(max).multiplyScalar(0.5), radius: Math.max(min.distanceTo(max) / 2, 1e-6) };
  }

  #makeControls(): OrbitControls {
    const controls = new OrbitControls(this.#camera, this.canvas);
    controls.addEventListener('change', () => {
      // Shadows stay where they are.
      this.#stale = true;
      // Pictures of another size have a camera of their own.
      if (!this.#held) this.onLook(this.#look());
    });
    controls.screenSpacePanning = true;
    zoomInPanes(controls, () => this.panes);
    return controls;
  }
}

/** Pixels of the canvas for one of CSS: more than two cost time and show nothing. */
const pixelRatio = (): number => Math.min(2, devicePixelRatio);
