import { useRef, useState } from 'preact/hooks';
import { Vector3 } from 'three';
import type { Doc } from '../core/doc.ts';
import { turnedAbout } from '../core/rig/joint-turn.ts';
import { NO_TURN, withTurn } from '../core/rig/rig-pose.ts';
import { onRing, RINGS, RingDrag, type RingName, ringOf } from '../viewport/ring-drag.ts';
import type { Viewport } from '../viewport/viewport.ts';
import type { Shown } from './app.tsx';
import './gizmo.css';
import { arrowOf, follow, useDrawn } from './gizmo.ts';

/** Degrees: of a step while Shift is held, and of a key without it. */
const SNAP = 15;
const KEY = 1;
/** Straight pieces that a ring is drawn of. */
const STEPS = 72;
/** A pointer that has moved by fewer CSS pixels clicks. */
const CLICK = 4;

interface Props extends Shown {
  doc: Doc;
}

/** The joint that is selected, with rings to turn it by; others are selected by a click. */
export function JointGizmo({ doc, viewport, view }: Props) {
  const svg = useRef<SVGSVGElement>(null);
  const drag = useRef<RingDrag | undefined>(undefined);
  const [held, setHeld] = useState<RingName>();
  const joint = doc.joint.value;
  const name = doc.rig.joints.value.names[joint];

  const place = () => svg.current && placeRings(svg.current, doc, { viewport, view }, drag.current);
  useDrawn(viewport, doc.joint, place, [doc, view]);

  const turn = (ring: RingDrag['ring'], before: typeof NO_TURN, degrees: number) =>
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
      // A click on a ring is meant for a joint below it.
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

  return (
    <svg ref={svg} class={`gizmo ${held ? 'held' : ''}`} aria-label={`Turn ${name}`} role="toolbar">
      {RINGS.map((name) => (
        <g
          key={name}
          class={`ring-${name} ${held === name ? 'active' : ''}`}
          role="slider"
          tabindex={0}
          aria-label={name === 'view' ? 'Ring about the line of sight' : `Ring ${name}`}
          aria-valuemin={-180}
          aria-valuemax={180}
          aria-valuenow={name === 'view' ? 0 : Math.round(anglesNow()[RINGS.indexOf(name)])}
          onPointerDown={(event) => grab(name, event)}
          onKeyDown={(event) => step(name, event)}
        >
          <path class="back" />
          <path class="front" />
          <path class="grip" />
          {name !== 'view' && (
            <g class="letter">
              <circle r="8" />
              <text>{name}</text>
            </g>
          )}
        </g>
      ))}
      <path class="sector" />
      <text class="reading" />
    </svg>
  );
}

/** Puts the rings where the camera sees them. */
function placeRings(svg: SVGSVGElement, doc: Doc, { viewport, view }: Shown, drag: RingDrag | undefined): void {
  const part = <T extends SVGElement>(selector: string) => svg.querySelector<T>(selector)!;
  const frame = view.jointFrame(doc.joint.peek());
  const centre = viewport.project(new Vector3(frame[3], frame[7], frame[11]));
  svg.style.visibility = centre ? '' : 'hidden';
  if (!centre) return;
  const d = (points: readonly Vector3[]) =>
    points
      .map((point) => viewport.project(point))
      .map((place, p) => (place ? `${p === 0 ? 'M' : 'L'}${place.x.toFixed(1)} ${place.y.toFixed(1)}` : ''))
      .join('');
  for (const name of RINGS) {
    const ring = ringOf(name, frame, viewport);
    const eye = viewport.towardsEye(ring.centre);
    // From where the ring comes to the front, half of it is before the joint and half behind.
    const first = Math.atan2(-ring.across[0].dot(eye), ring.across[1].dot(eye));
    const half = (from: number) =>
      d(Array.from({ length: STEPS / 2 + 1 }, (_, s) => onRing(ring, from + (2 * Math.PI * s) / STEPS)));
    const [front, back] = [half(first), half(first + Math.PI)];
    part(`.ring-${name} .front`).setAttribute('d', front);
    part(`.ring-${name} .back`).setAttribute('d', back);
    part(`.ring-${name} .grip`).setAttribute('d', front + (name === 'view' ? back : ''));
    if (name !== 'view')
      put(
        part(`.ring-${name} .letter`),
        viewport,
        onRing({ ...ring, radius: 1.02 * ring.radius }, first + Math.PI / 3),
      );
  }
  const reading = part('.reading');
  reading.textContent = drag ? `${Math.round((drag.shown * 180) / Math.PI)}°` : '';
  reading.setAttribute('transform', `translate(${centre.x} ${centre.y + (centre.y < 140 ? 112 : -112)})`);
  const steps = drag ? Math.max(2, Math.ceil(Math.abs(drag.shown) * 12)) : 0;
  const arc = Array.from({ length: steps }, (_, s) =>
    onRing(drag!.ring, drag!.start + (drag!.shown * s) / (steps - 1)),
  );
  part('.sector').setAttribute('d', drag ? `${d([drag.ring.centre, ...arc])}Z` : '');
}

function put(text: SVGElement, viewport: Viewport, point: Vector3): void {
  const place = viewport.project(point);
  if (place) text.setAttribute('transform', `translate(${place.x} ${place.y})`);
}
