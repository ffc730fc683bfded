import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitCapsules } from '../../src/cloth/capsules.ts';
import type { Obstacle } from '../../src/cloth/contact.ts';
import { MovingCapsules } from '../../src/cloth/moving-capsules.ts';
import { MovingTriangles } from '../../src/cloth/moving-triangles.ts';
import { obstacleOf } from '../../src/cloth/obstacles.ts';
import { MovingPins, pinsNearBone, pinsOfColour, pinsOfList } from '../../src/cloth/pins.ts';
import { geodesicSphere } from '../../src/cloth/shapes.ts';
import { identity34 } from '../../src/math/matrix34.ts';
import type { Vector } from '../../src/math/vector.ts';
import { diagonalOf } from '../../src/mesh/bounds.ts';
import { vertexCount } from '../../src/model/mesh.ts';
import type { SkinnedModel } from '../../src/model/skinned-model.ts';
import { sampleFigure } from '../../src/rig/samples/figure.ts';
import { refusal } from '../refusal.ts';
import { ballMotion, curtain, RADIUS } from './ball.ts';
import { moved } from './body.ts';

const figure = sampleFigure(2500, 2, 24);
const coordinate = fc.double({ min: -0.5, max: 0.5, noNaN: true });

/** Points that follow one bone. */
function oneBone(positions: Float32Array): SkinnedModel {
  const n = positions.length / 3;
  const skeleton = {
    names: ['a'],
    parents: Int32Array.of(-1),
    restLocals: new Float32Array(10),
    inverseBind: identity34(),
  };
  const weights = { influences: 1, joints: new Uint16Array(n), weights: new Float32Array(n).fill(1) };
  return {
    name: 'm',
    mesh: { positions, triangles: new Uint32Array(0) },
    weights,
    skeleton,
    clips: [],
    operator: 'lbs',
  };
}

describe('capsules', () => {
  it('of points on a capsule are that capsule', () => {
    // Rings along a limb from (0, −1, 0) to (0, 1, 0), closed above by half a ball.
    const points: number[] = [];
    for (let ring = 0; ring <= 20; ring++) {
      for (let q = 0; q < 24; q++) {
        const turn = (2 * Math.PI * q) / 24;
        points.push(0.3 * Math.cos(turn), ring / 10 - 1, 0.3 * Math.sin(turn));
        const rise = (Math.PI / 2) * (ring / 20);
        if (ring > 0 && ring < 20)
          points.push(
            0.3 * Math.cos(rise) * Math.cos(turn),
            1 + 0.3 * Math.sin(rise),
            0.3 * Math.cos(rise) * Math.sin(turn),
          );
      }
    }
    const [capsule] = fitCapsules(oneBone(Float32Array.from(points)));
    const [low, high] = [capsule.a, capsule.b].sort((a, b) => a[1] - b[1]);
    expect(capsule.radius).toBeGreaterThan(0.24);
    expect(capsule.radius).toBeLessThan(0.31);
    for (const end of [low, high]) expect(Math.hypot(end[0], end[2])).toBeLessThan(0.01);
    expect(Math.abs(low[1] + 1)).toBeLessThan(0.1);
    expect(Math.abs(high[1] - 1)).toBeLessThan(0.1);
  });

  it('of the figure lie along its surface, mirrored like its bones', () => {
    const capsules = fitCapsules(figure);
    const names = capsules.map(({ bone }) => figure.skeleton.names[bone]);
    expect(names).toContain('thigh.L');
    const radius = (name: string) =>
      Math.max(...capsules.filter((_, q) => names[q] === name).map((each) => each.radius));
    for (const limb of ['thigh', 'shin', 'upperArm']) expect(radius(`${limb}.L`)).toBeCloseTo(radius(`${limb}.R`), 2);
    const n = vertexCount(figure.mesh);
    const distances = new Float64Array(n).fill(Infinity);
    const transforms = identity34(figure.skeleton.names.length);
    new MovingCapsules(capsules, { positions: figure.mesh.positions, transforms }).distances(
      figure.mesh.positions,
      distances,
    );
    const mean = distances.reduce((sum, d) => sum + Math.abs(d), 0) / n;
    expect(mean / diagonalOf(figure.mesh.positions)).toBeLessThan(0.004);
    // Cloth that keeps off the capsules covers the body, but for some millimetres.
    expect(Math.max(...distances) / diagonalOf(figure.mesh.positions)).toBeLessThan(0.012);
  });
});

