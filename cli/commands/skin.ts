import type { Command } from 'commander';
import { SEQUENCE_GLB_OPTIONS } from '../../src/io/glb/options.ts';
import { READ_OPTIONS } from '../../src/io/read-asset.ts';
import { plural } from '../../src/report/format.ts';
import { SKIN_VERB_OPTIONS, skin } from '../../src/verbs/skin.ts';
import { addFlags, givenFlags } from '../flags/flags.ts';
import { withCommonFlags, withExamples } from '../flags/help.ts';
import { addOutputFlags, addSmallFlag, givenClips, type OutputFlags } from '../flags/shared-flags.ts';
import { planOutput } from '../output/output.ts';
import { givenGlbFlags, MOTION_KINDS, writeSequences } from '../output/sequences.ts';
import { answerWith } from '../terminal/answer.ts';
import { action, type Run } from '../terminal/session.ts';

const OPTIONS = {
  ...SKIN_VERB_OPTIONS,
  framesPerSecond: {
    ...READ_OPTIONS.framesPerSecond,
    description: 'frame rate [default the keys of the clip]',
  },
} as const;

async function skinFile(run: Run, file: string, self: Command) {
  const { output: path, force } = self.opts<OutputFlags>();
  const plan = await planOutput('skin', path, MOTION_KINDS);
  const glb = givenGlbFlags(self, SEQUENCE_GLB_OPTIONS, plan.kind);
  return answerWith({ verb: 'skin', reads: [file], plan, force }, async (inputs, output) => {
    const options = { ...givenFlags(self, OPTIONS), format: plan.kind };
    const { sequences, report } = await skin(await inputs.open(file, givenClips(self)), options);
    await writeSequences(output, sequences, glb, run, report);
    const { vertices = 0, frames = 0 } = report.figures;
    const size = `${plural(vertices, 'vertex', 'vertices')}, ${plural(frames, 'frame')}`;
    return { report, text: (page) => [page.strong(`clip "${report.detail.clip}" of ${file}: ${size}`)] };
  });
}

export function define(command: Command, signal: AbortSignal): void {
  command
    .description(
      'Poses a clip of a rig with a skinning operator and writes the motion as a sequence, for players without that ' +
        'operator.',
    )
    .argument('<rig>', 'a file with bones, weights and clips: GLB, glTF, COLLADA');
  addOutputFlags(command, 'out.glb (morph targets), out.abc, out.pc2 or out.mdd (plus out.obj), frames/ (OBJ files)');
  addFlags(command.optionsGroup('Skinning:'), OPTIONS);
  addFlags(addSmallFlag(command.optionsGroup('GLB output:')), SEQUENCE_GLB_OPTIONS).action(action(signal, skinFile));
  withCommonFlags(command, 'output force clip operator object frames-per-second small quantize compress');
  withExamples(command, [
    [
      'pliant skin figure.glb --operator dqs -o figure-dqs.glb',
      'the first clip with dual quaternions, as morph targets',
    ],
    ['pliant skin figure.glb --clip walk -o frames/', 'the clip "walk" as a folder of OBJ files'],
  ]);
}
