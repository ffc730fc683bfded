import type { MixExperimentOutcome, MixOutcome } from '../../src/index.ts';
import { vertexCount } from '../../src/model/mesh.ts';
import { count, digits, plural } from '../../src/report/format.ts';
import { contenderCells } from '../../src/report/mix-page.ts';
import { numberTable, type Page } from './table.ts';

/** What `mix` prints: a block for each part. */
export const mixText = ({ parts }: MixOutcome, page: Page): string[] =>
  parts.map(({ model, solved, rivals, poses, keeps, faces, iterations, converged, report }) => {
    const size = `${model.name}: ${plural(vertexCount(model.mesh), 'vertex', 'vertices')}, ${plural(poses.length, 'pose')}`;
    if (faces.length === 0) return size;
    const kept = keeps === 'none' ? [] : [`${keeps} error %`];
    const headings = ['', 'energy', ...kept, 'surface error %', 'local RMS', 'bulge %', 'inverted faces'];
    const end = `${converged ? 'converged' : 'not converged'} after ${plural(iterations, 'iteration')}`;
    return [
      size,
      numberTable(headings, [...rivals, solved].map(contenderCells), page),
      `solved in ${digits(report.seconds.solve)} s, ${end}`,
    ].join('\n');
  });

/** What `mix --experiment` prints: a table for each rig. */
export const experimentText = ({ experiment: { studies, angles } }: MixExperimentOutcome, page: Page): string[] =>
  studies.map(({ rig, lbs, dqs, best, solved }) => {
    const rows = [lbs, dqs, best, solved].map((curve) => [
      curve === best ? `best of the 25: ${curve.field.name}` : curve.field.name,
      digits(curve.absoluteError),
      digits(curve.signedError),
      digits(curve.meanLocalRms),
      count(curve.invertedTotal),
      digits(curve.energy),
    ]);
    const headings = ['', 'area error', 'signed', 'local RMS', 'inverted faces', 'energy'];
    return `${page.strong(`rectangle with ${rig}, ${plural(angles.length, 'bend')}`)}\n${numberTable(headings, rows, page)}`;
  });
