import { PerspectiveCamera, Plane, Ray, Vector3 } from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { type Bounds, boundsOf } from '../../../src/doors/mesh.ts';
import type { AxisView, Camera, Point } from '../core/view/looks.ts';
import { markedPane, type Pane } from '../core/view/panes.ts';
import { MARGIN, placeFor } from './first-look.ts';
import { type Ground, type Up, upVector } from './stage.ts';
import { zoomInPanes } from './zoom-in-panes.ts';

/** Vertical field of view in degrees. */
const FIELD = 35;
/** The same of an orthographic view: so far away that parallel lines look parallel, and everything else stays the same. */
const PARALLEL = 1;

/** Where the camera is, with y up. The last number keeps what is in front at the bottom of views from above and below. */
const AXES: Record<AxisView, Vector3> = {
  front: new Vector3(0, 0, 1),
  back: new Vector3(0, 0, -1),
  right: new Vector3(1, 0, 0),
  left: new Vector3(-1, 0, 0),
  top: new Vector3(0, 1, 1e-4),
  bottom: new Vector3(0, -1, 1e-4),
};

/** Share of the height of a pane that is used at most, and what flat things leave of it: they may be turned upright. */
const MOST_HEIGHT = 0.92;
const LEAST_HEIGHT = 0.75;

/** The element with the view. */
export interface Sight {
  readonly canvas: HTMLCanvasElement;
  readonly panes: Pane[];
  /** CSS pixels. */
  readonly size: { width: number; height: number };
  /** CSS pixels of every pane below what lies over the view. */
  readonly covered: { head: number; foot: number };
}

/** The camera and its controls. Places on the canvas are in CSS pixels. */
export class Eye {
  readonly camera = new PerspectiveCamera(FIELD, 1, 0.1, 100);
  readonly #sight: Sight;
  readonly #onMove: () => void;
  #controls: OrbitControls;
  #points: Float32Array = new Float32Array();
  #bounds: Bounds = { min: [-1, -1, -1], max: [1, 1, 1] };
  #up: Up = 'y';
  /** What the content needs of a square view, 0…1. */
  #width = 1;
  #height = 1;
  /** The camera that framed everything. */
  #framed?: Camera;
  /** Vertical field of view in degrees. */
  #field = FIELD;

  /** @param onMove called when the camera has moved. */
  constructor(sight: Sight, onMove: () => void) {
    this.#sight = sight;
    this.#onMove = onMove;
    this.#controls = this.#makeControls();
  }

