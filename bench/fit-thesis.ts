// The tables of Antonopoulos 2010, §6.4: errors and seconds of fits by p-center or by deformation, on decimated models
// with vertices kept or placed optimally, without and with corrections. Then what refinement gains at as many bones.
//
//   node dist/bench/fit-thesis.js [--only flag] [--write]

import { measureSequences, type SequenceErrors } from '../src/doors/measure.ts';
import { fittedSequence } from '../src/fit/clips.ts';
import { type FitOptions, type FitResult, type MeshSequence, vertexCount } from '../src/index.ts';
import { chosen, flags, generated } from './sequences.ts';
import { machine, markdownTable, writeResults } from './tables.ts';
import { timedFit } from './timing.ts';

const BONES = 30;
/** Antonopoulos 2010 has no limit; this is the maximum of `fit`. */
const INFLUENCES = 8;
const LEVELS = [0, 0.2, 0.4, 0.6];
const STARTS = ['uniform', 'deformation'] as const;
const PLACEMENTS = ['second', 'optimal'] as const;
const CORRECTIONS = { correctWeights: true, correctRestPose: true };

interface Measured {
  errors: SequenceErrors;
  /** Without the measuring. */
  seconds: number;
}

async function measured(sequence: MeshSequence, options: Partial<FitOptions>): Promise<Measured> {
  const result = await timedFit(sequence, options);
  return { errors: await allErrors(result), seconds: result.seconds };
}

/** With the mean surface distance, which a fit does not measure. */
async function allErrors({ model, fitted }: FitResult): Promise<SequenceErrors> {
  const approximation = fittedSequence(model, fitted);
  const { report, ...errors } = await measureSequences(fitted.sequence, approximation);
  await approximation.close?.();
  return errors;
}

/** dE (6.1) in %, E_RMS (6.2) at diagonal 1 in %, d_avg (6.3) in % of the diagonal. */
const figures = ({ errors, seconds }: Measured): string[] => [
  errors.distortionPercent!.toFixed(2),
  errors.rmsErrorNormalised!.toFixed(3),
  errors.surfaceDistancePercent!.toFixed(3),
  seconds.toFixed(2),
];

const NAMES = { uniform: 'PC', deformation: 'Deform', second: 'SE', optimal: 'OS' } as const;

async function scene(sequence: MeshSequence): Promise<string> {
  const thesis = { preset: 'thesis', influences: INFLUENCES, bones: BONES } as const;
  // Code is compiled while it runs: the first fit of a process would look slower than it is.
  await timedFit(sequence, thesis);
  const errors: string[][] = [];
  const perPose: string[][] = [];
  for (const start of STARTS) {
    // Without decimation the placement does not matter.
    const whole = {
      plain: await measured(sequence, { ...thesis, start }),
      corrected: await measured(sequence, { ...thesis, start, ...CORRECTIONS }),
      lsqr: (await timedFit(sequence, { ...thesis, start, solver: 'lsqr' })).seconds,
    };
    for (const placement of PLACEMENTS) {
      console.error(`${sequence.name} ${start} ${placement} …`);
      const plain = [whole.plain];
      const corrected = [whole.corrected];
      for (const decimate of LEVELS.slice(1)) {
        const options = { ...thesis, start, placement, decimate };
        plain.push(await measured(sequence, options));
        corrected.push(await measured(sequence, { ...options, ...CORRECTIONS }));
      }
      const most = { ...thesis, start, placement, decimate: LEVELS[LEVELS.length - 1] };
      const lsqr = [whole.lsqr, (await timedFit(sequence, { ...most, solver: 'lsqr' })).seconds];
      const [by, at] = [NAMES[start], NAMES[placement]];
      errors.push([`${at}(${by})`, ...plain.flatMap(figures)], [`${at}(Corr ${by})`, ...corrected.flatMap(figures)]);
      const milliseconds = lsqr.map((seconds) => ((1000 * seconds) / sequence.frameCount).toFixed(0));
      perPose.push([`${at}(${by})`, ...milliseconds, (lsqr[0] / lsqr[1]).toFixed(1)]);
    }
  }
  const refined: string[][] = [];
  for (const preset of ['fast', 'best'] as const) {
    console.error(`${sequence.name} ${preset} …`);
    refined.push([preset, ...figures(await measured(sequence, { preset, kind: 'affine', bones: BONES }))]);
  }
  const percent = LEVELS.map((level) => `${100 * level} %`);
  return `## ${sequence.name}: ${vertexCount(sequence.rest)} vertices × ${sequence.frameCount} frames

${markdownTable(['', ...percent.flatMap((level) => [`${level}: dE`, 'E_RMS', 'd_avg', 's'])], errors)}

As printed, with LSQR for every pose: ms per pose, including joints, weights and decimation.

${markdownTable(['', percent[0], percent[percent.length - 1], 'ratio'], perPose)}

Refined, with the same number of affine bones, 4 influences, the rest pose unchanged:

${markdownTable(['preset', 'dE', 'E_RMS', 'd_avg', 's'], refined)}`;
}

const scenes: string[] = [];
for (const { open } of chosen(['tablecloth', 'flag', 'collapse', 'balloon'].map((name) => generated(name)))) {
  scenes.push(await scene(await open()));
}
const text = `# The tables of Antonopoulos 2010

${machine()}; CPU seconds, one thread. Written by \`node dist/bench/fit-thesis.js --write\`.

${BONES} proxy joints, at most ${INFLUENCES} influences (no limit in Antonopoulos 2010), transforms by one factorisation. PC: p-center joints, weights by
distance; Deform: joints by deformation, propagated weights, one queue per region; SE: second vertex, OS: optimal positions;
Corr: weights and rest pose corrected. Columns: share of the vertices **removed** before the transforms are solved; errors are
those of the full model. dE (6.1) in % of the motion, E_RMS (6.2) at a rest diagonal of 1, d_avg (6.3) in % of the diagonal,
seconds of the whole fit.

${scenes.join('\n\n')}
`;
console.log(text);
if (flags.write) writeResults('fit-thesis', text);
