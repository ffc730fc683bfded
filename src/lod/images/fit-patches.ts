import { meshEdges } from '../../mesh/adjacency.ts';
import { stepsOf } from '../../model/geometry-images.ts';
import type { SkinWeights } from '../../model/skinned-model.ts';
import { gatherCandidates } from '../candidates.ts';
import { fitFrame } from '../fit-frames.ts';
import { FIT_SETTINGS } from '../fit-level.ts';
import { SkinFit } from '../fit-skin.ts';
import { gatherMoments } from '../moments.ts';
import { posedBy } from '../pose.ts';
import type { FacePoint } from '../records.ts';
import { evenOut, gridFor, newSamples, pointOfFace, type Samples, spreadAreas } from '../samples.ts';
import { gridTriangles, samplesPerPatch } from './base-complex.ts';
import { patchErrors } from './patch-errors.ts';
import type { Patches } from './patches.ts';
import { type SampledLevel, sampleValues } from './sample-patches.ts';
import { unfold } from './unfold.ts';

/** A level of patches in its place. */
export interface FittedPatches {
  sampled: SampledLevel;
  /** 3S, at rest. */
  rest: Float64Array;
  weights?: SkinWeights;
  /** K × 3S. */
  poses: Float64Array[];
  /** 3·P·T: of the surface, as each patch sees them. */
  normals: Float32Array;
  /** Triangles that face against the surface. */
  turned: number;
}

/**
 * Moves the vertices of a level, and turns their weights, so that its triangles rather than its samples are near to the
 * surface, over all poses: the fit of the chain (`fit-skin.ts`), with points carried from every triangle of every patch.
 * Patches that are farther from the surface than before step back.
 */
export function fitPatches(patches: Patches, sampled: SampledLevel, fit: boolean): FittedPatches {
  const { surface } = patches;
  const { positions, weights } = sampled;
  const normals = sampleValues(patches, sampled.level, patches.normals, 3);
  const straighten = (rest: Float64Array): number =>
    unfold(sampled, rest, normals, patches.base.vertexCount, patches.bvh);
  if (!fit) {
    const rest = positions.slice();
    const turned = straighten(rest);
    const poses = posesOf(patches, { ...sampled, positions: rest });
    return { sampled, rest, ...(weights && { weights }), poses, normals, turned };
  }

  const { triangles } = sampled;
  const n = positions.length / 3;
  const edges = meshEdges(triangles, n);
  const samples = carriedPoints(patches, sampled);
  const { skin, mesh } = surface;
  if (!skin || !weights) {
    const pair = { level: positions, original: mesh.positions };
    const rest = fitFrame(samples, triangles, edges, mesh.triangles, pair, FIT_SETTINGS);
    stepBack(patches, sampled, rest, () => [rest]);
    const turned = straighten(rest);
    return { sampled, rest, poses: [rest], normals, turned };
  }
  const own: SkinWeights = { ...weights, joints: weights.joints.slice(), weights: weights.weights.slice() };
  const candidates = gatherCandidates(samples, triangles, n, mesh.triangles, skin.weights, own);
  const fitter = new SkinFit(positions, own, edges, { skin, candidates }, FIT_SETTINGS);
  const start = posesOf(patches, sampled);
  const pairs = start.map((level, p) => ({ level, original: patches.poses[p] }));
  fitter.fit(gatherMoments(samples, triangles, edges, mesh.triangles, pairs, FIT_SETTINGS.epsilon), start);
  const rest = fitter.x;
  const poses = (): Float64Array[] => skin.bones.map((_, p) => posedBy(surface, p, rest, own, []));
  stepBack(patches, sampled, rest, poses, own);
  const turned = straighten(rest);
  return { sampled, rest, weights: own, poses: poses(), normals, turned };
}

/** Rounds of stepping back: patches share vertices with others. */
const ROUNDS = 3;
/** How many times the mean squared distance of a patch may be what it was as sampled, and of the level as a whole. */
const WORSE = 1.2;
const USUAL = 25;

/**
 * Puts patches back to where they were sampled if the fit has made them worse, in place: sums over all are minimised, to points
 * that records carry badly where a surface was folded up, and a patch may pay for its neighbours or be thrown off.
 */
