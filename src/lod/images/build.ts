import { PliantError } from '../../error.ts';
import type { GeometryImages } from '../../model/geometry-images.ts';
import { validateGeometryImages } from '../../model/geometry-images.ts';
import { note } from '../../model/note.ts';
import {
  booleanOption,
  integerOption,
  numberOption,
  type OptionsOf,
  type RunOptions,
  resolveOptions,
} from '../../model/options.ts';
import { emptyReport, lapTimer, type Report } from '../../model/report.ts';
import { checkpoint } from '../../model/run.ts';
import { detectFeatures, FEATURE_OPTIONS } from '../features/detect.ts';
import { LOD_OPTIONS } from '../lod.ts';
import type { PosedSurface } from '../surface.ts';
import { assembleImages } from './assemble.ts';
import { type FittedPatches, fitPatches } from './fit-patches.ts';
import { type PatchErrors, patchErrors } from './patch-errors.ts';
import { makePatches, type Patches, type Prepared, prepareSurface } from './patches.ts';
import { lostVertices } from './pins.ts';
import { samplePatches } from './sample-patches.ts';

/**
 * A surface as triangular geometry images (Feng 2010, chapter 4): features, a base complex of patches, grids on the patches
 * at every level, each fitted to the surface over its poses. docs/notes/lod-images.md has the method and its figures.
 */
export const IMAGE_OPTIONS = {
  patches: integerOption(0, { min: 0, max: 20_000, zero: 'auto' }, 'triangular patches, by the number of triangles'),
  depth: integerOption(4, { min: 0, max: 7 }, 'finest level of images: sides of patches have 2^depth steps'),
  tolerance: numberOption(
    0,
    { min: 0, max: 100, unit: '%' },
    'patches get no finer levels once their largest error is below this, in % of the diagonal',
  ),
  pins: integerOption(2, { min: 0, max: 5 }, 'rounds of pinning vertices that patches have lost'),
  fit: booleanOption(true, 'fit every level of images; without, they are only sampled'),
  ...FEATURE_OPTIONS,
} as const;

const ALL_OPTIONS = { ...IMAGE_OPTIONS, crease: LOD_OPTIONS.crease } as const;

/** Options of `geometryImages`. */
export interface ImageOptions extends Partial<OptionsOf<typeof ALL_OPTIONS>>, RunOptions {}

/** How far all patches at one level are from the surface. */
interface ImageFigures {
  triangles: number;
  /** Root mean square and largest distance over the poses, in % of the default pose's diagonal. */
  rmsPercent: number;
  maxPercent: number;
  /** Triangles that face against the surface. */
  turned: number;
}

export interface ImagesOfSurface {
  images: GeometryImages;
  /** Level by level. */
  figures: ImageFigures[];
  /** Vertices that were pinned. */
  pins: number;
  report: Report;
}

/** Patches wanted when nothing is said: one for as many triangles, within limits; small surfaces have more for each. */
const TRIANGLES_PER_PATCH = 20;
const LEAST_TRIANGLES_PER_PATCH = 3;
const FEWEST = 150;
const MOST = 1000;

const patchesFor = (triangles: number): number =>
  Math.max(
    Math.min(MOST, Math.round(triangles / TRIANGLES_PER_PATCH)),
    Math.min(FEWEST, Math.ceil(triangles / LEAST_TRIANGLES_PER_PATCH)),
  );

export async function geometryImages(given: PosedSurface, options: ImageOptions = {}): Promise<ImagesOfSurface> {
  const all = resolveOptions(ALL_OPTIONS, options, 'geometryImages');
  const report = emptyReport('geometryImages');
  const lap = lapTimer(report.seconds);
  if (given.mesh.triangles.length === 0) {
    throw new PliantError('bad-input', 'geometryImages', 'the mesh has no triangles');
  }

  // (1) What patches keep to.
  const plain = prepareSurface(given, all.crease);
  const { creaseAngle, curvatureClusters, deformationClusters, corners, landmarks, seed } = all;
  const detected = await detectFeatures(
    plain.surface,
    { creaseAngle, curvatureClusters, deformationClusters, corners, landmarks, seed },
    options,
  );
  const prepared = detected.lines.length > 0 ? prepareSurface(plain.surface, all.crease, detected) : plain;
  lap('features');

  // (2) The base complex, again where it has lost something.
  const faces = given.mesh.triangles.length / 3;
  const wanted = all.patches || patchesFor(faces);
  const { patches, pins } = await pinnedPatches(prepared, wanted, detected.points, all.pins, options);
  const made = patches.level.faces.length;
  if (made > wanted) report.notes.push(note('patches-not-reached', { patches: made, asked: wanted }));
  lap('patches');

  // (3) Every level, by itself.
  const original = { triangles: prepared.surface.mesh.triangles, poses: prepared.poses };
  const levels: FittedPatches[] = [];
  const errors: PatchErrors[] = [];
  for (let d = 0; d <= all.depth; d++) {
    await checkpoint(options, 'geometryImages', d, all.depth + 1, 'fitting levels of patches');
    const level = fitPatches(patches, samplePatches(patches, d), all.fit);
    const posed = { triangles: level.sampled.triangles, poses: level.poses.map((pose) => Float32Array.from(pose)) };
    levels.push(level);
    errors.push(patchErrors(original, posed, facePatches(made, d), made));
  }
  lap('fit');

  // (4) Images of as many levels as each patch needs.
  const images = assembleImages(patches, levels, errors, (all.tolerance / 100) * prepared.diagonal);
  validateGeometryImages(images, 'geometryImages');
  lap('images');
  const percent = 100 / prepared.diagonal;
  const figures = errors.map(({ rms, largest }, d) => ({
    triangles: made * 4 ** d,
    rmsPercent: percent * rms,
    maxPercent: percent * largest,
    turned: levels[d].turned,
  }));
  return { images, figures, pins: pins.length, report };
}

/** F: face of a level → patch. */
const facePatches = (patches: number, level: number): Uint32Array =>
  Uint32Array.from({ length: patches * 4 ** level }, (_, f) => Math.floor(f / 4 ** level));

/** Patches that lose least: pins help where there is room for them, and force bad collapses where there is none. */
async function pinnedPatches(
  prepared: Prepared,
  wanted: number,
  points: Uint32Array,
  rounds: number,
  run: RunOptions,
): Promise<{ patches: Patches; pins: number[] }> {
  let pins = [...points];
  let patches = await makePatches(prepared, wanted, pins, run);
  if (rounds === 0) return { patches, pins };
  let lost = lostVertices(patches, pins, prepared.diagonal);
  for (let round = 0; round < rounds && lost.vertices.length > 0; round++) {
    const more = [...pins, ...lost.vertices];
    const again = await makePatches(prepared, wanted, more, run);
    const left = lostVertices(again, more, prepared.diagonal);
    if (left.mean >= lost.mean) break;
    [patches, pins, lost] = [again, more, left];
  }
  return { patches, pins };
}
