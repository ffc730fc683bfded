import type { Command } from 'commander';
import { PliantError } from '../../../src/error.ts';
import type { TileRunner } from '../../../src/kernels/tiles.ts';
import type { Note } from '../../../src/model/note.ts';
import { digits, number } from '../../../src/report/format.ts';
import { lightPage } from '../../../src/report/light-page.ts';
import { settingRows } from '../../../src/report/sections.ts';
import { choosePoses } from '../../../src/skin/choose-poses.ts';
import { LIGHT_MEASURE_OPTIONS, type LightMeasureDetail, lightMeasure } from '../../../src/verbs/light-measure.ts';
import { lightRigs, lightsOf } from '../../../src/verbs/light-parts.ts';
import { litPoses } from '../../../src/verbs/light-pictures.ts';
import { givenFlags } from '../../flags/flags.ts';
import type { Inputs } from '../../input/inputs.ts';
import { planOutput } from '../../output/output.ts';
import { type Answer, answerOf, answerWith } from '../../terminal/answer.ts';
import type { Run } from '../../terminal/session.ts';
import { pageOrigin } from '../../text/command-line.ts';
import { numberTable, type Page } from '../../text/table.ts';
import { type LightFlags, readEnvironments, withTiles } from './flags.ts';

/** Poses of the page. */
const SHOWN = 3;

/** `light measure`: a rig, with baked light or without, against traced light; a page if asked for. */
export async function measureFile(run: Run, file: string, self: Command): Promise<Answer> {
  const { output: path, force, clips, environment } = self.opts<LightFlags>();
  if (path !== undefined && !/\.html?$/i.test(path)) {
    const cause = `(got ${path || 'nothing'}, expected a page: a name ending in .html)`;
    throw new PliantError('bad-option', 'light', cause, { option: 'output' });
  }
  const given = givenFlags(self, LIGHT_MEASURE_OPTIONS);
  const compute = async (inputs: Inputs, tiles: TileRunner) => {
    const notes: Note[] = [];
    const environments = await readEnvironments(environment, notes);
    const asset = await inputs.open(file);
    const { report } = await lightMeasure(asset, { ...given, ...run, clips, environments, tiles });
    report.notes.push(...notes);
    return { asset, environments, report, text: (page: Page) => [measureText(report.detail, file, page)] };
  };
  if (path === undefined) return answerOf('light', (inputs) => withTiles(self, (tiles) => compute(inputs, tiles)));
  const plan = await planOutput('light', path, ['html']);
  return answerWith({ verb: 'light', reads: [file, ...(environment ?? [])], plan, force }, (inputs, output) =>
    withTiles(self, async (tiles) => {
      const told = await compute(inputs, tiles);
      const { detail, seconds, notes } = told.report;
      const models = lightRigs('light', told.asset, { object: given.object, clips }, []);
      const { held } = choosePoses(models, { poses: 2, held: SHOWN });
      const lights = lightsOf(told.environments);
      const { rays = LIGHT_MEASURE_OPTIONS.rays.default, seed, spheres } = given;
      const options = { rays, seed, spheres, tiles, signal: run.signal };
      const poses = await litPoses(models, held, (order) => lights(order)[0], options);
      const html = await lightPage(
        {
          title: 'Light',
          lead: `Light on ${file}, against traced light`,
          tiles: detail.clips.slice(0, 4).map(({ name, shadingErrorPercent, baked }) => ({
            name,
            value: digits(shadingErrorPercent),
            unit: '%',
            hint: baked ? 'baked' : 'not baked',
          })),
          poses,
          clips: detail.clips.map(({ name, baked, times, curves, ...percents }) => ({
            name,
            baked,
            times,
            curves,
            percents: {
              unshadowed: percents.unshadowedPercent,
              base: percents.basePercent,
              poseSpace: percents.poseSpacePercent,
              ...(detail.hasLight && { baked: percents.shadingErrorPercent }),
            },
          })),
          seconds,
          notes,
        },
        { ...pageOrigin(path, [file]), settings: settingRows(LIGHT_MEASURE_OPTIONS, given) },
      );
      await output.sink.write(new TextEncoder().encode(html));
      return told;
    }),
  );
}

function measureText({ clips, environments }: LightMeasureDetail, title: string, page: Page): string {
  const rows = clips.map((clip) => [
    clip.name,
    clip.baked ? 'yes' : 'no',
    ...[clip.shadingErrorPercent, clip.basePercent, clip.poseSpacePercent, clip.unshadowedPercent].map((x) =>
      x === undefined ? '' : number(x),
    ),
  ]);
  const headings = ['clip', 'baked', 'error %', 'spheres alone %', 'nearest poses %', 'no shadows %'];
  return `${page.strong(`${title} under ${environments.join(', ')}`)}\n${numberTable(headings, rows, page)}`;
}