  /** Frames all points (3 each, in the axes of the file). Without points: the initial view. */
  frame(points = this.#points, up = this.#up): void {
    this.#points = points;
    this.#bounds = boundsOf(points);
    this.#up = up;
    this.camera.up.copy(upVector(up));
    this.#controls.dispose();
    this.#controls = this.#makeControls();
    const { position, target, width, height } = placeFor(points, this.ball.centre, up, this.#field);
    this.#width = width;
    this.#height = Math.max(LEAST_HEIGHT, height);
    this.#put(position, target);
    this.#framed = this.place;
  }

  /** Changes the lens, and the distance so that everything around the target keeps its size. */
  set orthographic(on: boolean) {
    const field = on ? PARALLEL : FIELD;
    if (field === this.#field) return;
    const { target } = this.#controls;
    const ratio = tangentOf(this.#field) / tangentOf(field);
    const framed = this.#isFramed;
    this.#field = field;
    this.#controls.maxDistance = this.#farthest;
    this.camera.position.sub(target).multiplyScalar(ratio).add(target);
    this.#controls.update();
    if (framed) this.#framed = this.place;
  }

  /** Looks along an axis: at everything, or at the place that the camera was moved to, from the same distance. */
  lookAlong(view: AxisView): void {
    const { position, target, width, height } = placeFor(
      this.#points,
      this.ball.centre,
      this.#up,
      this.#field,
      AXES[view],
    );
    const look = position.clone().sub(target);
    if (!this.#isFramed) {
      const { target: here } = this.#controls;
      this.#put(look.setLength(this.#distance).add(here), here);
      return;
    }
    this.#put(look.multiplyScalar(Math.max(width / this.#width, height / this.#height)).add(target), target);
    this.#framed = this.place;
  }

  /** The points that are framed. */
  get framed(): Float32Array {
    return this.#points;
  }

  /** Around all content. */
  get ball(): { centre: Vector3; radius: number } {
    const [min, max] = [new Vector3(...this.#bounds.min), new Vector3(...this.#bounds.max)];
    return { centre: min.clone().add(max).multiplyScalar(0.5), radius: Math.max(min.distanceTo(max) / 2, 1e-6) };
  }

  /** Below all content. */
  get ground(): Ground {
    const { centre, radius } = this.ball;
    const axis = { x: 0, y: 1, z: 2 }[this.#up];
    const floor = centre.setComponent(axis, this.#bounds.min[axis]);
    return { floor, radius, up: this.#up, points: this.#points };
  }

  get place(): Camera {
    const [position, target] = [this.camera.position, this.#controls.target].map((p) => p.toArray() satisfies Point);
    return { position, target };
  }

  /** Restores a camera, or orbits from there by a share (0…1) of a full turn. */
  look({ position, target }: Camera, turn = 0): void {
    const centre = this.#controls.target.set(...target);
    const around = new Vector3(...position).sub(centre).applyAxisAngle(upVector(this.#up), 2 * Math.PI * turn);
    this.camera.position.copy(centre).add(around);
    this.#controls.update();
  }

  /** Start of the fog. */
  get clear(): number {
    return Math.max(this.#distance, 2.5 * this.ball.radius);
  }

  /** Fits the camera to a pane, with near and far planes around the content. */
  lookThrough(pane: Pane): void {
    const { width, height } = this.#sight.size;
    const { radius } = this.ball;
    const distance = this.#distance;
    this.camera.near = Math.max(distance - 4 * radius, distance * 0.01);
    this.camera.far = distance + 40 * radius;
    this.camera.aspect = (pane.width * width) / (pane.height * height);
    // A pane shows the width and the height that are needed, by its vertical field of view.
    const high = pane.height * height;
    const { head, foot } = this.#sight.covered;
    const free = MARGIN * Math.max(0.5, 1 - (head + foot) / high);
    const zoom = Math.min(Math.min(MOST_HEIGHT, free) / this.#height, this.camera.aspect / this.#width);
    this.camera.fov = (Math.atan(tangentOf(this.#field) / zoom) * 360) / Math.PI;
    this.camera.updateProjectionMatrix();
    // The middle of the picture is that of its free part.
    this.camera.projectionMatrix.elements[9] += (head - foot) / high;
    this.camera.projectionMatrixInverse.copy(this.camera.projectionMatrix).invert();
    this.camera.updateMatrixWorld();
  }

  /** Place of a point on the canvas, in a pane [default: the one with marks]; undefined behind the camera. */
  project(point: Vector3, pane: Pane = markedPane(this.#sight.panes)): { x: number; y: number } | undefined {
    const { width, height } = this.#sight.size;
    this.lookThrough(pane);
    const { x, y, z } = point.clone().project(this.camera);
    if (z > 1 || z < -1) return undefined;
    return {
      x: (pane.left + ((x + 1) / 2) * pane.width) * width,
      y: (pane.top + ((1 - y) / 2) * pane.height) * height,
    };
  }

  /** Intersection of the ray through a place of the canvas with a plane through `point` [default: facing the camera]. */
  onPlane(x: number, y: number, point: Vector3, normal = this.#ahead(), pane?: Pane): Vector3 | undefined {
    const plane = new Plane().setFromNormalAndCoplanarPoint(normal, point);
    return this.rayAt(x, y, pane).intersectPlane(plane, new Vector3()) ?? undefined;
  }

  /** The ray through a place of the canvas, in a pane [default: the one with marks]. */
  rayAt(x: number, y: number, pane: Pane = markedPane(this.#sight.panes)): Ray {
    const { size } = this.#sight;
    this.lookThrough(pane);
    const [u, v] = [(x / size.width - pane.left) / pane.width, (y / size.height - pane.top) / pane.height];
    const { position } = this.camera;
    const seen = new Vector3(2 * u - 1, 1 - 2 * v, 0.5).unproject(this.camera);
    return new Ray(position.clone(), seen.sub(position).normalize());
  }

  /** Unit vector from a point to the camera. */
  towardsEye(point: Vector3): Vector3 {
    return this.camera.position.clone().sub(point).normalize();
  }

  /** Size of a CSS pixel at `point`. */
  pixelSize(point: Vector3): number {
    const { panes, size } = this.#sight;
    const pane = markedPane(panes);
    this.lookThrough(pane);
    const depth = point.clone().sub(this.camera.position).dot(this.#ahead());
    return (2 * depth * Math.tan((this.camera.fov * Math.PI) / 360)) / (pane.height * size.height);
  }

  /** The width of the pane with marks, in CSS pixels. */
  get paneWidth(): number {
    const { panes, size } = this.#sight;
    return markedPane(panes).width * size.width;
  }

  dispose(): void {
    this.#controls.dispose();
  }

  #put(position: Vector3, target: Vector3): void {
    this.#controls.target.copy(target);
    this.camera.position.copy(position);
    this.#controls.update();
  }

  /** Distance from the target. */
  get #distance(): number {
    return this.camera.position.distanceTo(this.#controls.target);
  }

  /** Whether everything is framed still. */
  get #isFramed(): boolean {
    const [now, then] = [this.place, this.#framed].map((camera) => [
      ...(camera?.position ?? []),
      ...(camera?.target ?? []),
    ]);
    return then.length > 0 && now.every((x, c) => Math.abs(x - then[c]) < 1e-6 * this.#distance);
  }

  /** Keeps the content from becoming a speck. */
  get #farthest(): number {
    return (50 * this.ball.radius * tangentOf(FIELD)) / tangentOf(this.#field);
  }

  #ahead(): Vector3 {
    return this.camera.getWorldDirection(new Vector3());
  }

  #makeControls(): OrbitControls {
    const controls = new OrbitControls(this.camera, this.#sight.canvas);
    controls.addEventListener('change', this.#onMove);
    controls.screenSpacePanning = true;
    controls.maxDistance = this.#farthest;
    zoomInPanes(controls, () => this.#sight.panes);
    return controls;
  }
}

/** Half of what is seen at a distance of 1. @param field Degrees. */
const tangentOf = (field: number): number => Math.tan((field * Math.PI) / 360);
