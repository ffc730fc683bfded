import { availableParallelism } from 'node:os';
import { type Command, Option } from 'commander';
import { PliantError } from '../../src/error.ts';
import { FIT_OPTIONS, type FitOptions } from '../../src/fit/fit-options.ts';
import {
  MODEL_GLB_DEFAULTS,
  MODEL_GLB_OPTIONS,
  type ModelGlbOptions,
  SMALL_WEIGHT_LEVELS,
} from '../../src/io/glb/options.ts';
import { READ_OPTIONS } from '../../src/io/read-asset.ts';
import { addFlags, flagOf, givenFlags, kebab, only, parseNumber } from '../flags/flags.ts';
import { withCommonFlags, withExamples } from '../flags/help.ts';
import { parseBytes, withoutPercent } from '../flags/quantities.ts';
import { openFitInput } from '../input/fit-input.ts';
import { LOCKS, type Lock, lockedHalf } from '../input/fit-lock.ts';
import { expandPaths } from '../input/open-input.ts';
import { BLEND_OPTIONS } from '../input/rigs.ts';
import { runFit } from '../jobs/fit-job.ts';
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
import { type Answer, action, type Run } from '../terminal/session.ts';
import { fitAnswer } from '../text/fit-text.ts';
import { pageOrigin } from '../text/page-origin.ts';
import { filesText } from '../text/report-text.ts';

/** What a user asks for: the number of bones follows from one of these. */
const TARGETS = ['bones', 'maxError', 'maxSize'] as const;
const GOALS = [...TARGETS, 'errorMeasure', 'kind', 'influences', 'inBetween', 'preset'] as const;
const FRAMES = ['firstFrame', 'lastFrame', 'frameStep', 'restFrame'] as const;
/** How many influences are written is how many were fitted. */
const { influences: _, ...WRITE_OPTIONS } = MODEL_GLB_OPTIONS;
const THREADS = { type: 'number', default: availableParallelism(), min: 1, max: 256, integer: true } as const;

const OF_DIAGONAL = ' % of the diagonal';

/** Errors may be typed with their %, sizes with their unit. */
function addGoals(command: Command): void {
  command.optionsGroup('What to ask for:');
  const { maxError, maxSize, inBetween, ...others } = only(FIT_OPTIONS, GOALS);
  addFlags(command, { bones: others.bones });
  command.addOption(
    flagOf('fit', 'maxError', maxError, 'percent').argParser((text) =>
      parseNumber('fit', 'max-error', maxError, withoutPercent(text), OF_DIAGONAL),
    ),
  );
  command.addOption(
    new Option('--max-size <size>', `${maxSize.description} [bytes, kB, MB, KiB, MiB]`).argParser((text) =>
      parseBytes('fit', 'max-size', text),
    ),
  );
  command.addOption(
    flagOf('fit', 'inBetween', inBetween, 'percent|off').argParser((text) =>
      text === 'off' ? 0 : parseNumber('fit', 'in-between', inBetween, withoutPercent(text), `${OF_DIAGONAL} or off`),
    ),
  );
  addFlags(command, others, { without: ['bones'] });
}

const RATE = 'rate of sequences whose files have no times [default 24], or to pose a rig at [default at its keys]';

function addInputFlags(command: Command): void {
  const collect = (value: string, before: string[] = []): string[] => [...before, value];
  command
    .optionsGroup('Input:')
    .addOption(flagOf('fit', 'cache', READ_OPTIONS.cache, 'file'))
    .option('--rest <file>', 'file with the rest pose of a sequence')
    .addOption(
      new Option('--frames-per-second <number>', RATE).argParser((text) =>
        parseNumber('fit', 'frames-per-second', READ_OPTIONS.framesPerSecond, text),
      ),
    )
    .option('--object <name>', 'fit one object of a scene [default all, together]')
    .option('--clip <name>', 'a clip of a rig; may be repeated [default the first]', collect);
  addFlags(command, BLEND_OPTIONS);
}

interface Flags extends OutputFlags, ReportFlags {
  threads?: number;
  object?: string;
  clip?: string[];
  lock?: Lock;
  rig?: string;
}

/** Two targets would contradict each other. */
function requireOneTarget(options: Partial<FitOptions>): void {
  const given = TARGETS.filter((name) => options[name]);
  if (given.length < 2) return;
  const flags = given.map((name) => `--${kebab(name)}`).join(' and ');
  throw new PliantError('bad-option', 'fit', `${flags} (expected one of them)`);
}

