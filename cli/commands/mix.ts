import { type Command, Option } from 'commander';
import { PliantError } from '../../src/error.ts';
import type { MixVerbOptions, Setting } from '../../src/index.ts';
import { MODEL_GLB_OPTIONS } from '../../src/io/glb/options.ts';
import { isExperimentPicture, mixExperimentPage } from '../../src/report/mix-experiment-page.ts';
import { mixPage } from '../../src/report/mix-page.ts';
import { settingRows } from '../../src/report/sections.ts';
import { VIEW_OPTIONS } from '../../src/report/view.ts';
import { experimentCsv, MIX_EXPERIMENT_OPTIONS } from '../../src/rig/mix/experiment.ts';
import { FLEXION_OPTIONS } from '../../src/rig/mix/flexion.ts';
import { MIX_OPTIONS } from '../../src/rig/mix/mix-options.ts';
import { MIX_VERB_OPTIONS, mix } from '../../src/verbs/mix.ts';
import { mixExperiment } from '../../src/verbs/mix-experiment.ts';
import { addFlags, collect, givenFlags, only } from '../flags/flags.ts';
import { withCommonFlags, withExamples } from '../flags/help.ts';
import {
  addClipsFlag,
  addOutputFlags,
  addReportFlags,
  addSmallFlag,
  givenWithSmall,
  type OutputFlags,
  type ReportFlags,
} from '../flags/shared-flags.ts';
import { planOutput, planWithReport, writePage } from '../output/output.ts';
import { type Answer, answerWith } from '../terminal/answer.ts';
import { action, type Run } from '../terminal/session.ts';
import { commandLine, pageOrigin } from '../text/command-line.ts';
import { experimentText, mixText } from '../text/mix-text.ts';

/** A mix changes no weights: as many influences are written as there are. */
const { influences: _, ...WRITE_OPTIONS } = MODEL_GLB_OPTIONS;
const { object, rangeOfMotion, ...VERB_OPTIONS } = MIX_VERB_OPTIONS;
const JUDGED_BY = ['axis', 'fromAngle', 'toAngle', 'poses', 'antipodality'] as const;

interface Flags extends OutputFlags, ReportFlags {
  experiment: boolean;
  clip?: string[];
  joint?: string[];
}

/** Flags of the one use of the verb say nothing to the other. */
function requireNone(self: Command, names: readonly string[], why: string): void {
  const option = names.find((name) => self.getOptionValueSource(name) === 'cli');
  if (option) throw new PliantError('bad-option', 'mix', why, { option });
}

/** The files of an experiment. */
const [PAGE, TABLE] = ['report.html', 'areas.csv'];

async function writeExperiment(run: Run, self: Command): Promise<Answer> {
  const { output: path, force } = self.opts<Flags>();
  const others = { ...MIX_VERB_OPTIONS, ...WRITE_OPTIONS, ...VIEW_OPTIONS, clip: 0, joint: 0, report: 0, small: 0 };
  requireNone(self, Object.keys(others), 'cannot be used with --experiment');
  // Whatever it is called, it is a folder.
  const plan = await planOutput('mix', path && !/[./\\]$/.test(path) ? `${path}/` : path, ['frames']);
  const isOurs = (name: string) => name === PAGE || name === TABLE || isExperimentPicture(name);
  const task = { verb: 'mix', reads: [], plan: { ...plan, isOurs }, force } as const;
  return answerWith(task, async (_inputs, { folder }) => {
    const outcome = await mixExperiment({ ...givenFlags(self, MIX_EXPERIMENT_OPTIONS), ...run });
    const { experiment, report } = outcome;
    const { html, pictures } = await mixExperimentPage(experiment, { command: commandLine() });
    const files = { [PAGE]: html, [TABLE]: experimentCsv(experiment), ...pictures };
    for (const [name, text] of Object.entries(files)) {
      const sink = await folder.file(name);
      await sink.write(new TextEncoder().encode(text));
      await sink.close();
    }
    return { report, text: (page) => experimentText(outcome, page) };
  });
}

