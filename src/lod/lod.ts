import { PliantError } from '../error.ts';
import { FarthestPoints } from '../math/farthest-points.ts';
import { PosedDistance } from '../measure/posed-distance.ts';
import { diagonalOf } from '../mesh/bounds.ts';
import { buildBvh } from '../mesh/bvh.ts';
import { type Mesh, triangleCount, validateMesh } from '../model/mesh.ts';
import { note } from '../model/note.ts';
import { integerOption, numberOption, type OptionsOf, type RunOptions, resolveOptions } from '../model/options.ts';
import { emptyReport, lapTimer, type Report } from '../model/report.ts';
import { checkpoint } from '../model/run.ts';
import { COLLAPSE_SETTINGS, type Collapses, collapse, collapsedTo, type SoftFeatures } from './collapse.ts';
import { type Features, findFeatures, lockedVertices } from './features.ts';
import { FIT_SETTINGS, fitLevel, type LevelFitSettings, type Original } from './fit-level.ts';
import { meshWithValues } from './fit-values.ts';
import { levelMesh } from './level-mesh.ts';
import { halves, levelsByError } from './levels.ts';
import { ChartSurface } from './nearest-samples.ts';
import { posedBy } from './pose.ts';
import type { LevelFigures, PosedSurface, SurfaceLevel } from './surface.ts';
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
    'angle between the normals of two faces from which on their edge is hard',
  ),
  poses: integerOption(16, { min: 1, max: 256 }, 'poses to keep the shape in, chosen from all clips'),
} as const;

/** Options of `lodSurface`. */
export interface LodOptions extends Partial<OptionsOf<typeof LOD_OPTIONS>>, RunOptions {
  /** Triangles of each level, falling; instead of `levels`. */
  triangles?: readonly number[];
  /** Largest distance of each level, rising, in % of the default pose's diagonal; instead of `levels`. */
  maxError?: readonly number[];
  /** Names of groups and materials whose vertices all stay. */
  keep?: readonly string[];
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
  requireTargets(targets, maxError);
  const kept = keptVertices(welded.mesh, fans, options.keep ?? []);
  const quadricPoses = typicalPoses(welded.poses, all.poses + 1);
  const least = maxError ? 1 : Math.min(...targets);
  const collapses = await collapse(fans, features, quadricPoses, kept, least, options, COLLAPSE_SETTINGS, soft);
  lap('collapse');

  // (3) Each level, fitted by itself.
  const context: Context = {
    original: originalOf(welded, features, collapses),
    ...(soft && { softOriginal: originalOf(welded, soft.features, collapses) }),
    fans,
    features,
    collapses,
    crease: all.crease,
    settings: { ...FIT_SETTINGS, ...options.settings },
  };
  const made = new Map<number, SurfaceLevel>();
  const tryLevel = async (target: number): Promise<{ triangles: number; error: number }> => {
    await checkpoint(options, 'lod', made.size, maxError ? made.size + 1 : targets.length, 'fitting levels');
    const faces = collapses.facesLeft.find((left) => left <= target) ?? collapses.facesLeft.at(-1) ?? collapses.faces;
    let level = made.get(faces);
    if (!level) made.set(faces, (level = makeLevel(context, faces)));
    return { triangles: faces, error: level.figures.maxPercent };
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
    const { triangles } = await tryLevel(target);
    if (triangles > target) report.notes.push(note('level-not-reached', { triangles, asked: target }));
    if (triangles < (levels.at(-1)?.figures.triangles ?? given)) levels.push(made.get(triangles)!);
  }
  lap('fit');
  return { levels, report };
}

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
}

function originalOf(surface: PosedSurface, { chartOf }: Features, { records }: Collapses): Original {
  const { mesh, skin, morphs = [] } = surface;
  const poses = surface.poses.map((pose, p) =>
    Float32Array.from(skin ? posedBy(surface, p, mesh.positions, skin.weights, morphs) : pose),
  );
  const charts = new ChartSurface(mesh.triangles, poses[0], chartOf);
  return { surface, poses, records, chartOf, charts, bvh: buildBvh(poses[0], mesh.triangles) };
}

