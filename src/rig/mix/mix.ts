import { PliantError } from '../../error.ts';
import { surfaceArea } from '../../measure/area.ts';
import { triangleCount, vertexCount } from '../../model/mesh.ts';
import { note } from '../../model/note.ts';
import { type RunOptions, resolveOptions } from '../../model/options.ts';
import { emptyReport, lapTimer, type Report } from '../../model/report.ts';
import { checkpoint } from '../../model/run.ts';
import type { Clip } from '../../model/skeleton.ts';
import { type SkinnedModel, validateModel } from '../../model/skinned-model.ts';
import { placeAtRest } from '../place-at-rest.ts';
import { balanceMotions, type MixBalance } from './balance.ts';
import { chooseTotal } from './choose-total.ts';
import { contenderJudge, fieldsToBeat, type MixContender, type MixField } from './contenders.ts';
import { MixEnergy } from './energy.ts';
import { MIX_OPTIONS, type MixOptions } from './mix-options.ts';
import { figuresOf, leftOut } from './mix-report.ts';
import { MixSurface } from './mix-surface.ts';
import { type MixPose, posePairs, trainingPoses } from './pose-pairs.ts';
import { solveOverRivals } from './solve-mix.ts';

/**
 * Solves for the mix of linear blending and dual quaternions, which Khemakhem 2020 (§4.3) leaves to future work: one weight
 * per vertex, smooth over the surface, that trades the change of area or volume against local distortion, faces that
 * turn over and bulges, over the poses of one motion or several.
 *
 *   ../place-at-rest.ts  meshes that are kept mirrored or in other units
 *   pose-pairs.ts     every pose by both operators: a mix lies on the line between
 *   choose-total.ts   the total area or volume to keep
 *   balance.ts        how much a volume counts against areas, motion by motion
 *   judged-faces.ts   the faces on which the operators differ
 *   mix-surface.ts    what does not depend on poses and weights
 *   energy.ts         what is minimised, and its derivatives
 *   contenders.ts     the figures of a mix and of its rivals
 *   solve-mix.ts      projected Gauss–Newton within 0 … 1
 */

export interface MixRun extends RunOptions {
  /** What the mix is judged by, each motion alike, instead of the model's clips. */
  given?: { motions?: readonly Clip[] };
  /** Fields to compare with, in addition to linear blending, dual quaternions and constant mixes. */
  rivals?: readonly MixField[];
}

/** The rig with its mix, and what it is compared with. */
export interface MixResult {
  /** The model, with operator `mix` and the solved weights; its mesh stands as in the scene, see `placeAtRest`. */
  model: SkinnedModel;
  /** What was kept as a whole. */
  keeps: 'area' | 'volume' | 'none';
  solved: MixContender;
  /** LBS, constant mixes, DQS, then the given rivals. */
  rivals: MixContender[];
  /** The poses, in the order of all that is per pose. */
  poses: MixPose[];
  /** The faces on which the operators differ, and their share of the surface, 0…1. */
  faces: Uint32Array;
  share: number;
  /** Where volume is kept and no weight given: the weight that each motion took. */
  balance: MixBalance[];
  iterations: number;
  converged: boolean;
  report: Report;
}

/** λg of areas where none is given; that of volumes is found for every motion. */
const AREA_WEIGHT = 100;

/** Solves the mix of linear blending and dual quaternions that keeps volume or area over the poses of a rig. */
export async function mix(given: SkinnedModel, options: Partial<MixOptions> & MixRun = {}): Promise<MixResult> {
  const settings = resolveOptions(MIX_OPTIONS, options, 'mix');
  validateModel(given, 'mix');
  const { model, place } = placeAtRest(given);
  const { name, mesh } = model;
  if (triangleCount(mesh) === 0) {
    throw new PliantError('bad-input', 'mix', `${name} has no faces (expected a surface)`);
  }
  const report = emptyReport('mix', options.given);
  const lap = lapTimer(report.seconds);

  // (1) Both operators in every pose.
  const motions = (options.given?.motions ?? given.clips).map(place);
  const poses = trainingPoses(model, motions, settings);
  report.notes.push(...leftOut(model, poses, motions));
  const pairs = await posePairs(model, poses, options);
  lap('pose');

  // (2) The fields to beat.
  const total = chooseTotal(model, pairs, settings.keep, report.notes);
  const surface = new MixSurface(mesh);
  const balance =
    settings.total === 0 && total?.kind === 'volume'
      ? await balanceMotions(surface, pairs, settings, total, options)
      : [];
  const found = new Map(balance.map(({ motion, total: weight }) => [motion, weight]));
  const weights = { ...settings, total: settings.total || (balance.length > 0 ? found : AREA_WEIGHT) };
  const energy = new MixEnergy(surface, pairs, weights, total);
  const judge = contenderJudge(pairs, energy, total);
  const fields = fieldsToBeat(vertexCount(mesh), options.rivals);
  const rivals: MixContender[] = [];
  for (const field of fields) {
    await checkpoint(options, 'mix', rivals.length, fields.length, 'comparing');
    rivals.push(judge(field));
  }
  lap('compare');

  // (3) Solve.
  const { mix, iterations, converged } = await solveOverRivals(energy, rivals, settings, options);
  const solved = judge({ name: 'solved', mix });
  lap('solve');

  const { faces, area } = energy.judged;
  if (faces.length === 0) report.notes.push(note('nothing-to-mix', {}, name));
  const share = area / surfaceArea(mesh.positions, mesh.triangles);
  report.figures = figuresOf(solved, share, total?.kind);
  return {
    model: { ...model, operator: 'mix', mixWeights: Float32Array.from(mix) },
    keeps: total?.kind ?? 'none',
    solved,
    rivals,
    poses,
    faces,
    share,
    balance,
    iterations,
    converged,
    report: { ...report, iterations, converged },
  };
}
