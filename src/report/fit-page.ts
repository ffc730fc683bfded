import type { FitResult } from '../fit/fit.ts';
import { quantile } from '../math/statistics.ts';
import { triangleCount, vertexCount } from '../model/mesh.ts';
import type { RunOptions } from '../model/options.ts';
import { boneCount } from '../model/skeleton.ts';
import { frameText } from './asset-text.ts';
import { barRows, escapeText, histogram, lineChart } from './charts.ts';
import { type FitPictures, fitPictures, heatLegend, type PosePictures } from './fit-pictures.ts';
import { bytes, count, digits, duration, number, plural, sizeChange } from './format.ts';
import { facts, grid, htmlPage, section, type Tile, tiles } from './page.ts';
import { closingSections, figure, type PageExtra } from './sections.ts';
import { pageView, type Viewed, withoutSeams } from './view.ts';

/** What else the page of a fit shows. */
export interface FitPageExtra extends PageExtra {
  /** The file that was written, and the same motion as morph targets written the same way. */
  size?: { bytes: number; bytesBefore: number; estimated: boolean };
}

const KINDS = {
  rigid: 'rigid: turn and move',
  trs: 'TRS: rotate, move, scale along fixed axes',
  affine: 'affine: any linear map, two nodes per bone',
} as const;

/** The report of a fit as one self-contained HTML page: figures, curves and pictures. */
export async function fitPage(result: FitResult, extra: FitPageExtra = {}, run: RunOptions = {}): Promise<string> {
  const { model, fitted, report } = result;
  const pictures = await fitPictures(result, run);
  const legend = `<p class="hint">Root mean square over all frames.</p>${heatLegend(pictures.scaleTop)}`;
  const view = await pageView(extra.view, viewed(result, pictures), legend, run);
  const title = extra.title ?? model.name;
  const lead = `${plural(vertexCount(model.mesh), 'vertex', 'vertices')} × ${plural(fitted.sequence.frameCount, 'frame')} → ${plural(result.bones, 'bone')}`;
  const body = [
    tiles(keyFigures(result, extra)),
    view?.section,
    extra.size ? sizeSection(extra.size) : '',
    grid('two', errorCurves(result), ' pair'),
    comparisonSection(pictures),
    surfaceSection(pictures),
    grid('two', [histogramSection(result), modelSection(result)], ' pair'),
    closingSections([report], extra),
  ];
  return htmlPage(title, lead, body.filter(Boolean).join('\n'), extra.command, view);
}

/** The model with the error of each vertex over time, in the colours of the pictures; the original where it is one clip. */
function viewed({ model, errors, fitted }: FitResult, { scaleTop }: FitPictures): Viewed[] {
  const perVertex = errors.perVertex?.rmsePercent ?? new Float64Array(vertexCount(model.mesh));
  const _ERROR = {
    size: 1,
    values: Uint8Array.from(perVertex, (error) => Math.round(255 * Math.min(1, error / scaleTop))),
    normalized: true,
  };
  const mesh = { ...withoutSeams(model.mesh), attributes: { _ERROR } };
  const original: Viewed = { name: 'Original', sequences: [fitted.sequence], optional: true };
  return [{ name: 'Fitted', models: [{ ...model, mesh }] }, ...(fitted.clips.length === 1 ? [original] : [])];
}

function keyFigures({ errors, bones, kind, model, fitted, converged, report }: FitResult, extra: FitPageExtra): Tile[] {
  const total = Object.values(extra.seconds ?? report.seconds).reduce((sum, x) => sum + x, 0);
  const rounds = report.iterations === undefined ? '' : `after ${plural(report.iterations, 'round')}`;
  // Most fits end at their number of rounds, which is nothing to worry about.
  const ended = [converged ? 'converged' : '', rounds].filter(Boolean).join(' ');
  const size: Tile[] = extra.size
    ? [
        {
          name: 'File',
          value: bytes(extra.size.bytes),
          hint: `${extra.size.estimated ? 'about ' : ''}${sizeChange(extra.size.bytesBefore, extra.size.bytes, 'morph targets')}`,
        },
      ]
    : [];
  return [
    { name: 'RMSE', value: digits(errors.rmsePercent), unit: '%', hint: 'of the diagonal, over all frames' },
    {
      name: 'Largest error',
      value: digits(errors.maxErrorPercent),
      unit: '%',
      hint: `vertex ${errors.maxErrorVertex} in ${frameText(fitted, errors.maxErrorFrame ?? 0)}`,
    },
    ...size,
    {
      name: 'Bones',
      value: count(bones),
      unit: kind === 'trs' ? 'TRS' : kind,
      hint: `at most ${Math.min(bones, model.weights.influences)} per vertex`,
    },
    { name: 'Time', value: `${duration(total)} s`, hint: ended },
  ];
}

