import type { LiveCloth } from './live.ts';
import type { Wind } from './wind.ts';

/** What happened to live cloth since the last picture. Plain data: a worker can be sent it. */
export interface LiveTurn {
  /** 12B: where the body is, rest → pose. */
  transforms: Float32Array;
  seconds: number;
  /** If it has changed. */
  wind?: Wind;
  bending: number;
  grabbed?: { vertex: number; x: number; y: number; z: number };
  /** The garment is put on anew. */
  reset: boolean;
  /** It is taken along first: nobody saw it for a while [default false]. */
  carry?: boolean;
}

/** Makes a turn. Returns the number of its steps. */
export function takeTurn(cloth: LiveCloth, turn: LiveTurn): number {
  const { wind, bending, grabbed, transforms, seconds, reset, carry } = turn;
  if (wind) cloth.wind = wind;
  cloth.bending = bending;
  if (grabbed) cloth.grab(grabbed.vertex, grabbed.x, grabbed.y, grabbed.z);
  else cloth.release();
  cloth.pose(transforms);
  if (reset) cloth.reset();
  else if (carry) cloth.carry();
  return cloth.advance(seconds);
}
