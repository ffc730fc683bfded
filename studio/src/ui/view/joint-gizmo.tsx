import { useRef } from 'preact/hooks';
import { NO_TURN } from '../../core/rig/rig-pose.ts';
import { RINGS } from '../../viewport/ring-drag.ts';
import './gizmo.css';
import { useDrawn } from './gizmo.ts';
import { ringsPlace } from './place-rings.ts';
import { type Turning, useRingTurn } from './use-ring-turn.ts';

/** Rings to turn the selected joint. */
export function JointGizmo(props: Turning) {
  const { doc, joint, viewport, view } = props;
  const svg = useRef<SVGSVGElement>(null);
  const { drag, held, grab, step } = useRingTurn(props);
  const place = (element: SVGSVGElement) => ringsPlace(element, view.jointFrame(joint), viewport, drag.current);
  useDrawn(viewport, svg, doc.joint, place, [doc, view, joint]);
  const angles = doc.turns.value.value.get(joint) ?? NO_TURN;
  return (
    <svg
      ref={svg}
      class={`gizmo ${held ? 'held' : ''}`}
      style={{ visibility: 'hidden' }}
      aria-label={`Turn ${doc.rig.joints.value.names[joint]}`}
      role="toolbar"
    >
      {RINGS.map((name) => (
        <g
          key={name}
          class={`ring-${name} ${held === name ? 'active' : ''}`}
          role="slider"
          tabindex={0}
          aria-label={name === 'view' ? 'Ring about the line of sight' : `Ring ${name}`}
          aria-valuemin={-180}
          aria-valuemax={180}
          aria-valuenow={name === 'view' ? 0 : Math.round(angles[RINGS.indexOf(name)])}
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
