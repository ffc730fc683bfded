import { PliantError } from '../src/error.ts';
import type { PointPath } from '../src/learn/drive-sequence.ts';
import { steadyTimes } from '../src/model/sequence.ts';

/**
 * `{ "times": [s, …], "points": [name, …], "frames": [[[x, y, z], …], …] }`, or just the frames: of all control points, in
 * the order of `names` or as the path itself names them.
 */
export function parsePointPath(text: string, names: readonly string[], file: string): PointPath {
  const count = names.length;
  const fail = (cause: string): never => {
    throw new PliantError('bad-input', 'drive', cause, { file });
  };
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch (error) {
    fail(`not JSON: ${(error as SyntaxError).message}`);
  }
  const {
    frames,
    times,
    points: order,
  } = (Array.isArray(data) ? { frames: data } : (data ?? {})) as {
    frames?: unknown;
    times?: unknown;
    points?: unknown;
  };
  if (!Array.isArray(frames) || frames.length === 0) return fail('no frames (expected {"times": […], "frames": […]})');
  const known = Array.isArray(order) && order.length === count && names.every((name) => order.includes(name));
  if (order !== undefined && !known) {
    return fail(`points (got ${JSON.stringify(order)}, expected the ${count} names ${names.join(', ')})`);
  }
  const places = known ? order.map((name: string) => names.indexOf(name)) : names.map((_, l) => l);
  const points = new Float64Array(frames.length * 3 * count);
  frames.forEach((frame: unknown, k) => {
    const flat = Array.isArray(frame) ? (frame.flat() as unknown[]) : [];
    if (flat.length !== 3 * count)
      fail(`frame ${k} has ${flat.length} coordinates (expected ${3 * count}, of ${count} points)`);
    flat.forEach((x, c) => {
      if (!Number.isFinite(x)) fail(`frame ${k}: coordinate ${c} is ${String(x)} (expected a number)`);
      points[3 * (k * count + places[Math.floor(c / 3)]) + (c % 3)] = x as number;
    });
  });
  if (times === undefined) return { times: steadyTimes(frames.length), points };
  const rising = (list: readonly unknown[]): boolean =>
    list.every((t, k) => Number.isFinite(t) && (k === 0 || (t as number) > (list[k - 1] as number)));
  if (!Array.isArray(times) || times.length !== frames.length || !rising(times)) {
    return fail(`times (expected ${frames.length} rising numbers of seconds)`);
  }
  return { times: Float64Array.from(times as number[]), points };
}
