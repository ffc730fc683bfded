// Triangular geometry images: error level by level, against quad charts, few patches and the chain; stitching and choice
// of levels; bytes.
//
//   node dist/bench/lod-images.js [--only <name>] [--write]

import { readAsset } from '../src/index.ts';
import { geometryImageFiles } from '../src/io/geometry-images.ts';
import { baseComplex } from '../src/lod/images/base-complex.ts';
import { geometryImages, type ImageOptions } from '../src/lod/images/build.ts';
import { patchErrors } from '../src/lod/images/patch-errors.ts';
import { makePatches, prepareSurface } from '../src/lod/images/patches.ts';
import { PatchSelector } from '../src/lod/images/select.ts';
import { Stitcher, stitchedMesh, stitchedNormals, stitchedPositions } from '../src/lod/images/stitch.ts';
import { lodSurface } from '../src/lod/lod.ts';
import { posedBy } from '../src/lod/pose.ts';
import type { PosedSurface } from '../src/lod/surface.ts';
import { weldSurface } from '../src/lod/weld.ts';
import { seededRandom } from '../src/math/rng.ts';
import { diagonalOf } from '../src/mesh/bounds.ts';
import type { GeometryImages } from '../src/model/geometry-images.ts';
import { nodeFiles } from '../src/platform/node/index.ts';
import { choosePoses } from '../src/skin/choose-poses.ts';
import { realData } from './data.ts';
import { quadCharts } from './quad-charts.ts';
import { flags } from './sequences.ts';
import { machine, markdownTable, writeResults } from './tables.ts';
import { stopwatch } from './timing.ts';

interface Case {
  name: string;
  path: string;
  options: ImageOptions;
  /** Further ways to make the images, by name. */
  also?: Record<string, ImageOptions>;
}

// Settings were chosen on all of these but rocker arm, which is only reported.
const CASES: Case[] = [
  {
    name: 'CesiumMan',
    path: 'gltf/CesiumMan.glb',
    options: { patches: 230, depth: 4 },
    also: { '12 clusters (4.3)': { curvatureClusters: 12 }, '12 clusters (4.5)': { deformationClusters: 12 } },
  },
  {
    name: 'feline',
    path: 'static/feline.obj',
    options: { patches: 250, depth: 3 },
    also: { 'no pins': { pins: 0 }, '30 clusters (4.3)': { curvatureClusters: 30 }, corners: { corners: true } },
  },
  {
    name: 'fandisk',
    path: 'static/fandisk.obj',
    options: { patches: 120, depth: 3 },
    also: { 'creases > 35°': { creaseAngle: 35 }, '30 clusters (4.3)': { curvatureClusters: 30 } },
  },
  { name: 'bunny', path: 'static/stanford-bunny.obj', options: { patches: 140, depth: 4 } },
  { name: 'rocker arm', path: 'static/rocker-arm.obj', options: { patches: 140, depth: 4 } },
  { name: 'Fox', path: 'gltf/Fox.glb', options: { patches: 150, depth: 2 } },
];

/** A surface with the poses to fit to, and one with those to report. */
async function surfacesOf(path: string): Promise<{ fitted: PosedSurface; held: PosedSurface }> {
  const asset = await readAsset(nodeFiles, [path]);
  const model = asset.models.toSorted((a, b) => b.mesh.triangles.length - a.mesh.triangles.length)[0];
  if (!model) {
    const mesh = asset.meshes[0];
    const surface = weldSurface({ mesh, poses: [mesh.positions] });
    return { fitted: surface, held: surface };
  }
  const { poses, held } = choosePoses([model], { poses: 13, held: 12 });
  const [fitted, reported] = [poses, held].map((all): PosedSurface => {
    const skin = { weights: model.weights, bones: all.map(({ parts }) => parts[0].transforms) };
    const rest = { mesh: model.mesh, poses: [model.mesh.positions], skin };
    return {
      ...rest,
      poses: skin.bones.map((_, p) => Float32Array.from(posedBy(rest, p, model.mesh.positions, skin.weights, []))),
    };
  });
  return { fitted, held: reported };
}

