import { RECTANGLE } from './rectangle.ts';

/** A mix of the rectangle, as a function of the place (x, y) at rest: any resolution can be filled from it. */
export interface BendField {
  /** "LBS", "DQS", "solved", or "w0, w1" as the legends of Khemakhem 2020 have it. */
  name: string;
  /** How the mix continues outside of the critical segment. Only for mixes by column. */
  outside?: 'zero' | 'w0';
  w0?: number;
  w1?: number;
  /** The weight of dual quaternions at a point. */
  at(x: number, y: number): number;
}

/** Half the critical segment, midway between the bending bone and its neighbours (Khemakhem 2020, chapter III). */
const CRITICAL = 1.25;
/** Steps of 0.25 (§3.2). */
const STEPS = [0, 0.25, 0.5, 0.75, 1];

/**
 * One weight per column (§2.2.2): w1 at the bend, linearly to w0 at the ends of the critical segment; outside of it w_u,
 * which is 0 in Figure 9 and w0 in Figure 13.
 */
export function columnField(w0: number, w1: number, outside: 'zero' | 'w0'): BendField {
  return {
    name: `${w0}, ${w1}`,
    outside,
    w0,
    w1,
    at: (x) => {
      const t = Math.abs(x - RECTANGLE.joint) / CRITICAL;
      if (t <= 1 + 1e-9) return w1 + Math.min(1, t) * (w0 - w1);
      return outside === 'zero' ? 0 : w0;
    },
  };
}

/** The 25 combinations of w0 and w1. */
export const columnFields = (outside: 'zero' | 'w0'): BendField[] =>
  STEPS.flatMap((w0) => STEPS.map((w1) => columnField(w0, w1, outside)));

export const LBS_FIELD: BendField = { name: 'LBS', at: () => 0 };
export const DQS_FIELD: BendField = { name: 'DQS', at: () => 1 };

/** A field between the vertices of a grid (columns × rows, column by column), linear along x and y. */
export function gridField(name: string, values: ArrayLike<number>, columns: number, rows: number): BendField {
  const { width, height } = RECTANGLE;
  return {
    name,
    at: (x, y) => {
      const u = Math.min(1, Math.max(0, x / width)) * (columns - 1);
      const v = Math.min(1, Math.max(0, y / height + 0.5)) * (rows - 1);
      const c = Math.min(columns - 2, Math.floor(u));
      const r = Math.min(rows - 2, Math.floor(v));
      const corner = (dc: number, dr: number): number => values[(c + dc) * rows + r + dr];
      const left = corner(0, 0) + (v - r) * (corner(0, 1) - corner(0, 0));
      const right = corner(1, 0) + (v - r) * (corner(1, 1) - corner(1, 0));
      return left + (u - c) * (right - left);
    },
  };
}

/** N: the field at the vertices of a mesh (3N positions). */
export function sampleField({ at }: BendField, positions: ArrayLike<number>): Float64Array {
  return Float64Array.from({ length: positions.length / 3 }, (_, i) => at(positions[3 * i], positions[3 * i + 1]));
}
