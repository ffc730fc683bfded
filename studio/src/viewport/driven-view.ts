import { Group, Vector3 } from 'three';
import { SurfaceStrain } from '../../../src/doors/measure.ts';
import { type Predictor, SurfaceDriver } from '../../../src/index.ts';
import { heldBack } from '../core/learn/held-back.ts';
import { followed, followGains } from '../core/learn/point-follow.ts';
import { Dots } from './joints.ts';
import { nearestOnScreen, type Place } from './nearest-on-screen.ts';
import { MovingSurface } from './surface.ts';
import type { Viewport } from './viewport.ts';

/** Maximum distance in CSS pixels to grab a control point. */
const GRIP = 14;

export interface DragListener {
  /** A point was grabbed. */
  begin(point: number): void;
  /** @param points 3n_c. @param held Whether they were stopped before the surface tears. */
  move(points: Float64Array, held: boolean): void;
  /** A point was double-clicked. */
  pin(point: number): void;
}

/** Distance of a pose from the examples. */
export interface Experience {
  /** Of the points, see `Driven`. */
  distance: number;
  /** Strain of the surface and its place; undefined if the stretch of the examples is unknown. */
  strain?: number;
  place?: Vector3;
}

/** A surface driven by control points, and their handles. */
export class DrivenView {
  readonly predictor: Predictor;
  readonly surface: MovingSurface;
  /** The handles. */
  readonly object = new Group();
  /** Points that stay in place while others are dragged. */
  pins: ReadonlySet<number> = new Set();
  /** Whether points stop before the surface tears. */
  whole = true;
  readonly #free: Dots;
  readonly #pinned: Dots;
  readonly #driver: SurfaceDriver;
  /** For predictors that know how far their examples stretch. */
  readonly #strain?: SurfaceStrain;
  readonly #viewport: Viewport;
  readonly #listener: DragListener;
  readonly #end = new AbortController();
  #points: Float64Array = new Float64Array();
  #held?: PointDrag;

  constructor(predictor: Predictor, viewport: Viewport, listener: DragListener) {
    this.predictor = predictor;
    this.surface = new MovingSurface(predictor.mesh);
    this.#free = new Dots(predictor.points.length, 15, '#ffb454');
    this.#pinned = new Dots(predictor.points.length, 16, '#5aa9ff', undefined, true);
    this.object.add(this.#free.object, this.#pinned.object);
    this.#driver = new SurfaceDriver(predictor);
    if (predictor.stretch) this.#strain = new SurfaceStrain(predictor.mesh, predictor.stretch);
    this.#viewport = viewport;
    this.#listener = listener;
    const { canvas } = viewport;
    const { signal } = this.#end;
    // Before the camera controls: a drag of a handle does not orbit.
    canvas.addEventListener('pointerdown', this.#grab, { capture: true, signal });
    canvas.addEventListener('pointermove', this.#drag, { signal });
    canvas.addEventListener('dblclick', this.#pin, { signal });
    for (const end of ['pointerup', 'pointercancel'] as const) canvas.addEventListener(end, this.#drop, { signal });
  }

  /** Moves the surface and returns its distance from the examples. @param points 3n_c. */
  drive(points: Float64Array): Experience {
    this.#points = points;
    const { positions, distance } = this.#driver.drive(points);
    // The driver reuses its array for trial poses.
    this.surface.move(positions.slice());
    const of = (pinned: boolean) => points.filter((_, c) => this.pins.has(Math.floor(c / 3)) === pinned);
    this.#free.show(of(false));
    this.#pinned.show(of(true));
    const found = this.#strain?.measure(positions);
    if (!found) return { distance };
    const [p, q] = found.edge.map((i) => new Vector3().fromArray(positions, 3 * i));
    return { distance, strain: found.strain, place: p.add(q).multiplyScalar(0.5) };
  }

  /** Position of a control point. */
  place(point: number): Vector3 {
    return new Vector3().fromArray(this.#points, 3 * point);
  }

  /** Grabs a point. */
  take(point: number): PointDrag {
    this.#listener.begin(point);
    const gains = followGains(this.predictor, point, this.pins);
    const from = this.#points;
    const strain = this.#strainAt(from);
    return new PointDrag(from, gains, point, (to) => {
      const { points, held } =
        this.whole && this.#strain ? heldBack(from, to, strain, this.#strainAt) : { points: to, held: false };
      this.#listener.move(points, held);
    });
  }

  readonly #strainAt = (points: Float64Array): number =>
    this.#strain?.measure(this.#driver.drive(points).positions).strain ?? 0;

  dispose(): void {
    this.#end.abort();
    this.#viewport.canvas.style.cursor = '';
    this.#driver.dispose();
    this.surface.dispose();
    this.#free.dispose();
    this.#pinned.dispose();
  }

  /** The handle below the pointer, or −1. */
  #handleAt(place: Place): number {
    return nearestOnScreen(this.#viewport, this.#points, place, { grip: GRIP })?.index ?? -1;
  }

  readonly #grab = (event: PointerEvent): void => {
    const point = event.button === 0 ? this.#handleAt(event) : -1;
    if (point < 0) return;
    event.stopImmediatePropagation();
    this.#viewport.canvas.setPointerCapture(event.pointerId);
    this.#held = this.take(point);
  };

  readonly #drag = (event: PointerEvent): void => {
    if (!this.#held) {
      if (event.buttons === 0) this.#viewport.canvas.style.cursor = this.#handleAt(event) >= 0 ? 'grab' : '';
      return;
    }
    const target = this.#viewport.eye.onPlane(event.offsetX, event.offsetY, this.#held.start);
    if (target) this.#held.moveTo(target);
  };

  readonly #drop = (): void => {
    this.#held = undefined;
  };

  readonly #pin = (event: MouseEvent): void => {
    const { offsetX, offsetY } = event;
    const point = this.#handleAt({ pointerType: 'mouse', offsetX, offsetY });
    if (point >= 0) this.#listener.pin(point);
  };
}

/** A drag of a control point, with others following. */
export class PointDrag {
  /** Start of the point. */
  readonly start: Vector3;
  readonly #from: Float64Array;
  readonly #gains: Float64Array;
  readonly #move: (points: Float64Array) => void;

  constructor(from: Float64Array, gains: Float64Array, point: number, move: (points: Float64Array) => void) {
    this.start = new Vector3().fromArray(from, 3 * point);
    this.#from = from;
    this.#gains = gains;
    this.#move = move;
  }

  moveTo(target: Vector3): void {
    const { x, y, z } = target.clone().sub(this.start);
    this.#move(followed(this.#from, this.#gains, [x, y, z]));
  }
}
