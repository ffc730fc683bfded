import { continuousSigns } from '../../../../src/doors/skin.ts';
import { boneCount, clipFrame, type SkinnedModel, Skinner, type SkinOperator } from '../../../../src/index.ts';
import { columnField, sampleField } from '../../../../src/rig/mix/bend-fields.ts';
import { bendAngles, bendingRectangle, RECTANGLE } from '../../../../src/rig/mix/rectangle.ts';
import type { LabState } from './lab-state.ts';

/**
 * The bending rectangle of Khemakhem 2020: a bar of 10 × 2 that bends about its middle, by every operator. Weights come
 * from point bones, as printed, or from two segments that meet at the joint; the mix has one weight at the
 * joint and another away from it (its w1 and w0, §2.2.2).
 */
export type LabSettings = Pick<LabState, 'rig' | 'fallOff' | 'mixAtJoint' | 'mixAway'>;

export const LAB_OPERATORS = ['rigid', 'lbs', 'dqs', 'sdqs', 'dib', 'mix'] as const satisfies readonly SkinOperator[];
export type LabOperator = (typeof LAB_OPERATORS)[number];

/** The bar in one pose. */
export interface BentBar {
  /** 3N, in the plane z = 0. */
  positions: Float32Array;
  /** Per quad, in the order of `quadsOf`: its area relative to rest; negative if flipped. */
  ratios: Float32Array;
  /** Change of area in % of the rest area, with flipped quads counted as positive, and as negative. */
  absolute: number;
  signed: number;
}

/** Vertices along and across. */
export interface Grid {
  columns: number;
  rows: number;
}

/** Turns from one key to the next stay small, so that dual quaternions know which way round a bone came. */
const STEPS = 6;

/** A bar with its weights; poses it by any operator. */
export class Bar {
  readonly grid: Grid;
  readonly #settings: LabSettings;
  readonly #skinners = new Map<LabOperator, Skinner>();
  readonly #model: SkinnedModel;

  constructor(settings: LabSettings, grid: Grid) {
    this.grid = grid;
    this.#settings = settings;
    const { rig, fallOff, mixAtJoint, mixAway } = settings;
    const model = bendingRectangle({ rig, fallOff, ...grid, angles: [0] });
    const mix = sampleField(columnField(mixAway, mixAtJoint, 'w0'), model.mesh.positions);
    this.#model = { ...model, mixWeights: Float32Array.from(mix) };
  }

  /** The model: two or three bones. */
  get model(): SkinnedModel {
    return this.#model;
  }

  /** @param degrees 0…180. */
  bend(operator: LabOperator, degrees: number): BentBar {
    const [bent] = this.#pose(operator, [degrees]);
    return bent;
  }

  /** % of area gained or lost at each angle. */
  curve(operator: LabOperator, measure: 'absolute' | 'signed'): number[] {
    return this.#pose(operator, CURVE_ANGLES).map((bent) => bent[measure]);
  }

  #pose(operator: LabOperator, degrees: readonly number[]): BentBar[] {
    const { rig, fallOff } = this.#settings;
    const skinner =
      this.#skinners.get(operator) ??
      new Skinner(this.#model, { operator, antipodality: false, normals: false, kernel: 'typescript' });
    this.#skinners.set(operator, skinner);
    return degrees.map((most) => {
      // The path to the pose; the last step is shown. Signs follow rotations of up to half a turn.
      const angles = Array.from({ length: STEPS + 1 }, (_, s) => (most * s * Math.PI) / (180 * STEPS));
      const { clips, skeleton } = bendingRectangle({ rig, fallOff, columns: 2, rows: 2, angles });
      const bones = boneCount(skeleton);
      const signs = continuousSigns(clips[0].transforms, bones).subarray(STEPS * bones);
      return measured(skinner.pose(clipFrame(clips[0], STEPS), signs).positions.slice(), this.grid);
    });
  }
}

/** Degrees of the curves: 0 to 180 in steps of 5, as in Khemakhem 2020. */
export const CURVE_ANGLES: readonly number[] = bendAngles().map((angle) => Math.round((angle * 180) / Math.PI));

/** The corners of quad q of a grid, around it. */
export function quadOf({ rows }: Grid, q: number): [number, number, number, number] {
  const [c, r] = [Math.floor(q / (rows - 1)), q % (rows - 1)];
  const a = c * rows + r;
  return [a, a + rows, a + rows + 1, a + 1];
}

export const quadCount = ({ columns, rows }: Grid): number => (columns - 1) * (rows - 1);

function measured(positions: Float32Array, grid: Grid): BentBar {
  const ratios = new Float32Array(quadCount(grid));
  const rest = (RECTANGLE.width * RECTANGLE.height) / ratios.length;
  let [absolute, signed] = [0, 0];
  for (let q = 0; q < ratios.length; q++) {
    const corners = quadOf(grid, q);
    // Shoelace formula for the two triangles of a quad, so that a flipped half counts on its own.
    const area = (i: number, j: number, k: number): number => {
      const [ax, ay] = [positions[3 * i], positions[3 * i + 1]];
      return (
        ((positions[3 * j] - ax) * (positions[3 * k + 1] - ay) -
          (positions[3 * k] - ax) * (positions[3 * j + 1] - ay)) /
        2
      );
    };
    const halves = [area(corners[0], corners[1], corners[2]), area(corners[0], corners[2], corners[3])];
    signed += halves[0] + halves[1];
    absolute += Math.abs(halves[0]) + Math.abs(halves[1]);
    ratios[q] = (halves[0] + halves[1]) / rest;
  }
  const whole = RECTANGLE.width * RECTANGLE.height;
  return { positions, ratios, absolute: 100 * (absolute / whole - 1), signed: 100 * (signed / whole - 1) };
}