/** Words for one level everywhere. */
function wordsAt(images: GeometryImages, levels: ArrayLike<number>): Uint32Array {
  const words = new Uint32Array(images.depths.length);
  new Stitcher(baseComplex(images.corners)).sew(levels, words);
  return words;
}

/** What is drawn at a level, 16 bits and all, in the poses of a surface: RMS and largest distance, in % of the diagonal. */
function levelError(images: GeometryImages, level: number, surface: PosedSurface): { rms: number; max: number } {
  const mesh = stitchedMesh(
    images,
    wordsAt(
      images,
      images.depths.map((depth) => Math.min(depth, level)),
    ),
  );
  const bones = surface.skin?.bones ?? [undefined];
  const posed = { triangles: mesh.triangles, poses: bones.map((pose) => stitchedPositions(images, mesh, pose)) };
  return percent(surface, posed);
}

function percent(
  surface: PosedSurface,
  posed: { triangles: Uint32Array; poses: readonly Float32Array[] },
): { rms: number; max: number } {
  const original = { triangles: surface.mesh.triangles, poses: surface.poses };
  const { rms, largest } = patchErrors(original, posed, new Uint32Array(posed.triangles.length / 3), 1, 12_000);
  const scale = 100 / diagonalOf(surface.poses[0]);
  return { rms: scale * rms, max: scale * largest };
}

const list = (values: readonly number[], digits: number): string => values.map((x) => x.toFixed(digits)).join(' ');
const levelRows: string[][] = [];
const chartRows: string[][] = [];
const stitchRows: string[][] = [];
const byteRows: string[][] = [];

for (const { name, path, options, also = {} } of CASES) {
  if (!name.includes(flags.only)) continue;
  const file = realData(path);
  if (!file) continue;
  const { fitted: surface, held } = await surfacesOf(file);
  let main: GeometryImages | undefined;
  const ways: Record<string, ImageOptions> = { sampled: { fit: false }, fitted: {}, ...also };
  for (const [way, more] of Object.entries(ways)) {
    const elapsed = stopwatch();
    const { images, pins } = await geometryImages(surface, { ...options, ...more });
    const seconds = elapsed();
    const errors = images.levels.map((_, d) => levelError(images, d, held));
    if (way === 'fitted') main = images;
    levelRows.push([
      name,
      way,
      `${images.depths.length}`,
      `${pins}`,
      list(
        errors.map(({ rms }) => rms),
        3,
      ),
      list(
        errors.map(({ max }) => max),
        2,
      ),
      seconds.toFixed(1),
    ]);
    console.error(levelRows.at(-1)!.join(' | '));
  }
  const images = main!;
  await compareCharts(name, surface, held, images, options);
  stitching(name, images, surface);
  await bytesOf(name, images);
}

