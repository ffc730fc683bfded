import { type Command, Option } from 'commander';
import { PliantError } from '../../src/error.ts';
import type { ByteSink, FolderSink } from '../../src/index.ts';
import { MODEL_GLB_OPTIONS } from '../../src/io/glb/options.ts';
import { writeAlembic } from '../../src/io/write-alembic.ts';
import { writeSequenceGlb } from '../../src/io/write-glb.ts';
import { IMAGE_OPTIONS } from '../../src/lod/images/build.ts';
import type { NoteCode } from '../../src/model/note.ts';
import { choiceOption } from '../../src/model/options.ts';
import { lapTimer } from '../../src/model/report.ts';
import { lodPage } from '../../src/report/lod-page.ts';
import { settingRows } from '../../src/report/sections.ts';
import { VIEW_OPTIONS } from '../../src/report/view.ts';
import { lod } from '../../src/verbs/lod.ts';
import { LOD_VERB_OPTIONS, type LodOutcome } from '../../src/verbs/lod-options.ts';
import { addFlags, givenFlags, only } from '../flags/flags.ts';
import { withCommonFlags, withExamples } from '../flags/help.ts';
import { withoutPercent } from '../flags/quantities.ts';
import {
  addOutputFlags,
  addReadFlags,
  addReportFlags,
  givenReadFlags,
  type OutputFlags,
  type ReportFlags,
} from '../flags/shared-flags.ts';
import type { Inputs } from '../input/inputs.ts';
import { type OutputPlan, planOutput, planWithReport } from '../output/output.ts';
import { answerOf, answerWith } from '../terminal/answer.ts';
import { action, type Run } from '../terminal/session.ts';
import { pageOrigin } from '../text/command-line.ts';
import { lodText } from '../text/lod-text.ts';
import type { Page } from '../text/table.ts';

const VERB = 'lod';

/** What can be asked of files of levels. */
const WRITE_OPTIONS = only(MODEL_GLB_OPTIONS, ['weights', 'joints', 'compress']);
const SEQUENCE_OPTIONS = {
  format: choiceOption('abc', ['abc', 'glb'], 'files of levels of a sequence: Alembic, or GLB with morph targets'),
} as const;

interface Flags extends OutputFlags, ReportFlags {
  triangles?: number[];
  maxError?: number[];
  keep?: string[];
}

/** Names of files in a folder of levels. */
const PAGE = 'report.html';
const isLevel = (name: string): boolean =>
  /^lod\d+\.(glb|abc)$/.test(name) ||
  /\.(images\.json|base\.bin|\d+\.(positions|normals|uvs|joints|weights)\.png)$/.test(name) ||
  name === PAGE;

async function lodFile(run: Run, files: string[], self: Command) {
  const { output: path, force, triangles, maxError, keep, report: page } = self.opts<Flags>();
  const given = givenFlags(self, LOD_VERB_OPTIONS);
  const { format = SEQUENCE_OPTIONS.format.default } = givenFlags(self, SEQUENCE_OPTIONS);
  const compute = async (inputs: Inputs, more: { separate?: boolean; sink?: ByteSink } = {}) => {
    const asset = await inputs.open(files, { ...givenReadFlags(self), blendShapes: true });
    const isSequence = asset.models.length + asset.meshes.length === 0 && asset.sequences.length > 0;
    if (isSequence && more.sink) {
      const cause = 'levels of a sequence are separate files (expected a folder ending in /)';
      throw new PliantError('bad-option', VERB, cause, { option: 'output' });
    }
    const glb = path === undefined ? undefined : givenFlags(self, WRITE_OPTIONS);
    const outcome = await lod(asset, { ...given, ...run, triangles, maxError, keep, ...more, glb });
    return { outcome, report: outcome.report, text: (at: Page) => lodText(outcome.report.detail, files.join(' '), at) };
  };
  const pageOf = ({ levels, poses, report }: LodOutcome) =>
    lodPage(
      {
        levels,
        poses,
        detail: report.detail,
        size: report.figures.bytes,
        seconds: report.seconds,
        notes: report.notes,
      },
      {
        ...pageOrigin(path!, files),
        ...givenFlags(self, VIEW_OPTIONS),
        settings: settingRows(LOD_VERB_OPTIONS, given),
      },
    );

  if (path === undefined) return answerOf(VERB, (inputs) => compute(inputs));
  const plan = await planOutput(VERB, path, ['glb', 'frames']);
  if (plan.kind === 'glb') {
    if (given.separate) {
      throw new PliantError('bad-option', VERB, 'needs a folder to write to (use -o levels/)', { option: 'separate' });
    }
    const withPage = await planWithReport(VERB, self.opts<Flags>());
    return answerWith({ verb: VERB, reads: files, plan: withPage, force }, async (inputs, output) => {
      const told = await compute(inputs, { sink: output.sink });
      await writeText(output.report, told.outcome, pageOf);
      return told;
    });
  }
  const folder: OutputPlan<'frames'> = { path, kind: 'frames', isOurs: isLevel };
  return answerWith({ verb: VERB, reads: files, plan: folder, force }, async (inputs, output) => {
    const told = await compute(inputs, { separate: true });
    requireLevels(told.outcome, files[0]);
    await writeLevels(output.folder, told.outcome, format);
    if (page !== false) {
      const sink = await output.folder.file(PAGE);
      await writeText(sink, told.outcome, pageOf);
      await sink.close();
    }
    return told;
  });
}

