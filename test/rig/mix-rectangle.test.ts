import { describe, expect, it } from 'vitest';
import { dqsAreaError } from '../../bench/mix-cases.ts';
import { columnField, columnFields, gridField, sampleField } from '../../src/rig/mix/bend-fields.ts';
import { bendPoses, experimentCsv, mixExperiment } from '../../src/rig/mix/experiment.ts';
import { posePairs } from '../../src/rig/mix/pose-pairs.ts';
import { bendAngles, bendingRectangle } from '../../src/rig/mix/rectangle.ts';

describe('dual quaternions on a symmetric rig of one pivot', () => {
  it.each([
    ['points', 'points', undefined],
    ['segments, ± 1.25', 'segments', 1.25],
    ['segments, ± 2.5', 'segments', 2.5],
  ] as const)('keep the signed area, with an error that falls with h²: %s', async (_, rig, fallOff) => {
    const errors = [];
    for (const refine of [1, 2, 4]) errors.push(await dqsAreaError(rig, 40 * refine + 1, 8 * refine + 1, fallOff, 45));
    expect(errors[0] / errors[1]).toBeGreaterThan(3);
    expect(errors[1] / errors[2]).toBeGreaterThan(3);
    expect(errors[2] / 20).toBeLessThan(1e-3);
  });

  it('bend the way they turn at 180°, where neither way is shorter', async () => {
    const model = bendingRectangle({ rig: 'segments', columns: 21, rows: 5, angles: bendAngles(5) });
    const pairs = await posePairs(model, bendPoses(model));
    const [before, last] = [pairs[35], pairs[36]].map(({ linear, difference }) =>
      linear.map((x, c) => x + difference[c]),
    );
    // 5° further move no vertex by more than 5° of a circle of radius 5.2.
    expect(Math.max(...last.map((x, c) => Math.abs(x - before[c])))).toBeLessThan(0.6);
  });
});

describe('fields of the rectangle', () => {
  it('by column are w1 at the bend, w0 at the ends of the critical segment, and w_u outside', () => {
    const torn = columnField(0.75, 0.5, 'zero');
    const smooth = columnField(0.75, 0.5, 'w0');
    for (const field of [torn, smooth]) {
      expect(field.at(5, 0)).toBe(0.5);
      expect(field.at(3.75, 1)).toBe(0.75);
      expect(field.at(6.25, -1)).toBe(0.75);
      expect(field.at(5.625, 0)).toBeCloseTo(0.625);
    }
    expect([torn.at(3.7, 0), torn.at(9, 0)]).toEqual([0, 0]);
    expect([smooth.at(3.7, 0), smooth.at(9, 0)]).toEqual([0.75, 0.75]);
    expect(columnFields('w0')).toHaveLength(25);
  });

  it('on a grid are its values at the vertices, and linear between them', () => {
    const { positions } = bendingRectangle({ rig: 'points', columns: 7, rows: 4, angles: [0] }).mesh;
    const plane = { name: 'plane', at: (x: number, y: number) => 0.1 * x - 0.3 * y };
    const field = gridField('grid', sampleField(plane, positions), 7, 4);
    for (const [x, y] of [
      [0, -1],
      [10, 1],
      [3.3, 0.2],
      [9.9, -0.7],
    ]) {
      expect(field.at(x, y)).toBeCloseTo(plane.at(x, y), 6);
    }
  });
});

describe('the experiment', () => {
  it('has a line for every field and angle, and the areas that the text implies', async () => {
    const experiment = await mixExperiment({ columns: 41, rows: 9, angleStep: Math.PI / 4 });
    const { studies, angles } = experiment;
    expect(angles).toHaveLength(5);
    expect(studies.map(({ rig }) => rig)).toEqual(['points', 'segments']);
    const [points] = studies;
    // (0, 0) is LBS whatever is outside; (1, 1) is DQS where it goes on outside.
    expect(points.zeroOutside[0].absoluteArea).toEqual(points.lbs.absoluteArea);
    expect(points.smooth[24].absoluteArea).toEqual(points.dqs.absoluteArea);
    expect(points.best.field.name).toBe('1, 0');
    expect(points.lbs.absoluteArea[2]).toBeCloseTo(12.65, 1);
    expect(points.dqs.absoluteArea[2]).toBeCloseTo(20.27, 1);
    const lines = experimentCsv(experiment).trimEnd().split('\n');
    expect(lines).toHaveLength(1 + 2 * 53 * 5);
    expect(lines[1]).toMatch(/^points,LBS,,,,0,20\.000000,20\.000000,0,0\.00000\d$/);
    expect(new Set(lines.map((line) => line.split(',').length))).toEqual(new Set([10]));
    expect(lines.some((line) => line.startsWith('segments,mix,0,0.75,0.5,180,'))).toBe(true);
  });
});
