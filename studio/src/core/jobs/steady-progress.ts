import type { JobKind } from '../../worker/protocol.ts';
import type { Progress } from './job.ts';

/** Stages of a job in their order, each with about its share of the time. */
const PLANS: Partial<Record<JobKind, Readonly<Record<string, number>>>> = {
  fit: {
    ...{ reading: 8, 'placing bones': 14, refining: 36, 'moving bones': 14, settling: 6, 'building nodes': 10 },
    ...{ 'adding keys': 6, measuring: 4, writing: 2 },
  },
  learn: {
    ...{ 'reading examples': 6, 'choosing control points': 9, 'placing bones': 14, 'refining bones': 4, reading: 6 },
    ...{ weights: 25, 'computing edge weights': 28, regression: 6, residual: 2 },
  },
  linearize: { 'placing blend bones': 85, 'baking clips': 15 },
  mix: { posing: 20, comparing: 15, solving: 65 },
  open: { reading: 30, 'reading frames': 70 },
};

/** Share of what remains for stages that come again or are in no plan. */
const MORE = 0.6;
/** Before this much is done, or after less than this, nobody knows how long it takes. */
const LEAST_SHARE = 0.05;
const LEAST_SECONDS = 3;

/**
 * The progress of a whole job, of the progress of its stages: it never runs backwards. A stage that comes again takes a part of
 * what remains, with those after it.
 *
 * @param now seconds.
 */
export function steadyProgress(
  kind: JobKind,
  now: () => number = () => performance.now() / 1000,
): (done: number, total: number, label: string) => Progress {
  const plan = Object.entries(PLANS[kind] ?? {});
  const sum = plan.reduce((all, [, weight]) => all + weight, 0);
  const started = now();
  let [base, span] = [0, 1];
  let at = -1;
  let last: { label: string; share: number } = { label: '', share: 0 };
  let best = 0;
  return (done, total, label) => {
    const share = total > 0 ? Math.min(1, done / total) : undefined;
    const stage = plan.findIndex(([name]) => name === label);
    const again = label === last.label ? (share ?? 0) < last.share : stage < at;
    if ((stage < 0 && label !== last.label) || again) {
      base = best;
      span = MORE * (1 - best);
    }
    at = stage;
    last = { label, share: share ?? 0 };
    const before = plan.slice(0, Math.max(0, stage)).reduce((all, [, weight]) => all + weight, 0);
    const reached = stage < 0 ? (share ?? 0) : (before + plan[stage][1] * (share ?? 0)) / sum;
    best = Math.max(best, Math.min(1, base + span * reached));
    if (share === undefined && best === 0) return { label: wordsOf(label) };
    const seconds = now() - started;
    const known = best >= LEAST_SHARE && seconds >= LEAST_SECONDS;
    return { label: wordsOf(label), share: best, ...(known && { left: (seconds * (1 - best)) / best }) };
  };
}

/** Stages as a person reads them. */
const WORDS: Readonly<Record<string, string>> = {
  refining: 'refining bones and weights',
  'moving bones': 'moving bones to where the error is',
  settling: 'smoothing weights',
  'building nodes': 'building the skeleton',
  'adding keys': 'adding keyframes',
  measuring: 'measuring the error',
  weights: 'solving for weights',
  'computing edge weights': 'comparing edges',
  regression: 'learning from the examples',
  residual: 'learning the remaining detail',
  posing: 'posing the clips',
  comparing: 'comparing operators',
  solving: 'solving for mix weights',
};

const wordsOf = (label: string): string => WORDS[label] ?? label;
