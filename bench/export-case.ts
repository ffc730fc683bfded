import { FIT_DEFAULTS } from '../src/fit/fit-options.ts';
import type { FitProblem } from '../src/fit/problem.ts';
import { frameMatrices } from '../src/fit/proxy/frame-matrices.ts';
import { type ProxyModelInput, proxyModel } from '../src/fit/proxy/proxy-model.ts';
import { skinWeightsOf } from '../src/fit/proxy/skin-weights.ts';
import { reduceSequence } from '../src/fit/reduce.ts';
import { type Decomposition, decompose } from '../src/fit/solver/decompose.ts';
import { memorySource } from '../src/io/files.ts';
import { readGltf } from '../src/io/read-gltf.ts';
import { type GlbResult, SMALL_GLB, SMALL_MODEL_GLB, writeModelGlb, writeSequenceGlb } from '../src/io/write-glb.ts';
import { meshEdges, vertexNeighbours } from '../src/mesh/adjacency.ts';
import { diagonalOf } from '../src/mesh/bounds.ts';
import { vertexNormals } from '../src/mesh/normals.ts';
import { vertexCount } from '../src/model/mesh.ts';
import type { MeshSequence } from '../src/model/sequence.ts';
import type { SkinnedModel, SkinWeights } from '../src/model/skinned-model.ts';
import { ClipSampler } from '../src/skin/poses.ts';

/** One sequence as morph targets and as proxy bones of every kind: bytes, and what is lost on the way into the file. */

export const KINDS = ['affine', 'trs', 'rigid'] as const;
export type Kind = (typeof KINDS)[number];

/** Errors are root mean squares over vertices and frames, in % of the rest pose's diagonal. */
export interface KindFigures {
  /** Of the fit, against the sequence. */
  rmse: number;
  /** The same with weights of 8 bits, bones solved for them. */
  rmseBytes: number;
  /** Sizes: as it is, and small with weights of 12 and 8 bits. */
  plainBytes: number;
  small12Bytes: number;
  small8Bytes: number;
  /** At keys, what is read back from the file against the fitted matrices and weights. */
  plainError: number;
  small12Error: number;
  small8Error: number;
  /** Half-way between keys, what engines play against linearly interpolated matrices. */
  halfWay: number;
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
  const all = Array.from({ length: sequence.frameCount }, (_, k) => k);
  const problem = await reduceSequence(withNormals, all, 1e-5);
  const figures: Partial<Record<Kind, KindFigures>> = {};
  for (const kind of kinds) figures[kind] = await kindFigures(kind, problem, withNormals, bones, rounds);
  return {
    name: sequence.name,
    bones,
    vertices: vertexCount(rest),
    frames: sequence.frameCount,
    morphPlainBytes: (await writeSequenceGlb(withNormals, { names: false })).bytes.length,
    morphSmallBytes: (await writeSequenceGlb(withNormals, SMALL_GLB)).bytes.length,
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
  const settings = { ...FIT_DEFAULTS, kind, bones, iterations: rounds, tolerance: 1e-5, moves: 0 };
  const fitted = await decompose(problem, neighbours, settings);
  const inBytes = await decompose(problem, neighbours, { ...settings, weightLevels: 255 });

  const inputOf = ({ support, frames, axes }: Decomposition): ProxyModelInput => ({
    name,
    mesh: rest,
    weights: skinWeightsOf(support),
    kind,
    transforms: frameMatrices(problem, frames),
    axes,
    times,
  });
  const input = inputOf(fitted);
  const byteInput = inputOf(inBytes);
  const model = proxyModel(input);
  const plain = await writeModelGlb(model, { names: false });
  const small12 = await writeModelGlb(model, SMALL_MODEL_GLB);
  const small8 = await writeModelGlb(proxyModel(byteInput), { ...SMALL_MODEL_GLB, weights: 'u8' });
  const rmse = (error: number) => 100 * Math.sqrt(error / (n * problem.frameCount));
  return {
    rmse: rmse(fitted.error),
    rmseBytes: rmse(inBytes.error),
    plainBytes: plain.bytes.length,
    small12Bytes: small12.bytes.length,
    small8Bytes: small8.bytes.length,
    plainError: await errorAtKeys(input, plain),
    small12Error: await errorAtKeys(input, small12),
    small8Error: await errorAtKeys(byteInput, small8),
    ...betweenKeys(input, model),
  };
}

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

/** What Pliant reads from the file, against what was fitted. */
export async function errorAtKeys(input: ProxyModelInput, { bytes, orders }: GlbResult): Promise<number> {
  const asset = await readGltf(memorySource('case', bytes), NO_FILES, 'case.glb');
  const [got] = asset.models;
  const [clip] = got.clips;
  const stride = clip.transforms.length / clip.times.length;
  const identity = () => Uint32Array.from({ length: vertexCount(got.mesh) }, (_, i) => i);
  const vertexOf = got.mesh.seams?.vertexOf ?? identity(); // stored vertex → vertex as read
  let sum = 0;
  for (let k = 0; k < clip.times.length; k++) {
    const expected = fittedPose(input, k);
    const found = skin(got.mesh.positions, got.weights, clip.transforms, k * stride);
    for (let w = 0; w < vertexOf.length; w++) {
      const split = orders[0] ? orders[0][w] : w;
      const i = 3 * (input.mesh.seams ? input.mesh.seams.vertexOf[split] : split);
      for (let c = 0; c < 3; c++) sum += (found[3 * vertexOf[w] + c] - expected[i + c]) ** 2;
    }
  }
  return (100 * Math.sqrt(sum / (vertexOf.length * clip.times.length))) / diagonalOf(input.mesh.positions);
}

const NO_FILES = {} as Parameters<typeof readGltf>[1];

export function betweenKeys(input: ProxyModelInput, model: SkinnedModel): { halfWay: number; motion: number } {
  const { mesh, weights, transforms, times } = input;
  const stride = transforms.length / times.length;
  const [clip] = model.clips;
  const sampler = new ClipSampler(model.skeleton, clip);
  const played = new Float32Array(clip.transforms.length / times.length);
  let off = 0;
  let moved = 0;
  let before = fittedPose(input, 0);
  for (let k = 1; k < times.length; k++) {
    const mean = new Float64Array(stride);
    for (let c = 0; c < stride; c++) mean[c] = (transforms[(k - 1) * stride + c] + transforms[k * stride + c]) / 2;
    const expected = skin(mesh.positions, weights, mean, 0);
    sampler.poseAt((times[k - 1] + times[k]) / 2, played);
    const found = skin(model.mesh.positions, model.weights, played, 0);
    const now = fittedPose(input, k);
    for (let c = 0; c < now.length; c++) {
      off += (found[c] - expected[c]) ** 2;
      moved += (now[c] - before[c]) ** 2;
    }
    before = now;
  }
  const steps = Math.max(1, times.length - 1) * vertexCount(mesh);
  const percent = (squares: number) => (100 * Math.sqrt(squares / steps)) / diagonalOf(mesh.positions);
  return { halfWay: percent(off), motion: percent(moved) };
}
