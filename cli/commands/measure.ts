import type { Command } from 'commander';
import { SPACE_OPTIONS } from '../../src/io/up-axis.ts';
import { number } from '../../src/report/format.ts';
import { POSE_OPTIONS } from '../../src/verbs/choose.ts';
import { MEASURE_VERB_OPTIONS, type MeasureDetail, measure } from '../../src/verbs/measure.ts';
import { addFlags, givenFlags } from '../flags/flags.ts';
import { withCommonFlags, withExamples } from '../flags/help.ts';
import { givenClips } from '../flags/shared-flags.ts';
import { answerOf } from '../terminal/answer.ts';
import { action, type Run } from '../terminal/session.ts';
import { figuresText } from '../text/report-text.ts';
import { numberTable, type Page } from '../text/table.ts';

interface Flags {
  perFrame?: boolean;
  cache?: string;
  otherCache?: string;
  base?: string;
}

function perFrameText({ perFrame }: MeasureDetail, page: Page): string {
  const { rmsePercent, maxErrorPercent, surfaceDistancePercent, originalArea } = perFrame;
  const shown: [string, Float64Array | undefined][] = [
    ['RMSE %', rmsePercent],
    ['max %', maxErrorPercent],
    ['surface distance %', surfaceDistancePercent],
  ];
  const given = shown.flatMap(([title, values]) => (values ? [{ title, values }] : []));
  const rows = Array.from(originalArea, (_, k) => [String(k), ...given.map(({ values }) => number(values[k]))]);
  return numberTable(['frame', ...given.map(({ title }) => title)], rows, page);
}

const measureFiles = (run: Run, original: string, approximation: string, self: Command) =>
  answerOf('measure', async (inputs) => {
    const { perFrame, cache, otherCache, base } = self.opts<Flags>();
    const space = { ...givenFlags(self, SPACE_OPTIONS), ...givenClips(self) };
    const assets = [
      await inputs.open(original, { ...space, cache }),
      await inputs.open(approximation, { ...space, cache: otherCache }),
    ] as const;
    const options = givenFlags(self, { ...MEASURE_VERB_OPTIONS, ...POSE_OPTIONS });
    const { report } = await measure(assets, {
      ...options,
      ...run,
      ...(base !== undefined && { base: await inputs.open(base, space) }),
    });
    return {
      report,
      text: (page) => [
        page.strong(`${approximation} against ${original}`),
        figuresText(report.figures),
        perFrame ? perFrameText(report.detail, page) : '',
      ],
    };
  });

export function define(command: Command, signal: AbortSignal): void {
  command
    .description(
      'Compares an approximation with its original, by vertex and by surface distance. Each may be a sequence, ' +
        'a mesh, or a clip of a rig. Percentages are of the diagonal of the original at rest.',
    )
    .argument('<original>', 'file, folder or quoted pattern')
    .argument('<approximation>', 'approximation of the same motion or mesh')
    .option('--per-frame', 'also print the errors of each frame')
    .option('--cache <file>', 'PC2 or MDD cache of the original')
    .option('--other-cache <file>', 'PC2 or MDD cache of the approximation')
    .option('--base <file>', 'the same motion without detail: also measure the detail, such as folds of cloth');
  addFlags(command, { ...SPACE_OPTIONS, ...MEASURE_VERB_OPTIONS });
  addFlags(command.optionsGroup('Skinning of rigs:'), POSE_OPTIONS);
  command.action(action(signal, measureFiles));
  withCommonFlags(command, 'per-frame object cache other-cache base up clip operator');
  withExamples(command, [
    ['pliant measure horse.glb fitted.glb', 'the rig in fitted.glb against the morphs in horse.glb'],
    ["pliant measure 'a/*.obj' 'b/*.obj' --per-frame", 'two OBJ sequences, frame by frame'],
    ['pliant measure frames/ rig.glb --clip walk --operator dqs', 'the clip "walk", with dual quaternions'],
  ]);
}