async function mixRig(run: Run, file: string, self: Command): Promise<Answer> {
  const { force, clip: clips, joint: joints, ...named } = self.opts<Flags>();
  requireNone(self, Object.keys(MIX_EXPERIMENT_OPTIONS), 'needs --experiment');
  const plan = await planWithReport('mix', named);
  return answerWith({ verb: 'mix', reads: [file], plan, force }, async (inputs, output) => {
    const given = { ...givenFlags(self, MIX_VERB_OPTIONS), clips, joints };
    const outcome = await mix(await inputs.open(file), {
      ...given,
      ...run,
      glb: givenWithSmall(self, WRITE_OPTIONS),
      sink: output.sink,
    });
    const { parts, report } = outcome;
    await writePage(output, report, () => {
      const settings = mixSettings(given);
      return mixPage(
        parts,
        { ...pageOrigin(plan.path, [file]), ...givenFlags(self, VIEW_OPTIONS), settings, notes: report.notes },
        run,
      );
    });
    return { report, text: (page) => [page.strong(file), ...mixText(outcome, page)] };
  });
}

function mixSettings({ joints = [], ...given }: MixVerbOptions): Setting[] {
  const settings = settingRows(MIX_OPTIONS, given);
  if (joints.length === 0) return settings;
  const bending = { name: 'bent joints', value: joints.join(', '), given: true };
  return [...settings, bending, ...settingRows(FLEXION_OPTIONS, given)];
}

export function define(command: Command, signal: AbortSignal): void {
  command
    .description(
      'Linear blending loses volume where a rig bends; dual quaternions bulge. Solves for a mix per vertex that preserves ' +
        'volume (or area) with the least distortion over the motions of the rig, and writes it as the vertex attribute ' +
        '_MIX. With --experiment, bends a rectangle with every mix instead, and writes a folder with a page, curves and ' +
        'drawings.',
    )
    .argument('[rig]', 'a file with bones and weights: GLB, glTF, COLLADA');
  addOutputFlags(command, 'GLB to write, or folder for the experiment');
  addFlags(addReportFlags(command), { ...VIEW_OPTIONS, object });
  addClipsFlag(command.optionsGroup('Motions:'), 'all').addOption(
    new Option('--joint <name>', 'joint to bend by itself; may be repeated').argParser(collect),
  );
  addFlags(command, { rangeOfMotion, ...only(VERB_OPTIONS, JUDGED_BY) });
  addFlags(command.optionsGroup('Objective and solver:'), VERB_OPTIONS, { without: JUDGED_BY });
  command
    .optionsGroup('Experiment:')
    .option('--experiment', 'bend a rectangle with linear blending, dual quaternions and their mixes', false);
  addFlags(command, MIX_EXPERIMENT_OPTIONS);
  addFlags(addSmallFlag(command.optionsGroup('GLB output:')), WRITE_OPTIONS).action(
    action(signal, (run, rig: string | undefined, self: Command) => {
      const { experiment } = self.opts<Flags>();
      if (experiment && rig === undefined) return writeExperiment(run, self);
      if (!experiment && rig !== undefined) return mixRig(run, rig, self);
      const cause = experiment
        ? `--experiment makes its own rig (got ${rig}, expected no file)`
        : 'no rig (expected a file with bones and weights, or --experiment)';
      throw new PliantError('bad-option', 'mix', cause);
    }),
  );
  withCommonFlags(command, 'output force no-report clip joint axis range-of-motion keep experiment small');
  withExamples(command, [
    ['pliant mix figure.glb -o mixed.glb', 'for all clips of the rig; also writes mixed.report.html'],
    ['pliant mix figure.glb -o mixed.glb --joint foreArm.L --axis x', 'for an elbow that bends by 150°'],
    ['pliant mix figure.glb -o mixed.glb --range-of-motion', 'for a range of motion of every joint'],
    ['pliant skin mixed.glb -o motion.glb', 'bakes the result as morph targets, for every viewer'],
    ['pliant mix --experiment -o bend/', 'a bending rectangle: areas, curves, drawings'],
  ]);
}
