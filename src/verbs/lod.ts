import { PliantError } from '../error.ts';
import { type MeasuredLevel, measuredParts, measureLevel, overall, wholeDiagonal } from '../lod/level-figures.ts';
import { type LodOptions, lodSurface } from '../lod/lod.ts';
import type { LodDetail, LodLevel, LodLevelFigures } from '../lod/lod-detail.ts';
import { joinParts, type PartLevel } from '../lod/parts.ts';
import { onePixelDistance } from '../lod/screen.ts';
import { type Mesh, splitVertexCount, triangleCount } from '../model/mesh.ts';
import { addNotes, note } from '../model/note.ts';
import { addSeconds, lapTimer } from '../model/report.ts';
import type { SkinnedModel } from '../model/skinned-model.ts';
import { choosePoses, type Pose } from '../skin/choose-poses.ts';
import { noteSize, posesFromShown } from './lod-checks.ts';
import { writeFiles } from './lod-files.ts';
import { imageLevels, writeImages } from './lod-images.ts';
import { keptGroups, namedPart } from './lod-keep.ts';
import { type LodOutcome, type LodVerbOptions, requireChoices } from './lod-options.ts';
import { type LodPart, lodParts } from './lod-parts.ts';
import { sequenceLevels } from './lod-sequences.ts';
import { assetOf, clipReport, meshPart, modelPart, type VerbInput, verbReport } from './verb.ts';

const VERB = 'lod';

/** Makes levels of detail of everything in an asset. */
export async function lod(input: VerbInput, options: LodVerbOptions = {}): Promise<LodOutcome> {
  const asset = assetOf(input);
  const { object, glb, keep = [], separate: _, sink: _sink, ...rest } = options;
  requireChoices(options);
  const detail: LodDetail = {
    original: { triangles: 0, vertices: 0 },
    levels: [],
    parts: [],
    poses: { fitted: 0, held: 0 },
  };
  const report = verbReport<LodDetail>(detail, asset);
  if (options.images && asset.models.length + asset.meshes.length === 0 && asset.sequences.length > 0) {
    throw new PliantError('unsupported', VERB, 'geometry images of a sequence (expected a rig or a mesh)');
  }
  if (asset.models.length + asset.meshes.length === 0) return sequenceLevels(VERB, asset, options, report);
  if (asset.sequences.length > 0) report.notes.push(note('lod-left-sequences', { sequences: asset.sequences.length }));

  // (1) Everything in its poses.
  const { parts, source } = await lodParts(VERB, asset, object, report.notes);
  const models = parts.map(({ model }) => model);
  const named = parts.map((part) => namedPart(part, source));
  const kept = keptGroups(named, keep, asset).flat();
  const { poses: chosen, held } = choosePoses(models, { poses: options.poses });
  const poses = posesFromShown(VERB, asset, models, chosen, report.notes);

  // (2) Its levels, as models again: of images, or of all parts as one surface.
  const images = options.images ? await imageLevels(parts, source, poses, options, report) : undefined;
  const all = [...poses, ...held];
  let known: ReturnType<typeof measuredParts> | undefined;
  const inAllPoses = () => (known ??= measuredParts(models, all));
  const errorInAllPoses = async (level: readonly SkinnedModel[]): Promise<number> => {
    const original = inAllPoses();
    // Without progress: this is a part of the search.
    const { max } = overall(original, await measureLevel(original, level, all, { signal: options.signal }, 0, 1));
    return (100 * max) / wholeDiagonal(original);
  };
  const levels =
    images?.levels ?? (await meshLevels(models, poses, { ...rest, keptGroups: kept }, report, errorInAllPoses));
  const lap = lapTimer(report.seconds);

  // (3) What each is worth, in poses it has seen and others.
  const measured = inAllPoses();
  const figures: MeasuredLevel[][] = [];
  for (const [l, level] of levels.entries()) {
    figures.push(await measureLevel(measured, level, all, options, l, levels.length));
  }
  lap('measure');

  // (4) The given file with the levels in it.
  const whole = figures.map((each) => overall(measured, each));
  const { bytes, ...written } = images
    ? await writeImages(images, parts, source, options, report)
    : await writeFiles({ parts, measured, poses: all, levels, figures, whole }, source, options, report);
  lap('write');

  // (5) In words and numbers.
  const told = (each: MeasuredLevel, size?: number): LodLevelFigures => ({
    ...levelFigures(each, wholeDiagonal(measured)),
    ...(size !== undefined && { bytes: size }),
    worstPose: { name: all[each.worst].name, time: all[each.worst].time },
  });
  detail.original = countsOf(models.map(({ mesh }) => mesh));
  detail.levels = whole.map((each, l) =>
    told(
      each,
      bytes[l].reduce((sum, own) => sum + own, 0),
    ),
  );
  detail.parts = models.map(({ name }, m) => ({ name, levels: figures.map((each, l) => told(each[m], bytes[l][m])) }));
  detail.poses = { fitted: poses.length, held: held.length };
  describeParts(parts, report);
  if (levels.length > 0) noteSize(wholeDiagonal(measured), report.notes);
  return {
    levels: [models, ...levels].map((level) => asNouns(parts, level)),
    poses,
    ...(glb && written),
    report,
  };
}

