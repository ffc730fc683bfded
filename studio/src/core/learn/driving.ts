import type { Mesh, Predictor } from '../../../../src/index.ts';
import { type Content, positionsOf } from '../content/content.ts';
import type { Doc } from '../doc.ts';
import { pathFrame } from './learn-work.ts';

/** Actions on the control points of a predictor. */

/** Pins or unpins a control point. */
export function togglePin(doc: Doc, point: number): void {
  const pins = new Set(doc.learn.pins.value);
  if (!pins.delete(point)) pins.add(point);
  doc.edit('pin', doc.learn.pins, pins as ReadonlySet<number>);
}

/** Continues a drag with new points (3n_c). Points that stay in place, as at the limit, are no edit. */
export function dragPoints({ points: edits, learn }: Doc, points: Float64Array, held: boolean): void {
  const before = edits.value.peek();
  const stay = before?.length === points.length && points.every((x, c) => x === before[c]);
  const now = stay ? before : points;
  learn.held.value = held ? now : undefined;
  edits.set(now);
}

/** Whether the points are where a drag was held back. */
export const isHeld = ({ points: { value: points }, learn: { whole, held } }: Doc): boolean =>
  whole.value && held.value !== undefined && held.value === points.value;

/** Plays the recording, or goes back to the motion. */
export function replay({ points, learn, playback }: Doc, take: boolean): void {
  points.begin(take ? 'playing the recording' : 'going back to the motion');
  points.set(undefined);
  learn.replays.value = take;
  if (!take) return;
  playback.seek(0);
  playback.playing.value = true;
}

/** 3n_c: where the control points are in frame k: dragged, as recorded, or in the motion. */
export function drivenPoints(doc: Doc, { points, mesh }: Predictor, k: number): Float64Array {
  const width = 3 * points.length;
  const dragged = doc.points.value.value;
  const take = doc.learn.shown.value;
  // Undo may restore points of an earlier predictor.
  if (dragged?.length === width) return dragged;
  if (take?.points.length === width * (take?.times.length ?? 0)) return pathFrame(take, k);
  return pointsAt(doc.content, points, mesh, k);
}

/** 3n_c: positions of vertices, numbered through all parts, in frame k; at rest if nothing moves. */
function pointsAt(content: Content, vertices: Uint32Array, mesh: Mesh, k: number): Float64Array {
  const positions = content.sequences.length === 0 ? mesh.positions : positionsOf(content, k);
  return Float64Array.from(
    { length: 3 * vertices.length },
    (_, c) => positions[3 * vertices[Math.floor(c / 3)] + (c % 3)],
  );
}