function stepBack(
  patches: Patches,
  sampled: SampledLevel,
  rest: Float64Array,
  poses: () => Float64Array[],
  weights?: SkinWeights,
): void {
  const { of, triangles, level } = sampled;
  const count = patches.level.faces.length;
  const original = { triangles: patches.surface.mesh.triangles, poses: patches.poses.slice(0, 1) };
  const patchOf = Uint32Array.from({ length: triangles.length / 3 }, (_, f) => Math.floor(f / 4 ** level));
  const errorsOf = (pose: Float64Array): Float64Array =>
    patchErrors(original, { triangles, poses: [Float32Array.from(pose)] }, patchOf, count).mean;
  const before = errorsOf(posesOf(patches, sampled)[0]);
  // Where samples are exact, on flat ground, any fit is worse: what is within the usual may stay.
  const usual = (USUAL * before.reduce((sum, x) => sum + x, 0)) / count;
  const per = samplesPerPatch(level);
  for (let round = 0; round < ROUNDS; round++) {
    const after = errorsOf(poses()[0]);
    let some = false;
    for (let p = 0; p < count; p++) {
      if (after[p] <= WORSE * before[p] + usual) continue;
      some = true;
      for (const i of of.subarray(p * per, (p + 1) * per)) {
        for (let d = 0; d < 3; d++) rest[3 * i + d] = sampled.positions[3 * i + d];
        if (!weights || !sampled.weights) continue;
        const k = weights.influences;
        weights.joints.set(sampled.weights.joints.subarray(k * i, k * (i + 1)), k * i);
        weights.weights.set(sampled.weights.weights.subarray(k * i, k * (i + 1)), k * i);
      }
    }
    if (!some) return;
  }
}

/** K × 3S: a level as sampled, in all poses. */
function posesOf({ surface }: Patches, { positions, weights }: SampledLevel): Float64Array[] {
  if (!surface.skin || !weights) return [positions];
  return surface.skin.bones.map((_, p) => posedBy(surface, p, positions, weights, []));
}

/** A grid on every triangle of a level, carried to the surface through its patch. */
function carriedPoints(
  { surface, poses, level: faces, records }: Patches,
  { level, triangles }: SampledLevel,
): Samples {
  const n = stepsOf(level);
  const corners = cornersOfGrid(level);
  const grid = gridFor(triangles.length / 3, FIT_SETTINGS.leastSamples);
  const per = grid.a.length;
  const out = newSamples((per * triangles.length) / 3);
  const at: FacePoint = { face: 0, u: 0, v: 0, w: 0 };
  const points = new Float64Array(3 * per);
  for (let t = 0, s = 0; t < triangles.length / 3; t++) {
    const patch = Math.floor(t / (n * n));
    const c = 6 * (t % (n * n));
    for (let q = 0; q < per; q++, s++) {
      const a = grid.a[q];
      const b = grid.b[q];
      const i = (a * corners[c] + b * corners[c + 2] + (1 - a - b) * corners[c + 4]) / n;
      const j = (a * corners[c + 1] + b * corners[c + 3] + (1 - a - b) * corners[c + 5]) / n;
      records.carry(faces.last, faces.faces[patch], 1 - i - j, i, j, at);
      out.triangle[s] = t;
      out.a[s] = a;
      out.b[s] = b;
      out.face[s] = at.face;
      out.u[s] = at.u;
      out.v[s] = at.v;
      pointOfFace(points, 3 * q, poses[0], surface.mesh.triangles, at.face, at.u, at.v);
    }
    spreadAreas(out.share, per * t, points, grid.pieces);
  }
  return evenOut(out);
}

/** 6 per triangle of a patch's grid: i and j of its corners. */
function cornersOfGrid(level: number): Float64Array {
  const n = stepsOf(level);
  const of: [number, number][] = [];
  for (let j = 0; j <= n; j++) for (let i = 0; i <= n - j; i++) of.push([i, j]);
  return Float64Array.from(Array.from(gridTriangles(level), (s) => of[s]).flat());
}
