import type { RunOptions } from '../model/options.ts';
import {
  type BendCurve,
  type BendStudy,
  mixExperiment as bendRectangle,
  type MixExperiment,
  type MixExperimentOptions,
} from '../rig/mix/experiment.ts';
import { type VerbReport, verbReport } from './verb.ts';

/** A field of mix weights, and the curves of the rectangle under it. */
export interface FieldDetail extends Omit<BendCurve, 'field'>, Omit<BendCurve['field'], 'at'> {}

/** What only `mixExperiment` reports. */
export interface MixExperimentDetail {
  settings: MixExperimentOptions;
  degrees: number[];
  studies: (Record<'lbs' | 'dqs' | 'solved' | 'best', FieldDetail> &
    Record<'smooth' | 'zeroOutside', FieldDetail[]> & { rig: string; iterations: number; converged: boolean })[];
}

/** What `mixExperiment` returns. */
export interface MixExperimentOutcome {
  /** For the page and the table. */
  experiment: MixExperiment;
  report: VerbReport<MixExperimentDetail>;
}

/** The experiment of Khemakhem 2020: a rectangle bends under linear blending, dual quaternions and mixes of both. */
export async function mixExperiment(
  options: Partial<MixExperimentOptions> & RunOptions = {},
): Promise<MixExperimentOutcome> {
  const experiment = await bendRectangle(options);
  const { settings, angles, studies, report } = experiment;
  const detail = {
    settings,
    degrees: angles.map((angle) => (180 * angle) / Math.PI),
    studies: studies.map(studyDetail),
  };
  return { experiment, report: verbReport(detail, report) };
}

const studyDetail = ({ rig, lbs, dqs, solved, best, smooth, zeroOutside, solution }: BendStudy) => ({
  rig,
  ...{ lbs: fieldDetail(lbs), dqs: fieldDetail(dqs), solved: fieldDetail(solved), best: fieldDetail(best) },
  ...{ smooth: smooth.map(fieldDetail), zeroOutside: zeroOutside.map(fieldDetail) },
  ...{ iterations: solution.iterations, converged: solution.converged },
});

const fieldDetail = ({ field: { name, outside, w0, w1 }, ...figures }: BendCurve): FieldDetail => ({
  ...{ name, outside, w0, w1 },
  ...figures,
});
