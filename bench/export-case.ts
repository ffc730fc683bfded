import { frameMatrices } from '../src/decompose/bones/bone-frames.ts';
import { decompose } from '../src/decompose/decompose.ts';
import type { Decomposition } from '../src/decompose/decomposition.ts';
import type { FitProblem } from '../src/decompose/problem.ts';
import { reduceSequence } from '../src/decompose/reduce.ts';
import { skinWeightsOf } from '../src/decompose/skin-weights.ts';
import { diagonalOf, meshEdges, vertexNeighbours, vertexNormals } from '../src/doors/mesh.ts';
import { ClipSampler, frameKeys } from '../src/doors/skin.ts';
import { BlendMetric } from '../src/fit/proxy/blend-metric.ts';
import { withInBetweenKeys } from '../src/fit/proxy/in-between.ts';
import { type ProxyModelInput, proxyModel } from '../src/fit/proxy/proxy-model.ts';
import {
  clipFrame,
  defaultsOf,
  FIT_OPTIONS,
  type GlbResult,
  type MeshSequence,
  memorySource,
  readGltf,
  type SkinnedModel,
  type SkinWeights,
  SMALL_GLB,
  SMALL_MODEL_GLB,
  vertexCount,
  writeMeshGlb,
  writeModelGlb,
  writeSequenceGlb,
} from '../src/index.ts';
import { SMALL_WEIGHT_LEVELS } from '../src/io/glb/options.ts';
import { glbParts, type Part } from './glb-parts.ts';

/** One sequence as morph targets and as proxy bones of every kind: bytes, and what is lost on the way into the file. */

export const KINDS = ['affine', 'trs', 'rigid'] as const;
export type Kind = (typeof KINDS)[number];

/** Errors are root mean squares over vertices and frames, in % of the rest pose's diagonal. */
export interface KindFigures {
  /** Of the fit, against the sequence. */
  rmse: number;
  /** The same with weights of 10 and of 8 bits, bones solved for them. */
  rmse10: number;
  rmse8: number;
  /** Sizes: as it is, and small with weights of 10 and 8 bits. */
  plainBytes: number;
  small10Bytes: number;
  small8Bytes: number;
  /** What the bytes with weights of 10 bits are spent on. */
  parts: Record<Part, number>;
  /** At keys, what is read back from the file against the fitted matrices and weights. */
  plainError: number;
  small10Error: number;
  small8Error: number;
  /** Half-way between frames, what engines would play without keys there, against linearly interpolated matrices. */
  halfWay: number;
  /** The same of what is read back from the small file, with its keys: the largest of fifteen moments between frames. */
  between: number;
  /** Keys between frames. */
  added: number;
  /** How near bones of the kind can come; 0 where there was no need to know. */
  nearest: number;
  /** How far the fitted model moves from frame to frame. */
  motion: number;
}

export interface CaseFigures {
  name: string;
  bones: number;
  vertices: number;
  frames: number;
  morphPlainBytes: number;
  morphSmallBytes: number;
  /** The mesh alone, small: no motion, no weights. */
  meshSmallBytes: number;
  kinds: Record<Kind, KindFigures>;
}

export async function exportFigures(
  sequence: MeshSequence,
  bones: number,
  kinds: readonly Kind[] = KINDS,
  rounds = 40,
): Promise<CaseFigures> {
  const rest = { ...sequence.rest, normals: sequence.rest.normals ?? vertexNormals(sequence.rest) };
  const withNormals = { ...sequence, rest };
  const problem = await reduceSequence(withNormals, 1e-5);
  const figures: Partial<Record<Kind, KindFigures>> = {};
  for (const kind of kinds) figures[kind] = await kindFigures(kind, problem, withNormals, bones, rounds);
  return {
    name: sequence.name,
    bones,
    vertices: vertexCount(rest),
    frames: sequence.frameCount,
    morphPlainBytes: (await writeSequenceGlb(withNormals, { names: false })).bytes.length,
    morphSmallBytes: (await writeSequenceGlb(withNormals, SMALL_GLB)).bytes.length,
    meshSmallBytes: (await writeMeshGlb(rest, SMALL_GLB)).bytes.length,
    kinds: figures as Record<Kind, KindFigures>,
  };
}

async function kindFigures(
  kind: Kind,
  problem: FitProblem,
  { rest, times, name }: MeshSequence,
  bones: number,
  rounds: number,
): Promise<KindFigures> {
  const n = vertexCount(rest);
  const neighbours = vertexNeighbours(meshEdges(rest.triangles, n), n);
  const settings = { ...defaultsOf(FIT_OPTIONS), kind, bones, iterations: rounds, tolerance: 1e-5, moves: 0 };
  // Solved once; steadier bones and weights in whole numbers are what differs.
  const free = await decompose(problem, neighbours, { ...settings, steadiness: 0 });
  const finish = (weightLevels: number) =>
    decompose(problem, neighbours, { ...settings, iterations: 0, weightLevels }, {}, free);
  const [fitted, in10, in8] = [await finish(0), await finish(SMALL_WEIGHT_LEVELS), await finish(255)];

  const inputOf = ({ support, frames, axes }: Decomposition): ProxyModelInput => ({
    name,
    mesh: rest,
    weights: skinWeightsOf(support),
    kind,
    transforms: frameMatrices(problem, frames),
    axes,
    times,
  });
  const playable = (input: ProxyModelInput) => withInBetweenKeys(input, FIT_OPTIONS.inBetween.default);
  const [input, input10, input8] = [fitted, in10, in8].map(inputOf);
  const { model, figures } = await playable(input10);
  const plain = await writeModelGlb((await playable(input)).model, { names: false });
  const small10 = await writeModelGlb(model, SMALL_MODEL_GLB);
  const small8 = await writeModelGlb((await playable(input8)).model, { ...SMALL_MODEL_GLB, weights: 'u8' });
  const rmse = ({ error }: Decomposition) => 100 * Math.sqrt(error / (n * problem.frameCount));
  return {
    rmse: rmse(fitted),
    rmse10: rmse(in10),
    rmse8: rmse(in8),
    plainBytes: plain.bytes.length,
    small10Bytes: small10.bytes.length,
    small8Bytes: small8.bytes.length,
    parts: glbParts(small10.bytes),
    plainError: await errorAtKeys(input, plain),
    small10Error: await errorAtKeys(input10, small10),
    small8Error: await errorAtKeys(input8, small8),
    halfWay: betweenFrames(input10, proxyModel(input10), [0.5]).worst,
    between: betweenFrames(input10, await readBack(small10), FIFTEEN).worst,
    added: figures.added,
    nearest: figures.nearest,
    motion: betweenFrames(input10, model, []).motion,
  };
}

