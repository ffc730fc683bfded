import { Vector3 } from 'three';
import { onRing, RINGS, type RingDrag, ringOf } from '../../viewport/ring-drag.ts';
import type { Viewport } from '../../viewport/viewport.ts';
import { trueMinus } from '../controls/field.tsx';
import { hide, moveTo } from './gizmo.ts';

/** Straight pieces that a ring is drawn of. */
const STEPS = 72;

/** Where the camera sees the rings, as what puts them there. @param frame 12: the axes of the joint, and its place. */
export function ringsPlace(
  svg: SVGSVGElement,
  frame: Float64Array,
  viewport: Viewport,
  drag: RingDrag | undefined,
): () => void {
  const part = <T extends SVGElement>(selector: string) => svg.querySelector<T>(selector)!;
  const { eye } = viewport;
  const centre = eye.project(new Vector3(frame[3], frame[7], frame[11]));
  if (!centre) return () => hide(svg);
  const pathOf = (points: readonly Vector3[]) =>
    points
      .map((point) => eye.project(point))
      .map((place, p) => (place ? `${p === 0 ? 'M' : 'L'}${place.x.toFixed(1)} ${place.y.toFixed(1)}` : ''))
      .join('');
  const rings = RINGS.map((name) => {
    const ring = ringOf(name, frame, viewport);
    const towards = eye.towardsEye(ring.centre);
    // Starting where the ring comes to the front, half of it lies before the joint and half behind.
    const first = Math.atan2(-ring.across[0].dot(towards), ring.across[1].dot(towards));
    const half = (from: number) =>
      pathOf(Array.from({ length: STEPS / 2 + 1 }, (_, s) => onRing(ring, from + (2 * Math.PI * s) / STEPS)));
    const letter = eye.project(onRing({ ...ring, radius: 1.02 * ring.radius }, first + Math.PI / 3));
    return { name, front: half(first), back: half(first + Math.PI), letter };
  });
  const reading = drag ? trueMinus(`${Math.round((drag.shown * 180) / Math.PI)}°`) : '';
  const sector = drag ? `${pathOf(sectorOf(drag))}Z` : '';
  return () => {
    svg.style.visibility = '';
    for (const { name, front, back, letter } of rings) {
      part(`.ring-${name} .front`).setAttribute('d', front);
      part(`.ring-${name} .back`).setAttribute('d', back);
      part(`.ring-${name} .grip`).setAttribute('d', front + (name === 'view' ? back : ''));
      if (name !== 'view' && letter) part(`.ring-${name} .letter`).setAttribute('transform', moveTo(letter));
    }
    const text = part('.reading');
    text.textContent = reading;
    text.setAttribute('transform', moveTo({ x: centre.x, y: centre.y + (centre.y < 140 ? 112 : -112) }));
    part('.sector').setAttribute('d', sector);
  };
}

/** The centre of the ring, and what was turned so far. */
function sectorOf({ ring, start, shown }: RingDrag): Vector3[] {
  const steps = Math.max(2, Math.ceil(Math.abs(shown) * 12));
  return [ring.centre, ...Array.from({ length: steps }, (_, s) => onRing(ring, start + (shown * s) / (steps - 1)))];
}
