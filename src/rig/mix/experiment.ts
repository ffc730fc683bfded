import { integerOption, numberOption, type OptionsOf, type RunOptions, resolveOptions } from '../../model/options.ts';
import { emptyReport, lapTimer, type Report } from '../../model/report.ts';
import { checkpoint } from '../../model/run.ts';
import type { SkinnedModel } from '../../model/skinned-model.ts';
import { type BendField, columnFields, DQS_FIELD, gridField, LBS_FIELD, sampleField } from './bend-fields.ts';
import { type Deformation, deformationMeter } from './deformation.ts';
import { type MixResult, mix } from './mix.ts';
import { type MixPose, type PosePair, posePairs, trainingPoses } from './pose-pairs.ts';
import { bendAngles, bendingRectangle, RECTANGLE, type RectangleRig } from './rectangle.ts';

/**
 * The experiment of Khemakhem 2020, chapter III: the rectangle bends by 0 to 180° under linear blending, dual
 * quaternions and their 25 mixes by column, with w_u = 0 (Figure 9) and w_u = w0 (Figure 13); areas by triangle,
 * absolute as printed and signed. Beside it what it suggests: bones that are segments and meet at the joint
 * (§4.2), and a mix that is solved for (§4.3).
 */
export const MIX_EXPERIMENT_OPTIONS = {
  columns: integerOption(1000, { min: 8, max: 4000 }, 'vertices along the rectangle'),
  rows: integerOption(100, { min: 4, max: 1000 }, 'vertices across it'),
  angleStep: numberOption(
    (5 * Math.PI) / 180,
    { min: Math.PI / 180, max: Math.PI / 2, unit: 'radians' },
    'step between bends, up to 180°',
  ),
  fallOff: numberOption(
    1.25,
    { min: 0.1, max: 5 },
    'half the width of the band where the weights of segments change; the rectangle is 10 long',
  ),
} as const;

/** Options of the experiment. */
export type MixExperimentOptions = OptionsOf<typeof MIX_EXPERIMENT_OPTIONS>;

/** A field and what the rectangle does under it. */
export interface BendCurve {
  field: BendField;
  /** P: for every angle. */
  absoluteArea: Float64Array;
  signedArea: Float64Array;
  localRms: Float64Array;
  inverted: Float64Array;
  /** Means over the angles of the distance from the area at rest. */
  absoluteError: number;
  signedError: number;
  /** √ of the mean square over angles and area. */
  meanLocalRms: number;
  /** Sum over the angles. */
  invertedTotal: number;
  /** What the solver minimises, on its own grid. */
  energy: number;
}

/** The experiment with one way to rig the rectangle. */
export interface BendStudy {
  rig: RectangleRig;
  /** LBS, DQS, solved. */
  lbs: BendCurve;
  dqs: BendCurve;
  solved: BendCurve;
  /** The 25 combinations with w_u = 0, and with w_u = w0. */
  zeroOutside: BendCurve[];
  smooth: BendCurve[];
  /** Of the latter the one with the least absolute error. */
  best: BendCurve;
  /** The solver's own account. */
  solution: MixResult;
}

/** What became of the rectangle, by either rig. */
export interface MixExperiment {
  settings: MixExperimentOptions;
  /** P, radians. */
  angles: number[];
  studies: BendStudy[];
  report: Report;
}

/** Maximum vertices of the grid that the solver works on; its smooth field is interpolated on finer ones. */
const SOLVED = { columns: 200, rows: 40 };

/** The experiment of Khemakhem 2020: a rectangle bends, by linear blending, dual quaternions and mixes of both. */
export async function mixExperiment(options: Partial<MixExperimentOptions> & RunOptions = {}): Promise<MixExperiment> {
  const settings = resolveOptions(MIX_EXPERIMENT_OPTIONS, options, 'mixExperiment');
  const angles = bendAngles((settings.angleStep * 180) / Math.PI);
  const report = emptyReport('mixExperiment');
  const lap = lapTimer(report.seconds);
  const studies: BendStudy[] = [];
  for (const rig of ['points', 'segments'] as const) {
    studies.push(await studyOf(rig, angles, settings, options));
    lap(rig);
  }
  return { settings, angles, studies, report };
}