function makeLevel(context: Context, target: number): SurfaceLevel {
  const { fans, features, collapses, crease, settings } = context;
  const state = collapsedTo(fans, features, collapses, target);
  const original = (state.isSoft && context.softOriginal) || context.original;
  const level = levelMesh(state, fans, state.isSoft ? collapses.soft!.features : features);
  const fitted = fitLevel(original, level, settings);
  const made = {
    mesh: meshWithValues(original.surface.mesh, level, fitted, original.records, crease),
    ...(fitted.weights && { weights: fitted.weights }),
    ...(fitted.morphs && { morphs: fitted.morphs }),
    poses: fitted.poses.map((pose) => Float32Array.from(pose)),
  };
  return { ...made, figures: figuresOf(original.surface, made) };
}

/** Distances between a level and its original over the poses. */
function figuresOf(surface: PosedSurface, { mesh, poses }: Omit<SurfaceLevel, 'figures'>): LevelFigures {
  const diagonal = diagonalOf(surface.poses[0]) || 1;
  const original = surface.poses.map((pose) => Float32Array.from(pose));
  const a = { triangles: surface.mesh.triangles, positions: original[0] };
  const distance = new PosedDistance(a, { triangles: mesh.triangles, positions: poses[0] }, { points: 4000 });
  let sum = 0;
  let max = -1;
  let worstPose = 0;
  poses.forEach((pose, p) => {
    const found = distance.distance(original[p], pose);
    sum += found.rms * found.rms;
    if (found.max > max) {
      max = found.max;
      worstPose = p;
    }
  });
  return {
    triangles: triangleCount(mesh),
    vertices: mesh.seams?.vertexOf.length ?? mesh.positions.length / 3,
    rmsPercent: (100 * Math.sqrt(sum / poses.length)) / diagonal,
    maxPercent: (100 * max) / diagonal,
    worstPose,
  };
}

/** n: 1 for vertices of the groups and materials of these names. */
function keptVertices(mesh: Mesh, fans: FanMesh, names: readonly string[]): Uint8Array {
  const kept = new Uint8Array(fans.vertexOf.length);
  const isKept = ({ name, material }: { name: string; material?: number }): boolean =>
    names.includes(name) || (material !== undefined && names.includes(mesh.materials?.[material].name ?? ''));
  for (const group of mesh.groups ?? []) {
    if (!isKept(group)) continue;
    for (let c = 3 * group.start; c < 3 * (group.start + group.count); c++) kept[fans.triangles[c]] = 1;
  }
  return kept;
}

function requireTargets(triangles: readonly number[], maxError?: readonly number[]): void {
  const fail = (option: string, got: readonly number[], expected: string): never => {
    throw new PliantError('bad-option', 'lod', `(got ${got.join(', ') || 'none'}, expected ${expected})`, { option });
  };
  if (triangles.length === 0 || triangles.some((t, l) => !(Number.isInteger(t) && t >= 1) || t > triangles[l - 1])) {
    fail('triangles', triangles, 'whole numbers ≥ 1, falling');
  }
  if (maxError && (maxError.length === 0 || maxError.some((e, l) => !(e > 0) || e < maxError[l - 1]))) {
    fail('maxError', maxError, 'percentages > 0, rising');
  }
}

/** At most so many of the poses: the first, then always the one that is farthest from all before. */
function typicalPoses(poses: readonly ArrayLike<number>[], most: number): readonly ArrayLike<number>[] {
  if (poses.length <= most) return poses;
  const stride = 3 * Math.ceil(poses[0].length / 3 / 500);
  const farthest = new FarthestPoints(poses.length, (a, b) => {
    let sum = 0;
    for (let i = 0; i < poses[a].length; i += stride) {
      for (let c = i; c < i + 3; c++) sum += (poses[a][c] - poses[b][c]) ** 2;
    }
    return sum;
  });
  farthest.choose(0);
  while (farthest.chosen.length < most) farthest.choose(farthest.farthest());
  return farthest.chosen.map((p) => poses[p]);
}

function requireSurface({ mesh, poses, skin, morphWeights }: PosedSurface): void {
  validateMesh(mesh, 'lod');
  const fail = (cause: string): never => {
    throw new PliantError('bad-input', 'lod', cause);
  };
  if (mesh.triangles.length === 0) fail('the mesh has no triangles');
  if (poses.length === 0) fail('no poses (expected at least the default one)');
  const odd = poses.find((pose) => pose.length !== mesh.positions.length);
  if (odd) fail(`a pose of ${odd.length} numbers (expected ${mesh.positions.length})`);
  if (skin && skin.bones.length !== poses.length)
    fail(`bones in ${skin.bones.length} poses (expected ${poses.length})`);
  if (morphWeights && morphWeights.length !== poses.length) {
    fail(`morph weights of ${morphWeights.length} poses (expected ${poses.length})`);
  }
}
