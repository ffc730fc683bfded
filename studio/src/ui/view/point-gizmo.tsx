import { useRef, useState } from 'preact/hooks';
import { Vector3 } from 'three';
import type { Doc } from '../../core/doc.ts';
import { isHeld } from '../../core/learn/driving.ts';
import type { Shown } from '../../viewport/doc-view.ts';
import { arrowOf } from '../controls/arrow-keys.ts';
import { AXES, type Axis, follow, hide, moveTo, useDrawn } from './gizmo.ts';
import './gizmo.css';

const UNITS: Record<Axis, Vector3> = { x: new Vector3(1, 0, 0), y: new Vector3(0, 1, 0), z: new Vector3(0, 0, 1) };

/** CSS pixels: where arrows begin, beside the point, and how long they are. */
const GAP = 12;
const LONG = 64;
/** CSS pixels from the point to what is said of it, beyond the arrows and a finger. */
const HINT = 84;
/** CSS pixels that a key moves the point by; with Shift, and without. */
const FAR = 20;
const NEAR = 2;

/** Arrows that move the selected control point along one axis. */
export function PointGizmo({ doc, viewport, view }: Shown & { doc: Doc }) {
  const svg = useRef<SVGSVGElement>(null);
  const [held, setHeld] = useState<Axis>();
  const point = doc.learn.point.value;

  const place = (element: SVGSVGElement) => arrowsPlace(element, { viewport, view }, doc.learn.point.peek());
  useDrawn(viewport, svg, doc.learn.point, place, [doc, view]);

  const grab = (axis: Axis, event: PointerEvent & { currentTarget: SVGElement }) => {
    const { driven } = view;
    if (event.button !== 0 || point === undefined || !driven) return;
    const { clientX, clientY } = event;
    const drag = driven.take(point);
    const step = LONG * viewport.eye.pixelSize(drag.start);
    const [here, there] = [drag.start, drag.start.clone().addScaledVector(UNITS[axis], step)].map((at) =>
      viewport.eye.project(at),
    );
    setHeld(axis);
    const move = (moved: PointerEvent) => {
      if (!here || !there) return;
      const [dx, dy] = [there.x - here.x, there.y - here.y];
      // An axis along the line of sight cannot be followed.
      const along = ((moved.clientX - clientX) * dx + (moved.clientY - clientY) * dy) / Math.max(64, dx * dx + dy * dy);
      drag.moveTo(drag.start.clone().addScaledVector(UNITS[axis], step * along));
    };
    follow(event, move, () => setHeld(undefined));
  };

  const step = (axis: Axis, event: KeyboardEvent) => {
    if (point === undefined || !view.driven) return;
    const sign = arrowOf(event);
    if (sign === 0) return;
    const drag = view.driven.take(point);
    const length = sign * (event.shiftKey ? FAR : NEAR) * viewport.eye.pixelSize(drag.start);
    drag.moveTo(drag.start.clone().addScaledVector(UNITS[axis], length));
  };

  return (
    <svg
      ref={svg}
      class={`gizmo ${held ? 'held' : ''}`}
      style={{ visibility: 'hidden' }}
      role="toolbar"
      aria-label="Move the control point"
    >
      {AXES.map((axis) => (
        <g
          key={axis}
          class={`arrow ring-${axis} ${held === axis ? 'active' : ''}`}
          role="slider"
          tabindex={0}
          aria-label={`Move along ${axis}`}
          aria-valuenow={0}
          onPointerDown={(event) => grab(axis, event)}
          onKeyDown={(event) => step(axis, event)}
        >
          <path class="front" />
          <path class="grip" />
          <g class="letter">
            <circle r="8" />
            <text>{axis}</text>
          </g>
        </g>
      ))}
      <text>{isHeld(doc) && 'stopped: it would tear'}</text>
    </svg>
  );
}

function arrowsPlace(svg: SVGSVGElement, { viewport, view }: Shown, point: number | undefined): () => void {
  const start = point === undefined ? undefined : view.driven?.place(point);
  const centre = start && viewport.eye.project(start);
  if (!centre) return () => hide(svg);
  const size = viewport.eye.pixelSize(start);
  const ends = AXES.map((axis) =>
    [GAP, LONG].map((pixels) => viewport.eye.project(start.clone().addScaledVector(UNITS[axis], pixels * size))),
  );
  return () => {
    svg.style.visibility = '';
    svg.lastElementChild!.setAttribute(
      'transform',
      moveTo({ x: centre.x, y: centre.y + (centre.y > HINT + GAP ? -HINT : HINT) }),
    );
    AXES.forEach((axis, a) => {
      const [from, to] = ends[a];
      if (!from || !to) return;
      const d = `M${from.x} ${from.y}L${to.x} ${to.y}`;
      for (const path of svg.querySelectorAll(`.ring-${axis} > path`)) path.setAttribute('d', d);
      svg.querySelector(`.ring-${axis} .letter`)!.setAttribute('transform', moveTo(to));
    });
  };
}
