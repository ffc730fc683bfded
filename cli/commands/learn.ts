import { type Command, Option } from 'commander';
import { PliantError } from '../../src/error.ts';
import type { LearnGiven } from '../../src/index.ts';
import { MODEL_GLB_OPTIONS } from '../../src/io/glb/options.ts';
import { LEARN_OPTIONS } from '../../src/learn/learn-options.ts';
import { LEARN_INPUT_OPTIONS, learn } from '../../src/verbs/learn.ts';
import { addFlags, givenFlags, only } from '../flags/flags.ts';
import { withCommonFlags, withExamples } from '../flags/help.ts';
import {
  addClipsFlag,
  addOutputFlags,
  addReadFlags,
  addSmallFlag,
  filesOfReading,
  givenReadFlags,
  givenWithSmall,
  type OutputFlags,
} from '../flags/shared-flags.ts';
import { planOutput } from '../output/output.ts';
import { answerWith } from '../terminal/answer.ts';
import { action, type Run } from '../terminal/session.ts';
import { pointRows } from '../text/info-text.ts';
import { figuresText, filesText } from '../text/report-text.ts';
import { pairs } from '../text/table.ts';

const GOALS = ['method', 'points', 'bones', 'examples'] as const;
/** --names are those of the control points here. */
const WRITE_OPTIONS = only(MODEL_GLB_OPTIONS, ['reorder', 'quantize', 'compress', 'joints', 'weights', 'rotations']);

interface Flags extends OutputFlags {
  vertices?: number[];
  axes?: number[];
  names?: string[];
  clip?: string[];
  rig?: string;
}

/** `12,80,933` → vertices. */
function parseVertices(text: string): number[] {
  const list = text.split(',').map((entry) => (/^\s*\d+\s*$/.test(entry) ? Number(entry) : Number.NaN));
  if (list.every(Number.isSafeInteger)) return list;
  const cause = `(got ${text || 'nothing'}, expected whole numbers, as in 12,80,933)`;
  throw new PliantError('bad-option', 'learn', cause, { option: 'vertices' });
}

/** `xyz,xy,z` → 3n_c flags: which coordinates of each control point steer. */
const parseAxes = (text: string): number[] =>
  text.split(',').flatMap((entry) => {
    const letters = entry.trim();
    if (/^[xyz]{0,3}$/.test(letters)) return ['x', 'y', 'z'].map((axis) => (letters.includes(axis) ? 1 : 0));
    const cause = `(got ${entry}, expected letters of xyz, as in xyz,xy,z)`;
    throw new PliantError('bad-option', 'learn', cause, { option: 'axes' });
  });

async function learnFiles(run: Run, files: string[], self: Command) {
  const { output: path, force, vertices: points, axes, names, clip: clips, rig } = self.opts<Flags>();
  if (axes && !points) {
    throw new PliantError('bad-option', 'learn', 'needs {option:vertices}', { option: 'axes' });
  }
  const given: LearnGiven = { ...(points && { points }), ...(axes && { axes }), ...(names && { names }) };
  const read = givenReadFlags(self);
  const plan = await planOutput('learn', path, ['glb']);
  const task = { verb: 'learn', reads: [...files, ...filesOfReading(read), rig], plan, force } as const;
  return answerWith(task, async (inputs, output) => {
    const { file, report } = await learn(await inputs.openGroups(files, read), {
      ...givenFlags(self, { ...LEARN_OPTIONS, ...LEARN_INPUT_OPTIONS }),
      ...run,
      clips,
      framesPerSecond: read.framesPerSecond,
      rig: await inputs.openIf(rig),
      given,
      glb: givenWithSmall(self, WRITE_OPTIONS),
    });
    await output.sink.write(file!);
    const seconds = Object.values(report.seconds).reduce((sum, s) => sum + s, 0);
    return {
      report,
      text: (page) => [
        page.strong(`a predictor from ${filesText(files)}`),
        figuresText({ ...report.figures, leaveOneOutRms: undefined, seconds }),
        `${page.strong('control points')}\n${pairs(pointRows(report.detail.controlPoints), page)}`,
      ],
    };
  });
}

export function define(command: Command, signal: AbortSignal): void {
  command
    .description(
      'Learns from example poses how a few points of a surface deform the rest. The GLB plays the examples in every viewer ' +
        'with linear blending; `pliant drive`, the library and the studio drive it with dual quaternions.',
    )
    .argument('<files...>', 'examples: a folder of meshes, a sequence, or a rig with clips');
  addOutputFlags(command, 'GLB to write');
  addFlags(command.optionsGroup('Target:'), only(LEARN_OPTIONS, GOALS))
    .addOption(
      new Option('--vertices <list>', 'vertices to use as control points, such as 12,80,933').argParser(parseVertices),
    )
    .addOption(
      new Option('--axes <list>', 'coordinates to use of each, such as xyz,xy,z [default xyz]').argParser(parseAxes),
    )
    .addOption(
      new Option(
        '--names <list>',
        'names of the control points, such as "brow,left cheek,chin"; without --vertices, also sets their number [default the joints of --rig]',
      ).argParser((text) => text.split(',').map((name) => name.trim())),
    )
    .option('--rig <file>', 'use the bones and weights of a rig of the same mesh, such as one from `pliant fit`');
  addFlags(addClipsFlag(addReadFlags(command.optionsGroup('Input:'))), LEARN_INPUT_OPTIONS);
  addFlags(command.optionsGroup('Method:'), LEARN_OPTIONS, { without: GOALS });
  addFlags(addSmallFlag(command.optionsGroup('GLB output:'), 'compressed, reordered, quantized'), WRITE_OPTIONS);
  command.action(action(signal, learnFiles));
  withCommonFlags(command, 'output force points bones examples vertices names rig cache up clip small');
  withExamples(command, [
    ['pliant learn faces/ -o face.glb', 'a folder of expressions; 8 control points are chosen'],
    ['pliant learn cloth.abc --examples 30 --points 6 -o cloth.glb', 'from 30 representative frames'],
    ['pliant learn faces/ --vertices 120,512,77 --names brow,cheek,chin -o face.glb', 'with your own points'],
    ['pliant learn cloth.abc --rig fitted.glb -o cloth.glb', 'with the bones of `pliant fit`'],
    ['pliant drive face.glb --by "chin=0,-0.02,0" -o out.glb', 'then drive it'],
  ]);
}
