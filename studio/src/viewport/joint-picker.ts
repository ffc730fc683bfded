import { isCloth, type Pane } from '../core/view/panes.ts';
import { type Found, nearestOnScreen, type Place } from './nearest-on-screen.ts';
import type { Viewport } from './viewport.ts';

/** Maximum distance to a joint in CSS pixels. */
const GRIP = 12;
/** How far a pointer may move during a click: more is an orbit. */
const STILL = 5;

export interface PickListener {
  /** Hovers a joint; undefined for none. */
  point(found: Found | undefined): void;
  pick(joint: number): void;
}

/** Finds joints below the pointer: hovering names them, a click picks them. */
export class JointPicker {
  readonly #viewport: Viewport;
  readonly #listener: PickListener;
  readonly #end = new AbortController();
  /** 3B while joints are shown. */
  positions?: Float32Array;
  /** B: joints that can be picked. */
  pickable: ArrayLike<number> = [];
  #down?: { x: number; y: number };

  constructor(viewport: Viewport, listener: PickListener) {
    this.#viewport = viewport;
    this.#listener = listener;
    const { canvas } = viewport;
    const { signal } = this.#end;
    canvas.addEventListener('pointerdown', (event) => this.#press(event), { signal });
    canvas.addEventListener('pointermove', (event) => this.#move(event), { signal });
    canvas.addEventListener('pointerup', (event) => this.#release(event), { signal });
    canvas.addEventListener('pointerleave', () => listener.point(undefined), { signal });
  }

  dispose(): void {
    this.#end.abort();
  }

  pickAt(event: Place): void {
    const found = this.at(event);
    this.#listener.point(found);
    if (found) this.#listener.pick(found.index);
  }

  /** The joint below the pointer. */
  at(event: Place): Found | undefined {
    const { positions, pickable } = this;
    const panes = this.#viewport.panes.filter(showsJoints);
    return positions && nearestOnScreen(this.#viewport, positions, event, { grip: GRIP, panes, findable: pickable });
  }

  #press(event: PointerEvent): void {
    this.#down = event.button === 0 ? { x: event.offsetX, y: event.offsetY } : undefined;
  }

  #move(event: PointerEvent): void {
    if (event.buttons !== 0) return;
    const found = this.at(event);
    this.#viewport.canvas.style.cursor = found ? 'pointer' : '';
    this.#listener.point(found);
  }

  #release(event: PointerEvent): void {
    const from = this.#down;
    this.#down = undefined;
    if (!from || Math.hypot(from.x - event.offsetX, from.y - event.offsetY) > STILL) return;
    this.pickAt(event);
  }
}

/** Joints are drawn over the fitted model, a body with its garment, or a single pane. */
const showsJoints = ({ shows }: Pane, _at: number, { length }: readonly Pane[]): boolean =>
  shows === 'fitted' || shows === 'overlay' || isCloth(shows) || (shows === 'original' && length === 1);
