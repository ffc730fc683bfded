import { PliantError } from '../error.ts';
import type { SkinWeights } from '../model/skinned-model.ts';
import { plural } from '../model/wording.ts';

/** What people bring themselves, held to what learning can use. */

/** What a caller may know already. */
export interface LearnGiven {
  /** Control points: vertices. */
  points?: ArrayLike<number>;
  /** What they are called, those that are chosen too; by default as the bones that they follow, if these have names. */
  names?: readonly string[];
  /** 3n_c: 1 where a coordinate steers; all do by default. */
  axes?: ArrayLike<number>;
  /** Bones, from `fit` (see `rigBones`) or anywhere: weights, and rigid E·B·12 transforms if they are known too. */
  bones?: { weights: SkinWeights; names?: readonly string[]; transforms?: Float64Array };
}

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
  const cause = `(got ${limit}, expected a number ≥ 1, or 0 for none)`;
  throw new PliantError('bad-option', 'learn', cause, { option: 'limit' });
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

/** Names that tell `count` control points apart. */
export function requireNames(names: readonly string[], count: number): void {
  const fail = (cause: string) => new PliantError('bad-input', 'learn', `names of control points (${cause})`);
  if (names.length !== count) throw fail(`got ${names.length}, expected ${count}`);
  if (names.includes('')) throw fail('got an empty one, expected a name for each');
  const repeated = names.find((name, l) => names.indexOf(name) < l);
  if (repeated !== undefined) throw fail(`got ${repeated} twice, expected different ones`);
}

/**
 * n_c different names, each point called as the bone that it follows most: `jaw`, `jaw 2`, …, counted on until one is free.
 * Weights are sorted, the first bone is the largest.
 */
export function namesByBones(
  points: Uint32Array,
  { influences, joints }: SkinWeights,
  names: readonly string[],
): string[] {
  const used = new Set<string>();
  for (const [l, i] of points.entries()) {
    const name = names[joints[i * influences]] || `point ${l + 1}`;
    let free = name;
    for (let count = 2; used.has(free); count++) free = `${name} ${count}`;
    used.add(free);
  }
  return [...used];
}

export function checkedAxes(axes: ArrayLike<number> | undefined, points: number): Uint8Array {
  const list = axes ? Uint8Array.from(axes, (x) => (x ? 1 : 0)) : new Uint8Array(3 * points).fill(1);
  const fail = (cause: string) => new PliantError('bad-input', 'learn', `axes (${cause})`);
  if (list.length !== 3 * points) throw fail(`got those of ${plural(list.length / 3, 'point')}, expected of ${points}`);
  if (!list.includes(1)) throw fail('got none in use, expected at least one');
  return list;
}
