import { buildBvh } from '../mesh/bvh.ts';
import { type Mesh, triangleCount } from '../model/mesh.ts';
import { note } from '../model/note.ts';
import { integerOption, numberOption, type OptionsOf, type RunOptions, resolveOptions } from '../model/options.ts';
import { emptyReport, lapTimer, type Report } from '../model/report.ts';
import { checkpoint } from '../model/run.ts';
import { type Collapses, collapse, collapsedTo } from './collapse.ts';
import { COLLAPSE_SETTINGS, type SoftFeatures } from './collapser.ts';
import { type Features, findFeatures, lockedVertices } from './features.ts';
import { FIT_SETTINGS, fitLevel, type LevelFitSettings, type Original } from './fit-level.ts';
import { meshWithValues } from './fit-values.ts';
import { groupsOf } from './join-meshes.ts';
import { levelMesh } from './level-mesh.ts';
import { halves, levelsByError } from './levels.ts';
import { ChartSurface } from './nearest-samples.ts';
import { posedBy } from './pose.ts';
import { requireSurface, requireTargets } from './require-surface.ts';
import type { PosedSurface, SurfaceLevel } from './surface.ts';
import { figuresOf } from './surface-figures.ts';
import { typicalPoses } from './typical-poses.ts';
import { type FanMesh, fanMesh, weldSurface } from './weld.ts';

/**
 * Levels of detail of a surface that moves: half-edge collapses by quadrics over poses, each recorded as a bijection, then
 * a fit of every level to the original over the same poses. docs/notes/lod.md has the method and its figures.
 */
export const LOD_OPTIONS = {
  levels: integerOption(5, { min: 1, max: 16 }, 'coarser versions to make, each with half the triangles'),
  crease: numberOption(
    30,
    { min: 0, max: 180, unit: 'degrees' },
    'edges where faces meet at this angle or more stay hard',
  ),
  poses: integerOption(16, { min: 1, max: 256 }, 'poses to keep the shape in, chosen from all clips'),
} as const;

/** Options of `lodSurface`. */
export interface LodOptions extends Partial<OptionsOf<typeof LOD_OPTIONS>>, RunOptions {
  /** Triangles of each level, falling; instead of `levels`. */
  triangles?: readonly number[];
  /** Largest distance of each level, rising, in % of the default pose's diagonal; instead of `levels`. */
  maxError?: readonly number[];
  /** The largest distance, in %, of a level in poses that the surface does not have: `maxError` then holds there, too. */
  errorInMorePoses?(level: SurfaceLevel): Promise<number>;
  /** Of each group of the mesh, or of all of one without groups, whether its vertices stay. */
  keptGroups?: readonly boolean[];
  /** How levels are fitted, for comparisons. */
  settings?: Partial<LevelFitSettings>;
}

/** The levels below a surface, from fine to coarse, and what is to be known about them. */
export interface SurfaceLevels {
  levels: SurfaceLevel[];
  report: Report;
}

/** Makes the levels of one surface. */
export async function lodSurface(surface: PosedSurface, options: LodOptions = {}): Promise<SurfaceLevels> {
  const all = resolveOptions(LOD_OPTIONS, options, 'lod');
  const report = emptyReport('lod');
  const lap = lapTimer(report.seconds);
  requireSurface(surface);
  requireTargets(options);

  // (1) What is joined, and what must stay apart.
  const welded = weldSurface(surface);
  const fans = fanMesh(welded.mesh.triangles, welded.poses[0]);
  const features = findFeatures(welded.mesh, fans, all);
  const soft = softFeatures(welded.mesh, fans, features);
  lap('features');

  // (2) One order of collapses for all levels.
  const given = triangleCount(surface.mesh);
  const { maxError } = options;
  const targets = options.triangles ?? halves(given, all.levels);
  const kept = keptVertices(welded.mesh, fans, options.keptGroups ?? []);
  const quadricPoses = typicalPoses(welded.poses, all.poses + 1);
  const least = maxError ? 1 : Math.min(...targets);
  const collapses = await collapse(fans, features, quadricPoses, kept, least, options, COLLAPSE_SETTINGS, soft);
  lap('collapse');

  // (3) Each level, fitted by itself.
  const original = originalOf(welded, features, collapses, kept, fans);
  const context: Context = {
    original,
    ...(soft && { softOriginal: { ...original, ...chartsOf(original, soft.features) } }),
    fans,
    features,
    collapses,
    crease: all.crease,
    settings: { ...FIT_SETTINGS, ...options.settings },
    // A search tries levels until it has what it looks for: there is always one more to come.
    pause: () =>
      checkpoint(options, 'lod', made.size, Math.max(made.size + 1, maxError ? 0 : targets.length), 'fitting levels'),
  };
  const made = new Map<number, { level: SurfaceLevel; error: number }>();
  const tryLevel = async (target: number): Promise<{ triangles: number; error: number }> => {
    const faces = collapses.facesLeft.find((left) => left <= target) ?? collapses.facesLeft.at(-1) ?? collapses.faces;
    let found = made.get(faces);
    if (!found) {
      const level = await makeLevel(context, faces);
      const own = level.figures.maxPercent;
      // What is off by too much already, or by far too little to matter, is not worth measuring in more poses.
      const [low, high] = maxError ? [0, maxError.at(-1)!] : [POOR / 2, POOR];
      const more = own >= low && own <= high ? await options.errorInMorePoses?.(level) : undefined;
      made.set(faces, (found = { level, error: Math.max(own, more ?? 0) }));
    }
    return { triangles: faces, error: found.error };
  };
  const wanted = maxError
    ? await levelsByError(maxError, given, collapses.facesLeft.at(-1) ?? given, tryLevel)
    : targets;
  const levels: SurfaceLevel[] = [];
  for (const [l, target] of wanted.entries()) {
    if (target === undefined) {
      report.notes.push(note('error-not-kept', { percent: maxError![l] }));
      continue;
    }
    if (target >= given) {
      if (options.triangles) report.notes.push(note('level-not-coarser', { triangles: given, asked: target }));
      continue;
    }
    const finer = levels.at(-1)?.figures.triangles ?? given;
    const { triangles, error } = await tryLevel(target);
    if (!maxError && error > POOR) {
      const [last] = await levelsByError([POOR], finer, target, tryLevel);
      if (last !== undefined && last < WORTH_IT * finer) levels.push(made.get(last)!.level);
      report.notes.push(note('level-poor', { asked: target, percent: error }));
      break;
    }
    if (triangles < finer) levels.push(made.get(triangles)!.level);
    if (triangles <= target) continue;
    report.notes.push(note('level-not-reached', { triangles, asked: target }));
    break;
  }
  lap('fit');
  return { levels, report };
}

