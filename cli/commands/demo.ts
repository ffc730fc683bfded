import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Command } from 'commander';
import { PliantError } from '../../src/error.ts';
import { measureSequences } from '../../src/measure/measure.ts';
import { bytes } from '../../src/report/format.ts';
import { makeSample } from '../../src/samples.ts';
import { withExamples } from '../help.ts';
import { planOutput, withOutput } from '../output.ts';
import { figuresText } from '../report-text.ts';
import { poseClip } from '../rigs.ts';
import { writeSequences } from '../sequences.ts';
import { type Answer, action, type Run } from '../session.ts';

const CLIP = 'exercise';

/** A first look at everything: simulate the flag, pose the figure by two operators, measure, write a GLB. */
async function demonstrate(run: Run, path: string): Promise<Answer> {
  await mkdir(dirname(path), { recursive: true });
  const plan = await planOutput('demo', path, ['glb']);
  // Its own output of an earlier run is what it replaces.
  const { result, written } = await withOutput(plan, true, async (output) => {
    const flag = await makeSample('flag', run);
    const figure = await makeSample('figure', run);
    if (!flag.sequence || !figure.model) throw new PliantError('internal', 'demo', 'a sample is of another kind');
    const dqs = poseClip(figure.model, CLIP, { operator: 'dqs' });
    const lbs = poseClip(figure.model, CLIP, { operator: 'lbs' });
    const errors = await measureSequences(dqs, lbs, { surfaceDistance: false, ...run });
    await writeSequences(output, [flag.sequence], {}, run);
    return { flag: flag.report, figure: figure.report, operators: errors.report };
  });
  const { flag, figure, operators } = result;
  return {
    json: { written, reports: [flag, figure, operators] },
    text: (page) =>
      [
        `${page.strong('flag: cloth in the wind, simulated')}\n${figuresText(flag.figures)}`,
        `${page.strong('figure: a rig')}\n${figuresText(figure.figures)}`,
        `${page.strong(`figure, clip "${CLIP}": linear blending against dual quaternions`)}\n${figuresText(operators.figures)}`,
        `wrote ${path} (${bytes(written[0].bytes)}): the flag, for any viewer of glTF`,
      ].join('\n\n'),
  };
}

export function demoCommand(signal: AbortSignal): Command {
  const command = new Command('demo')
    .summary('see what Pliant does, in a few seconds')
    .description('Simulates a flag, poses a rig by two operators, prints the figures and writes the flag as a GLB.')
    .option('-o, --output <path>', 'the GLB to write; an older one is replaced', 'out/flag.glb')
    .action(action(signal, (run, self: Command) => demonstrate(run, self.opts<{ output: string }>().output)));
  return withExamples(command, [['pliant demo', 'figures on the terminal, and out/flag.glb']]);
}
