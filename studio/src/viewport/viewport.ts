import { Group, PerspectiveCamera, Plane, Raycaster, Vector2, Vector3, type WebGLRenderer } from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { type Bounds, boundsOf } from '../../../src/mesh/bounds.ts';
import type { Camera, Comparison, Point } from '../core/looks.ts';
import { markedPane, type Pane, type PaneContent, panesOf, shapeOf } from '../core/panes.ts';
import { firstPlace } from './first-look.ts';
import { sharedRenderer } from './renderer.ts';
import { Stage, type Up, upVector } from './stage.ts';

/** Degrees from bottom to top. */
const FIELD = 35;

/** Two scenes in one canvas with one camera: what was, and what became of it. Draws only when something has changed. */
export class Viewport {
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
  readonly #camera = new PerspectiveCamera(FIELD, 1, 0.1, 100);
  #controls: OrbitControls;
  #points: Float32Array = new Float32Array();
  #bounds: Bounds = { min: [-1, -1, -1], max: [1, 1, 1] };
  #up: Up = 'y';
  #stale = true;
  #disposed = false;
  /** The size to go back to, while pictures of another are taken. */
  #held?: { width: number; height: number };

  /** Throws where the browser has no WebGL 2. Only one is alive at a time: they share the renderer and its canvas. */
  constructor() {
    this.#renderer = sharedRenderer();
    this.canvas.addEventListener('webglcontextrestored', this.#redraw);
    this.stage.scene.add(this.original, this.fitted, this.over);
    this.#controls = this.#makeControls();
  }

  get canvas(): HTMLCanvasElement {
    return this.#renderer.domElement;
  }

  /** Where things are shown. */
  get panes(): Pane[] {
    const { width, height } = this.#size();
    return panesOf(this.comparison, this.wipe, shapeOf(width, height));
  }

  /** Asks for a new picture. */
  invalidate(): void {
    this.#stale = true;
  }

  resize(width: number, height: number): void {
    if (this.#held) {
      this.#held = { width, height };
      return;
    }
    this.#renderer.setPixelRatio(pixelRatio());
    this.#renderer.setSize(width, height, false);
    this.invalidate();
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
    this.stage.fit(floor, radius, up);
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
    const { position, target } = this.#look();
    const [around, up] = [new Vector3(...position).sub(new Vector3(...target)), upVector(this.#up)];
    this.#held = this.#size();
    this.#renderer.setPixelRatio(1);
    this.#renderer.setSize(width, height, false);
    try {
      return await work((turn) => {
        if (this.#disposed)
          throw new Error('Given up when another tab came in front: the pictures are those of this view.');
        this.#camera.position
          .copy(around)
          .applyAxisAngle(up, 2 * Math.PI * turn)
          .add(this.#controls.target);
        this.#controls.update();
        this.#stale = true;
        this.draw();
      });
    } finally {
      const { width: wide, height: high } = this.#held;
      this.#held = undefined;
      // The renderer serves another view by then.
      if (!this.#disposed) {
        this.resize(wide, high);
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

  /** Draws if something has changed. */
  draw(): void {
    const { width, height } = this.#size();
    // A window that is dragged to a finer screen keeps its size.
    if (!this.#held && this.#renderer.getPixelRatio() !== pixelRatio()) this.resize(width, height);
    if (!this.#stale) return;
    this.#stale = false;
    if (width === 0 || height === 0) return;
    const { radius } = this.#ball();
    const distance = this.#camera.position.distanceTo(this.#controls.target);
    this.#camera.near = Math.max(distance - 4 * radius, distance * 0.01);
    this.#camera.far = distance + 40 * radius;
    this.stage.setDistance(Math.max(distance, 2.5 * radius));
    this.#renderer.setScissorTest(true);
    for (const pane of this.panes) this.#drawPane(pane, width, height);
    for (const follow of this.drawn) follow();
  }

  readonly #redraw = (): void => this.invalidate();

  /** Gives the graphics card back what it holds. */
  dispose(): void {
    this.#disposed = true;
    this.#controls.dispose();
    this.stage.dispose();
    this.#renderer.renderLists.dispose();
    this.canvas.removeEventListener('webglcontextrestored', this.#redraw);
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
    this.#stale = true;
    this.draw();
    this.stage.shown = true;
    this.#stale = true;
    return this.canvas;
  }

  /** Where a point is on the canvas, in CSS pixels, in the pane given or the one with marks; undefined behind the eye. */
  project(point: Vector3, pane: Pane = markedPane(this.panes)): { x: number; y: number } | undefined {
    const { width, height } = this.#size();
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
    const { width, height } = this.#size();
    const pane = markedPane(this.panes);
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
    const high = markedPane(this.panes).height * this.#size().height;
    return (2 * depth * Math.tan((this.#camera.fov * Math.PI) / 360)) / high;
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
    this.#camera.aspect = across / high;
    // A narrow pane is wide enough for the same things when it shows more from top to bottom.
    const narrow = Math.min(1, this.#camera.aspect);
    this.#camera.fov = (Math.atan(Math.tan((FIELD * Math.PI) / 360) / narrow) * 360) / Math.PI;
    this.#camera.updateProjectionMatrix();
    // WebGL counts from below.
    const below = height - pane.top * height - high;
    this.#renderer.setViewport(pane.left * width, below, across, high);
    this.#renderer.setScissor(from, below, to - from, high);
    this.#renderer.clear();
    this.#renderer.render(this.stage.scene, this.#camera);
  }

  #look(): Camera {
    const [position, target] = [this.#camera.position, this.#controls.target].map((p) => p.toArray() satisfies Point);
    return { position, target };
  }

  #size(): { width: number; height: number } {
    const { x, y } = this.#renderer.getSize(new Vector2());
    return { width: x, height: y };
  }

  #ball(): { centre: Vector3; radius: number } {
    const [min, max] = [new Vector3(...this.#bounds.min), new Vector3(...this.#bounds.max)];
    return { centre: min.clone().add(max).multiplyScalar(0.5), radius: Math.max(min.distanceTo(max) / 2, 1e-6) };
  }

  #makeControls(): OrbitControls {
    const controls = new OrbitControls(this.#camera, this.#renderer.domElement);
    controls.addEventListener('change', () => {
      this.invalidate();
      // Pictures of another size have a camera of their own.
      if (!this.#held) this.onLook(this.#look());
    });
    controls.screenSpacePanning = true;
    return controls;
  }
}

/** Pixels of the canvas for one of CSS: more than two cost time and show nothing. */
const pixelRatio = (): number => Math.min(2, devicePixelRatio);
