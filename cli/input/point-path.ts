import { PliantError } from '../../src/error.ts';
import type { PointPath } from '../../src/learn/drive-sequence.ts';
import type { PointRange } from '../../src/learn/point-ranges.ts';
import { steadyTimes } from '../../src/model/sequence.ts';
import { didYouMean } from '../flags/suggest.ts';

/** Where control points go, as people write it: a JSON file, or moves on the command line. */

/**
 * `{ "times": [s, …], "points": [name, …], "frames": [[[x, y, z], …], …] }`, or just the frames: of all control points, in
 * their own order or as the path itself names them. With "offsets" instead of "frames" coordinates are counted from where
 * the points rest, and "points" may name some of them only: the others stay.
 */
export function parsePointPath(text: string, points: readonly PointRange[], file: string): PointPath {
  const fail = (cause: string): never => {
    throw new PliantError('bad-input', 'drive', cause, { file });
  };
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch (error) {
    fail(`not JSON: ${(error as SyntaxError).message}`);
  }
  const given = (Array.isArray(data) ? { frames: data } : (data ?? {})) as Record<string, unknown>;
  if (given.frames !== undefined && given.offsets !== undefined) fail('both frames and offsets (expected one of them)');
  const fromRest = given.offsets !== undefined;
  const frames = given.offsets ?? given.frames;
  if (!Array.isArray(frames) || frames.length === 0) {
    return fail('no frames (expected {"times": […], "frames": […]}, or "offsets" instead of "frames")');
  }
  const places = placesOf(given.points, points, fromRest, fail);
  const count = places.length;
  const path = atRest(points, frames.length);
  frames.forEach((frame: unknown, k) => {
    const flat = Array.isArray(frame) ? (frame.flat() as unknown[]) : [];
    if (flat.length !== 3 * count)
      fail(`frame ${k} has ${flat.length} coordinates (expected ${3 * count}, of ${count} points)`);
    flat.forEach((x, c) => {
      if (!Number.isFinite(x)) fail(`frame ${k}: coordinate ${c} is ${String(x)} (expected a number)`);
      const to = 3 * (k * points.length + places[Math.floor(c / 3)]) + (c % 3);
      path[to] = (fromRest ? path[to] : 0) + (x as number);
    });
  });
  return { times: timesOf(given.times, frames.length, fail), points: path };
}

type Fail = (cause: string) => never;

const AXES = ['x', 'y', 'z'];

/** Which control point each column of a path is. */
function placesOf(order: unknown, points: readonly PointRange[], someOnly: boolean, fail: Fail): number[] {
  if (order === undefined) return points.map((_, l) => l);
  const names = points.map(({ name }) => name);
  const known = Array.isArray(order) && order.every((name) => names.includes(name));
  const once = known && new Set(order).size === order.length && order.length > 0;
  if (!once || !(someOnly || order.length === names.length)) {
    const expected = someOnly ? 'some of' : `the ${names.length} names`;
    fail(`points (got ${JSON.stringify(order)}, expected ${expected} ${names.join(', ')})`);
  }
  return (order as string[]).map((name) => names.indexOf(name));
}

function timesOf(times: unknown, frames: number, fail: Fail): Float64Array {
  if (times === undefined) return steadyTimes(frames);
  const rising = (list: readonly unknown[]): boolean =>
    list.every((t, k) => Number.isFinite(t) && (k === 0 || (t as number) > (list[k - 1] as number)));
  if (!Array.isArray(times) || times.length !== frames || !rising(times)) {
    fail(`times (expected ${frames} rising numbers of seconds)`);
  }
  return Float64Array.from(times as number[]);
}

/** P × 3n_c: all points where they rest. */
function atRest(points: readonly PointRange[], frames: number): Float64Array {
  const rest = points.flatMap((point) => point.rest);
  return Float64Array.from({ length: frames * rest.length }, (_, c) => rest[c % rest.length]);
}

/** A control point and how far it goes from where it rests. */
export interface Move {
  name: string;
  offset: number[];
}

/** `chin=0,-0.1,0`. */
export function parseMove(text: string): Move {
  const [, name, list] = /^(.+)=([^=]+)$/.exec(text) ?? [];
  const offset = list?.split(',').map((x) => (x.trim() === '' ? Number.NaN : Number(x))) ?? [];
  if (offset.length === 3 && offset.every(Number.isFinite)) return { name: name.trim(), offset };
  const cause = `--by (got ${text}, expected a point and three numbers, as in "chin=0,-0.1,0")`;
  throw new PliantError('bad-option', 'drive', cause);
}

/** In a second from rest to where the moves lead; points without a move stay. */
export function movesPath(moves: readonly Move[], points: readonly PointRange[], framesPerSecond: number): PointPath {
  const fail: Fail = (cause) => {
    throw new PliantError('bad-option', 'drive', `--by: ${cause}`);
  };
  const names = points.map(({ name }) => name);
  const moved = new Set<number>();
  const steps = Math.max(1, Math.round(framesPerSecond));
  const path = atRest(points, steps + 1);
  for (const { name, offset } of moves) {
    const l = names.indexOf(name);
    if (l < 0) fail(`no such control point (got ${name}, expected ${names.join(', ')})${didYouMean(name, names)}`);
    if (moved.has(l)) fail(`${name} more than once`);
    moved.add(l);
    const idle = AXES.filter((_, c) => offset[c] !== 0 && points[l].min[c] === undefined);
    if (idle.length > 0) fail(`${name} does not steer along ${idle.join(' and ')} (got ${offset})`);
    for (let k = 0; k <= steps; k++) {
      for (let c = 0; c < 3; c++) path[3 * (k * points.length + l) + c] += (k / steps) * offset[c];
    }
  }
  return { times: steadyTimes(steps + 1, steps), points: path };
}