/** Table 4.2 of Feng 2010, with units: as sampled, which is what both kinds of charts are there. */
async function compareCharts(
  name: string,
  surface: PosedSurface,
  held: PosedSurface,
  images: GeometryImages,
  options: ImageOptions,
): Promise<void> {
  const depth = images.levels.length - 1;
  const level = Math.min(depth, 3);
  const still: PosedSurface = { mesh: surface.mesh, poses: [surface.mesh.positions] };
  const prepared = prepareSurface(still, 30);
  const patches = await makePatches(prepared, options.patches!, [], {});
  const quads = quadCharts(patches, level);
  const quad = percent(prepared.surface, { triangles: quads.triangles, poses: [quads.positions] });
  const tri = await geometryImages(still, { ...options, depth: level, pins: 0, fit: false });
  const triangle = levelError(tri.images, level, prepared.surface);
  const fitted = levelError(images, level, prepared.surface);
  const triangles = images.depths.length * 4 ** level;

  // One chart: as few patches as can be had, as fine as the others.
  const one = await geometryImages(still, { patches: 1, depth: 0, pins: 0, fit: false });
  const few = one.images.depths.length;
  const deep = Math.min(7, Math.max(0, Math.round(Math.log(triangles / few) / Math.log(4))));
  const single = await geometryImages(still, { patches: few, depth: deep, pins: 0 });
  const chart = levelError(single.images, single.images.levels.length - 1, prepared.surface);

  // The chain at the finest level that is coarser than the surface.
  const own = surface.mesh.triangles.length / 3;
  const below = Math.max(
    0,
    images.levels.findLastIndex((_, d) => images.depths.length * 4 ** d < 0.9 * own),
  );
  const { levels } = await lodSurface(surface, { triangles: [images.depths.length * 4 ** below] });
  const target = surface.skin ? held : prepared.surface;
  const posed = levels[0] && {
    triangles: levels[0].mesh.triangles,
    poses: surface.skin
      ? held.skin!.bones.map((_, p) =>
          Float32Array.from(posedBy(held, p, levels[0].mesh.positions, levels[0].weights!, [])),
        )
      : [levels[0].mesh.positions],
  };
  const chain = posed && percent(target, posed);
  const ours = levelError(images, below, target);
  chartRows.push([
    name,
    `${tri.images.depths.length} · ${triangles}`,
    `${triangle.rms.toFixed(3)} / ${triangle.max.toFixed(2)}`,
    `${quads.charts} · ${quads.triangles.length / 3}`,
    `${quad.rms.toFixed(3)} / ${quad.max.toFixed(2)}`,
    `${fitted.rms.toFixed(3)} / ${fitted.max.toFixed(2)}`,
    `${few} · ${few * 4 ** deep}`,
    `${chart.rms.toFixed(3)} / ${chart.max.toFixed(2)}`,
    chain ? `${levels[0].mesh.triangles.length / 3}` : '–',
    chain ? `${chain.rms.toFixed(3)} / ${chain.max.toFixed(2)}` : '–',
    `${ours.rms.toFixed(3)} / ${ours.max.toFixed(2)}`,
  ]);
  console.error(chartRows.at(-1)!.join(' | '));
}

/** Cracks, triangles without an area, and triangles that face against the surface, in random mixes of levels. */
function stitching(name: string, images: GeometryImages, surface: PosedSurface): void {
  const random = seededRandom(11);
  const base = baseComplex(images.corners);
  for (const maxStep of [15, 2, 1]) {
    let flat = 0;
    let flipped = 0;
    let all = 0;
    let plain = 0;
    for (let trial = 0; trial < 20; trial++) {
      const levels = images.depths.map((depth) => Math.floor(random() * (depth + 1)));
      for (let again = true; again; ) {
        again = false;
        base.beyond.forEach((q, c) => {
          if (q < 0) return;
          const least = Math.min(images.depths[q], levels[Math.floor(c / 3)] - maxStep);
          if (levels[q] < least) {
            levels[q] = least;
            again = true;
          }
        });
      }
      const counted = flips(images, levels);
      flat += counted.flat;
      flipped += counted.flipped;
      all += counted.all;
    }
    const even = images.levels.map((_, d) =>
      flips(
        images,
        images.depths.map((depth) => Math.min(d, depth)),
      ),
    );
    plain = even.reduce((sum, { flipped: f, all: a }) => sum + f / a, 0) / even.length;
    const row = [
      name,
      maxStep === 15 ? 'any' : `${maxStep}`,
      ((100 * flat) / all).toFixed(1),
      ((100 * flipped) / all).toFixed(2),
      (100 * plain).toFixed(2),
    ];
    stitchRows.push([...row, ...(maxStep === 15 ? selection(images, surface) : ['', '', ''])]);
  }
}

