import type { Command } from 'commander';
import { readPairs } from '../../../src/cloth/pairs-folder.ts';
import { PliantError } from '../../../src/error.ts';
import { GLB_OPTIONS, MODEL_GLB_OPTIONS } from '../../../src/io/glb/options.ts';
import { nodeFiles } from '../../../src/platform/node/index.ts';
import { clothPage, wayRows } from '../../../src/report/cloth-page.ts';
import { settingRows } from '../../../src/report/sections.ts';
import type { ClothCaches } from '../../../src/verbs/cloth-caches.ts';
import { CLOTH_TRAIN_OPTIONS, type ClothTrainOutcome, closePair, clothTrain } from '../../../src/verbs/cloth-train.ts';
import { givenFlags, only } from '../../flags/flags.ts';
import { givenWithSmall, type ReportFlags } from '../../flags/shared-flags.ts';
import type { Inputs } from '../../input/inputs.ts';
import { planWithReport, writePage } from '../../output/output.ts';
import { type Answer, answerWith } from '../../terminal/answer.ts';
import type { Run } from '../../terminal/session.ts';
import { pageOrigin } from '../../text/command-line.ts';
import { figuresText } from '../../text/report-text.ts';
import { numberTable, type Page } from '../../text/table.ts';
import { type ClothFlags, givenSpace } from './flags.ts';

/** What the GLB can be asked for: what sequences can, so that flags mean the same for all tasks. */
const WRITE_OPTIONS = only(MODEL_GLB_OPTIONS, Object.keys(GLB_OPTIONS) as (keyof typeof GLB_OPTIONS)[]);

/** `cloth train`: pairs, or a coarse and a fine cache, to a GLB that runs. */
export async function trainGarment(run: Run, input: string | undefined, self: Command): Promise<Answer> {
  const { force, coarse = [], fine = [], body, ...named } = self.opts<ClothFlags & ReportFlags>();
  const caches = coarse.map((path, i) => ({ coarse: path, fine: fine[i] }));
  if (coarse.length !== fine.length || (input === undefined) === (caches.length === 0)) {
    const cause = 'cloth train expects a folder of pairs, or --coarse and --fine, as often as there are motions';
    throw new PliantError('bad-option', 'cloth', cause);
  }
  const plan = await planWithReport('cloth', named);
  const list = input && `${input.replace(/[/\\]?(pairs\.json)?$/, '')}/pairs.json`;
  if (list && (await nodeFiles.kind(list)) === 'missing') {
    throw new PliantError('not-found', 'cloth', 'contains no pairs (expected a folder from `pliant cloth pair`)', {
      file: input,
    });
  }
  const reads = [list, ...coarse, ...fine, body];
  return answerWith({ verb: 'cloth', reads, plan, force }, async (inputs, output) => {
    const given = givenFlags(self, CLOTH_TRAIN_OPTIONS);
    const options = { ...given, ...run, glb: givenWithSmall(self, WRITE_OPTIONS) };
    const finish = async (outcome: ClothTrainOutcome) => {
      const { result, file, report } = outcome;
      await output.sink.write(file!);
      await writePage(output, report, () => {
        const files = input ? [input] : [...coarse, ...fine];
        const settings = settingRows(CLOTH_TRAIN_OPTIONS, given);
        return clothPage(
          result,
          { ...pageOrigin(plan.path, files), settings, size: file!.length, notes: report.notes },
          run,
        );
      });
      return { report, text: (page: Page) => trainText(outcome, page) };
    };
    if (input === undefined) return finish(await clothTrain(await openCaches(inputs, self, caches, body), options));
    const pairs = await readPairs(nodeFiles, input);
    inputs.list.push({ files: [input], format: 'cloth pairs' });
    try {
      return await finish(await clothTrain(pairs, options));
    } finally {
      for (const pair of pairs) await closePair(pair);
    }
  });
}

/** One motion after the other; with a body, `--clip` names a clip for each. */
async function openCaches(
  inputs: Inputs,
  self: Command,
  caches: readonly { coarse: string; fine: string }[],
  body: string | undefined,
): Promise<ClothCaches[]> {
  const { object, bodyObject, clip, framesPerSecond } = self.opts<{
    object?: string;
    bodyObject?: string;
    clip?: string;
    framesPerSecond?: number;
  }>();
  const clips = clip?.split(',').map((name) => name.trim()) ?? [];
  if (clips.length > caches.length) {
    const cause = `(got ${clips.length} clips, expected one for each of the ${caches.length} motions)`;
    throw new PliantError('bad-option', 'cloth', cause, { option: 'clip' });
  }
  const space = givenSpace(self);
  const read = framesPerSecond === undefined ? space : { ...space, framesPerSecond };
  const wearer = body === undefined ? undefined : await inputs.open(body, { ...space, clips });
  const opened: ClothCaches[] = [];
  for (const [i, { coarse, fine }] of caches.entries()) {
    opened.push({
      object,
      bodyObject,
      clip: clips[i],
      coarse: await inputs.open(coarse, read),
      fine: await inputs.open(fine, read),
      body: wearer,
    });
  }
  return opened;
}

/** Two short lines on the columns. */
const LEGEND =
  '  E: distance, % of the diagonal; N: normals; V: vigour, J: jitter (truth: 1)\n' +
  '  W: folds recovered: 0 laid flat on the coarse triangles, 100 the truth';

function trainText({ result, report }: ClothTrainOutcome, page: Page): string[] {
  const { motions, heldOutMotion, best } = report.detail;
  const rows = wayRows(result.compared);
  const width = Math.max(...rows.map(([name]) => name.length));
  const table = rows.map(([name, ...cells]) => [name.padEnd(width), ...cells]);
  return [
    page.strong(`trained on ${motions.join(', ')}; held out: ${heldOutMotion}`),
    numberTable(['', 'E %', 'W %', 'N °', 'V', 'J'], table, page),
    LEGEND,
    `the file’s own way: ${best.mode}`,
    figuresText(report.figures),
  ];
}
