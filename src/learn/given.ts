import { PliantError } from '../error.ts';
import type { SkinWeights } from '../model/skinned-model.ts';
import { plural } from '../model/wording.ts';

/** What people bring themselves, held to what learning can use. */

/** Given transforms must turn and move, not scale: targets are quaternions. */
export function requireRigid(transforms: Float64Array): void {
  for (let o = 0; o < transforms.length; o += 4) {
    const length = Math.hypot(transforms[o], transforms[o + 1], transforms[o + 2]);
    if (Math.abs(length - 1) < 1e-3 && Number.isFinite(transforms[o + 3])) continue;
    const cause = `given bones (got a row of length ${length}, expected rigid transforms)`;
    throw new PliantError('bad-input', 'learn', cause);
  }
}

/** Within the examples themselves nothing may be limited. */
export function requireLimit(limit: number): void {
  if (limit === 0 || limit >= 1) return;
  throw new PliantError('bad-option', 'learn', `limit (got ${limit}, expected at least 1, or 0 for none)`);
}

export function checkedPoints(points: ArrayLike<number>, n: number): Uint32Array {
  const list = Array.from(points);
  const bad = list.find((i) => !(Number.isInteger(i) && i >= 0 && i < n));
  if (bad !== undefined) {
    throw new PliantError('bad-input', 'learn', `control point ${bad} (expected a vertex from 0 to ${n - 1})`);
  }
  if (list.length === 0 || new Set(list).size < list.length) {
    throw new PliantError(
      'bad-input',
      'learn',
      `control points (got ${list.join(', ') || 'none'}, expected different ones)`,
    );
  }
  return Uint32Array.from(list);
}

/** n_c names; undefined where nothing has any. With bones that have names, each point is called as the one it follows most. */
export function checkedNames(
  given: readonly string[] | undefined,
  bones: { weights: SkinWeights; names?: readonly string[] } | undefined,
  points: Uint32Array,
): string[] | undefined {
  if (!given) return bones?.names && namesByBones(points, bones.weights, bones.names);
  const fail = (cause: string) => new PliantError('bad-input', 'learn', `names of control points (${cause})`);
  if (given.length !== points.length) throw fail(`got ${given.length}, expected ${points.length}`);
  const repeated = given.find((name, l) => name === '' || given.indexOf(name) < l);
  if (repeated !== undefined) throw fail(`got ${repeated === '' ? 'an empty one' : `${repeated} twice`}`);
  return [...given];
}

/** `jaw`, `jaw 2`, …: weights are sorted, the first bone is the largest. */
function namesByBones(points: Uint32Array, { influences, joints }: SkinWeights, names: readonly string[]): string[] {
  const used = new Map<string, number>();
  return Array.from(points, (i, l) => {
    const name = names[joints[i * influences]] || `point ${l + 1}`;
    const count = 1 + (used.get(name) ?? 0);
    used.set(name, count);
    return count === 1 ? name : `${name} ${count}`;
  });
}

export function checkedAxes(axes: ArrayLike<number> | undefined, points: number): Uint8Array {
  const list = axes ? Uint8Array.from(axes, (x) => (x ? 1 : 0)) : new Uint8Array(3 * points).fill(1);
  const fail = (cause: string) => new PliantError('bad-input', 'learn', `axes (${cause})`);
  if (list.length !== 3 * points) throw fail(`got those of ${plural(list.length / 3, 'point')}, expected of ${points}`);
  if (!list.includes(1)) throw fail('got none that steers, expected at least one');
  return list;
}