/** Notes that say why there is no level. */
const REASONS: readonly NoteCode[] = ['level-not-reached', 'level-not-coarser', 'level-poor', 'error-not-kept'];

/** A folder of no levels is nothing to go on with. */
function requireLevels({ levels, report }: LodOutcome, file: string): void {
  if (levels.length > 1) return;
  const reasons = report.notes.filter(({ code }) => REASONS.includes(code));
  const notes = reasons.length > 0 ? reasons : report.notes.filter(({ code }) => code === 'no-levels');
  throw new PliantError('bad-input', VERB, 'no level can be made, so nothing was written', { file, notes });
}

async function writeText(
  sink: ByteSink | undefined,
  outcome: LodOutcome,
  pageOf: (outcome: LodOutcome) => Promise<string>,
): Promise<void> {
  if (!sink) return;
  const lap = lapTimer(outcome.report.seconds);
  await sink.write(new TextEncoder().encode(await pageOf(outcome)));
  lap('report page');
}

/** lod1, lod2 and so on, from fine to coarse. */
async function writeLevels(
  folder: FolderSink,
  { levels, files = [], imageFiles }: LodOutcome,
  format: 'abc' | 'glb',
): Promise<void> {
  for (const { name, bytes } of imageFiles ?? []) {
    const sink = await folder.file(name);
    await sink.write(bytes);
    await sink.close();
  }
  if (imageFiles) return;
  for (const [l, { sequences }] of levels.slice(1).entries()) {
    const sink = await folder.file(`lod${l + 1}.${sequences.length > 0 ? format : 'glb'}`);
    if (sequences.length === 0) await sink.write(files[l]);
    else if (format === 'abc') await writeAlembic(sequences, sink);
    else await sink.write((await writeSequenceGlb(sequences)).bytes);
    await sink.close();
  }
}

const trimmed = (text: string): string => text.trim();
const listFlag = (flags: string, option: string, description: string, expected: string, plain = trimmed): Option =>
  new Option(flags, description).argParser((text: string): number[] => {
    const list = text.split(',').map((item) => Number(plain(item) || Number.NaN));
    if (list.every(Number.isFinite)) return list;
    throw new PliantError('bad-option', VERB, `(got ${text || 'nothing'}, expected ${expected})`, { option });
  });

export function define(command: Command, signal: AbortSignal): void {
  command
    .description(
      'Makes coarser versions of everything in a file that fit its surface in the poses of all clips: positions and ' +
        'weights are solved for, seams, borders and hard edges stay. A rig or mesh is written as one GLB with MSFT_lod: ' +
        'the given file, with the levels added; or as a file per level. Percentages are of the diagonal of the default ' +
        'pose. Without -o, nothing is written.',
    )
    .argument('<files...>', 'a rig, a mesh, or a sequence');
  addOutputFlags(
    command,
    'GLB to write, or a folder ending in / for a file per level',
    'overwrite existing output; a folder is replaced as a whole, if lod wrote all that is in it',
  );
  addFlags(addReportFlags(command), { ...VIEW_OPTIONS, ...only(LOD_VERB_OPTIONS, ['object']) });
  command.optionsGroup('Levels:');
  addFlags(command, only(LOD_VERB_OPTIONS, ['levels']))
    .addOption(listFlag('--triangles <list>', 'triangles', 'triangles of each level, such as 8000,2000,500', 'numbers'))
    .addOption(
      listFlag(
        '--max-error <list>',
        'maxError',
        'largest error of each level, such as .1%,.3%,1%',
        'percentages',
        withoutPercent,
      ),
    )
    .option('--keep <names>', 'objects, groups or materials to leave as they are, comma-separated', (text: string) =>
      text.split(',').map((name) => name.trim()),
    );
  const named = ['object', 'levels', 'separate', 'images', ...Object.keys(IMAGE_OPTIONS)];
  addFlags(command.optionsGroup('Method:'), LOD_VERB_OPTIONS, { without: named });
  addFlags(command.optionsGroup('Images:'), { ...only(LOD_VERB_OPTIONS, ['images']), ...IMAGE_OPTIONS });
  addFlags(command.optionsGroup('Output:'), {
    ...only(LOD_VERB_OPTIONS, ['separate']),
    ...WRITE_OPTIONS,
    ...SEQUENCE_OPTIONS,
  });
  addReadFlags(command.optionsGroup('Reading:')).action(action(signal, lodFile));
  withCommonFlags(command, 'output force no-report levels triangles max-error keep images separate compress');
  withExamples(command, [
    ['pliant lod hero.glb -o hero.lods.glb', 'five levels, each with half the triangles'],
    ['pliant lod hero.glb -o hero.lods.glb --max-error .1%,.3%,1%', 'three levels, as coarse as these errors allow'],
    ['pliant lod hero.glb -o levels/ --triangles 8000,2000,500', 'a file for each of three levels'],
    ['pliant lod hero.glb -o hero.images.glb --images', 'geometry images, for `GeometryImageMesh` of pliant/three'],
    ['pliant lod hero.glb --json', 'only figures'],
  ]);
}