function flips(images: GeometryImages, levels: ArrayLike<number>): { all: number; flat: number; flipped: number } {
  const mesh = stitchedMesh(images, wordsAt(images, levels));
  const x = stitchedPositions(images, mesh);
  const n = stitchedNormals(images, mesh);
  let flat = 0;
  let flipped = 0;
  for (let t = 0; t < mesh.triangles.length; t += 3) {
    const [a, b, c] = [3 * mesh.triangles[t], 3 * mesh.triangles[t + 1], 3 * mesh.triangles[t + 2]];
    const u = [0, 1, 2].map((d) => x[b + d] - x[a + d]);
    const v = [0, 1, 2].map((d) => x[c + d] - x[a + d]);
    const cross = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    const facing = cross.reduce((sum, k, d) => sum + k * (n[a + d] + n[b + d] + n[c + d]), 0);
    if (cross.every((k) => k === 0)) flat++;
    else if (facing < 0) flipped++;
  }
  return { all: mesh.triangles.length / 3, flat, flipped };
}

/** Microseconds per choice, near, in the middle and far away, while the camera moves and bones do. */
function selection(images: GeometryImages, surface: PosedSurface): string[] {
  const size = diagonalOf(surface.poses[0]);
  const bones = surface.skin?.bones;
  return [0.7, 4, 40].map((distance) => {
    const selector = new PatchSelector(images);
    const times: number[] = [];
    for (let turn = 0; turn < 7; turn++) {
      const elapsed = stopwatch();
      for (let frame = 0; frame < 2000; frame++) {
        const away = size * distance * (1 + 0.1 * Math.sin(0.02 * frame));
        selector.select([0.1, 0, -1, away], 1080, bones?.[Math.floor(frame / 30) % bones.length]);
      }
      times.push(500 * elapsed());
    }
    return Math.min(...times).toFixed(1);
  });
}

async function bytesOf(name: string, images: GeometryImages): Promise<void> {
  const files = await geometryImageFiles(images, 'x');
  const upTo = images.levels.map((_, d) =>
    files
      .filter(({ name: file }) => !/^x\.\d/.test(file) || Number(file.split('.')[1]) <= d)
      .reduce((sum, { bytes }) => sum + bytes.length, 0),
  );
  const texels = images.levels.reduce((sum, { width, height }) => sum + width * height, 0);
  byteRows.push([
    name,
    list(
      upTo.map((bytes) => bytes / 1000),
      1,
    ),
    ((texels * (images.levels[0].joints ? 32 : 16)) / 1000).toFixed(0),
  ]);
}

const text = `# Triangular geometry images

Distances between surfaces, symmetric, 12,000 points each way, in % of the diagonal; characters in 12 poses that were not fitted
to, as the stored 16-bit images have them. Level by level, each with four times the triangles of the one before.

${markdownTable(['model', 'way', 'patches', 'pins', 'RMS %', 'largest %', 's'], levelRows)}

Table 4.2 of Feng 2010 with units (RMS / largest, % of the diagonal): charts · triangles. Triangles and quads as sampled, at rest,
without pins; quads are pairs of the same patches, sampled by a bilinear map. "Fitted" has pins. Fewest: as few patches as
the surface can be collapsed to without harm, fitted, at the number of triangles that is nearest: what stands in for a single chart. The chain at the finest level that has fewer triangles than the
surface, and the images of that level beside it, in poses not fitted to.

${markdownTable(['model', 'triangles', 'error', 'quads', 'error', 'fitted', 'fewest', 'error', 'chain', 'error', 'images'], chartRows)}

Random mixes of levels, neighbours apart by at most so many levels: triangles without an area and triangles that face against the
surface, % of all; the same in even levels. Microseconds to choose the levels of all patches at .7, 4 and 40 diagonals.

${markdownTable(['model', 'most levels apart', 'flat %', 'turned %', 'turned, even %', 'µs near', 'µs', 'µs far'], stitchRows)}

Bytes of the file set up to each level, and of textures on the GPU, kB.

${markdownTable(['model', 'files to level 0, 1, …', 'textures'], byteRows)}

${machine()}.
`;
console.log(text);
if (flags.write) writeResults('lod-images', text);
