import type { Command } from 'commander';
import { PliantError } from '../../../src/error.ts';
import { CLOTH_RUN_OPTIONS, clothRun } from '../../../src/verbs/cloth-run.ts';
import { givenFlags } from '../../flags/flags.ts';
import { givenClips, isSmall } from '../../flags/shared-flags.ts';
import { planOutput } from '../../output/output.ts';
import { givenGlbFlags, MOTION_KINDS, writeSequences } from '../../output/sequences.ts';
import { type Answer, answerWith } from '../../terminal/answer.ts';
import type { Run } from '../../terminal/session.ts';
import { figuresText } from '../../text/report-text.ts';
import { CLOTH_GLB_OPTIONS, type ClothFlags, givenSpace, oneCoarse } from './flags.ts';

/** `cloth run`: a garment on a body. */
export async function runGarment(run: Run, file: string, self: Command): Promise<Answer> {
  const flags = self.opts<ClothFlags>();
  const { output: path, force, body } = flags;
  const coarse = oneCoarse(flags);
  const plan = await planOutput('cloth', path, MOTION_KINDS);
  const glb = { morphNormals: !isSmall(self), ...givenGlbFlags(self, CLOTH_GLB_OPTIONS, plan.kind) };
  if (body === undefined && coarse === undefined) {
    throw new PliantError('bad-option', 'cloth', 'is required', { option: 'body' });
  }
  const space = givenSpace(self);
  return answerWith({ verb: 'cloth', reads: [file, body, coarse], plan, force }, async (inputs, output) => {
    const { sequences, report } = await clothRun(await inputs.open(file, space), {
      ...givenFlags(self, CLOTH_RUN_OPTIONS),
      ...run,
      body: body === undefined ? undefined : await inputs.open(body, { ...space, ...givenClips(self) }),
      coarse: coarse === undefined ? undefined : await inputs.open(coarse, space),
    });
    await writeSequences(output, sequences, glb, run, report);
    const heading = `${file} on ${coarse ?? body}, "${report.detail.clip}"`;
    return { report, text: (page) => [page.strong(heading), figuresText(report.figures)] };
  });
}
