import { PliantError } from '../../error.ts';
import { surfaceArea } from '../../measure/area.ts';
import type { Figures } from '../../model/figures.ts';
import { triangleCount, vertexCount } from '../../model/mesh.ts';
import type { Notes } from '../../model/note.ts';
import { type RunOptions, resolveOptions } from '../../model/options.ts';
import { emptyReport, lapTimer, type Report } from '../../model/report.ts';
import { checkpoint } from '../../model/run.ts';
import { boneCount, type Clip, clipFrame, frameKeys, validateClip } from '../../model/skeleton.ts';
import { type SkinnedModel, validateModel } from '../../model/skinned-model.ts';
import { continuousSigns } from '../../skin/bones.ts';
import { farthestStretch } from '../bone-stretch.ts';
import { placeAtRest } from '../place-at-rest.ts';
import { constantField, contenderJudge, type MixContender, type MixField } from './contenders.ts';
import { MixEnergy } from './energy.ts';
import { MIX_OPTIONS, type MixOptions } from './mix-options.ts';
import { type MixPose, type PosePair, posePairs } from './pose-pairs.ts';
import { type MixSolution, solveMix } from './solve-mix.ts';
import { type TotalMeasure, totalArea, totalVolume } from './total-measure.ts';

/**
 * Solves for the mix of linear blending and dual quaternions, which document 004 (§4.3) leaves to future work: one weight
 * per vertex, smooth over the surface, that trades the change of area or volume against local distortion, faces that
 * turn over and bulges, over the poses of one motion or several.
 *
 *   ../place-at-rest.ts  meshes that are kept mirrored or in other units
 *   pose-pairs.ts     every pose by both operators: a mix lies on the line between
 *   total-measure.ts  the area or volume that is to be kept as a whole
 *   judged-faces.ts   the faces on which the operators differ
 *   energy.ts         what is minimised, and its derivatives
 *   contenders.ts     the figures of a mix, and of what it has to beat
 *   solve-mix.ts      projected Gauss–Newton within 0 … 1
 */

export interface MixRun extends RunOptions {
  /** What the mix is judged by, each motion alike, instead of the model's clips. */
  given?: { motions?: readonly Clip[] };
  /** Fields to compare with, beside linear blending, dual quaternions and constant mixes. */
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
  iterations: number;
  converged: boolean;
  report: Report;
}

/** Neither operator, nearer to dual quaternions: every bound is free at first. */
const START = 0.9;
const CONSTANTS = [0.25, 0.5, 0.75];
/** Poses are kept in memory: so many vertices times poses at most, about 50 bytes each. */
const MAX_VERTEX_POSES = 2e7;

/** Solves the mix of linear blending and dual quaternions that keeps volume or area over the poses of a rig. */
export async function mix(given: SkinnedModel, options: Partial<MixOptions> & MixRun = {}): Promise<MixResult> {
  const settings = resolveOptions(MIX_OPTIONS, options, 'mix');
  validateModel(given, 'mix');
  const { model, place } = placeAtRest(given);
  const motions = (options.given?.motions ?? given.clips).map(place);
  const { mesh } = model;
  const n = vertexCount(mesh);
  const fail = (code: 'bad-input' | 'too-large', cause: string) =>
    new PliantError(code, 'mix', `${model.name}: ${cause}`);
  if (triangleCount(mesh) === 0) throw fail('bad-input', 'no faces: a mix is judged by its surface');
  const poses = trainingPoses(model, motions, settings);
  if (n * poses.length > MAX_VERTEX_POSES) {
    throw fail('too-large', `${n} vertices × ${poses.length} poses (expected at most ${MAX_VERTEX_POSES} together)`);
  }

  // (1) Both operators in every pose.
  const report = emptyReport('mix');
  report.notes.push(...leftOut(model, poses, motions));
  const lap = lapTimer(report.seconds);
  const pairs = await posePairs(model, poses, options);
  lap('pose');

  // (2) The fields to beat.
  const total = chooseTotal(model, pairs, settings.keep, report.notes);
  const weights = { ...settings, total: settings.total || TOTAL_WEIGHT[total?.kind ?? 'area'] };
  const energy = new MixEnergy(mesh, pairs, weights, total);
  const judge = contenderJudge(mesh, pairs, energy, total);
  const fields = [
    constantField('LBS', n, 0),
    ...CONSTANTS.map((m) => constantField(`mix ${m}`, n, m)),
    constantField('DQS', n, 1),
    ...(options.rivals ?? []),
  ];
  const rivals: MixContender[] = [];
  for (const field of fields) {
    await checkpoint(options, 'mix', rivals.length, fields.length, 'comparing');
    rivals.push(judge(field));
  }
  lap('compare');

  // (3) Solve.
  const solution = await solve(energy, rivals, settings, options);
  lap('solve');
  if (energy.judged.faces.length === 0) {
    report.notes.push(`${model.name}: both operators give the same surface in every pose; there is nothing to mix`);
  }

  const solved = judge({ name: 'solved', mix: solution.mix });
  const share = energy.judged.area / surfaceArea(mesh.positions, mesh.triangles);
  report.figures = figuresOf(solved, share, total?.kind);
  report.iterations = solution.iterations;
  report.converged = solution.converged;
  if (options.given?.motions) report.given.push('motions');
  return {
    model: { ...model, operator: 'mix', mixWeights: Float32Array.from(solution.mix) },
    keeps: total?.kind ?? 'none',
    solved,
    rivals,
    poses,
    faces: energy.judged.faces,
    share,
    iterations: solution.iterations,
    converged: solution.converged,
    report,
  };
}