async function fitFiles(run: Run, files: string[], self: Command): Promise<Answer> {
  const { output, force, report, threads = THREADS.default, object, clip = [], lock, rig } = self.opts<Flags>();
  if ((lock === undefined) !== (rig === undefined)) {
    throw new PliantError('bad-option', 'fit', '--lock and --rig (got one of them, expected both or none)');
  }
  const given = givenFlags(self, FIT_OPTIONS);
  const glb: Partial<ModelGlbOptions> = givenWithSmall(self, WRITE_OPTIONS);
  requireOneTarget(given);
  // Bones that are solved for weights of few bits lose far less than weights that are merely rounded to them.
  const levels = { u8: 255, float12: SMALL_WEIGHT_LEVELS, u16: 0, float: 0 }[glb.weights ?? MODEL_GLB_DEFAULTS.weights];
  const options = { ...(levels > 0 && { weightLevels: levels }), ...given };
  const plan = await planWithReport('fit', { output, report });

  const read = givenFlags(self, READ_OPTIONS);
  const inputs = [...(await expandPaths('fit', files)), read.cache, read.rest, rig];
  await requireOtherFiles('fit', plan, inputs);

  const { result, written } = await withOutput(plan, force, async (open) => {
    if (open.kind !== 'glb') throw new PliantError('internal', 'fit', `an output of kind ${open.kind}`);
    const input = await openFitInput(files, { object, clips: clip, rig: givenFlags(self, BLEND_OPTIONS), read });
    try {
      const known = lock && rig ? await lockedHalf(lock, rig, input.clips[0].rest) : undefined;
      const origin = pageOrigin(plan.path, files);
      return { clip: input.clip, ...(await runFit({ input, origin, options, glb, threads, known }, open, run)) };
    } finally {
      await input.close();
    }
  });
  const { clip: posed } = result;
  return fitAnswer(posed === undefined ? filesText(files) : `clip "${posed}" of ${filesText(files)}`, result, written);
}

export function fitCommand(command: Command, signal: AbortSignal): void {
  command
    .description(
      'Turns a mesh animation into bones, weights and a clip that every glTF viewer plays, at a fraction of the size, and ' +
        'reports the error. Meshes are the frames of one sequence; several folders, scenes or clips of a rig are clips of ' +
        'one mesh, fitted together. Per cent are of the diagonal of the rest pose.',
    )
    .argument('<files...>', 'a folder of frames or of a mesh and its cache, files, or patterns in quotes');
  addOutputFlags(command, 'the GLB to write');
  addReportFlags(command).addOption(
    new Option(
      '--threads <number>',
      'threads that share the work; 1 is none beside the main one [default one per core]',
    ).argParser((text) => parseNumber('fit', 'threads', { ...THREADS, description: '' }, text)),
  );
  addGoals(command);
  addFlags(command.optionsGroup('Frames:'), only(FIT_OPTIONS, FRAMES));
  addInputFlags(command);
  command
    .optionsGroup('A rig that is partly right:')
    .addOption(
      flagOf(
        'fit',
        'lock',
        {
          type: 'choice',
          default: LOCKS[0],
          choices: LOCKS,
          description: 'what to keep of the rig; the other half is solved',
        },
        'half',
      ),
    )
    .option('--rig <file>', 'the rig whose weights, or whose first clip, are kept')
    .optionsGroup('GLB output:');
  addSmallFlag(command);
  addFlags(command, WRITE_OPTIONS);
  addFlags(command.optionsGroup('Method:'), FIT_OPTIONS, { without: [...GOALS, ...FRAMES] }).action(
    action(signal, (run, files: string[], self: Command) => fitFiles(run, files, self)),
  );
  withCommonFlags(command, [
    '--output',
    '--force',
    '--no-report',
    '--bones',
    '--max-error',
    '--max-size',
    '--kind',
    '--influences',
    '--preset',
    '--cache',
    '--rest',
    '--clip',
    '--first-frame',
    '--last-frame',
    '--lock',
    '--rig',
    '--small',
  ]);
  withExamples(command, [
    ['pliant fit flag/ -o flag.glb', 'a folder of OBJ, PLY or OFF frames, with 40 bones; and flag.report.html'],
    ['pliant fit face.glb -o fitted.glb --max-error 0.5%', 'as few bones as an error of 0.5 % takes'],
    ['pliant fit cloth/ -o cloth.glb --max-size 300kB --small', 'the least error in a compressed file of 300 kB'],
    ['pliant fit body.obj --cache body.pc2 -o body.glb --bones 60 --kind rigid', 'a mesh and the cache that moves it'],
    ['pliant fit walk/ -o better.glb --lock weights --rig old.glb', 'new transforms for the weights of a rig'],
    ['pliant fit walk/ run/ -o both.glb', 'two motions of one mesh: one model with two clips'],
  ]);
}
