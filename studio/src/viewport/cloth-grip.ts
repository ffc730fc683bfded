import { Vector3 } from 'three';
import { type Pane, paneAt } from '../core/view/panes.ts';
import type { Viewport } from './viewport.ts';

/** A place on the cloth: the vertex there. */
export interface Held {
  vertex: number;
  point: Vector3;
}

export interface GripListener {
  /** The cloth below the pointer, if nothing is before it. */
  at(event: PointerEvent, pane: Pane): Held | undefined;
  /** Moves what is held; undefined lets it go. */
  move(held: Held | undefined): void;
}

/** Drags cloth with the pointer. */
export class ClothGrip {
  readonly #viewport: Viewport;
  readonly #listener: GripListener;
  readonly #end = new AbortController();
  #drag?: { held: Held; pane: Pane };

  constructor(viewport: Viewport, listener: GripListener) {
    this.#viewport = viewport;
    this.#listener = listener;
    const { canvas } = viewport;
    const { signal } = this.#end;
    // Before the camera controls: a drag of cloth does not orbit.
    canvas.addEventListener('pointerdown', this.#press, { capture: true, signal });
    canvas.addEventListener('pointermove', this.#move, { signal });
    for (const end of ['pointerup', 'pointercancel', 'lostpointercapture'] as const) {
      canvas.addEventListener(end, this.#drop, { signal });
    }
  }

  dispose(): void {
    this.#end.abort();
    this.#viewport.canvas.style.cursor = '';
  }

  #paneOf({ offsetX, offsetY }: PointerEvent): Pane {
    const { panes, size } = this.#viewport;
    return paneAt(panes, offsetX / size.width, offsetY / size.height);
  }

  readonly #press = (event: PointerEvent): void => {
    if (event.button !== 0 || !event.isPrimary) return;
    const pane = this.#paneOf(event);
    const held = this.#listener.at(event, pane);
    if (!held) return;
    event.stopImmediatePropagation();
    this.#viewport.canvas.setPointerCapture(event.pointerId);
    this.#drag = { held, pane };
    this.#listener.move(held);
  };

  readonly #move = (event: PointerEvent): void => {
    const { canvas, eye } = this.#viewport;
    if (!this.#drag) {
      if (event.buttons === 0 && canvas.style.cursor === '' && this.#listener.at(event, this.#paneOf(event)))
        canvas.style.cursor = 'grab';
      return;
    }
    const { held, pane } = this.#drag;
    const point = eye.onPlane(event.offsetX, event.offsetY, held.point, undefined, pane);
    if (point) this.#listener.move({ ...held, point });
  };

  readonly #drop = (): void => {
    if (!this.#drag) return;
    this.#drag = undefined;
    this.#listener.move(undefined);
  };
}

const [a, b, c, hit] = [new Vector3(), new Vector3(), new Vector3(), new Vector3()];

/** Where a ray first meets triangles over points (3N). */
export function firstHit(
  ray: { origin: Vector3; intersectTriangle: import('three').Ray['intersectTriangle'] },
  positions: Float32Array,
  triangles: Uint32Array,
): Vector3 | undefined {
  let least = Infinity;
  let found: Vector3 | undefined;
  for (let t = 0; t < triangles.length; t += 3) {
    a.fromArray(positions, 3 * triangles[t]);
    b.fromArray(positions, 3 * triangles[t + 1]);
    c.fromArray(positions, 3 * triangles[t + 2]);
    if (!ray.intersectTriangle(a, b, c, false, hit)) continue;
    const distance = hit.distanceToSquared(ray.origin);
    if (distance >= least) continue;
    least = distance;
    found = hit.clone();
  }
  return found;
}

/** The point (3N) nearest to a place. */
export function nearestPoint(positions: Float32Array, { x, y, z }: Vector3): number {
  let [least, nearest] = [Infinity, 0];
  for (let i = 0; i < positions.length / 3; i++) {
    const d = (positions[3 * i] - x) ** 2 + (positions[3 * i + 1] - y) ** 2 + (positions[3 * i + 2] - z) ** 2;
    if (d >= least) continue;
    least = d;
    nearest = i;
  }
  return nearest;
}