describe.each(['capsules', 'surface'] as const)('a ball as %s', (kind) => {
  const fineBall = ballMotion([[0, 0, 0]], 2562);
  const at = { positions: fineBall.sequence.rest.positions, transforms: identity34() };

  it('has the distances of a ball', () => {
    const obstacle = obstacleOf(fineBall, at, kind);
    fc.assert(
      fc.property(coordinate, coordinate, coordinate, (x, y, z) => {
        const out = Float64Array.of(Infinity);
        obstacle.distances([x, y, z], out);
        const distance = Math.hypot(x, y, z) - RADIUS;
        // A surface is searched within reach only.
        if (Math.abs(distance) < 0.03) expect(out[0]).toBeCloseTo(distance, 2);
        else expect(Math.sign(out[0])).toBe(kind === 'surface' && out[0] === Infinity ? 1 : Math.sign(distance));
      }),
    );
  });

  it('pushes what is inside to its margin, pinned vertices excepted', () => {
    const obstacle: Obstacle = obstacleOf(fineBall, at, kind);
    const x = Float64Array.of(0.19, 0, 0, 0, 0.18, 0, 0, 0, 0.3);
    const margin = Float64Array.of(0.01, 0.01, 0.01);
    obstacle.push({ x, previous: x.slice(), inverseMass: Float64Array.of(1, 0, 1), margin, friction: 0.3 });
    expect(x[0]).toBeCloseTo(0.21, 3);
    expect(Array.from(x.subarray(3))).toEqual([0, 0.18, 0, 0, 0, 0.3]);
  });

  it('carries along what sticks to it, and adds no speed to what it finds deep inside', () => {
    const transforms = identity34();
    transforms[3] = 0.1;
    const obstacle = obstacleOf(fineBall, at, kind);
    obstacle.next({ positions: at.positions.map((p, c) => p + (c % 3 === 0 ? 0.1 : 0)), transforms });
    obstacle.moveTo(1);
    const x = Float64Array.of(0.1, 0.19, 0);
    const previous = x.slice();
    obstacle.push({ x, previous, inverseMass: Float64Array.of(1), margin: Float64Array.of(0), friction: 100 });
    expect(x[0] - previous[0]).toBeCloseTo(0.1, 2);
    expect(Math.abs(x[1] - previous[1])).toBeLessThan(1e-3);
  });
});

describe('pins', () => {
  const { mesh } = curtain(60);

  it('are listed by number', () => {
    expect(Array.from(pinsOfList('cloth', '3, 0-2,3', mesh))).toEqual([0, 1, 2, 3]);
    for (const bad of ['', 'a', '5-2', '1,,2', String(vertexCount(mesh)), '-1']) {
      expect(() => pinsOfList('cloth', bad, mesh)).toThrow(refusal('bad-option', { option: 'pinVertices' }));
    }
  });

  it('are painted', () => {
    const values = new Float32Array(3 * vertexCount(mesh)).fill(1);
    values.set([1, 0.02, 0], 15);
    const painted = { ...mesh, attributes: { COLOR_0: { size: 3 as const, values } } };
    expect(Array.from(pinsOfColour(painted, [1, 0, 0]) ?? [])).toEqual([5]);
    expect(pinsOfColour(mesh, [1, 0, 0])).toBeUndefined();
  });

  it('are near a bone', () => {
    const near = pinsNearBone(mesh, [{ bone: 0, a: [0, 0, 0], b: [0, 0, 0], radius: 0.2 }], 0.1);
    const expected = Array.from({ length: vertexCount(mesh) }, (_, i) => i).filter(
      (i) => Math.hypot(...mesh.positions.subarray(3 * i, 3 * i + 3)) <= 0.3,
    );
    expect(Array.from(near)).toEqual(expected);
    expect(near.length).toBeGreaterThan(0);
  });

  it('move with a rigid body exactly', () => {
    const ball = geodesicSphere('ball', 162, [0, 0, 0] as Vector, 0.2);
    const pins = new MovingPins(Uint32Array.of(0, 7, 20), mesh.positions, ball.positions);
    pins.next({ positions: Float32Array.from(moved(Float64Array.from(ball.positions))) });
    pins.moveTo(1);
    const expected = moved(Float64Array.from(mesh.positions));
    const x = expected.slice().fill(0);
    pins.hold(x);
    for (const i of [0, 7, 20]) {
      for (let c = 3 * i; c < 3 * i + 3; c++) expect(x[c]).toBeCloseTo(expected[c], 5);
    }
    expect(x.filter((value) => value !== 0)).toHaveLength(9);
  });
});

it('a surface is all there is without bones', () => {
  const { sequence } = ballMotion([[0, 0, 0]]);
  expect(obstacleOf({ sequence }, { positions: sequence.rest.positions }, 'capsules')).toBeInstanceOf(MovingTriangles);
});
