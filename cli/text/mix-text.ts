import { vertexCount } from '../../src/model/mesh.ts';
import { count, digits, plural } from '../../src/report/format.ts';
import { contenderCells } from '../../src/report/mix-page.ts';
import type { MixContender } from '../../src/rig/mix/contenders.ts';
import type { BendCurve, MixExperiment } from '../../src/rig/mix/experiment.ts';
import type { MixResult } from '../../src/rig/mix/mix.ts';
import type { OutputFile } from '../../src/verbs/envelope.ts';
import type { MixOutcome } from '../jobs/mix-job.ts';
import type { Answer } from '../terminal/answer.ts';
import { notesText, writtenText } from './report-text.ts';
import { numberTable, type Page } from './table.ts';

/** What `mix` says of its results: on the terminal, and to programs. */

export function mixAnswer(file: string, { results, notes }: MixOutcome, written: readonly OutputFile[]): Answer {
  return {
    summary: true,
    json: { parts: results.map(partJson), notes, written },
    text: (page) =>
      [
        page.strong(file),
        ...results.map((result) => partText(result, page)),
        notesText(notes, page),
        writtenText(written),
      ]
        .filter(Boolean)
        .join('\n\n'),
  };
}

const contenderJson = ({ mix: _, ...rest }: MixContender): object => rest;

function partJson({ model, solved, rivals, poses, keeps, share, iterations, converged, report }: MixResult): object {
  return {
    name: model.name,
    vertices: vertexCount(model.mesh),
    keeps,
    share,
    poses: poses.map(({ label }) => label),
    solved: contenderJson(solved),
    rivals: rivals.map(contenderJson),
    iterations,
    converged,
    seconds: report.seconds,
    notes: report.notes,
  };
}

function partText(
  { model, solved, rivals, poses, keeps, faces, iterations, converged, report }: MixResult,
  page: Page,
) {
  const size = `${model.name}: ${plural(vertexCount(model.mesh), 'vertex', 'vertices')}, ${plural(poses.length, 'pose')}`;
  if (faces.length === 0) return size;
  const kept = keeps === 'none' ? [] : [`${keeps} error %`];
  const rows = [...rivals, solved].map(contenderCells);
  const end = `${converged ? 'converged' : 'not converged'} after ${plural(iterations, 'iteration')}`;
  return [
    size,
    numberTable(['', 'energy', ...kept, 'local rms', 'bulge %', 'faces turned over'], rows, page),
    `solved in ${digits(report.seconds.solve)} s, ${end}`,
  ].join('\n');
}

export function experimentAnswer(
  { studies, angles, settings, report }: MixExperiment,
  written: readonly OutputFile[],
): Answer {
  const curves = ({ field: { name, outside, w0, w1 }, ...figures }: BendCurve): object => ({
    ...{ name, outside, w0, w1 },
    ...figures,
  });
  return {
    summary: true,
    json: {
      settings,
      degrees: angles.map((angle) => (180 * angle) / Math.PI),
      studies: studies.map(({ rig, lbs, dqs, solved, best, smooth, zeroOutside, solution }) => ({
        rig,
        ...{ lbs: curves(lbs), dqs: curves(dqs), solved: curves(solved), best: curves(best) },
        smooth: smooth.map(curves),
        zeroOutside: zeroOutside.map(curves),
        iterations: solution.iterations,
        converged: solution.converged,
      })),
      seconds: report.seconds,
      written,
    },
    text: (page) =>
      [
        ...studies.map(({ rig, lbs, dqs, best, solved }) => {
          const rows = [lbs, dqs, best, solved].map((curve) => [
            curve === best ? `best of the 25: ${curve.field.name}` : curve.field.name,
            digits(curve.absoluteError),
            digits(curve.signedError),
            digits(curve.meanLocalRms),
            count(curve.invertedTotal),
            digits(curve.energy),
          ]);
          const head = ['', 'area error', 'signed', 'local rms', 'turned over', 'energy'];
          return `${page.strong(`rectangle with ${rig}, ${plural(angles.length, 'bend')}`)}\n${numberTable(head, rows, page)}`;
        }),
        writtenText(written),
      ].join('\n\n'),
  };
}
