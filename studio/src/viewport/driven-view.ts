import { Vector3 } from 'three';
import { SurfaceDriver } from '../../../src/learn/drive.ts';
import type { Predictor } from '../../../src/model/predictor.ts';
import { Dots } from './joints.ts';
import { MovingSurface } from './surface.ts';
import type { Viewport } from './viewport.ts';

/** How near, in CSS pixels, a pointer must come to take hold of a control point. */
const GRIP = { mouse: 14, touch: 28 } as const;

export interface DragListener {
  begin(): void;
  /** @param points 3n_c, new ones. */
  move(points: Float64Array): void;
}

/** A surface that follows its control points, and the handles one drags. */
export class DrivenView {
  readonly predictor: Predictor;
  readonly surface: MovingSurface;
  readonly dots: Dots;
  readonly #driver: SurfaceDriver;
  readonly #viewport: Viewport;
  readonly #listener: DragListener;
  #points: Float64Array = new Float64Array();
  #held = -1;

  constructor(predictor: Predictor, viewport: Viewport, listener: DragListener) {
    this.predictor = predictor;
    this.surface = new MovingSurface(predictor.mesh);
    this.dots = new Dots(predictor.points.length, 15, '#ffb454');
    this.#driver = new SurfaceDriver(predictor);
    this.#viewport = viewport;
    this.#listener = listener;
    const { canvas } = viewport;
    // Before the camera's own: a drag that begins on a handle is not a turn.
    canvas.addEventListener('pointerdown', this.#grab, { capture: true });
    canvas.addEventListener('pointermove', this.#drag);
    for (const end of ['pointerup', 'pointercancel'] as const) canvas.addEventListener(end, this.#drop);
  }

  /** Moves the surface; says how far the points are from experience. @param points 3n_c. */
  drive(points: Float64Array): number {
    this.#points = points;
    const { positions, distance } = this.#driver.drive(points);
    this.surface.move(positions);
    this.dots.show(points);
    return distance;
  }

  dispose(): void {
    const { canvas } = this.#viewport;
    canvas.removeEventListener('pointerdown', this.#grab, { capture: true });
    canvas.removeEventListener('pointermove', this.#drag);
    for (const end of ['pointerup', 'pointercancel'] as const) canvas.removeEventListener(end, this.#drop);
    this.#driver.dispose();
    this.surface.dispose();
    this.dots.dispose();
  }

  /** The handle below the pointer, or −1. */
  #handleAt(event: PointerEvent): number {
    const grip = event.pointerType === 'touch' ? GRIP.touch : GRIP.mouse;
    let nearest = -1;
    let least: number = grip;
    for (let l = 0; l < this.predictor.points.length; l++) {
      const place = this.#viewport.project(new Vector3().fromArray(this.#points, 3 * l));
      const distance = place ? Math.hypot(place.x - event.offsetX, place.y - event.offsetY) : Infinity;
      if (distance >= least) continue;
      least = distance;
      nearest = l;
    }
    return nearest;
  }

  readonly #grab = (event: PointerEvent): void => {
    this.#held = event.button === 0 ? this.#handleAt(event) : -1;
    if (this.#held < 0) return;
    event.stopImmediatePropagation();
    this.#viewport.canvas.setPointerCapture(event.pointerId);
    this.#listener.begin();
  };

  readonly #drag = (event: PointerEvent): void => {
    const { canvas } = this.#viewport;
    if (this.#held < 0) {
      if (event.buttons === 0) canvas.style.cursor = this.#handleAt(event) >= 0 ? 'grab' : '';
      return;
    }
    const point = new Vector3().fromArray(this.#points, 3 * this.#held);
    const target = this.#viewport.onViewPlane(event.offsetX, event.offsetY, point);
    if (!target) return;
    const points = this.#points.slice();
    target.toArray(points, 3 * this.#held);
    this.#listener.move(points);
  };

  readonly #drop = (): void => {
    this.#held = -1;
  };
}
