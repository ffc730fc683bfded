// Nothing flies off, whatever the coarse cloth, the body and the clock do.
import { describe, expect, it } from 'vitest';
import { coarseMesh } from '../../src/cloth/coarse-mesh.ts';
import { DETAIL_MODES, DetailPhysics } from '../../src/cloth/detail.ts';
import { Embedding } from '../../src/cloth/embedding.ts';
import { MovingCapsules } from '../../src/cloth/moving-capsules.ts';
import { stageOf } from '../../src/cloth/stage.ts';
import { seededRandom } from '../../src/math/rng.ts';
import type { Vector } from '../../src/math/vector.ts';
import { curtain, RADIUS } from './ball.ts';
import { vectorsOf } from './vectors.ts';

const THICKNESS = 0.006;
const { mesh: fine } = curtain(600);
const pinned = new Uint32Array(0);
const coarse = await coarseMesh(fine, pinned, 30);
const rest = Float64Array.from(coarse.mesh.positions);
const ball = Float32Array.from([0.2, 0, 0, -0.2, 0, 0, 0, 0.2, 0, 0, -0.2, 0]);
const at = ([x, y, z]: Vector) => ({
  positions: ball.map((value, c) => value + [x, y, z][c % 3]),
  transforms: Float32Array.of(1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, z),
});

/** What happens in frame k: the coarse cloth, the ball, the offsets, and how long it takes. */
interface Frame {
  coarse?: Float64Array;
  ball?: Vector;
  offsets?: Float64Array;
  seconds?: number;
}

const shaken = (size: number, seed: number) => {
  const random = seededRandom(seed);
  return rest.map((x) => x + size * (2 * random() - 1));
};
const swung = (k: number, reach: number) => {
  const [sin, cos] = [Math.sin(k * reach), Math.cos(k * reach)];
  return rest.map((_, c) => {
    const [x, y, z] = rest.subarray(c - (c % 3), c - (c % 3) + 3);
    return [cos * x - sin * z, y, sin * x + cos * z + 0.3 * k * reach][c % 3];
  });
};
const CASES: [string, (k: number) => Frame][] = [
  ['a fast swing', (k) => ({ coarse: swung(k, 0.5) })],
  ['twice the motion', (k) => ({ coarse: swung(k, 1) })],
  ['a coarse cloth in a storm', (k) => ({ coarse: shaken(0.1, k) })],
  ['steps of a second', (k) => ({ coarse: shaken(0.05, k), seconds: 1 })],
  ['tiny steps', (k) => ({ coarse: shaken(0.02, k), seconds: 1e-4 })],
  ['a ball that goes through', (k) => ({ ball: [0, 0, 0.1 * k] })],
  ['a ball that teleports', (k) => ({ ball: k % 3 === 0 ? [0, 0, 0.3] : [5 * k, 0, 0] })],
  ['wild offsets', (k) => ({ offsets: Float64Array.from(fine.positions, (x) => 0.2 * Math.sin(99 * x * k)) })],
  ['a coarse cloth in one point', (k) => ({ coarse: k < 3 ? rest : rest.map((_, c) => [0, 0, 0.5][c % 3]) })],
];

describe.each(Object.entries(DETAIL_MODES))('%s', (_, settings) => {
  it.each(CASES)('holds in %s', (_, frameAt) => {
    const start = at([0, 0, 0]);
    const obstacle = new MovingCapsules([{ bone: 0, a: [0, 0, 0], b: [0, 0, 0], radius: RADIUS }], start);
    const stage = stageOf(fine, pinned, start, obstacle, THICKNESS);
    const embedding = new Embedding(coarse.mesh, fine);
    const detail = new DetailPhysics(embedding, fine, stage, rest, settings);
    const base = new Float64Array(detail.x.length);
    for (let k = 1; k <= 5; k++) {
      const { coarse: pose = rest, ball: place = [0, 0, 0], offsets, seconds = 1 / 30 } = frameAt(k);
      obstacle.next(at(place));
      detail.step(pose, seconds, offsets && vectorsOf(offsets));
      embedding.apply(pose, base);
      let farthest = 0;
      let nearest = Infinity;
      for (let i = 0; i < embedding.count; i++) {
        const [x, y, z] = detail.x.subarray(3 * i, 3 * i + 3);
        const way = Math.hypot(x - base[3 * i], y - base[3 * i + 1], z - base[3 * i + 2]);
        farthest = way > farthest || Number.isNaN(way) ? way : farthest;
        nearest = Math.min(nearest, Math.hypot(x - place[0], y - place[1], z - place[2]));
      }
      expect(farthest).toBeLessThan(0.8); // the curtain's width; NaN is not
      expect(nearest).toBeGreaterThan(RADIUS + THICKNESS - 1e-5);
    }
  });
});
