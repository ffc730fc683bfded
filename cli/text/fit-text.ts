import type { FitOutcome } from '../../src/index.ts';
import { boneCount } from '../../src/model/wording.ts';
import { frameText } from '../../src/report/asset-text.ts';
import { betweenFramesText } from '../../src/report/fit-page.ts';
import { bytes, duration, percent, plural, sizeChange } from '../../src/report/format.ts';
import { GLUE } from './table.ts';

/** A fit on the terminal. */
export function fitRows({ result, baseline, report }: FitOutcome): [string, string][] {
  const { fitted, bones, kind } = result;
  const { figures, clips, detail, seconds } = report;
  const { vertices = 0, frames = 0, influences = 0, bytes: after = 0, morphBytes = 0 } = figures;
  const several = clips.length > 1 ? ` in ${plural(clips.length, 'clip')}` : '';
  const stages = Object.entries(seconds).map(([stage, x]) => `${stage} ${duration(x)}`.replaceAll(' ', GLUE));
  const about = baseline?.estimated ? 'about ' : '';
  const rows: [string, string][] = [
    [
      'from',
      `${plural(vertices, 'vertex', 'vertices')} × ${plural(frames, 'frame')}${several}; ` +
        `as morph targets with the same settings ${about}${bytes(morphBytes)}`,
    ],
    [
      'to',
      `${boneCount(bones, kind)}, at most ${Math.min(bones, influences)} per vertex; ${bytes(after)}, ` +
        `${about}${sizeChange(morphBytes, after)}`,
    ],
    ['RMSE', `${percent(figures.rmsePercent)} of the diagonal`],
    [
      'largest error',
      `${percent(figures.maxErrorPercent)}, vertex ${figures.maxErrorVertex} in ${frameText(fitted, figures.maxErrorFrame ?? 0)}`,
    ],
    [
      'distortion',
      figures.distortionPercent === undefined
        ? 'not defined: nothing moves'
        : `${percent(figures.distortionPercent)} of the motion`,
    ],
    ['between frames', betweenFramesText(result)],
    ['seconds', stages.join(', ')],
  ];
  // Most fits end at their number of rounds; where a target was missed, more of them may help.
  if (detail.missed && detail.ended === 'iterations')
    rows.push(['converged', 'no; more --iterations may lower the error slightly']);
  return rows;
}
