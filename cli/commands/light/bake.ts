import type { Command } from 'commander';
import { MODEL_GLB_OPTIONS } from '../../../src/io/glb/options.ts';
import type { RunOptions } from '../../../src/model/options.ts';
import { bytes, count } from '../../../src/report/format.ts';
import { lightPage } from '../../../src/report/light-page.ts';
import { settingRows } from '../../../src/report/sections.ts';
import { choosePoses } from '../../../src/skin/choose-poses.ts';
import {
  LIGHT_BAKE_OPTIONS,
  type LightBakeDetail,
  type LightBakeOutcome,
  lightBake,
} from '../../../src/verbs/light-bake.ts';
import { lightsOf } from '../../../src/verbs/light-parts.ts';
import { litPoses } from '../../../src/verbs/light-pictures.ts';
import { givenFlags, only } from '../../flags/flags.ts';
import type { ReportFlags } from '../../flags/shared-flags.ts';
import { planWithReport, writePage } from '../../output/output.ts';
import { type Answer, answerWith } from '../../terminal/answer.ts';
import type { Run } from '../../terminal/session.ts';
import { pageOrigin } from '../../text/command-line.ts';
import { type Page, pairs } from '../../text/table.ts';
import { type LightFlags, readEnvironments, withTiles } from './flags.ts';

export const BAKE_GLB_OPTIONS = only(MODEL_GLB_OPTIONS, ['compress']);

/** Poses of the report. */
const SHOWN = 3;

/** `light bake`: a rig to a GLB with light. */
export async function bakeFile(run: Run, file: string, self: Command): Promise<Answer> {
  const { force, clips, environment, ...named } = self.opts<LightFlags & ReportFlags>();
  const plan = await planWithReport('light', named);
  const given = givenFlags(self, LIGHT_BAKE_OPTIONS);
  const reads = [file, ...(environment ?? [])];
  return answerWith({ verb: 'light', reads, plan, force }, (inputs, output) =>
    withTiles(self, async (tiles) => {
      const maps = await readEnvironments(environment);
      const asset = await inputs.open(file);
      const glb = givenFlags(self, BAKE_GLB_OPTIONS);
      const outcome = await lightBake(asset, { ...given, ...run, clips, tiles, glb, sink: output.sink });
      const { report } = outcome;
      await writePage(output, report, async () => {
        const lights = lightsOf(maps);
        const { held } = choosePoses(outcome.models, { poses: 2, held: SHOWN });
        const { rays, seed } = given;
        const quiet: RunOptions = { signal: run.signal };
        const poses = await litPoses(outcome.models, held, (order) => lights(order)[0], {
          rays,
          seed,
          tiles,
          ...quiet,
        });
        return lightPage(
          { ...bakePage(outcome), poses, clips: [], seconds: report.seconds, notes: report.notes },
          { ...pageOrigin(plan.path, [file]), settings: settingRows(LIGHT_BAKE_OPTIONS, given) },
        );
      });
      return { report, text: (page: Page) => [bakeText(report.detail, file, page)] };
    }),
  );
}

function bakePage({ report: { detail, figures } }: LightBakeOutcome) {
  const { poses, mixedPoses, spheres, bytesPerVertex } = detail;
  return {
    title: 'Light',
    lead: `${count(poses)} poses traced: ${madeText(detail)}`,
    tiles: [
      { name: 'Poses', value: count(poses), hint: `${count(mixedPoses)} of them mixed` },
      { name: 'Spheres', value: count(spheres), hint: 'that throw shadows' },
      { name: 'Light', value: count(Math.round(bytesPerVertex)), unit: 'bytes', hint: 'per vertex' },
      ...(figures.bytes === undefined ? [] : [{ name: 'Size', value: bytes(figures.bytes), hint: 'of the file' }]),
    ],
  };
}

function madeText({ method, spheres, modes, clusters = 0 }: LightBakeDetail): string {
  if (method === 'paper') return `${count(clusters)} clusters of vertices in poses`;
  if (method === 'pose-space') return 'all poses, as they are';
  return `${count(spheres)} spheres, ${modes} modes per bone`;
}

function bakeText(detail: LightBakeDetail, title: string, page: Page): string {
  const { baked, poses, mixedPoses, rays, bytesPerVertex } = detail;
  const rows: [string, string][] = [
    ['clips', baked.join(', ') || 'none'],
    ['poses', `${count(poses)} traced with ${count(rays)} rays per vertex, ${count(mixedPoses)} of them mixed`],
    ['model', madeText(detail)],
    ['light', `${count(Math.round(bytesPerVertex))} bytes per vertex`],
  ];
  return `${page.strong(title)}\n${pairs(rows, page)}`;
}
