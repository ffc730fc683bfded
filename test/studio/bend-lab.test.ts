import { describe, expect, it } from 'vitest';
import { Bar, CURVE_ANGLES, LAB_OPERATORS, type LabSettings } from '../../studio/src/core/lab/bend-lab.ts';

const GRID = { columns: 41, rows: 9 };
const settings: LabSettings = { rig: 'segments', fallOff: 1.25, mixAtJoint: 0.5, mixAway: 0.5 };

describe('the bending bar', () => {
  it.each(LAB_OPERATORS)('%s: keeps its area at rest', (operator) => {
    const { absolute, signed, ratios } = new Bar(settings, GRID).bend(operator, 0);
    expect(absolute).toBeCloseTo(0, 3);
    expect(signed).toBeCloseTo(0, 3);
    expect(Math.min(...ratios)).toBeCloseTo(1, 3);
  });

  it('loses area by linear blending; mix 0 is linear blending, mix 1 dual quaternions', () => {
    const bar = (mix: number) => new Bar({ ...settings, mixAtJoint: mix, mixAway: mix }, GRID);
    const signed = (of: Bar, operator: 'lbs' | 'dqs' | 'mix') => of.bend(operator, 120).signed;
    expect(signed(bar(0), 'lbs')).toBeLessThan(-5);
    expect(signed(bar(0), 'lbs')).toBeLessThan(signed(bar(0), 'dqs'));
    expect(signed(bar(0), 'mix')).toBeCloseTo(signed(bar(0), 'lbs'), 4);
    expect(signed(bar(1), 'mix')).toBeCloseTo(signed(bar(0), 'dqs'), 4);
  });

  it('detects flipped quads: less area when they count as negative', () => {
    const { absolute, signed, ratios } = new Bar({ ...settings, rig: 'points' }, GRID).bend('lbs', 170);
    expect(Math.min(...ratios)).toBeLessThan(0);
    expect(signed).toBeLessThan(absolute);
  });

  it('bends by half a turn without a jump', () => {
    const bar = new Bar(settings, GRID);
    for (const operator of ['dqs', 'sdqs', 'dib'] as const) {
      const curve = bar.curve(operator, 'signed');
      expect(curve).toHaveLength(CURVE_ANGLES.length);
      expect(Math.abs(curve[36] - curve[35])).toBeLessThan(4);
    }
  });
});
