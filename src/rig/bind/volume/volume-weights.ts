import { translation34 } from '../../../math/matrix34.ts';
import { diagonalOf } from '../../../mesh/bounds.ts';
import { vertexNormals } from '../../../mesh/normals.ts';
import { meshParts } from '../../../mesh/parts.ts';
import { note } from '../../../model/note.ts';
import type { RunOptions } from '../../../model/options.ts';
import type { Report } from '../../../model/report.ts';
import { checkpoint } from '../../../model/run.ts';
import type { Skeleton } from '../../../model/skeleton.ts';
import type { BindOptions } from '../bind-options.ts';
import { bindMatrices } from '../bone-segments.ts';
import type { Surface } from '../surface.ts';
import { type VolumeBones, volumeBones } from './bones.ts';
import { pointsInVoxels, voxelGrid } from './grid.ts';
import { SolidHeat } from './heat.ts';
import { facings, solidVoxels } from './inside.ts';
import { marchBones } from './march.ts';
import { separateMirrored } from './mirrored.ts';
import { surfaceVoxels } from './shell.ts';
import { type PointsInSolid, pointsInSolid, type Solid, solidOf } from './solid.ts';
import { partBoxes, placeEyes, stiffenParts } from './whole-parts.ts';

/**
 * Weights by heat in the solid: the mesh is filled with voxels, each belongs to its nearest bone by the way through the
 * inside, and heat spreads between them. Parts, layers, open borders and edges with many faces need no care, and every vertex
 * gets weights. docs/notes/bind.md has the derivation and what each step is worth.
 */

/** Weights of rows are raised to this power: artists blend over less than heat does. */
const SHARPEN = 1.25;

/** The weights of points (n·D) and the bones of the columns (D). */
export interface VolumeWeights {
  weights: Float64Array;
  bones: Int32Array;
}

export async function volumeWeights(
  surface: Surface,
  skeleton: Skeleton,
  deforms: (bone: number) => boolean = () => true,
  { resolution, heat, eyes, rigidParts }: BindOptions,
  report: Report,
  clock: (stage: string) => void,
  run: RunOptions,
): Promise<VolumeWeights> {
  // (1) The solid.
  const { grid, points, facing, filled, resolution: used } = fill(surface, resolution);
  clock('voxels');
  await checkpoint(run, 'bind', 0, 1, 'filling the mesh with voxels');

  // (2) The nearest bone of each voxel.
  const bones = volumeBones(skeleton, 'bind', deforms, { grid, solid: filled.solid, eyes });
  const columns = bones.segments.bones.length;
  const marched = await marchBones(grid, filled, bones.segments, run);
  clock('nearest bones');

  // (3) Heat between voxels, read at the points.
  const { solid, placeOf } = solidOf(grid, filled, marched);
  const normals = outwardNormals(surface, facing);
  const inside = pointsInSolid(grid, { points, normals }, filled, solid, placeOf);
  const weights = await heatAtPoints(solid, inside, { points: points.length / 3, columns, heat }, run);
  clock('heat');

  // (4) What heat does not know.
  separateMirrored(weights, skeleton, bones.segments.bones);
  wholeParts(surface, skeleton, weights, bones, { eyes, rigidParts }, report);
  sharpen(weights, columns);
  Object.assign(report.figures, { voxels: solid.voxels.length, resolution: used });
  if (bones.helpers.length > 0) {
    report.notes.push(note('helper-bones', { bones: bones.helpers.map((j) => skeleton.names[j]) }));
  }
  return { weights, bones: bones.segments.bones };
}

/** Voxels along the longest side, if not said otherwise. */
const RESOLUTION = 128;
/** Solid voxels at most, if not said otherwise: characters have fewer, and time grows faster than their number. */
const MOST_VOXELS = 120_000;

/** The surface filled with voxels; `points` (3n) are in voxels. */
function fill({ positions, triangles }: Surface, asked: number) {
  for (let resolution = asked || RESOLUTION; ; ) {
    const grid = voxelGrid(positions, resolution);
    const points = pointsInVoxels(grid, positions);
    const facing = facings(points, triangles);
    const filled = solidVoxels(grid, points, triangles, surfaceVoxels(grid, points, triangles), facing);
    const count = filled.solid.reduce((sum, is) => sum + is, 0);
    if (asked > 0 || count <= MOST_VOXELS) return { grid, points, facing, filled, resolution };
    resolution = Math.floor(resolution * Math.min(0.95, Math.cbrt(MOST_VOXELS / count)));
  }
}

/** 3n: away from the body. @param facing of `facings`. */
function outwardNormals({ positions, triangles }: Surface, facing: Int8Array): Float32Array {
  const flipped = triangles.map((i, q) =>
    q % 3 === 0 || facing[Math.floor(q / 3)] > 0 ? i : triangles[q + 3 - 2 * (q % 3)],
  );
  return vertexNormals({ positions, triangles: flipped });
}

/** n·D: the weights of points, rows that sum to 1. */
async function heatAtPoints(
  solid: Solid,
  inside: PointsInSolid,
  { points, columns, heat }: { points: number; columns: number; heat: number },
  run: RunOptions,
): Promise<Float64Array> {
  const out = new Float64Array(points * columns);
  const solver = new SolidHeat(solid, columns, heat);
  for (let c = 0; c < columns; c++) {
    await checkpoint(run, 'bind', c, columns, 'diffusing heat');
    const { voxels, weights } = solver.solve(c);
    for (let i = 0; i < voxels.length; i++) {
      for (let q = inside.offsets[voxels[i]]; q < inside.offsets[voxels[i] + 1]; q++) {
        out[inside.points[q] * columns + c] += inside.shares[q] * weights[i];
      }
    }
  }
  normalizeRows(out, columns);
  return out;
}

function wholeParts(
  surface: Surface,
  skeleton: Skeleton,
  weights: Float64Array,
  { segments: { bones }, eyes: eyeColumns }: VolumeBones,
  options: Pick<BindOptions, 'eyes' | 'rigidParts'>,
  report: Report,
): void {
  const parts = partBoxes(surface, meshParts(surface.positions, surface.triangles));
  const diagonal = diagonalOf(surface.positions);
  const binds = bindMatrices(skeleton, 'bind');
  const eyes = eyeColumns.map((column) => ({ column, joint: translation34(binds, bones[column]) }));
  const placed = placeEyes(weights, bones.length, parts, eyes, diagonal);
  if (eyes.length > 0) report.notes.push(note('eyes-placed', { eyes: eyes.length, parts: placed.length }));
  if (!options.rigidParts) return;
  const others = parts.filter((part) => !placed.includes(part));
  const stiff = stiffenParts(weights, bones.length, others, diagonal);
  const vertices = stiff.reduce((sum, part) => sum + part.points.length, 0);
  if (stiff.length > 0) {
    report.notes.push(note('rigid-parts', { rigid: stiff.length, parts: parts.length, points: vertices }));
  }
}

function sharpen(weights: Float64Array, columns: number): void {
  for (let q = 0; q < weights.length; q++) weights[q] = weights[q] ** SHARPEN;
  normalizeRows(weights, columns);
}

function normalizeRows(weights: Float64Array, columns: number): void {
  for (let row = 0; row < weights.length; row += columns) {
    let sum = 0;
    for (let c = 0; c < columns; c++) sum += weights[row + c];
    for (let c = 0; c < columns; c++) weights[row + c] /= sum;
  }
}
