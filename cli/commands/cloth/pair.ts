import type { Command } from 'commander';
import { isPairsFile, PairsWriter } from '../../../src/cloth/pairs-folder.ts';
import { PliantError } from '../../../src/error.ts';
import type { ClipReport } from '../../../src/index.ts';
import { digits } from '../../../src/report/format.ts';
import { CLOTH_PAIR_OPTIONS, clothPair, isPairScene } from '../../../src/verbs/cloth-pair.ts';
import { givenFlags } from '../../flags/flags.ts';
import { planOutput } from '../../output/output.ts';
import { type Answer, answerWith } from '../../terminal/answer.ts';
import type { Run } from '../../terminal/session.ts';
import { figuresText } from '../../text/report-text.ts';
import { numberTable, type Page } from '../../text/table.ts';
import { type ClothFlags, givenSpace, oneCoarse } from './flags.ts';

/** `cloth pair`: coarse and fine simulations of the same motions, in a folder. */
export async function simulatePairs(run: Run, input: string, self: Command): Promise<Answer> {
  const flags = self.opts<ClothFlags>();
  const { output: path, force, body } = flags;
  const coarse = oneCoarse(flags);
  if (path && /\.(glb|gltf|abc|obj|pc2|mdd)$/i.test(path)) {
    throw new PliantError('bad-option', 'cloth', `(got ${path}, expected a folder)`, { option: 'output' });
  }
  // Whatever else it is called, it is a folder.
  const plan = await planOutput('cloth', path && !/[/\\]$/.test(path) ? `${path}/` : path, ['frames']);
  const reads = [isPairScene(input) ? undefined : input, body, coarse];
  const task = { verb: 'cloth', reads, plan: { ...plan, isOurs: isPairsFile }, force } as const;
  return answerWith(task, async (inputs, { folder }) => {
    const given = givenFlags(self, CLOTH_PAIR_OPTIONS);
    const space = givenSpace(self);
    const clips = given.clip?.split(',').map((name) => name.trim());
    let writer: PairsWriter | undefined;
    const { report } = await clothPair(isPairScene(input) ? input : await inputs.open(input, space), {
      ...given,
      ...run,
      async onPair({ pair, figures, rig }) {
        writer ??= new PairsWriter(folder, input, rig);
        await writer.add(pair, figures, { signal: run.signal });
      },
      body: body === undefined ? undefined : await inputs.open(body, { ...space, clips }),
      coarse: coarse === undefined ? undefined : await inputs.open(coarse, space),
    });
    await writer?.finish();
    const heading = `${input}${body === undefined ? '' : ` on ${body}`}`;
    return {
      report,
      text: (page) => [page.strong(heading), motionsText(report.clips, page), figuresText(report.figures)],
    };
  });
}

/** A line for each motion. */
function motionsText(clips: readonly ClipReport[], page: Page): string {
  const cell = (x: number | undefined) => (x === undefined ? '–' : digits(x));
  const rows = clips.map(({ name, frames, figures = {} }) => [
    name,
    String(frames),
    cell(figures.detailCorrelation),
    cell(figures.repeatabilityPercent),
    cell(figures.meanEdgeStrainPercent),
  ]);
  return numberTable(['motion', 'frames', 'correlation', 'repeats %', 'strain %'], rows, page);
}
