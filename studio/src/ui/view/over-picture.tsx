import type { Signal } from '@preact/signals-core';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { plural } from '../../../../src/report/format.ts';
import type { Doc } from '../../core/doc.ts';
import type { Pane } from '../../core/view/panes.ts';
import { labelPlace, paneNames } from '../../core/view/view-labels.ts';
import type { DocView, Shown } from '../../viewport/doc-view.ts';
import type { PointedJoint } from '../../viewport/joints-over.ts';
import { arrowOf } from '../controls/arrow-keys.ts';
import { useDrawn } from './gizmo.ts';

/** Names of the panes, each in its corner, and lines between them. */
export function PaneLabels({ doc, panes }: { doc: Doc; panes: readonly Pane[] }) {
  const { value: comparison } = doc.comparison;
  const names = paneNames(doc);
  return (
    <>
      {panes.map(({ shows, left: x, top, width, seen }, at) => {
        const right = comparison === 'wipe' && at === 1;
        const place = right ? { right: '10px' } : { left: `calc(${100 * Math.max(x, seen[0])}% + 10px)` };
        const below = top > 0 ? `calc(${100 * top}% + 10px)` : undefined;
        return (
          <>
            <span
              key={shows}
              class="pane-label"
              style={{ ...place, top: below, maxWidth: `calc(${100 * width}% - 20px)` }}
            >
              {names[shows]}
            </span>
            {x > 0 && <span class="pane-rule" style={{ left: `${100 * x}%` }} />}
            {top > 0 && <span class="pane-rule across" style={{ top: `${100 * top}%` }} />}
          </>
        );
      })}
    </>
  );
}

/** The wipe between original and fitted, moved by pointer or keys. */
export function WipeHandle({ wipe, host }: { wipe: Signal<number>; host: HTMLElement | null }) {
  const move = (share: number) => {
    wipe.value = Math.max(0.02, Math.min(0.98, share));
  };
  return (
    <div
      class="wipe"
      role="slider"
      tabIndex={0}
      aria-label="Border between original and fitted"
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(100 * wipe.value)}
      style={{ left: `${100 * wipe.value}%` }}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={(event) => {
        if (!host || event.buttons === 0) return;
        const { left, width } = host.getBoundingClientRect();
        move((event.clientX - left) / width);
      }}
      onKeyDown={(event) => {
        const way = arrowOf(event);
        if (way !== 0) move(wipe.value + 0.02 * way);
      }}
    />
  );
}

/** A ring around the worst vertex, with its label. */
export function WorstRing({ view, viewport }: Shown) {
  const ring = useRef<HTMLDivElement>(null);
  useDrawn(viewport, ring, view.worst, (element) => ringPlace(element, view), [view]);
  return (
    <div class="ring" ref={ring} style={{ visibility: 'hidden' }}>
      <span />
    </div>
  );
}

function ringPlace({ style, firstElementChild }: HTMLElement, view: DocView): () => void {
  const { ring } = view;
  return () => {
    style.visibility = ring ? 'visible' : 'hidden';
    if (!ring) return;
    const label = firstElementChild as HTMLElement;
    label.textContent = ring.text;
    style.transform = moveBy(ring);
    label.style.transform = moveBy(labelPlace(ring, label.offsetWidth));
  };
}

const moveBy = ({ x, y }: { x: number; y: number }) => `translate(${x}px, ${y}px)`;

/** The joint below the pointer. */
export function JointName({ joint, width }: { joint: PointedJoint; width: number }) {
  const { name, vertices } = joint;
  const label = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    const { style, offsetWidth } = label.current!;
    style.transform = moveBy(labelPlace({ ...joint, pane: [0, width] }, offsetWidth));
  }, [joint, width]);
  return (
    <div class="tip" role="status" style={{ transform: moveBy(joint) }}>
      <span ref={label}>
        {name} <small>{vertices > 0 ? plural(vertices, 'vertex', 'vertices') : 'no vertices'}</small>
      </span>
    </div>
  );
}
