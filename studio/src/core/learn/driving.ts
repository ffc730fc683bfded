import type { Doc } from '../doc.ts';

/** What a person does with the control points of a predictor. */

/** Lets a control point stay where it is while others are dragged, or go along again. */
export function togglePin(doc: Doc, point: number): void {
  const pins = new Set(doc.learn.pins.value);
  if (!pins.delete(point)) pins.add(point);
  doc.edit('pin', doc.learn.pins, pins as ReadonlySet<number>);
}

/** Points (3n_c) go on with a drag. Where they stay, as they do at the limit they are held back at, that is no edit. */
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

/** Plays what was recorded, or goes back to the motion. */
export function replay({ points, learn, playback }: Doc, take: boolean): void {
  points.begin(take ? 'playing the recording' : 'going back to the motion');
  points.set(undefined);
  learn.replays.value = take;
  if (!take) return;
  playback.seek(0);
  playback.playing.value = true;
}
