import { describe, expect, it } from 'vitest';
import { curvePlot, LEFT, nearestTo, RIGHT, WIDE } from '../../studio/src/ui/controls/curve-plot.ts';

const curve = (...values: number[]) => ({ name: 'a', colour: '', values });

describe('a drawing of curves', () => {
  it('maps places and values, and back', () => {
    const plot = curvePlot([-150, 0, 150], [curve(-4, 0, 2)], 0);
    expect([plot.x(-150), plot.x(150)]).toEqual([LEFT, RIGHT]);
    for (const place of [-150, -20, 0, 150]) expect(plot.placeAt(plot.x(place) / WIDE)).toBeCloseTo(place, 9);
    expect([plot.placeAt(-1), plot.placeAt(2)]).toEqual([-150, 150]);
    expect(plot.y(2)).toBeLessThan(plot.y(0));
    expect(plot.ticks).toEqual([-4, -2, 0, 2]);
    expect(plot.ticks.map(plot.text)).toEqual(['−4', '−2', '0', '+2']);
    expect(nearestTo([-150, 0, 150], 80)).toBe(2);
  });

  it('shows amounts without a sign, and rounding errors as 0', () => {
    expect(curvePlot([0, 1], [curve(0, 0.0823)], undefined).text(0.0823)).toBe('0.0823');
    for (const even of [0, undefined]) expect(curvePlot([0, 1], [curve(0, 3)], even).text(1e-9)).toBe('0');
  });

  it('has room for flat curves', () => {
    const { ticks, y } = curvePlot([0, 1], [curve(0, 0)], 0);
    expect(ticks).toContain(0);
    expect(Number.isFinite(y(0))).toBe(true);
  });
});
