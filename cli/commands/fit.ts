import { availableParallelism } from 'node:os';
import type { Command } from 'commander';
import { FIT_OPTIONS, FIT_PRESETS } from '../../src/fit/fit-options.ts';
import type { FitVerbOptions, OptionSpecs, VerbInput } from '../../src/index.ts';
import { MODEL_GLB_OPTIONS } from '../../src/io/glb/options.ts';
import { nodePool } from '../../src/platform/node/index.ts';
import { fitPage } from '../../src/report/fit-page.ts';
import { type PageExtra, settingRows } from '../../src/report/sections.ts';
import { VIEW_OPTIONS } from '../../src/report/view.ts';
import { FIT_INPUT_OPTIONS, fit, weightLevels } from '../../src/verbs/fit.ts';
import { addFlags, givenFlags, only } from '../flags/flags.ts';
import { withCommonFlags, withExamples } from '../flags/help.ts';
import {
  addClipsFlag,
  addOutputFlags,
  addReadFlags,
  addReportFlags,
  addSmallFlag,
  filesOfReading,
  givenReadFlags,
  givenWithSmall,
  type OutputFlags,
  READ_OR_POSE_OPTIONS,
  type ReportFlags,
} from '../flags/shared-flags.ts';
import { type Output, planWithReport, writePage } from '../output/output.ts';
import { answerWith, type Told } from '../terminal/answer.ts';
import { action, type Run } from '../terminal/session.ts';
import { pageOrigin } from '../text/command-line.ts';
import { fitRows } from '../text/fit-text.ts';
import { filesText } from '../text/report-text.ts';
import { pairs } from '../text/table.ts';

/** What a user asks for: the number of bones follows from one of the first three. */
const GOALS = ['bones', 'maxError', 'maxSize', 'errorMeasure', 'kind', 'influences', 'inBetween', 'preset'] as const;
const FRAMES = ['firstFrame', 'lastFrame', 'frameStep', 'restFrame'] as const;
const { lock, ...INPUT_OPTIONS } = FIT_INPUT_OPTIONS;
/** As many influences are written as were fitted. */
const { influences: _, ...WRITE_OPTIONS } = MODEL_GLB_OPTIONS;
const THREAD_OPTIONS = {
  threads: {
    type: 'number',
    default: 0,
    min: 0,
    max: 256,
    integer: true,
    description: 'number of threads, including the main one; 0: one per core',
  },
} as const satisfies OptionSpecs;

interface Flags extends OutputFlags, ReportFlags {
  threads?: number;
  clip?: string[];
  rig?: string;
}

/** Fits with a pool of threads, and writes the GLB and its page. The heading is completed by the clip that was posed. */
export async function fitInto(
  output: Output<'glb'>,
  input: VerbInput | VerbInput[],
  options: FitVerbOptions & Pick<Required<FitVerbOptions>, 'glb'>,
  { title, origin, threads = 0 }: { title: string; origin: PageExtra; threads?: number },
  run: Run,
): Promise<Told<'fit'>> {
  const pool = threads === 1 ? undefined : await nodePool(threads || availableParallelism());
  try {
    const outcome = await fit(input, { ...options, ...run, pool });
    const { result, file, baseline, report } = outcome;
    const given = { ...weightLevels(options.glb), ...options };
    await output.sink.write(file!);
    await writePage(output, report, () => {
      const preset = FIT_PRESETS[options.preset ?? FIT_OPTIONS.preset.default];
      const settings = [...settingRows(FIT_OPTIONS, given, preset), ...settingRows(WRITE_OPTIONS, options.glb)];
      const size = { bytes: file!.length, bytesBefore: baseline!.bytes, estimated: baseline!.estimated };
      return fitPage(result, { ...origin, size, settings, seconds: report.seconds, notes: report.notes }, run);
    });
    const { clip } = report.detail;
    const heading = clip === undefined ? title : `clip "${clip}" of ${title}`;
    return { report, text: (page) => [`${page.strong(heading)}\n${pairs(fitRows(outcome), page)}`] };
  } finally {
    await pool?.close();
  }
}

async function fitFiles(run: Run, files: string[], self: Command) {
  const { force, clip: clips, rig, threads, ...named } = self.opts<Flags>();
  const read = givenReadFlags(self);
  const plan = await planWithReport('fit', named);
  const task = { verb: 'fit', reads: [...files, ...filesOfReading(read), rig], plan, force } as const;
  return answerWith(task, async (inputs, output) => {
    const options = {
      ...givenFlags(self, { ...FIT_OPTIONS, ...FIT_INPUT_OPTIONS }),
      clips,
      framesPerSecond: read.framesPerSecond,
      rig: await inputs.openIf(rig),
      glb: givenWithSmall(self, WRITE_OPTIONS),
    };
    const assets = await inputs.openGroups(files, read);
    return fitInto(
      output,
      assets,
      options,
      {
        title: filesText(files),
        origin: { ...pageOrigin(plan.path, files), ...givenFlags(self, VIEW_OPTIONS) },
        threads,
      },
      run,
    );
  });
}

export function define(command: Command, signal: AbortSignal): void {
  command
    .description(
      'Turns a mesh animation into bones, weights and a clip that every glTF viewer plays, at a fraction of the size, and ' +
        'reports the error. Mesh files are the frames of one sequence; several folders, scenes or clips of a rig become ' +
        'clips of one model. Percentages are of the diagonal of the rest pose.',
    )
    .argument('<files...>', 'a folder of frames, a folder with a mesh and its cache, files, or quoted patterns');
  addOutputFlags(command, 'GLB to write');
  addFlags(addReportFlags(command), { ...VIEW_OPTIONS, ...THREAD_OPTIONS });
  addFlags(command.optionsGroup('Target:'), only(FIT_OPTIONS, GOALS));
  addFlags(command.optionsGroup('Frames:'), only(FIT_OPTIONS, FRAMES));
  addReadFlags(command.optionsGroup('Input:'), READ_OR_POSE_OPTIONS);
  addFlags(addClipsFlag(command), INPUT_OPTIONS);
  addFlags(command.optionsGroup('Existing rig:'), { lock }, { values: { lock: 'half' } });
  command.option('--rig <file>', 'rig whose weights or first clip are kept').optionsGroup('GLB output:');
  addFlags(addSmallFlag(command), WRITE_OPTIONS);
  addFlags(command.optionsGroup('Method:'), FIT_OPTIONS, { without: [...GOALS, ...FRAMES] });
  command.action(action(signal, fitFiles));
  withCommonFlags(
    command,
    'output force no-report bones max-error max-size kind influences preset cache rest up clip first-frame last-frame lock rig small',
  );
  withExamples(command, [
    ['pliant fit flag/ -o flag.glb', 'OBJ, PLY or OFF frames on 40 bones; also writes flag.report.html'],
    ['pliant fit face.glb -o fitted.glb --max-error 0.5%', 'the fewest bones for an error of 0.5 %'],
    ['pliant fit cloth/ -o cloth.glb --max-size 300kB --small', 'the lowest error in a compressed file of 300 kB'],
    ['pliant fit body.obj --cache body.pc2 -o body.glb --bones 60 --kind rigid', 'a mesh and its cache'],
    ['pliant fit walk/ -o better.glb --lock weights --rig old.glb', 'new transforms for the weights of a rig'],
    ['pliant fit walk/ run/ -o both.glb', 'two motions of one mesh: one model with two clips'],
  ]);
}
