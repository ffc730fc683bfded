import { expect, it } from 'vitest';
import type { Pushed } from '../../src/cloth/contact.ts';
import { MovingCapsules } from '../../src/cloth/moving-capsules.ts';
import { seededRandom } from '../../src/math/rng.ts';
import { type Vector, vectorOf } from '../../src/math/vector.ts';
import { expectNear } from './near.ts';

const CAPSULES = 12;
const POINTS = 300;
/** As often vertices are pushed. */
const ROUNDS = 20;

/** Every vertex against every capsule. `ends` are 6 numbers per capsule, now and one sub-step before. */
function pushPlainly(cloth: Pushed, radii: readonly number[], ends: Float64Array, before: Float64Array): void {
  const { x, previous, inverseMass, margin, friction } = cloth;
  for (let c = 0; c < POINTS * ROUNDS; c++) {
    const [i, round] = [Math.floor(c / ROUNDS), c % ROUNDS];
    radii.forEach((radius, q) => {
      if (inverseMass[i] === 0) return;
      const point = (from: Float64Array, at: number): Vector => vectorOf((c) => from[at + c]);
      const [a, b, p] = [point(ends, 6 * q), point(ends, 6 * q + 3), point(x, 3 * i)];
      const d = vectorOf((c) => b[c] - a[c]);
      const dot = (u: Vector, v: Vector) => u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
      const away = vectorOf((c) => p[c] - a[c]);
      const t = Math.min(1, Math.max(0, dot(away, d) / (dot(d, d) || 1)));
      const r = vectorOf((c) => away[c] - t * d[c]);
      const distance = Math.sqrt(dot(r, r));
      const push = radius + margin[i] - distance;
      if (push <= 0 || radius + margin[i] <= 0) return;
      const n = vectorOf((c) => r[c] / distance);
      if (round > 0) {
        // Out of one capsule and into another: carried on, without friction.
        const firm = 1 + 0.25 * Math.max(0, round - 2);
        for (let c = 0; c < 3; c++) {
          x[3 * i + c] += firm * push * n[c];
          previous![3 * i + c] += firm * push * n[c];
        }
        return;
      }
      const surface = vectorOf((c) => {
        const atA = a[c] - before[6 * q + c];
        return atA + t * (b[c] - before[6 * q + 3 + c] - atA);
      });
      const way = vectorOf((c) => p[c] - previous![3 * i + c] - surface[c]);
      const into = dot(way, n);
      const side = vectorOf((c) => way[c] - into * n[c]);
      const length = Math.sqrt(dot(side, side));
      const brake = length > friction * push ? (friction * push) / length : 1;
      for (let c = 0; c < 3; c++) {
        x[3 * i + c] += push * n[c] - brake * side[c];
        previous![3 * i + c] += Math.max(0, push + Math.min(0, into)) * n[c];
      }
    });
  }
}

it.each([1, 2, 3])('pushes as if every capsule were looked at in every sub-step (seed %i)', (seed) => {
  const random = seededRandom(seed);
  const some = (size: number) => size * (2 * random() - 1);
  const capsules = Array.from({ length: CAPSULES }, (_, bone) => ({
    bone,
    a: vectorOf(() => some(0.5)),
    b: vectorOf(() => some(0.5)),
    radius: 0.15 * random(),
  }));
  const place = (shift: () => number) => {
    const transforms = Array.from({ length: CAPSULES }, () => [1, 0, 0, shift(), 0, 1, 0, shift(), 0, 0, 1, shift()]);
    return { positions: new Float32Array(0), transforms: Float32Array.from(transforms.flat()) };
  };
  const endsOf = ({ transforms }: ReturnType<typeof place>) =>
    Float64Array.from(
      capsules.flatMap(({ a, b }, q) =>
        [...a, ...b].map((value, c) => {
          return value + transforms[12 * q + 4 * (c % 3) + 3];
        }),
      ),
    );
  const cloth = (): Pushed => ({
    x: x.slice(),
    previous: x.map((value, c) => value - 0.001 * (c % 3)),
    inverseMass: Float64Array.from({ length: POINTS }, (_, i) => (i % 7 === 0 ? 0 : 1)),
    margin: Float64Array.from({ length: POINTS }, (_, i) => 0.01 * ((i % 5) - 2)),
    friction: 0.3,
  });
  const x = Float64Array.from({ length: 3 * POINTS }, () => some(0.8));
  const [fast, plain] = [cloth(), cloth()];
  let from = place(() => 0);
  const moving = new MovingCapsules(capsules, from);
  for (let frame = 0; frame < 12; frame++) {
    const way = frame === 6 ? 1 : 0.1; // once they jump
    const to = place(() => some(way));
    moving.next(to);
    const [start, end] = [endsOf(from), endsOf(to)];
    let before = start;
    for (let s = 1; s <= 5; s++) {
      const ends = start.map((value, c) => value + (s / 5) * (end[c] - value));
      moving.moveTo(s / 5);
      moving.push(fast);
      pushPlainly(
        plain,
        capsules.map(({ radius }) => radius),
        ends,
        before,
      );
      before = ends;
      expectNear(fast.x, plain.x, 1e-9);
      expectNear(fast.previous!, plain.previous!, 1e-9);
      // Both go on from the same place, somewhere else.
      for (let c = 0; c < 3 * POINTS; c++) fast.x[c] = plain.x[c] += some(0.02);
      fast.previous!.set(plain.previous!);
    }
    from = to;
  }
});

it.each([1, 2, 3])('leaves no vertex inside capsules that overlap (seed %i)', (seed) => {
  const random = seededRandom(seed);
  const some = (size: number) => size * (2 * random() - 1);
  for (let body = 0; body < 60; body++) {
    const capsules = Array.from({ length: 4 }, () => ({
      bone: 0,
      a: vectorOf(() => some(0.15)),
      b: vectorOf(() => some(0.15)),
      radius: 0.05 + 0.06 * random(),
    }));
    const transforms = Float32Array.from([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]);
    const moving = new MovingCapsules(capsules, { positions: new Float32Array(0), transforms });
    const x = Float64Array.from({ length: 3 * POINTS }, () => some(0.15));
    const margin = new Float64Array(POINTS).fill(0.006);
    moving.push({ x, inverseMass: new Float64Array(POINTS).fill(1), margin, friction: 0 });
    const distances = new Float64Array(POINTS).fill(Infinity);
    moving.distances(x, distances);
    expect(Math.min(...distances)).toBeGreaterThan(0);
  }
});
