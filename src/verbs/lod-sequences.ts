import { PliantError } from '../error.ts';
import { facesInPoses, poseToMeasureIn } from '../lod/faces-in-poses.ts';
import { type LodOptions, lodSurface } from '../lod/lod.ts';
import type { LodDetail, LodLevelFigures } from '../lod/lod-detail.ts';
import { onePixelDistance } from '../lod/screen.ts';
import { diagonalOf } from '../mesh/bounds.ts';
import type { Asset } from '../model/asset.ts';
import { splitVertexCount, triangleCount } from '../model/mesh.ts';
import { addNotes, note } from '../model/note.ts';
import { addSeconds } from '../model/report.ts';
import { checkpoint } from '../model/run.ts';
import { type MeshSequence, memorySequence } from '../model/sequence.ts';
import { allOrNamed } from './choose.ts';
import { noteSize, requireArea, requireFaces } from './lod-checks.ts';
import { keptGroups } from './lod-keep.ts';
import type { LodOutcome, LodVerbOptions } from './lod-options.ts';
import { meshPart, sequenceClip, type VerbReport } from './verb.ts';

/**
 * Levels of sequences: every frame is a pose, and every frame of a level is fitted. Several sequences of one file share the
 * triangles that are asked for as they share those that there are.
 */
export async function sequenceLevels(
  verb: string,
  asset: Asset,
  options: LodVerbOptions,
  report: VerbReport<LodDetail>,
): Promise<LodOutcome> {
  const { object, triangles, keep = [], glb: _, separate: _separate, ...rest } = options;
  const sequences = allOrNamed(asset.sequences, { verb, asset, option: 'object', name: object });
  if (sequences.length === 0) {
    throw new PliantError('not-found', verb, 'contains no mesh', { file: asset.name });
  }
  requireFaces(
    verb,
    asset,
    sequences.map(({ rest: mesh }) => mesh),
    ': a cache of points needs the mesh beside it, in one folder or by --rest',
  );
  const named = sequences.map(({ name, rest: mesh }) => ({ mesh, names: [name, mesh.name] }));
  const kept = keptGroups(named, keep, asset);
  const counts = sequences.map(({ rest: mesh }) => triangleCount(mesh));
  const total = counts.reduce((sum, count) => sum + count, 0);
  const made: { levels: MeshSequence[]; figures: LodLevelFigures[] }[] = [];
  for (const [s, sequence] of sequences.entries()) {
    const own = triangles && [
      ...new Set(triangles.map((count) => Math.max(1, Math.round((count * counts[s]) / total)))),
    ];
    const wanted = { ...rest, ...(own && { triangles: own }), keptGroups: kept[s] };
    made.push(await levelsOf(verb, asset, sequence, wanted, report));
    report.parts.push(meshPart(sequence.name, sequence.rest));
    report.clips.push(sequenceClip(sequence, sequences.length > 1 ? sequence.name : undefined));
  }
  const deepest = Math.max(...made.map(({ levels }) => levels.length));
  if (deepest === 0) report.notes.push(note('no-levels', { triangles: total }));
  // A sequence that has no more levels stays as it was at its last one.
  const depths = Array.from({ length: deepest }, (_, l) => l);
  const at = <T>(list: readonly T[], l: number, none: T): T => list[Math.min(l, list.length - 1)] ?? none;
  const { detail, figures } = report;
  const given = sequences.map(asGiven);
  detail.original = {
    triangles: total,
    vertices: given.reduce((sum, { vertices }) => sum + vertices, 0),
  };
  detail.parts = sequences.map(({ name }, s) => ({
    name,
    levels: depths.map((l) => at(made[s].figures, l, given[s])),
  }));
  detail.levels = depths.map((l) => together(detail.parts.map(({ levels }) => levels[l])));
  detail.poses = { fitted: Math.max(...sequences.map(({ frameCount }) => frameCount)), held: 0 };
  Object.assign(figures, detail.original, { frames: detail.poses.fitted });
  return {
    levels: [
      { models: [], meshes: [], sequences: [...sequences] },
      ...depths.map((l) => ({
        models: [],
        meshes: [],
        sequences: sequences.map((sequence, s) => at(made[s].levels, l, sequence)),
      })),
    ],
    poses: [],
    report,
  };
}

async function levelsOf(
  verb: string,
  asset: Asset,
  sequence: MeshSequence,
  options: LodOptions,
  report: VerbReport<LodDetail>,
): Promise<{ levels: MeshSequence[]; figures: LodLevelFigures[] }> {
  const { name, rest, frameCount, times, clip } = sequence;
  const poses: Float32Array[] = [];
  for (let k = 0; k < frameCount; k++) {
    await checkpoint(options, verb, k, frameCount, 'reading frames');
    poses.push(await sequence.readFrame(k));
  }
  // Lengths are measured in the first pose: in another one than frame 0 where that shows next to nothing.
  const { bare, areas } = facesInPoses(rest.triangles, poses);
  requireArea(verb, asset, bare, triangleCount(rest), report.notes);
  const first = poseToMeasureIn(areas);
  if (first > 0) report.notes.push(note('measured-in', { pose: name, seconds: times[first] }));
  const order = [first, ...poses.keys()].filter((k, p) => p === 0 || k !== first);
  const made = await lodSurface({ mesh: rest, poses: order.map((k) => poses[k]) }, options);
  addNotes(report.notes, ...made.report.notes);
  addSeconds(report.seconds, made.report.seconds);
  const diagonal = diagonalOf(poses[first]) || 1;
  if (made.levels.length > 0) noteSize(diagonal * (rest.space?.metresPerUnit ?? 1), report.notes);
  return {
    levels: made.levels.map(({ mesh, poses: fitted }) => ({
      ...memorySequence(
        name,
        { ...mesh, name: rest.name, space: rest.space },
        poses.map((_, k) => fitted[k === first ? 0 : k < first ? k + 1 : k]),
        times,
      ),
      ...(clip !== undefined && { clip }),
    })),
    figures: made.levels.map(({ figures: { triangles, vertices, rmsPercent, maxPercent, worstPose } }) => ({
      ...{ triangles, vertices, rmsPercent, maxPercent },
      onePixelDistance: onePixelDistance((maxPercent / 100) * diagonal * (rest.space?.metresPerUnit ?? 1)),
      worstPose: { name, time: times[order[worstPose]] },
    })),
  };
}

/** The figures of a sequence that stays as it was. */
const asGiven = ({ name, rest, times }: MeshSequence): LodLevelFigures => ({
  ...{ triangles: triangleCount(rest), vertices: splitVertexCount(rest) },
  ...{ rmsPercent: 0, maxPercent: 0, onePixelDistance: 0 },
  worstPose: { name, time: times[0] },
});

/** Levels of several sequences as one: the worst errors. */
function together(levels: readonly LodLevelFigures[]): LodLevelFigures {
  const worst = levels.reduce((a, b) => (b.onePixelDistance > a.onePixelDistance ? b : a));
  const sum = (of: 'triangles' | 'vertices') => levels.reduce((total, level) => total + level[of], 0);
  return { ...worst, triangles: sum('triangles'), vertices: sum('vertices') };
}
