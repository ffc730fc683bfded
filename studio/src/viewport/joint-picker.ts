import { Vector3 } from 'three';
import type { Pane } from '../core/panes.ts';
import type { Viewport } from './viewport.ts';

/** How near, in CSS pixels, a pointer must come to a joint. */
const GRIP = { mouse: 12, touch: 24 } as const;
/** How far a pointer may move between down and up: more is a turn of the view. */
const STILL = 5;

export interface PickListener {
  /** A joint is pointed at, at a place of the canvas; undefined when none is any more. */
  point(found: { joint: number; x: number; y: number } | undefined): void;
  pick(joint: number): void;
}

/** Where a pointer is on the canvas, in CSS pixels. */
type Place = Pick<PointerEvent, 'pointerType' | 'offsetX' | 'offsetY'>;

/** Finds joints below the pointer: a mouse names what it hovers, a press picks it. */
export class JointPicker {
  readonly #viewport: Viewport;
  readonly #listener: PickListener;
  /** 3B, as long as joints are shown. */
  positions?: Float32Array;
  /** B: joints that can be picked. */
  pickable: ArrayLike<number> = [];
  #down?: { x: number; y: number };

  constructor(viewport: Viewport, listener: PickListener) {
    this.#viewport = viewport;
    this.#listener = listener;
    const { canvas } = viewport;
    canvas.addEventListener('pointerdown', this.#press);
    canvas.addEventListener('pointermove', this.#move);
    canvas.addEventListener('pointerup', this.#release);
    canvas.addEventListener('pointerleave', this.#leave);
  }

  dispose(): void {
    const { canvas } = this.#viewport;
    canvas.removeEventListener('pointerdown', this.#press);
    canvas.removeEventListener('pointermove', this.#move);
    canvas.removeEventListener('pointerup', this.#release);
    canvas.removeEventListener('pointerleave', this.#leave);
  }

  pickAt(event: Place): void {
    const found = this.#find(event);
    this.#listener.point(found);
    if (found) this.#listener.pick(found.joint);
  }

  #find(event: Place): { joint: number; x: number; y: number } | undefined {
    const { positions, pickable } = this;
    if (!positions) return undefined;
    let least: number = event.pointerType === 'touch' ? GRIP.touch : GRIP.mouse;
    let found: { joint: number; x: number; y: number } | undefined;
    for (const pane of this.#viewport.panes.filter(showsJoints)) {
      for (let joint = 0; joint < positions.length / 3; joint++) {
        if (!pickable[joint]) continue;
        const place = this.#viewport.project(new Vector3().fromArray(positions, 3 * joint), pane);
        const distance = place ? Math.hypot(place.x - event.offsetX, place.y - event.offsetY) : Infinity;
        if (!place || distance >= least) continue;
        least = distance;
        found = { joint, ...place };
      }
    }
    return found;
  }

  readonly #press = (event: PointerEvent): void => {
    this.#down = event.button === 0 ? { x: event.offsetX, y: event.offsetY } : undefined;
  };

  readonly #move = (event: PointerEvent): void => {
    if (event.buttons !== 0) return;
    const found = this.#find(event);
    this.#viewport.canvas.style.cursor = found ? 'pointer' : '';
    this.#listener.point(found);
  };

  readonly #release = (event: PointerEvent): void => {
    const from = this.#down;
    this.#down = undefined;
    if (!from || Math.hypot(from.x - event.offsetX, from.y - event.offsetY) > STILL) return;
    this.pickAt(event);
  };

  readonly #leave = (): void => this.#listener.point(undefined);
}

/** Joints are drawn over the fitted, or over whatever is alone. */
const showsJoints = ({ shows }: Pane, _at: number, { length }: readonly Pane[]): boolean =>
  shows === 'fitted' || shows === 'overlay' || (shows === 'original' && length === 1);