/** Moments between two frames, as fractions of the way. */
const FIFTEEN = Array.from({ length: 15 }, (_, m) => (m + 1) / 16);

/** out (3N) = linear blend skinning by matrices (12 each, from `start` on). */
function skin(
  positions: Float32Array,
  { influences, joints, weights }: SkinWeights,
  matrices: Float32Array | Float64Array,
  start: number,
): Float64Array {
  const out = new Float64Array(positions.length);
  for (let s = 0; s < joints.length; s++) {
    const i = 3 * Math.floor(s / influences);
    const w = weights[s];
    if (w === 0) continue;
    for (let r = 0; r < 3; r++) {
      const m = start + 12 * joints[s] + 4 * r;
      const [x, y, z] = [positions[i], positions[i + 1], positions[i + 2]];
      out[i + r] += w * (matrices[m] * x + matrices[m + 1] * y + matrices[m + 2] * z + matrices[m + 3]);
    }
  }
  return out;
}

const fittedPose = ({ mesh, weights, transforms, times }: ProxyModelInput, k: number): Float64Array =>
  skin(mesh.positions, weights, transforms, (k * transforms.length) / times.length);

const readBack = async ({ bytes }: GlbResult): Promise<SkinnedModel> =>
  (await readGltf(memorySource('case', bytes), NO_FILES, 'case.glb')).models[0];

/** What Pliant reads from the file at its frames, against what was fitted. */
async function errorAtKeys(input: ProxyModelInput, written: GlbResult): Promise<number> {
  const got = await readBack(written);
  const [order] = written.orders;
  const [clip] = got.clips;
  const identity = () => Uint32Array.from({ length: vertexCount(got.mesh) }, (_, i) => i);
  const vertexOf = got.mesh.seams?.vertexOf ?? identity(); // stored vertex → vertex as read
  const frames = frameKeys(clip);
  let sum = 0;
  for (let k = 0; k < frames.length; k++) {
    const expected = fittedPose(input, k);
    const found = skin(got.mesh.positions, got.weights, clipFrame(clip, frames[k]), 0);
    for (let w = 0; w < vertexOf.length; w++) {
      const split = order ? order[w] : w;
      const i = 3 * (input.mesh.seams ? input.mesh.seams.vertexOf[split] : split);
      for (let c = 0; c < 3; c++) sum += (found[3 * vertexOf[w] + c] - expected[i + c]) ** 2;
    }
  }
  return (100 * Math.sqrt(sum / (vertexOf.length * frames.length))) / diagonalOf(input.mesh.positions);
}

const NO_FILES = {} as Parameters<typeof readGltf>[1];

/**
 * What a model plays at fractions of the way from each frame to the next, against linearly interpolated matrices, RMSE in
 * % at the worst of them; and how far the mesh moves from frame to frame. Bones are compared on the mesh as it was fitted.
 */
function betweenFrames(
  { mesh, weights, transforms, times }: ProxyModelInput,
  { skeleton, clips }: SkinnedModel,
  fractions: readonly number[],
): { worst: number; motion: number } {
  const stride = transforms.length / times.length;
  const boneCount = stride / 12;
  const metric = new BlendMetric(mesh.positions, weights, boneCount);
  const sampler = new ClipSampler(skeleton, clips[0]);
  const nodes = new Float32Array(12 * skeleton.parents.length);
  const perBone = nodes.length / boneCount;
  const played = new Float64Array(stride);
  const straight = new Float64Array(stride);
  const sums = fractions.map(() => 0);
  let moved = 0;
  for (let k = 1; k < times.length; k++) {
    const [a, b] = [(k - 1) * stride, k * stride];
    moved += metric.squaredDistance(transforms, a, transforms, b);
    fractions.forEach((t, f) => {
      for (let c = 0; c < stride; c++) straight[c] = (1 - t) * transforms[a + c] + t * transforms[b + c];
      sampler.poseAt((1 - t) * times[k - 1] + t * times[k], nodes);
      // Vertices of an affine bone follow the second of its nodes.
      for (let j = 0; j < boneCount; j++) played.set(nodes.subarray((j + 1) * perBone - 12, (j + 1) * perBone), 12 * j);
      sums[f] += metric.squaredDistance(played, 0, straight, 0);
    });
  }
  const steps = Math.max(1, times.length - 1) * vertexCount(mesh);
  const percent = (squares: number) => (100 * Math.sqrt(squares / steps)) / diagonalOf(mesh.positions);
  return { worst: percent(Math.max(0, ...sums)), motion: percent(moved) };
}
