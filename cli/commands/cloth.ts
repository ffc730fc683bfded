import { Argument, type Command } from 'commander';
import { PliantError } from '../../src/error.ts';
import { SEQUENCE_GLB_OPTIONS } from '../../src/io/glb/options.ts';
import { CLOTH_RUN_OPTIONS, clothRun } from '../../src/verbs/cloth-run.ts';
import { SEQUENCE_FORMATS } from '../../src/verbs/sequence-formats.ts';
import { addFlags, chosenFrom, givenFlags } from '../flags/flags.ts';
import { withCommonFlags, withExamples } from '../flags/help.ts';
import { addOutputFlags, addSmallFlag, givenClips, type OutputFlags } from '../flags/shared-flags.ts';
import { planOutput } from '../output/output.ts';
import { givenGlbFlags, writeSequences } from '../output/sequences.ts';
import { answerWith } from '../terminal/answer.ts';
import { action, type Run } from '../terminal/session.ts';
import { figuresText } from '../text/report-text.ts';

interface Flags extends OutputFlags {
  body?: string;
}

async function runFile(run: Run, _task: 'run', file: string, self: Command) {
  const { output: path, force, body } = self.opts<Flags>();
  const plan = await planOutput('cloth', path, SEQUENCE_FORMATS);
  const glb = givenGlbFlags(self, SEQUENCE_GLB_OPTIONS, plan.kind);
  if (body === undefined) throw new PliantError('bad-option', 'cloth', 'is required', { option: 'body' });
  return answerWith({ verb: 'cloth', reads: [file, body], plan, force }, async (inputs, output) => {
    const { sequences, report } = await clothRun(await inputs.open(file), {
      ...givenFlags(self, CLOTH_RUN_OPTIONS),
      ...run,
      body: await inputs.open(body, givenClips(self)),
    });
    await writeSequences(output, sequences, glb, run, report);
    const heading = `${file} on ${body}, "${report.detail.clip}"`;
    return { report, text: (page) => [page.strong(heading), figuresText(report.figures)] };
  });
}

export function define(command: Command, signal: AbortSignal): void {
  command
    .description(
      'Dresses a moving body. A coarse mesh of the garment is simulated on the body; the garment itself follows it, ' +
        'with folds by a light physics of the detail. Nothing needs training. The garment is modelled on the rest pose ' +
        'of the body.',
    )
    .addArgument(chosenFrom('cloth', new Argument('<task>', 'run: simulate a garment on a body'), ['run']))
    .argument('<garment>', 'a triangle mesh, open or closed: GLB, glTF, OBJ, PLY, OFF, Alembic');
  addOutputFlags(command, 'out.glb (morph targets), out.abc, out.pc2 or out.mdd (plus out.obj), frames/ (OBJ files)');
  command.option('--body <file>', 'what wears it: a rig with a clip, or a mesh sequence');
  addFlags(command.optionsGroup('Cloth:'), CLOTH_RUN_OPTIONS, {
    values: { pinBone: 'names', pinColor: 'colour', pinVertices: 'numbers', wind: 'x,y,z' },
  });
  addFlags(addSmallFlag(command.optionsGroup('GLB output:')), SEQUENCE_GLB_OPTIONS).action(action(signal, runFile));
  withCommonFlags(command, 'output force body clip pin-bone pin-distance pin-color pin-vertices wind physics small');
  withExamples(command, [
    ['pliant cloth run cape.glb --body figure.glb --pin-bone chest -o cape.abc', 'a cape on the first clip of a rig'],
    ['pliant cloth run skirt.obj --body dance.glb --pin-color "#ff0000" -o out.glb', 'held where it is painted red'],
    ['pliant cloth run shirt.glb --body scan.abc --pin-vertices 0-40 -o out.abc', 'on a mesh sequence'],
  ]);
}
