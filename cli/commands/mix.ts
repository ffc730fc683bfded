import type { Command } from 'commander';
import { PliantError } from '../../src/error.ts';
import { MODEL_GLB_OPTIONS, type ModelGlbOptions } from '../../src/io/glb/options.ts';
import { MIX_EXPERIMENT_OPTIONS } from '../../src/rig/mix/experiment.ts';
import { FLEXION_OPTIONS } from '../../src/rig/mix/flexion.ts';
import { MIX_OPTIONS } from '../../src/rig/mix/mix.ts';
import { addFlags, givenFlags, kebab } from '../flags/flags.ts';
import { withCommonFlags, withExamples } from '../flags/help.ts';
import { closeAsset, expandPaths, openAsset } from '../input/open-input.ts';
import { isExperimentFile, runMixExperiment } from '../jobs/mix-experiment-job.ts';
import { runMix } from '../jobs/mix-job.ts';
import {
  addOutputFlags,
  addReportFlags,
  type OutputFlags,
  planOutput,
  planWithReport,
  type ReportFlags,
  requireOtherFiles,
  withOutput,
} from '../output/output.ts';
import { addSmallFlag, givenWithSmall } from '../output/small.ts';
import type { Answer } from '../terminal/answer.ts';
import { action, type Run } from '../terminal/session.ts';
import { commandLine } from '../text/command-line.ts';
import { experimentAnswer, mixAnswer } from '../text/mix-text.ts';
import { pageOrigin } from '../text/page-origin.ts';

/** A mix changes no weights: as many influences are written as there are. */
const { influences: _, ...WRITE_OPTIONS } = MODEL_GLB_OPTIONS;
const { maxIterations, tolerance, antipodality, poses, ...WEIGHTS } = MIX_OPTIONS;

interface Flags extends OutputFlags, ReportFlags {
  experiment: boolean;
  clip?: string[];
  joint?: string[];
  rangeOfMotion: boolean;
  object?: string;
}

/** Flags of the one use of the verb say nothing to the other. */
function requireNone(self: Command, specs: object, more: readonly string[], why: string): void {
  const given = [...Object.keys(specs), ...more].find((name) => self.getOptionValueSource(name) === 'cli');
  if (given) throw new PliantError('bad-option', 'mix', `--${kebab(given)} ${why}`);
}

async function writeExperiment(run: Run, self: Command): Promise<Answer> {
  const { output, force } = self.opts<Flags>();
  const others = { ...MIX_OPTIONS, ...FLEXION_OPTIONS, ...WRITE_OPTIONS };
  requireNone(
    self,
    others,
    ['clip', 'joint', 'rangeOfMotion', 'object', 'report', 'small'],
    'does not go with --experiment',
  );
  // Whatever it is called, it is a folder.
  const plan = await planOutput('mix', output && !/[./\\]$/.test(output) ? `${output}/` : output, ['frames']);
  const options = givenFlags(self, MIX_EXPERIMENT_OPTIONS);
  const { result, written } = await withOutput({ ...plan, isOurs: isExperimentFile }, force, (open) => {
    return runMixExperiment(options, open.folder, commandLine(), run);
  });
  return experimentAnswer(result, written);
}

async function mixRig(run: Run, file: string, self: Command): Promise<Answer> {
  const { output, force, clip = [], joint = [], rangeOfMotion, object, report } = self.opts<Flags>();
  requireNone(self, MIX_EXPERIMENT_OPTIONS, [], 'needs --experiment');
  if (joint.length === 0) requireNone(self, FLEXION_OPTIONS, [], 'needs a --joint');
  const plan = await planWithReport('mix', { output, report });
  await requireOtherFiles('mix', plan, await expandPaths('mix', [file]));
  const options = givenFlags(self, MIX_OPTIONS);
  const flexion = givenFlags(self, FLEXION_OPTIONS);
  const glb: Partial<ModelGlbOptions> = givenWithSmall(self, WRITE_OPTIONS);
  const motions = { clips: clip, joints: joint, flexion, poses: options.poses ?? poses.default, rangeOfMotion };

  const { result, written } = await withOutput(plan, force, async (open) => {
    const asset = await openAsset('mix', file);
    try {
      const origin = pageOrigin(plan.path, [file]);
      return await runMix({ asset, file, object, origin, motions, options, glb }, open, run);
    } finally {
      await closeAsset(asset);
    }
  });
  return mixAnswer(file, result, written);
}

export function mixCommand(command: Command, signal: AbortSignal): void {
  const collect = (value: string, before: string[] = []): string[] => [...before, value];
  command
    .description(
      'Linear blending loses volume where a rig bends, dual quaternions bulge. This solves for a weight per vertex between ' +
        'the two that keeps volume (or area) as a whole and distorts the surface least over the motions of the rig, and ' +
        'writes it as the vertex attribute _MIX. With --experiment it bends a rectangle under all mixes instead, and ' +
        'writes a folder with a page, curves and drawings.',
    )
    .argument('[rig]', 'a file with bones and weights: GLB, glTF, COLLADA');
  addOutputFlags(command, 'the GLB to write, or the folder of the experiment');
  addReportFlags(command)
    .option('--object <name>', 'mix one part of a rig that has several [default all]')
    .optionsGroup('What the mix is judged by:')
    .option('--clip <name>', "which of the rig's clips; several may be given [default all]", collect)
    .option('--joint <name>', 'a joint that bends alone; several may be given', collect)
    .option('--range-of-motion', 'a dozen poses that take every joint through its motions', false);
  addFlags(command, FLEXION_OPTIONS);
  addFlags(command, { poses, antipodality });
  addFlags(command.optionsGroup('Objective and solver:'), { ...WEIGHTS, tolerance, maxIterations });
  addFlags(
    command
      .optionsGroup('The experiment:')
      .option('--experiment', 'bend a rectangle under linear blending, dual quaternions and their mixes', false),
    MIX_EXPERIMENT_OPTIONS,
  );
  addSmallFlag(command.optionsGroup('GLB output:'));
  addFlags(command, WRITE_OPTIONS).action(
    action(signal, (run, rig: string | undefined, self: Command) => {
      if (self.opts<Flags>().experiment) {
        if (rig === undefined) return writeExperiment(run, self);
        throw new PliantError('bad-option', 'mix', `--experiment makes its own rig (got ${rig}, expected no file)`);
      }
      if (rig !== undefined) return mixRig(run, rig, self);
      throw new PliantError('bad-option', 'mix', 'no rig (expected a file with bones and weights, or --experiment)');
    }),
  );
  withCommonFlags(command, 'output force no-report clip joint axis range-of-motion keep experiment small');
  withExamples(command, [
    ['pliant mix figure.glb -o mixed.glb', 'a mix for all clips of the rig; and mixed.report.html'],
    ['pliant mix figure.glb -o mixed.glb --joint foreArm.L --axis x', 'a mix for an elbow that bends by 150°'],
    ['pliant mix figure.glb -o mixed.glb --range-of-motion', 'a mix for whatever the joints may do'],
    ['pliant skin mixed.glb -o motion.glb', 'the mixed motion as morph targets, which every viewer plays'],
    ['pliant mix --experiment -o bend/', 'a bending rectangle: areas, curves, drawings'],
  ]);
}
