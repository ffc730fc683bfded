import type { RefObject } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { Doc } from '../../core/doc.ts';
import { turnedAbout } from '../../core/rig/joint-turn.ts';
import { type Angles, NO_TURN, withTurn } from '../../core/rig/rig-pose.ts';
import type { Shown } from '../../viewport/doc-view.ts';
import { RingDrag, type RingName, ringOf } from '../../viewport/ring-drag.ts';
import { arrowOf } from '../controls/arrow-keys.ts';
import { follow } from './gizmo.ts';

/** Degrees: of a step while Shift is held, and of a key without it. */
const SNAP = 15;
const KEY = 1;
/** CSS pixels below which a drag counts as a click. */
const CLICK = 4;

export interface Turning extends Shown {
  doc: Doc;
  joint: number;
}

interface RingTurn {
  /** The current drag. */
  drag: RefObject<RingDrag | undefined>;
  /** The ring that is dragged. */
  held: RingName | undefined;
  /** A press on a ring. */
  grab(name: RingName, event: PointerEvent & { currentTarget: SVGElement }): void;
  /** A key on a ring. */
  step(name: RingName, event: KeyboardEvent): void;
}

/** Turns a joint by its rings. */
export function useRingTurn({ doc, joint, viewport, view }: Turning): RingTurn {
  const drag = useRef<RingDrag | undefined>(undefined);
  const [held, setHeld] = useState<RingName>();
  const turn = (ring: RingDrag['ring'], before: Angles, degrees: number) =>
    doc.turns.set(withTurn(doc.turns.value.value, joint, turnedAbout(before, ring.own, degrees * ring.hand)));
  const anglesNow = () => doc.turns.value.value.get(joint) ?? NO_TURN;

  const grab = (name: RingName, event: PointerEvent & { currentTarget: SVGElement }) => {
    if (event.button !== 0) return;
    const { clientX, clientY } = event;
    const { left, top } = viewport.canvas.getBoundingClientRect();
    const going = new RingDrag(ringOf(name, view.jointFrame(joint), viewport), viewport, clientX - left, clientY - top);
    const before = anglesNow();
    const move = (moved: PointerEvent) => {
      if (!drag.current) {
        if (Math.hypot(moved.clientX - clientX, moved.clientY - clientY) < CLICK) return;
        doc.playback.playing.value = false;
        doc.turns.begin();
        drag.current = going;
        setHeld(name);
      }
      going.move(moved.clientX - left, moved.clientY - top);
      const degrees = (going.turned * 180) / Math.PI;
      const snapped = moved.shiftKey ? SNAP * Math.round(degrees / SNAP) : degrees;
      going.shown = (snapped * Math.PI) / 180;
      turn(going.ring, before, snapped);
    };
    const drop = () => {
      // A click on a ring selects the joint below it.
      if (!drag.current) view.pickAt(event.pointerType, clientX - left, clientY - top);
      drag.current = undefined;
      setHeld(undefined);
      viewport.invalidate();
    };
    follow(event, move, drop);
  };

  const step = (name: RingName, event: KeyboardEvent) => {
    const sign = arrowOf(event);
    if (sign === 0) return;
    doc.turns.begin();
    turn(ringOf(name, view.jointFrame(joint), viewport), anglesNow(), sign * (event.shiftKey ? SNAP : KEY));
  };
  return { drag, held, grab, step };
}