/** % of the diagonal: a level that is off by more has lost a limb. */
const POOR = 10;
/** Share of the triangles of the level before, below which the last one that is of use is worth its bytes. */
const WORTH_IT = 0.8;

/** The lines without hard edges, where those make a difference; from the start, where they would lock too much. */
function softFeatures(mesh: Mesh, fans: FanMesh, features: Features): SoftFeatures | undefined {
  const soft = findFeatures(mesh, fans, { crease: 180 });
  if (soft.splitOf.length === features.splitOf.length) return undefined;
  const locked = lockedVertices(fans, features) - lockedVertices(fans, soft);
  return { features: soft, atOnce: locked > MOST_LOCKED * fans.vertexOf.length };
}

/** Share of the vertices that hard edges may lock: more have flat-shaded surfaces. */
const MOST_LOCKED = 0.1;

interface Context {
  original: Original;
  /** The same with charts that hard edges do not part. */
  softOriginal?: Original;
  fans: FanMesh;
  features: Features;
  collapses: Collapses;
  crease: number;
  settings: LevelFitSettings;
  /** Tells how far it is, and ends it all where that is wanted. */
  pause(): Promise<void>;
}

function originalOf(
  surface: PosedSurface,
  features: Features,
  { records }: Collapses,
  keptFans: Uint8Array,
  { vertexOf }: FanMesh,
): Original {
  const { mesh, skin, morphs = [] } = surface;
  const poses = skin
    ? surface.poses.map((_, p) => Float32Array.from(posedBy(surface, p, mesh.positions, skin.weights, morphs)))
    : surface.poses;
  const kept = new Uint8Array(mesh.positions.length / 3);
  for (let v = 0; v < vertexOf.length; v++) if (keptFans[v] === 1) kept[vertexOf[v]] = 1;
  const original = { surface, poses, records, kept, bvh: buildBvh(poses[0], mesh.triangles) };
  return { ...original, ...chartsOf(original, features) };
}

const chartsOf = (
  { surface: { mesh }, poses }: Pick<Original, 'surface' | 'poses'>,
  { chartOf, sides }: Features,
): Pick<Original, 'charts' | 'chartOf'> => ({
  chartOf,
  charts: new ChartSurface(mesh.triangles, poses[0], chartOf, sides),
});

async function makeLevel(context: Context, target: number): Promise<SurfaceLevel> {
  const { fans, features, collapses, crease, settings, pause } = context;
  await pause();
  const state = collapsedTo(fans, features, collapses, target);
  const original = (state.isSoft && context.softOriginal) || context.original;
  const level = levelMesh(state, fans, state.isSoft ? collapses.soft!.features : features);
  const fitted = await fitLevel(original, level, settings, pause);
  await pause();
  const made = {
    mesh: meshWithValues(original.surface.mesh, level, fitted, original.records, crease),
    ...(fitted.weights && { weights: fitted.weights }),
    ...(fitted.morphs && { morphs: fitted.morphs }),
    poses: fitted.poses.map((pose) => Float32Array.from(pose)),
  };
  await pause();
  return { ...made, figures: figuresOf(original.surface, made) };
}

/** n: 1 for vertices of the groups that stay. */
function keptVertices(mesh: Mesh, fans: FanMesh, keptGroups: readonly boolean[]): Uint8Array {
  const kept = new Uint8Array(fans.vertexOf.length);
  for (const [g, { start, count }] of groupsOf(mesh).entries()) {
    if (keptGroups[g]) for (let c = 3 * start; c < 3 * (start + count); c++) kept[fans.triangles[c]] = 1;
  }
  return kept;
}