function sizeSection({ bytes: after, bytesBefore, estimated }: NonNullable<FitPageExtra['size']>): string {
  const hint = 'The same mesh and motion as glTF morph targets, written with the same settings.';
  return section(
    'Size',
    hint,
    barRows([
      { label: 'morph targets', value: bytesBefore, text: `${estimated ? 'about ' : ''}${bytes(bytesBefore)}` },
      { label: 'skinned model', value: after, text: bytes(after), strong: true },
    ]),
  );
}

function errorCurves({ errors, fitted }: FitResult): string[] {
  const { rmsePercent = new Float64Array(0), maxErrorPercent = new Float64Array(0) } = errors.perFrame;
  const breaks = fitted.clips.length > 1 ? fitted.clips.map(({ name, first }) => ({ index: first, label: name })) : [];
  const axes = { across: 'frame', upward: '% of the diagonal', breaks };
  const worst = maxErrorPercent.indexOf(Math.max(...maxErrorPercent));
  return [
    section(
      'Error per frame',
      'Root mean square over the vertices of each frame.',
      lineChart({
        ...axes,
        title: 'Root mean square error per frame',
        values: rmsePercent,
        level: { value: errors.rmsePercent ?? 0, label: `all frames ${digits(errors.rmsePercent)} %` },
      }),
    ),
    section(
      'Largest error per frame',
      'The vertex with the largest error.',
      lineChart({
        ...axes,
        title: 'Largest error per frame',
        values: maxErrorPercent,
        mark: { index: worst, label: `${frameText(fitted, worst)}: ${digits(maxErrorPercent[worst])} %` },
      }),
    ),
  ];
}

function comparisonSection({ worst, typical, scaleTop }: FitPictures): string {
  const row = (name: string, { frame, original, fitted, errors }: PosePictures): string[] => {
    const where = escapeText(`${name} ${frame}`);
    return [
      figure(original, `<b>Original</b>, ${where}`),
      figure(fitted, `<b>Fitted</b>, ${where}`),
      figure(errors, `<b>Errors</b>, ${where}`),
    ];
  };
  const pictures = [...row('worst', worst), ...(typical ? row('typical', typical) : [])];
  return section(
    'Original and fitted',
    `The frame with the largest error, with its vertex ringed${typical ? ', and the frame of median error' : ''}.`,
    grid('three', pictures) + heatLegend(scaleTop),
  );
}

function surfaceSection({ errors, regions, scaleTop }: FitPictures): string {
  return grid(
    'two',
    [
      section(
        'Where the error is',
        'Root mean square over all frames, on the rest pose; colours as above.',
        errors + heatLegend(scaleTop),
      ),
      section('Bones', 'Coloured by the bone with the largest weight; dots are the joints.', regions),
    ],
    ' pair',
  );
}

function histogramSection({ errors }: FitResult): string {
  const values = errors.perVertex?.rmsePercent ?? new Float64Array(1);
  const [median, most] = [quantile(values, 0.5), quantile(values, 0.95)];
  return section(
    'Distribution of errors',
    'Vertices by root mean square error over all frames; the last bar includes everything beyond it.',
    histogram({
      title: 'Vertices by error',
      across: 'error, % of the diagonal',
      upward: '% of the vertices',
      values,
      marks: [
        { value: median, label: `half below ${digits(median)} %` },
        { value: most, label: `95 % below ${digits(most)} %` },
      ],
    }),
  );
}

/** `0.12 % off the straight path, with 35 keys between the frames`. */
export function betweenFramesText({ inBetween, fitted }: FitResult): string {
  if (fitted.sequence.frameCount === fitted.clips.length) return 'nothing: single frames';
  const keys = inBetween.added > 0 ? `, with ${plural(inBetween.added, 'key')} between the frames` : '';
  return `${digits(inBetween.after)} % off the straight path${keys}`;
}

function modelSection(result: FitResult): string {
  const { model, kind, bones, errors, fitted } = result;
  const { weights, mesh, skeleton } = model;
  const used = weights.weights.reduce((sum, w) => sum + (w > 0 ? 1 : 0), 0) / vertexCount(mesh);
  const { clips } = fitted;
  return section(
    'The model',
    '',
    facts([
      { name: 'Bones', value: `${count(bones)}, ${KINDS[kind]}` },
      { name: 'Nodes in the file', value: count(boneCount(skeleton)) },
      {
        name: 'Influences',
        value: `at most ${weights.influences} per vertex, ${digits(used)} on average`,
      },
      { name: 'Vertices, triangles', value: `${count(vertexCount(mesh))}, ${count(triangleCount(mesh))}` },
      {
        name: 'Frames',
        value: clips.map((c) => `${c.name} ${count(c.count)}`).join(', '),
      },
      { name: 'Between frames', value: betweenFramesText(result) },
      { name: 'RMSE', value: `${digits(errors.rmsePercent)} % of the diagonal` },
      {
        name: 'Distortion dE',
        value:
          errors.distortionPercent === undefined
            ? 'nothing moves'
            : `${digits(errors.distortionPercent)} % of the motion`,
      },
      { name: 'Diagonal of the rest pose', value: number(errors.diagonal) },
    ]),
  );
}