async function meshLevels(
  models: readonly SkinnedModel[],
  poses: readonly Pose[],
  options: LodOptions,
  report: LodOutcome['report'],
  errorInAllPoses: (level: readonly SkinnedModel[]) => Promise<number>,
): Promise<SkinnedModel[][]> {
  const { surface, partsOf } = joinParts(models, poses);
  const made = await lodSurface(surface, {
    ...options,
    errorInMorePoses: (level) => errorInAllPoses(asModels(models, [partsOf(level)])[0] ?? models),
  });
  addNotes(report.notes, ...made.report.notes);
  addSeconds(report.seconds, made.report.seconds);
  const levels = asModels(models, made.levels.map(partsOf));
  // Where nothing coarser was asked for, that has been said.
  if (levels.length === 0 && made.report.notes.every(({ code }) => code !== 'level-not-coarser')) {
    report.notes.push(note('no-levels', { triangles: triangleCount(surface.mesh) }));
  }
  return levels;
}

/** Levels as models. A part of which nothing would be left stays as it was; a level that is no coarser is left out. */
function asModels(models: readonly SkinnedModel[], levels: readonly PartLevel[][]): SkinnedModel[][] {
  const made: SkinnedModel[][] = [];
  let finer = models;
  for (const parts of levels) {
    const level = parts.map((part, m) => {
      const like = triangleCount(part.mesh) > 0 ? { ...models[m], ...part } : finer[m];
      return { ...like, origin: undefined };
    });
    if (trianglesOf(level) >= trianglesOf(finer)) continue;
    made.push(level);
    finer = level;
  }
  return made;
}

const trianglesOf = (models: readonly SkinnedModel[]): number =>
  models.reduce((sum, { mesh }) => sum + triangleCount(mesh), 0);

/** The figures that depend on a distance. */
const levelFigures = (
  { triangles, vertices, rms, max }: MeasuredLevel,
  diagonal: number,
): Omit<LodLevelFigures, 'worstPose'> => ({
  ...{ triangles, vertices },
  rmsPercent: (100 * rms) / diagonal,
  maxPercent: (100 * max) / diagonal,
  onePixelDistance: onePixelDistance(max),
});

const countsOf = (meshes: readonly Mesh[]): LodDetail['original'] => ({
  triangles: meshes.reduce((sum, mesh) => sum + triangleCount(mesh), 0),
  vertices: meshes.reduce((sum, mesh) => sum + splitVertexCount(mesh), 0),
});

function describeParts(parts: readonly LodPart[], report: LodOutcome['report']): void {
  const { original } = report.detail;
  Object.assign(report.figures, original);
  for (const { model, still } of parts) {
    report.parts.push(still ? meshPart(model.name, still) : modelPart(model));
    const part = parts.length > 1 ? model.name : undefined;
    report.clips.push(...model.clips.map((clip) => clipReport(clip, part)));
  }
}

const asNouns = (parts: readonly LodPart[], models: readonly SkinnedModel[]): LodLevel => ({
  models: models.filter((_, m) => !parts[m].still),
  meshes: models.filter((_, m) => parts[m].still).map(({ mesh }) => mesh),
  sequences: [],
});
