import type { LinearizeOutcome } from '../../src/index.ts';
import { boneCount } from '../../src/model/skeleton.ts';
import { digits, percent, plural } from '../../src/report/format.ts';
import { numberTable, type Page, pairs } from './table.ts';

/** What `linearize` prints: a block for each part. `title` is the heading of a single one. */
export const linearizeText = ({ parts }: LinearizeOutcome, title: string, page: Page): string[] =>
  parts.map((part) => {
    const name = parts.length > 1 ? part.original.name : title;
    return [`${page.strong(name)}\n${pairs(partRows(part), page)}`, clipTable(part, page)].filter(Boolean).join('\n\n');
  });

type Part = LinearizeOutcome['parts'][number];

function partRows({ original, model, report, ...found }: Part): [string, string][] {
  const { averageInfluences: influences } = found;
  const from = `${plural(original.mesh.positions.length / 3, 'vertex', 'vertices')}, ${plural(boneCount(original.skeleton), 'bone')}`;
  const error = `${percent(found.envelopingError)}; linear blending alone ${percent(found.envelopingErrorLbs)}`;
  const { figures } = report;
  const heldOut =
    figures.envelopingErrorHeldOutPercent === undefined
      ? ''
      : `${percent(figures.envelopingErrorHeldOutPercent)}; linear blending alone ${percent(figures.envelopingErrorHeldOutLbsPercent)} (estimates)`;
  const { crossfades } = found;
  const crossfade = crossfades
    ? `${percent(crossfades.baked)}; computed live ${percent(crossfades.driven)}; linear blending alone ${percent(crossfades.lbs)}`
    : '';
  const seconds = Object.entries(report.seconds).map(([stage, x]) => `${stage} ${x.toFixed(2)}`);
  return [
    ['from', from],
    ['blend bones', String(model.blendBones?.bones.length ?? 0)],
    ['enveloping error', error],
    ...(heldOut === '' ? [] : [['clips held out', heldOut] as [string, string]]),
    ...(crossfade === '' ? [] : [['crossfades', crossfade] as [string, string]]),
    ['influences', `${digits(influences.after)} per vertex on average; ${digits(influences.before)} before`],
    ['seconds', seconds.join(', ')],
  ];
}

function clipTable({ clips }: Part, page: Page): string {
  if (clips.length === 0) return '';
  const rows = clips.map(({ name, lbs, linearized, halfWay }) => [
    name,
    digits(lbs),
    digits(linearized),
    digits(halfWay),
  ]);
  return numberTable(['enveloping error, %', 'linear', 'linearized', 'between keys'], rows, page);
}
