import { PliantError } from '../error.ts';
import type { PointPath } from '../learn/drive-sequence.ts';
import type { PointRange } from '../learn/point-ranges.ts';
import { vertexCount } from '../model/mesh.ts';
import type { Predictor } from '../model/predictor.ts';
import { type MeshSequence, steadyTimes } from '../model/sequence.ts';

/** Where control points go, as people write it: frames or offsets by name, moves of some points, a sequence. */

const fail = (code: 'bad-input' | 'bad-option', option: string, cause: string): never => {
  throw new PliantError(code, 'drive', cause, { option });
};
const failPath: (cause: string) => never = (cause) => fail('bad-input', 'points', cause);

/**
 * `{ "times": [s, …], "points": [name, …], "frames": [[[x, y, z], …], …] }`, or just the frames: of all control points, in
 * their own order or as the path itself names them. With "offsets" instead of "frames" coordinates are relative to where
 * the points rest, and "points" may name some of them only: the others stay.
 */
export interface PathData {
  times?: readonly number[];
  points?: readonly string[];
  frames?: readonly (readonly (readonly number[])[])[];
  offsets?: readonly (readonly (readonly number[])[])[];
}

/** Checks a path of any origin: it may be a file that someone wrote. */
export function pathOfData(data: unknown, points: readonly PointRange[]): PointPath {
  const given = (Array.isArray(data) ? { frames: data } : (data ?? {})) as Record<string, unknown>;
  if (given.frames !== undefined && given.offsets !== undefined)
    failPath('frames and offsets cannot be combined (expected one of them)');
  const fromRest = given.offsets !== undefined;
  const frames = given.offsets ?? given.frames;
  if (!Array.isArray(frames) || frames.length === 0) {
    return failPath('no frames (expected {"times": […], "frames": […]}, or "offsets" instead of "frames")');
  }
  const places = placesOf(given.points, points, fromRest);
  const count = places.length;
  const path = atRest(points, frames.length);
  frames.forEach((frame: unknown, k) => {
    const flat = Array.isArray(frame) ? (frame.flat() as unknown[]) : [];
    if (flat.length !== 3 * count)
      failPath(`frame ${k} has ${flat.length} coordinates (expected ${3 * count}, of ${count} points)`);
    flat.forEach((x, c) => {
      if (!Number.isFinite(x)) failPath(`frame ${k}: coordinate ${c} is ${String(x)} (expected a number)`);
      const to = 3 * (k * points.length + places[Math.floor(c / 3)]) + (c % 3);
      path[to] = (fromRest ? path[to] : 0) + (x as number);
    });
  });
  return { times: timesOf(given.times, frames.length), points: path };
}

/** The path of a sequence: of the same mesh, whose vertices are looked up, or of the control points alone. */
export async function pathOfSequence(
  sequence: MeshSequence | undefined,
  { points, mesh }: Predictor,
): Promise<PointPath> {
  const expected = `expected a sequence of ${vertexCount(mesh)} vertices, or of the ${points.length} control points`;
  if (!sequence) return failPath(`contains no sequence (${expected})`);
  const n = vertexCount(sequence.rest);
  const whole = n === vertexCount(mesh);
  if (!whole && n !== points.length) failPath(`${sequence.name} has ${n} vertices (${expected})`);
  const path = new Float64Array(sequence.frameCount * 3 * points.length);
  for (let k = 0; k < sequence.frameCount; k++) {
    const frame = await sequence.readFrame(k);
    points.forEach((i, l) => {
      for (let c = 0; c < 3; c++) path[3 * (k * points.length + l) + c] = frame[3 * (whole ? i : l) + c];
    });
  }
  return { times: sequence.times, points: path };
}

const AXES = ['x', 'y', 'z'];

/** Which control point each column of a path is. */
function placesOf(order: unknown, points: readonly PointRange[], someOnly: boolean): number[] {
  if (order === undefined) return points.map((_, l) => l);
  const names = points.map(({ name }) => name);
  const known = Array.isArray(order) && order.every((name) => names.includes(name));
  const once = known && new Set(order).size === order.length && order.length > 0;
  if (!once || !(someOnly || order.length === names.length)) {
    const expected = someOnly ? 'some of' : `the ${names.length} names`;
    failPath(`names of points (got ${JSON.stringify(order)}, expected ${expected} ${names.join(', ')})`);
  }
  return (order as string[]).map((name) => names.indexOf(name));
}

function timesOf(times: unknown, frames: number): Float64Array {
  if (times === undefined) return steadyTimes(frames);
  const rising = (list: readonly unknown[]): boolean =>
    list.every((t, k) => Number.isFinite(t) && (k === 0 || (t as number) > (list[k - 1] as number)));
  if (!Array.isArray(times) || times.length !== frames || !rising(times)) {
    failPath(`times (expected ${frames} increasing numbers, in seconds)`);
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

/** In a second from rest to where the moves lead; points without a move stay. */
export function movesPath(moves: readonly Move[], points: readonly PointRange[], framesPerSecond: number): PointPath {
  const names = points.map(({ name }) => name);
  const moved = new Set<number>();
  const steps = Math.max(1, Math.round(framesPerSecond));
  const path = atRest(points, steps + 1);
  for (const { name, offset } of moves) {
    const l = names.indexOf(name);
    if (l < 0) {
      const cause = `names no control point (got ${name}, expected ${names.join(', ')})`;
      throw new PliantError('bad-option', 'drive', cause, { option: 'by', got: name, candidates: names });
    }
    if (moved.has(l)) fail('bad-option', 'by', `names ${name} twice`);
    moved.add(l);
    const idle = AXES.filter((_, c) => offset[c] !== 0 && points[l].min[c] === undefined);
    if (idle.length > 0) fail('bad-option', 'by', `${name} has no effect along ${idle.join(' and ')} (got ${offset})`);
    for (let k = 0; k <= steps; k++) {
      for (let c = 0; c < 3; c++) path[3 * (k * points.length + l) + c] += (k / steps) * offset[c];
    }
  }
  return { times: steadyTimes(steps + 1, steps), points: path };
}
