import { effect } from '@preact/signals-core';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Vector3 } from 'three';
import type { Doc } from '../core/doc.ts';
import type { Shown } from './app.tsx';

const AXES = ['x', 'y', 'z'] as const;
type Axis = (typeof AXES)[number];
const UNITS: Record<Axis, Vector3> = { x: new Vector3(1, 0, 0), y: new Vector3(0, 1, 0), z: new Vector3(0, 0, 1) };

/** CSS pixels: where arrows begin, beside the point, and how long they are. */
const GAP = 12;
const LONG = 64;

/** Arrows that move the selected control point along one axis. */
export function PointGizmo({ doc, viewport, view }: Shown & { doc: Doc }) {
  const svg = useRef<SVGSVGElement>(null);
  const [held, setHeld] = useState<Axis>();
  const point = doc.learn.point.value;

  useEffect(() => {
    const place = () => svg.current && placeArrows(svg.current, { viewport, view }, doc.learn.point.peek());
    viewport.drawn.add(place);
    const stop = effect(() => {
      void doc.learn.point.value;
      viewport.invalidate();
    });
    return () => {
      stop();
      viewport.drawn.delete(place);
    };
  }, [doc, viewport, view]);

  const grab = (axis: Axis, event: PointerEvent & { currentTarget: SVGElement }) => {
    const { driven } = view;
    if (event.button !== 0 || point === undefined || !driven) return;
    const { currentTarget, pointerId, clientX, clientY } = event;
    currentTarget.setPointerCapture(pointerId);
    const drag = driven.take(point);
    const step = LONG * viewport.pixelSize(drag.start);
    const [here, there] = [drag.start, drag.start.clone().addScaledVector(UNITS[axis], step)].map((at) =>
      viewport.project(at),
    );
    setHeld(axis);
    const move = (moved: PointerEvent) => {
      if (!here || !there) return;
      const [dx, dy] = [there.x - here.x, there.y - here.y];
      // An axis along the line of sight cannot be followed.
      const along = ((moved.clientX - clientX) * dx + (moved.clientY - clientY) * dy) / Math.max(64, dx * dx + dy * dy);
      drag.moveTo(drag.start.clone().addScaledVector(UNITS[axis], step * along));
    };
    const drop = () => {
      currentTarget.removeEventListener('pointermove', move);
      setHeld(undefined);
    };
    currentTarget.addEventListener('pointermove', move);
    currentTarget.addEventListener('lostpointercapture', drop, { once: true });
  };

  return (
    <svg ref={svg} class={`gizmo ${held ? 'held' : ''}`} role="toolbar" aria-label="Move the control point">
      {AXES.map((axis) => (
        <g
          key={axis}
          class={`arrow ring-${axis} ${held === axis ? 'active' : ''}`}
          role="slider"
          tabindex={0}
          aria-label={`Move along ${axis}`}
          aria-valuenow={0}
          onPointerDown={(event) => grab(axis, event)}
          onKeyDown={(event) => {
            const sign = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
            if (sign === undefined || point === undefined || !view.driven) return;
            event.stopPropagation();
            event.preventDefault();
            const drag = view.driven.take(point);
            const pixels = sign * (event.shiftKey ? 20 : 2);
            drag.moveTo(drag.start.clone().addScaledVector(UNITS[axis], pixels * viewport.pixelSize(drag.start)));
          }}
        >
          <path class="front" />
          <path class="grip" />
          <g class="letter">
            <circle r="8" />
            <text>{axis}</text>
          </g>
        </g>
      ))}
    </svg>
  );
}

function placeArrows(svg: SVGSVGElement, { viewport, view }: Shown, point: number | undefined): void {
  const start = point === undefined ? undefined : view.driven?.place(point);
  const centre = start && viewport.project(start);
  svg.style.visibility = centre ? '' : 'hidden';
  if (!start || !centre) return;
  const size = viewport.pixelSize(start);
  for (const axis of AXES) {
    const [from, to] = [GAP, LONG].map((pixels) =>
      viewport.project(start.clone().addScaledVector(UNITS[axis], pixels * size)),
    );
    if (!from || !to) continue;
    const d = `M${from.x} ${from.y}L${to.x} ${to.y}`;
    for (const path of svg.querySelectorAll(`.ring-${axis} > path`)) path.setAttribute('d', d);
    svg.querySelector(`.ring-${axis} .letter`)!.setAttribute('transform', `translate(${to.x} ${to.y})`);
  }
}
