import { type Command, Option } from 'commander';
import { PliantError } from '../../src/error.ts';
import { MODEL_GLB_OPTIONS, type ModelGlbOptions } from '../../src/io/glb/options.ts';
import { nodeFiles } from '../../src/platform/node/index.ts';
import { LINEARIZE_OPTIONS } from '../../src/rig/linearize/linearize-options.ts';
import { addFlags, givenFlags, only } from '../flags/flags.ts';
import { withCommonFlags, withExamples } from '../flags/help.ts';
import { didYouMean } from '../flags/suggest.ts';
import { closeAsset, expandPaths, openAsset } from '../input/open-input.ts';
import { readNameMap } from '../input/skeletons.ts';
import { runLinearize } from '../jobs/linearize-job.ts';
import {
  addOutputFlags,
  addReportFlags,
  type OutputFlags,
  planWithReport,
  type ReportFlags,
  requireOtherFiles,
  withOutput,
} from '../output/output.ts';
import { addSmallFlag, givenWithSmall } from '../output/small.ts';
import type { Answer } from '../terminal/answer.ts';
import { action, type Run } from '../terminal/session.ts';
import { linearizeAnswer } from '../text/linearize-text.ts';
import { pageOrigin } from '../text/page-origin.ts';

const OPERATION = 'linearize';

/** How many influences are written is how many were solved; lattices would come between blend bones and their masters. */
const { influences: _influences, quantize: _quantize, ...WRITE_OPTIONS } = MODEL_GLB_OPTIONS;

const GOALS = ['operator', 'blendBones', 'maxEnvelopingError', 'plateau', 'influences'] as const;
const TRAINING = ['training', 'trainingFrames', 'seed'] as const;
const KEYS = ['keys', 'framesPerSecond'] as const;

interface Flags extends OutputFlags, ReportFlags {
  training?: string;
  map?: string;
  object?: string;
}

async function linearizeFile(run: Run, file: string, self: Command): Promise<Answer> {
  const { output, force, report, training, map, object } = self.opts<Flags>();
  const { training: _, ...given } = givenFlags(self, LINEARIZE_OPTIONS);
  if (given.framesPerSecond !== undefined && given.keys !== 'steady') {
    throw new PliantError('bad-option', OPERATION, '--frames-per-second applies to --keys steady only');
  }
  const source = LINEARIZE_OPTIONS.training.choices.find((choice) => choice === training);
  const trainingFile = source === undefined ? training : undefined;
  if (trainingFile !== undefined && (await nodeFiles.kind(trainingFile)) === 'missing') {
    const { choices } = LINEARIZE_OPTIONS.training;
    const cause = `--training (got ${trainingFile}, expected ${choices.join(', ')} or a file that exists)`;
    throw new PliantError('bad-option', OPERATION, cause + didYouMean(trainingFile, choices));
  }
  const options = { ...given, ...(source && { training: source }) };
  if (map !== undefined && trainingFile === undefined) {
    throw new PliantError('bad-option', OPERATION, '--map needs --training with a file (got none)');
  }
  const glb: Partial<ModelGlbOptions> = givenWithSmall(self, WRITE_OPTIONS);
  const plan = await planWithReport(OPERATION, { output, report });
  await requireOtherFiles(OPERATION, plan, [...(await expandPaths(OPERATION, [file])), trainingFile, map]);
  const names = map === undefined ? {} : await readNameMap(OPERATION, map);
  const { result, written } = await withOutput(plan, force, async (open) => {
    const asset = await openAsset(OPERATION, file);
    try {
      const origin = pageOrigin(plan.path, [file]);
      return await runLinearize({ asset, file, object, origin, options, glb, trainingFile, map: names }, open, run);
    } finally {
      await closeAsset(asset);
    }
  });
  return linearizeAnswer(file, result, written);
}

function addTrainingFlags(command: Command): void {
  const { choices, description } = LINEARIZE_OPTIONS.training;
  command
    .optionsGroup('Training:')
    .addOption(
      new Option(
        '--training <motion>',
        `${description}; or the clips of a file: GLB, BVH [${choices.join(', ')}, a file; default ${LINEARIZE_OPTIONS.training.default}]`,
      ),
    )
    .option('--map <file>', 'JSON that says which joint of the file is which bone: {"joint": "bone", …}');
  addFlags(command, only(LINEARIZE_OPTIONS, TRAINING), { without: ['training'] });
}

export function linearizeCommand(command: Command, signal: AbortSignal): void {
  command
    .description(
      'Adds a few blend bones to a rig, so that linear blending, which is all that glTF players know, shows what dual ' +
        'quaternions would: no collapsing twists, no lost volume. The output is a plain GLB with the blend bones in every ' +
        'clip, and what drives them in an extension for players that pose the rig live. The enveloping error is 100 % ' +
        'where every vertex moves with one bone only.',
    )
    .argument('<rig>', 'a file with bones and weights: GLB, glTF, COLLADA');
  addOutputFlags(command, 'the GLB to write');
  addReportFlags(command).option(
    '--object <name>',
    'linearize one part of a rig that has several [default all, each by itself]',
  );
  command.optionsGroup('What to ask for:');
  addFlags(command, only(LINEARIZE_OPTIONS, GOALS));
  addTrainingFlags(command);
  addFlags(command.optionsGroup('Clips:'), only(LINEARIZE_OPTIONS, KEYS));
  addFlags(command.optionsGroup('Method:'), LINEARIZE_OPTIONS, { without: [...GOALS, ...TRAINING, ...KEYS] });
  addSmallFlag(command.optionsGroup('GLB output:'), 'compressed, reordered, no names');
  addFlags(command, WRITE_OPTIONS).action(
    action(signal, (run, file: string, self: Command) => linearizeFile(run, file, self)),
  );
  withCommonFlags(
    command,
    'output force no-report operator blend-bones max-enveloping-error influences training small compress',
  );
  withExamples(command, [
    ['pliant linearize figure.glb -o figure-linear.glb', '10 blend bones, placed for a range of motion of every joint'],
    ['pliant linearize figure.glb -o out.glb --training clips --blend-bones 20', 'placed for the clips of the file'],
    [
      'pliant linearize figure.glb -o out.glb --blend-bones 60 --max-enveloping-error 5%',
      'as many as an enveloping error of 5 % takes, 60 at most',
    ],
    ['pliant linearize rig.glb -o out.glb --training walk.bvh', 'placed for a motion of another file'],
  ]);
}
