import { Vector3 } from 'three';
import { determinant34 } from '../../../src/math/matrix34.ts';
import { shortest } from '../core/rig/joint-turn.ts';
import type { Viewport } from './viewport.ts';

export const RINGS = ['x', 'y', 'z', 'view'] as const;
export type RingName = (typeof RINGS)[number];

/** Radii of the rings on the screen, in CSS pixels. */
const RADIUS = { x: 76, y: 76, z: 76, view: 92 } as const;
/** They are smaller in panes that are narrower than this. */
const ROOMY = 280;
/** A ring seen at a flatter angle (cosine to its normal) is pulled along like a rope. */
const FLAT = 0.2;

/** A circle around a joint: the plane in which a drag turns it. */
export interface Ring {
  centre: Vector3;
  /** Unit vectors: the axis, and two across it. */
  axis: Vector3;
  across: [Vector3, Vector3];
  radius: number;
  /** The axis in the joint's own frame. */
  own: [number, number, number];
  /** −1 if the joint's frame is mirrored: turns are reversed. */
  hand: number;
}

/** The ring of a joint about one of its axes, or about the line of sight. @param frame 12: its axes and place. */
export function ringOf(name: RingName, frame: Float64Array, viewport: Viewport): Ring {
  const centre = new Vector3(frame[3], frame[7], frame[11]);
  const column = (c: number) => new Vector3(frame[c], frame[c + 4], frame[c + 8]).normalize();
  const axis = name === 'view' ? viewport.eye.towardsEye(centre) : column(RINGS.indexOf(name));
  const helper = [new Vector3(1, 0, 0), new Vector3(0, 1, 0), new Vector3(0, 0, 1)].reduce((least, unit) =>
    Math.abs(unit.dot(axis)) < Math.abs(least.dot(axis)) ? unit : least,
  );
  const first = new Vector3().crossVectors(axis, helper).normalize();
  const hand = determinant34(frame) < 0 ? -1 : 1;
  return {
    centre,
    axis,
    across: [first, new Vector3().crossVectors(axis, first)],
    radius: RADIUS[name] * Math.min(1, viewport.eye.paneWidth / ROOMY) * viewport.eye.pixelSize(centre),
    own: [0, 1, 2].map((c) => column(c).dot(axis)) as [number, number, number],
    hand,
  };
}

/** The point of a ring at an angle. */
export const onRing = ({ centre, across, radius }: Ring, angle: number): Vector3 =>
  centre
    .clone()
    .addScaledVector(across[0], radius * Math.cos(angle))
    .addScaledVector(across[1], radius * Math.sin(angle));

/** A drag of a ring. */
export class RingDrag {
  readonly ring: Ring;
  /** Angle on the ring where the drag started, and how far it has turned since, in radians. */
  readonly start: number;
  turned = 0;
  /** The same, perhaps rounded to steps. */
  shown = 0;
  readonly #viewport: Viewport;
  readonly #from: { x: number; y: number };
  #last: number;

  constructor(ring: Ring, viewport: Viewport, x: number, y: number) {
    this.ring = ring;
    this.#viewport = viewport;
    this.#from = { x, y };
    this.start = nearestAngle(ring, viewport, x, y);
    this.#last = this.#angleAt(x, y) ?? 0;
  }

  /** The pointer moves to a place of the canvas. */
  move(x: number, y: number): void {
    const { axis, centre } = this.ring;
    if (Math.abs(axis.dot(this.#viewport.eye.towardsEye(centre))) < FLAT) {
      this.turned = this.#pulled(x, y);
      return;
    }
    const angle = this.#angleAt(x, y);
    if (angle === undefined) return;
    this.turned += shortest(angle - this.#last);
    this.#last = angle;
  }

  /** Angle of the pointer in the plane of the ring. */
  #angleAt(x: number, y: number): number | undefined {
    const { centre, axis, across } = this.ring;
    const point = this.#viewport.eye.onPlane(x, y, centre, axis)?.sub(centre);
    return point && Math.atan2(point.dot(across[1]), point.dot(across[0]));
  }

  /** How far a rope around the ring moves when pulled along the screen. */
  #pulled(x: number, y: number): number {
    const step = 1e-3;
    const [here, there] = [this.start - step, this.start + step].map((a) =>
      this.#viewport.eye.project(onRing(this.ring, a)),
    );
    if (!here || !there) return this.turned;
    const [tx, ty] = [(there.x - here.x) / (2 * step), (there.y - here.y) / (2 * step)];
    return ((x - this.#from.x) * tx + (y - this.#from.y) * ty) / Math.max(1, tx * tx + ty * ty);
  }
}

/** The angle of the ring nearest to a place of the canvas, preferring the front side. */
function nearestAngle(ring: Ring, viewport: Viewport, x: number, y: number): number {
  const eye = viewport.eye.towardsEye(ring.centre);
  let best = 0;
  let least = Infinity;
  for (let step = 0; step < 180; step++) {
    const angle = (step * Math.PI) / 90;
    const point = onRing(ring, angle);
    const place = viewport.eye.project(point);
    if (!place) continue;
    const behind = point.sub(ring.centre).dot(eye) < -1e-6 * ring.radius ? 4 : 0;
    const distance = Math.hypot(place.x - x, place.y - y) + behind;
    if (distance >= least) continue;
    least = distance;
    best = angle;
  }
  return best;
}