async function studyOf(
  rig: RectangleRig,
  angles: readonly number[],
  { columns, rows, fallOff }: MixExperimentOptions,
  run: RunOptions,
): Promise<BendStudy> {
  const fields = [LBS_FIELD, DQS_FIELD, ...columnFields('zero'), ...columnFields('w0')];
  const grid = { columns: Math.min(columns, SOLVED.columns), rows: Math.min(rows, SOLVED.rows) };
  const solution = await solveBend(bendingRectangle({ rig, ...grid, fallOff, angles }), fields, run);
  const solved = gridField('solved', solution.solved.mix, grid.columns, grid.rows);

  const model = bendingRectangle({ rig, columns, rows, fallOff, angles });
  const pairs = await posePairs(model, bendPoses(model), run);
  const meter = deformationMeter(model.mesh);
  // The solver compares five constant fields with the solution before it comes to ours.
  const energies = [...solution.rivals.slice(-fields.length), solution.solved].map(({ terms }) => terms.energy);
  const curves: BendCurve[] = [];
  for (const field of [...fields, solved]) {
    await checkpoint(run, 'mixExperiment', curves.length, fields.length + 1, `bending ${rig}`);
    curves.push(curveOf(field, sampleField(field, model.mesh.positions), pairs, meter, energies[curves.length]));
  }
  const smooth = curves.slice(27, 52);
  return {
    rig,
    lbs: curves[0],
    dqs: curves[1],
    solved: curves[52],
    zeroOutside: curves.slice(2, 27),
    smooth,
    best: smooth.reduce((best, curve) => (curve.absoluteError < best.absoluteError ? curve : best)),
    solution,
  };
}

/** The mix that is solved for on a coarse grid, where the other fields are judged, too. */
const solveBend = (model: SkinnedModel, fields: readonly BendField[], run: RunOptions): Promise<MixResult> =>
  mix(model, {
    poses: model.clips[0].times.length,
    // Bones turn by 180° here, where neither way is shorter: each keeps to its own.
    antipodality: false,
    rivals: fields.map((field) => ({ name: field.name, mix: sampleField(field, model.mesh.positions) })),
    ...run,
  });

/** The poses of the rectangle's only clip, with the signs that rotations by 180° need. */
export const bendPoses = (model: SkinnedModel): MixPose[] =>
  trainingPoses(model, model.clips, { poses: model.clips[0].times.length, antipodality: false });

function curveOf(
  field: BendField,
  values: Float64Array,
  pairs: readonly PosePair[],
  meter: (pair: PosePair, mix: Float64Array) => Deformation,
  energy: number,
): BendCurve {
  const deformations = pairs.map((pair) => meter(pair, values));
  const column = (of: (d: Deformation) => number): Float64Array => Float64Array.from(deformations, of);
  const mean = (values: Float64Array): number => values.reduce((sum, x) => sum + x, 0) / values.length;
  const area = RECTANGLE.width * RECTANGLE.height;
  const off = (values: Float64Array): number => mean(values.map((x) => Math.abs(x - area)));
  const [absoluteArea, signedArea] = [column((d) => d.absoluteArea), column((d) => d.signedArea)];
  const [localRms, inverted] = [column((d) => d.localRms), column((d) => d.inverted)];
  return {
    field,
    absoluteArea,
    signedArea,
    localRms,
    inverted,
    absoluteError: off(absoluteArea),
    signedError: off(signedArea),
    meanLocalRms: Math.sqrt(mean(localRms.map((x) => x * x))),
    invertedTotal: inverted.reduce((sum, x) => sum + x, 0),
    energy,
  };
}

/** All curves as CSV, a line per field and angle. */
export function experimentCsv({ studies, angles }: MixExperiment): string {
  const head = 'rig,field,wu,w0,w1,degrees,absolute area,signed area,triangles turned over,local rms';
  const lines = studies.flatMap(({ rig, lbs, dqs, solved, zeroOutside, smooth }) =>
    [lbs, dqs, solved, ...zeroOutside, ...smooth].flatMap((curve) => {
      const { name, outside, w0, w1 } = curve.field;
      const wu = outside === 'zero' ? 0 : w0;
      const kind = outside === undefined ? name : 'mix';
      return angles.map((angle, k) =>
        [
          ...[rig, kind, wu ?? '', w0 ?? '', w1 ?? '', Math.round((angle * 180e6) / Math.PI) / 1e6],
          ...[curve.absoluteArea[k].toFixed(6), curve.signedArea[k].toFixed(6), curve.inverted[k]],
          curve.localRms[k].toFixed(6),
        ].join(','),
      );
    }),
  );
  return `${[head, ...lines].join('\n')}\n`;
}
