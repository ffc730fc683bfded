import { Argument, type Command } from 'commander';
import { PliantError } from '../../src/error.ts';
import { GLB_OPTIONS } from '../../src/io/glb/options.ts';
import { writeModelGlb } from '../../src/io/write-glb.ts';
import { SAMPLE_NAMES, SAMPLE_OPTIONS, SAMPLES, type Sample, type SampleName } from '../../src/sample-list.ts';
import { makeSample } from '../../src/samples.ts';
import { addFlags, chosenFrom, givenFlags } from '../flags/flags.ts';
import { withCommonFlags, withExamples } from '../flags/help.ts';
import { addOutputFlags, type OutputFlags, planOutput, withOutput } from '../output/output.ts';
import { givenGlbFlags, SEQUENCE_KINDS, writeSequences } from '../output/sequences.ts';
import { type Answer, action, type Run } from '../terminal/session.ts';
import { writtenAnswer } from '../text/report-text.ts';
import { type Page, pairs } from '../text/table.ts';

/** What is there to choose from. */
function listOfSamples(): Answer {
  const list = (kind: Sample['kind'], page: Page): string =>
    pairs(
      SAMPLE_NAMES.filter((name) => SAMPLES[name].kind === kind).map((name) => [name, SAMPLES[name].description]),
      page,
    );
  return {
    json: { samples: SAMPLE_NAMES.map((name) => ({ name, ...SAMPLES[name] })) },
    text: (page) =>
      [
        `${page.strong('sequences of cloth: pliant sample <name>')}\n${list('sequence', page)}`,
        `${page.strong('rigs with clips: pliant sample <name>')}\n${list('model', page)}`,
      ].join('\n\n'),
  };
}

async function writeSample(run: Run, name: SampleName, self: Command): Promise<Answer> {
  const { output, force } = self.opts<OutputFlags>();
  const { kind } = SAMPLES[name];
  const plan = await planOutput('sample', output ?? `${name}.glb`, kind === 'model' ? ['glb'] : SEQUENCE_KINDS);
  const glb = givenGlbFlags(self, GLB_OPTIONS, plan.kind);
  const { result, written } = await withOutput(plan, force, async (open) => {
    const { model, sequence, report } = await makeSample(name, { ...givenFlags(self, SAMPLE_OPTIONS), ...run });
    if (sequence) return [report, ...(await writeSequences(open, [sequence], glb, run))];
    if (!model || open.kind !== 'glb') throw new PliantError('internal', 'sample', `${name} is no ${kind}`);
    const { bytes, report: writing } = await writeModelGlb(model, glb);
    await open.sink.write(bytes);
    return [report, writing];
  });
  return writtenAnswer(`sample ${name}`, result[0].figures, result, written);
}

export function sampleCommand(command: Command, signal: AbortSignal): void {
  command
    .description(
      'Makes a sequence of simulated cloth, or a small rig with clips, and writes it. The same options give the same ' +
        'bytes. Without a name it lists the samples.',
    )
    .addArgument(chosenFrom('sample', new Argument('[name]', SAMPLE_NAMES.join(', ')), SAMPLE_NAMES, 'sample'));
  addOutputFlags(
    command,
    '.glb, for sequences also .abc, .pc2, .mdd (with .obj beside), .obj (rest) or frames/ [default <name>.glb]',
  );
  addFlags(command, SAMPLE_OPTIONS);
  addFlags(command.optionsGroup('GLB output:'), GLB_OPTIONS).action(
    action(signal, (run, name: SampleName | undefined, self: Command) =>
      name === undefined ? listOfSamples() : writeSample(run, name, self),
    ),
  );
  withCommonFlags(command, [
    '--output',
    '--force',
    '--resolution',
    '--frames',
    '--frames-per-second',
    '--seed',
    '--compress',
  ]);
  withExamples(command, [
    ['pliant sample', 'lists the samples'],
    ['pliant sample flag', 'simulates a flag in the wind and writes flag.glb'],
    ['pliant sample tablecloth --resolution 10000 -o cloth/', 'a finer tablecloth, as a folder of OBJ files'],
    ['pliant sample figure', 'a humanoid rig with three clips, in figure.glb'],
  ]);
}
