import { describe, expect, it } from 'vitest';
import { drivenClip } from '../../src/learn/drive-sequence.ts';
import { learn } from '../../src/learn/learn.ts';
import { SurfaceStrain, stretchOf } from '../../src/learn/strain.ts';
import type { Mesh } from '../../src/model/mesh.ts';
import { note } from '../../src/model/note.ts';
import { bendingTube, bentTube, tubeMesh } from './bending-tube.ts';

/** The same, slowly: every side of every triangle on its own. */
function slowStrain(mesh: Mesh, poses: Float32Array[], positions: Float32Array): number {
  const sides = [...mesh.triangles].map((i, c) => [i, mesh.triangles[c % 3 === 2 ? c - 2 : c + 1]]);
  const long = (x: Float32Array, [p, q]: number[]) => Math.hypot(...[0, 1, 2].map((c) => x[3 * p + c] - x[3 * q + c]));
  const stretch = (x: Float32Array, side: number[]) => long(x, side) / long(mesh.positions, side);
  const most = (i: number) =>
    Math.max(1, ...sides.filter((side) => side.includes(i)).flatMap((side) => poses.map((x) => stretch(x, side))));
  return Math.max(...sides.map((side) => stretch(positions, side) / Math.max(most(side[0]), most(side[1]))));
}

describe('strain', () => {
  const mesh = tubeMesh(9, 6);
  const poses = [0, 0.6, 1.2].map((angle) => bentTube(mesh, angle));
  const stretch = stretchOf(mesh, poses);
  const strain = new SurfaceStrain(mesh, stretch);

  it('is at most 1 in the examples, grows beyond them, and is what a slow one says', () => {
    for (const pose of poses) expect(strain.measure(pose).strain).toBeLessThanOrEqual(1 + 1e-6);
    const bent = bentTube(mesh, 2.4);
    expect(strain.measure(bent).strain).toBeGreaterThan(1.05);
    expect(strain.measure(bent).strain).toBeCloseTo(slowStrain(mesh, poses, bent), 5);
  });

  it('says where: at the edge that one vertex pulls', () => {
    const pulled = poses[0].slice();
    pulled[3 * 20] -= 3;
    const { strain: found, edge } = strain.measure(pulled);
    expect(found).toBeGreaterThan(3);
    expect(edge).toContain(20);
  });

  it('does not depend on size, and looks at nothing that has none', () => {
    const double = { ...mesh, positions: mesh.positions.map((x) => 1000 * x) };
    const scaled = poses.map((pose) => pose.map((x) => 1000 * x));
    const same = new SurfaceStrain(double, stretchOf(double, scaled)).measure(scaled[2].map((x) => 2 * x)).strain;
    expect(same).toBeCloseTo(strain.measure(poses[2].map((x) => 2 * x)).strain, 4);
    const point: Mesh = { positions: new Float32Array(9), triangles: Uint32Array.of(0, 1, 2) };
    expect([...stretchOf(point, [Float32Array.from({ length: 9 }, (_, c) => c)])]).toEqual([1, 1, 1]);
    expect(new SurfaceStrain(point, Float32Array.of(1, 1, 1)).measure(point.positions).strain).toBe(0);
  });

  it('of a path that is driven is reported', async () => {
    const tube = bendingTube([0, 0.7, 1.4]);
    const { predictor } = await learn([tube], { points: 3, bones: 6 });
    const path = async (scale: number) => {
      const pose = await tube.readFrame(2);
      const points = [...predictor.points].flatMap((i) => [...pose.subarray(3 * i, 3 * i + 3)].map((x) => scale * x));
      return (await drivenClip(predictor, { times: Float64Array.of(0), points: Float64Array.from(points) })).report;
    };
    const [near, far] = [await path(1), await path(20)];
    expect(near.figures.maxStretch).toBeLessThan(1.1);
    expect(near.notes).toEqual([]);
    expect(far.figures.maxStretch).toBeGreaterThan(2);
    expect(far.notes).toContainEqual(note('frames-stretched', { frames: 1, of: 1, factor: 2 }));
  });
});
