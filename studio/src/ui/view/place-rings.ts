import { Vector3 } from 'three';
import { onRing, RINGS, type RingDrag, ringOf } from '../../viewport/ring-drag.ts';
import type { Viewport } from '../../viewport/viewport.ts';

/** Straight pieces that a ring is drawn of. */
const STEPS = 72;

/** Puts the rings where the camera sees them. @param frame 12: the axes of the joint, and its place. */
export function placeRings(
  svg: SVGSVGElement,
  frame: Float64Array,
  viewport: Viewport,
  drag: RingDrag | undefined,
): void {
  const part = <T extends SVGElement>(selector: string) => svg.querySelector<T>(selector)!;
  const centre = viewport.eye.project(new Vector3(frame[3], frame[7], frame[11]));
  svg.style.visibility = centre ? '' : 'hidden';
  if (!centre) return;
  const d = (points: readonly Vector3[]) =>
    points
      .map((point) => viewport.eye.project(point))
      .map((place, p) => (place ? `${p === 0 ? 'M' : 'L'}${place.x.toFixed(1)} ${place.y.toFixed(1)}` : ''))
      .join('');
  for (const name of RINGS) {
    const ring = ringOf(name, frame, viewport);
    const eye = viewport.eye.towardsEye(ring.centre);
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
  const place = viewport.eye.project(point);
  if (place) text.setAttribute('transform', `translate(${place.x} ${place.y})`);
}
