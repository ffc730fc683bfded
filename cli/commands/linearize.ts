import { type Command, Option } from 'commander';
import { PliantError } from '../../src/error.ts';
import { MODEL_GLB_OPTIONS } from '../../src/io/glb/options.ts';
import { nodeFiles } from '../../src/platform/node/index.ts';
import { linearizePage } from '../../src/report/linearize-page.ts';
import { settingRows } from '../../src/report/sections.ts';
import { VIEW_OPTIONS } from '../../src/report/view.ts';
import { LINEARIZE_OPTIONS } from '../../src/rig/linearize/linearize-options.ts';
import { LINEARIZE_INPUT_OPTIONS, linearize } from '../../src/verbs/linearize.ts';
import { addFlags, givenFlags, only } from '../flags/flags.ts';
import { withCommonFlags, withExamples } from '../flags/help.ts';
import {
  addOutputFlags,
  addReportFlags,
  addSmallFlag,
  givenWithSmall,
  type OutputFlags,
  type ReportFlags,
} from '../flags/shared-flags.ts';
import { readNameMap } from '../input/read-json.ts';
import { planWithReport, writePage } from '../output/output.ts';
import { answerWith } from '../terminal/answer.ts';
import { action, type Run } from '../terminal/session.ts';
import { pageOrigin } from '../text/command-line.ts';
import { linearizeText } from '../text/linearize-text.ts';

/** As many influences are written as are solved for; quantized positions would come between blend bones and their masters. */
const { influences: _influences, quantize: _quantize, ...WRITE_OPTIONS } = MODEL_GLB_OPTIONS;

const GOALS = ['operator', 'blendBones', 'maxEnvelopingError', 'plateau', 'influences'] as const;
const TRAINING = ['training', 'trainingFrames', 'seed'] as const;
const KEYS = ['keys', 'framesPerSecond'] as const;

interface Flags extends OutputFlags, ReportFlags {
  training?: string;
  map?: string;
}

/** The file that `--training` names, where it is none of its words. */
async function trainingFile(training: string | undefined): Promise<string | undefined> {
  const { choices: candidates } = LINEARIZE_OPTIONS.training;
  if (training === undefined || candidates.some((choice) => choice === training)) return undefined;
  if ((await nodeFiles.kind(training)) !== 'missing') return training;
  const cause = `(got ${training}, expected ${candidates.join(', ')} or a file that exists)`;
  throw new PliantError('bad-option', 'linearize', cause, { option: 'training', got: training, candidates });
}

async function linearizeFile(run: Run, file: string, self: Command) {
  const { force, training, map, ...named } = self.opts<Flags>();
  const other = await trainingFile(training);
  const plan = await planWithReport('linearize', named);
  const given = givenFlags(self, LINEARIZE_OPTIONS);
  return answerWith({ verb: 'linearize', reads: [file, other, map], plan, force }, async (inputs, output) => {
    const outcome = await linearize(await inputs.open(file), {
      ...given,
      ...givenFlags(self, LINEARIZE_INPUT_OPTIONS),
      ...run,
      ...(other !== undefined && { training: await inputs.open(other) }),
      map: await readNameMap('linearize', map),
      glb: givenWithSmall(self, WRITE_OPTIONS),
      sink: output.sink,
    });
    const { parts, report } = outcome;
    await writePage(output, report, () => {
      const settings = settingRows(LINEARIZE_OPTIONS, given);
      const operator = given.operator ?? LINEARIZE_OPTIONS.operator.default;
      return linearizePage(parts, operator, {
        ...pageOrigin(plan.path, [file]),
        ...givenFlags(self, VIEW_OPTIONS),
        settings,
        notes: report.notes,
      });
    });
    return { report, text: (page) => linearizeText(outcome, file, page) };
  });
}

function addTrainingFlags(command: Command): void {
  const { choices, description, default: usual } = LINEARIZE_OPTIONS.training;
  const remarks = `[${choices.join(', ')}, a file; default ${usual}]`;
  command
    .optionsGroup('Training:')
    .addOption(new Option('--training <motion>', `${description}; or the clips of a file: GLB, BVH ${remarks}`))
    .option('--map <file>', 'JSON file {"joint of the clip": "bone of the rig", …} for names that differ');
  addFlags(command, only(LINEARIZE_OPTIONS, TRAINING), { without: ['training'] });
}

export function define(command: Command, signal: AbortSignal): void {
  command
    .description(
      'Adds a few blend bones to a rig, so that linear blending, the only kind in glTF players, looks like dual ' +
        'quaternions: no collapsing twists, no lost volume. The output is a plain GLB with the blend bones baked into ' +
        'every clip; an extension describes how to drive them in live rigs. An enveloping error of 100 % means no better ' +
        'than one bone per vertex.',
    )
    .argument('<rig>', 'a file with bones and weights: GLB, glTF, COLLADA');
  addOutputFlags(command, 'GLB to write');
  addFlags(addReportFlags(command), { ...VIEW_OPTIONS, ...LINEARIZE_INPUT_OPTIONS });
  addFlags(command.optionsGroup('Target:'), only(LINEARIZE_OPTIONS, GOALS));
  addTrainingFlags(command);
  addFlags(command.optionsGroup('Clips:'), only(LINEARIZE_OPTIONS, KEYS));
  addFlags(command.optionsGroup('Method:'), LINEARIZE_OPTIONS, { without: [...GOALS, ...TRAINING, ...KEYS] });
  addSmallFlag(command.optionsGroup('GLB output:'), 'compressed, reordered, no names');
  addFlags(command, WRITE_OPTIONS).action(action(signal, linearizeFile));
  withCommonFlags(
    command,
    'output force no-report operator blend-bones max-enveloping-error influences training small compress',
  );
  withExamples(command, [
    ['pliant linearize figure.glb -o figure-linear.glb', '10 blend bones, for a range of motion of every joint'],
    ['pliant linearize figure.glb -o out.glb --training clips --blend-bones 20', 'for the clips of the file'],
    [
      'pliant linearize rig.glb -o out.glb --blend-bones 60 --max-enveloping-error 5%',
      'as many as needed for an enveloping error of 5 %, at most 60',
    ],
    ['pliant linearize rig.glb -o out.glb --training walk.bvh', 'for the motion of another file'],
  ]);
}
