import { Argument, type Command } from 'commander';
import type { Sample, SampleName } from '../../src/index.ts';
import { GLB_OPTIONS } from '../../src/io/glb/options.ts';
import { writeObj } from '../../src/io/write-obj.ts';
import { SAMPLE_NAMES, SAMPLE_OPTIONS, SAMPLES } from '../../src/sample-list.ts';
import { sample } from '../../src/verbs/sample.ts';
import { SEQUENCE_FORMATS } from '../../src/verbs/sequence-formats.ts';
import { addFlags, chosenFrom, givenFlags } from '../flags/flags.ts';
import { withCommonFlags, withExamples } from '../flags/help.ts';
import { addOutputFlags, type OutputFlags } from '../flags/shared-flags.ts';
import { planOutput } from '../output/output.ts';
import { givenGlbFlags, writeSequences } from '../output/sequences.ts';
import { answerOf, answerWith } from '../terminal/answer.ts';
import { action, type Run } from '../terminal/session.ts';
import { figuresText } from '../text/report-text.ts';
import { type Page, pairs } from '../text/table.ts';

const OUTPUTS = { sequence: SEQUENCE_FORMATS, model: ['glb'], mesh: ['glb', 'obj'] } as const;

/** The samples of a kind. */
const list = (kind: Sample['kind'], page: Page): string =>
  pairs(
    SAMPLE_NAMES.filter((name) => SAMPLES[name].kind === kind).map((name) => [name, SAMPLES[name].description]),
    page,
  );

const listSamples = () =>
  answerOf('sample', async () => ({
    report: (await sample(undefined)).report,
    text: (page) => [
      `${page.strong('cloth sequences: pliant sample <name>')}\n${list('sequence', page)}`,
      `${page.strong('rigs with clips: pliant sample <name>')}\n${list('model', page)}`,
      `${page.strong('garments: pliant sample <name>')}\n${list('mesh', page)}`,
    ],
  }));

async function writeSample(run: Run, name: SampleName | undefined, self: Command) {
  if (name === undefined) return listSamples();
  const { output: path = `${name}.glb`, force } = self.opts<OutputFlags>();
  const plan = await planOutput('sample', path, OUTPUTS[SAMPLES[name].kind]);
  const glb = givenGlbFlags(self, GLB_OPTIONS, plan.kind);
  return answerWith({ verb: 'sample', reads: [], plan, force }, async (_, output) => {
    const { sequences, meshes, file, report } = await sample(name, {
      ...givenFlags(self, SAMPLE_OPTIONS),
      ...run,
      glb,
    });
    if (file && output.kind === 'glb') await output.sink.write(file);
    else if (output.kind === 'obj' && meshes.length > 0) await output.sink.write(writeObj(meshes[0]));
    else await writeSequences(output, sequences, glb, run, report);
    return { report, text: (page) => [page.strong(`sample ${name}`), figuresText(report.figures)] };
  });
}

export function define(command: Command, signal: AbortSignal): void {
  command
    .description(
      'Writes a simulated cloth sequence, a small rig with clips, or a garment. The same options always give the same bytes. Without a name, ' +
        'lists the samples.',
    )
    .addArgument(chosenFrom('sample', new Argument('[name]', SAMPLE_NAMES.join(', ')), SAMPLE_NAMES, 'sample'));
  addOutputFlags(
    command,
    '.glb; for garments also .obj; for sequences also .abc, .pc2, .mdd (plus .obj), .obj (rest pose) or frames/ [default <name>.glb]',
  );
  addFlags(command, SAMPLE_OPTIONS);
  addFlags(command.optionsGroup('GLB output:'), GLB_OPTIONS).action(action(signal, writeSample));
  withCommonFlags(command, 'output force resolution frames frames-per-second seed compress');
  withExamples(command, [
    ['pliant sample', 'lists the samples'],
    ['pliant sample flag', 'simulates a flag in the wind and writes flag.glb'],
    ['pliant sample tablecloth --resolution 10000 -o cloth/', 'a finer tablecloth, as a folder of OBJ files'],
    ['pliant sample figure', 'a humanoid rig with six clips, in figure.glb'],
    ['pliant sample cape', 'a cape for the figure, to wear with pliant cloth run'],
  ]);
}