/** λg where none is given. A volume error is that of a whole limb: it takes more to be felt. */
const TOTAL_WEIGHT = { area: 100, volume: 1000 } as const;

/** From the usual start; from the best rival, too, should that be better than where the first one ends. The lower wins. */
async function solve(
  energy: MixEnergy,
  rivals: readonly MixContender[],
  settings: MixOptions,
  run: RunOptions,
): Promise<MixSolution> {
  if (energy.judged.faces.length === 0) {
    return { mix: new Float64Array(energy.size).fill(1), energy: 0, iterations: 0, converged: true };
  }
  const solution = await solveMix(energy, new Float64Array(energy.size).fill(START), settings, run);
  const best = rivals.reduce((least, rival) => (rival.terms.energy < least.terms.energy ? rival : least));
  if (solution.energy <= best.terms.energy) return solution;
  const again = await solveMix(energy, best.mix, settings, run);
  return again.energy < solution.energy ? again : solution;
}

/** At most `poses` frames of every motion, evenly spread. */
function trainingPoses(model: SkinnedModel, motions: readonly Clip[], settings: MixOptions): MixPose[] {
  if (motions.length === 0) {
    const cause = `${model.name}: no motion to judge a mix by (got no clips, expected at least one)`;
    throw new PliantError('not-found', 'mix', cause);
  }
  const bones = boneCount(model.skeleton);
  return motions.flatMap((clip) => {
    validateClip(clip, bones, 'mix', model.morphs?.length ?? 0);
    const keys = frameKeys(clip);
    const count = Math.min(keys.length, settings.poses);
    const signs = settings.antipodality ? undefined : continuousSigns(clip.transforms, bones);
    return Array.from({ length: count }, (_, q) => {
      const k = count > 1 ? Math.round((q * (keys.length - 1)) / (count - 1)) : keys.length - 1;
      return {
        transforms: clipFrame(clip, keys[k]),
        signs: signs?.subarray(keys[k] * bones, (keys[k] + 1) * bones),
        weight: 1 / (count * motions.length),
        motion: clip.name,
        label: `${clip.name}, frame ${k}`,
      };
    });
  });
}

/** Stretches below this are rounding, or too small to matter. */
const STRETCHED = 0.01;

/** What the poses have that a mix does not see. */
function leftOut(model: SkinnedModel, poses: readonly MixPose[], motions: readonly Clip[]): Notes {
  const notes: Notes = [];
  const { bone, pose, stretch } = farthestStretch(
    model,
    poses.map(({ transforms }) => transforms),
  );
  if (stretch > STRETCHED) {
    notes.push(
      `${model.name}: dual quaternions leave out that bones scale, as ${model.skeleton.names[bone]} does by ` +
        `${Number((100 * stretch).toPrecision(2))} % in ${poses[pose].label}`,
    );
  }
  if (motions.some(({ morphWeights }) => morphWeights?.some((w) => w !== 0))) {
    notes.push(`${model.name}: the mix was judged without the morphs of its clips`);
  }
  return notes;
}

/** Holes whose lids have more than this share of the surface's area are openings: there is no volume to keep. */
const MOST_CAPS = 0.1;
/** A surface with less than this share of the volume of a sphere of its area bounds nothing to speak of. */
const LEAST_COMPACT = 0.003;

function chooseTotal(
  { name, mesh }: SkinnedModel,
  pairs: readonly PosePair[],
  keep: MixOptions['keep'],
  notes: Notes,
): TotalMeasure | undefined {
  if (keep === 'none') return undefined;
  const flat = pairs.every(({ normals }) => normals.length === 3);
  if (keep === 'area' && !flat) {
    throw new PliantError(
      'bad-input',
      'mix',
      'keep area (got a surface in space, expected a flat mesh that stays flat)',
    );
  }
  if (flat && keep !== 'volume') return totalArea(mesh);
  const volume = totalVolume(mesh);
  const rest = Math.abs(volume.measure(Float64Array.from(mesh.positions), pairs[0].normals));
  const area = surfaceArea(mesh.positions, mesh.triangles);
  const compact = rest / (area ** 1.5 / (6 * Math.sqrt(Math.PI)));
  const open = volume.capShare > MOST_CAPS || !(compact > LEAST_COMPACT);
  if (open && keep === 'volume') {
    const cause = `${name}: keep volume (got a surface that bounds none, expected one that is closed but for small holes)`;
    throw new PliantError('bad-input', 'mix', cause);
  }
  if (open) {
    notes.push(`${name}: the surface bounds no volume; the mix keeps the areas of its faces only`);
    return undefined;
  }
  const holes = volume.caps.length;
  if (holes > 0) {
    notes.push(
      `${name}: for its volume, ${holes === 1 ? 'a hole was' : `${holes} holes were`} closed by a cone to the middle of the rim`,
    );
  }
  return volume;
}

function figuresOf(
  { terms, totalErrorPercent, localRms, gainPercent, inverted }: MixContender,
  share: number,
  kind: TotalMeasure['kind'] | undefined,
): Figures {
  return {
    differingAreaPercent: 100 * share,
    energy: terms.energy,
    ...(kind && { [`${kind}ErrorPercent` as const]: totalErrorPercent }),
    localRms,
    bulgePercent: gainPercent,
    invertedFaces: inverted,
  };
}
