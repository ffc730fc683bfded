import { bufferOf, kernelMemory, SCRATCH_BYTES } from '../kernels/load.ts';
import { boundsOf } from '../mesh/bounds.ts';
import { type Mesh, vertexCount } from '../model/mesh.ts';
import { boneCount } from '../model/skeleton.ts';
import type { SkinnedModel, SkinOperator } from '../model/skinned-model.ts';
import type { SkinJob } from './skin-job.ts';

/** How a model is to be laid out. */
export interface RestLayoutOptions {
  operator: SkinOperator;
  antipodality: boolean;
  normals: boolean;
  /** Floats per bone. */
  boneStride: number;
  wasm: boolean;
  shared: boolean;
  threads: number;
}

/** A model in the memory of a kernel. */
export interface RestLayout {
  job: SkinJob;
  /** Vertices to pose, padding not counted. */
  count: number;
  /** count: which of the model's vertices each one is. */
  vertexOf: Uint32Array;
  /** Rest positions are kept relative to this point (3), the middle of their box. */
  centre: Float64Array;
  /** 3·count and padding, by fours (see `inQuads`): what the kernel reads. */
  restPositions: Float32Array;
  /** Where morphs may be laid out for kernels: byte offsets; absent without kernels, or where they would take too much. */
  morphs?: { plain: number; weights: number; displacements: number };
  /** The job's bones, to be written for each pose. */
  bones: Float32Array;
  /** 3·count: what the kernel writes. */
  posed: Float32Array;
  /** 3W. */
  normals?: Float32Array;
  /** N: which of the posed vertices stands for each vertex. Absent when they are the same. */
  pick?: Uint32Array;
}

/** Where component c of vertex v is kept: vectors lie by fours, x x x x y y y y z z z z, as SIMD reads them. */
export const inQuads = (v: number, c: number): number => 12 * (v >> 2) + 4 * c + (v & 3);

/** The most that morphs may add to a kernel's memory. */
const MORPH_BYTES = 2 ** 28;

/** Lays a model out for kernels, in memory of its own. */
export function layOutRest(model: SkinnedModel, options: RestLayoutOptions): RestLayout {
  const { mesh, weights } = model;
  const { operator, normals } = options;
  const { vertexOf, pick } = posedVertices(mesh, normals);
  const count = vertexOf.length;
  const k = operator === 'rigid' ? 1 : weights.influences;

  // (1) Places for everything, on cache lines. Kernels read an offset of 0 as "none", so it stays free.
  const padded = 4 * Math.ceil(count / 4);
  let bytes = 64;
  const place = (size: number): number => {
    const offset = bytes;
    bytes += 64 * Math.ceil(size / 64);
    return offset;
  };
  const boneFloats = options.boneStride * boneCount(model.skeleton);
  const at = {
    restPositions: place(12 * padded),
    restNormals: normals ? place(12 * padded) : 0,
    joints: place(2 * k * padded),
    weights: place(4 * k * padded),
    mix: operator === 'mix' ? place(4 * padded) : 0,
    bones: place(4 * boneFloats),
    positions: place(12 * padded),
    normals: normals ? place(12 * padded) : 0,
    scratch: place(SCRATCH_BYTES * options.threads),
  };
  // Of morphs, pages are taken only once something is written there.
  const morphCount = model.morphs?.length ?? 0;
  const morphs =
    options.wasm && morphCount > 0 && 12 * padded * morphCount <= MORPH_BYTES
      ? { plain: place(12 * padded), weights: place(4 * morphCount), displacements: place(12 * padded * morphCount) }
      : undefined;
  const memory = options.wasm
    ? kernelMemory(bytes, options.shared)
    : options.shared
      ? new SharedArrayBuffer(bytes)
      : new ArrayBuffer(bytes);
  const buffer = bufferOf(memory);
  const floats = (offset: number, length: number) => new Float32Array(buffer, offset, length);

  // (2) Rest data: vectors by fours, influences by vertex. Padding follows bone 0.
  const { min, max } = boundsOf(mesh.positions);
  const centre = Float64Array.from(min, (low, c) => (low + max[c]) / 2);
  const restPositions = floats(at.restPositions, 3 * padded);
  const restNormals = floats(at.restNormals, normals ? 3 * padded : 0);
  const joints = new Uint16Array(buffer, at.joints, k * padded);
  const shares = floats(at.weights, k * padded);
  const mix = floats(at.mix, operator === 'mix' ? padded : 0);
  const normalCount = normals ? mesh.normals!.length / 3 : 0;
  for (let v = 0; v < count; v++) {
    const i = vertexOf[v];
    for (let c = 0; c < 3; c++) {
      const at = inQuads(v, c);
      restPositions[at] = mesh.positions[3 * i + c] - centre[c];
      if (v < normalCount) restNormals[at] = mesh.normals![3 * v + c];
    }
    for (let s = 0; s < k; s++) {
      joints[k * v + s] = weights.joints[weights.influences * i + s];
      shares[k * v + s] = operator === 'rigid' ? 1 : weights.weights[weights.influences * i + s];
    }
    if (operator === 'mix') mix[v] = model.mixWeights![i];
  }
  for (let v = count; v < padded; v++) shares[k * v] = 1;

  const kernel = operator === 'rigid' ? 'lbs' : operator;
  return {
    job: { memory, kernel, k, antipodality: options.antipodality, ...at },
    count,
    vertexOf,
    centre,
    restPositions,
    morphs,
    bones: floats(at.bones, boneFloats),
    posed: floats(at.positions, 3 * count),
    normals: normals ? floats(at.normals, 3 * normalCount) : undefined,
    pick,
  };
}

/**
 * The vertices to pose, as indices into the N: with seams and normals the W split vertices, in their order, and after
 * them any vertex that no split vertex belongs to.
 */
function posedVertices(mesh: Mesh, normals: boolean): { vertexOf: Uint32Array; pick?: Uint32Array } {
  const n = vertexCount(mesh);
  if (!normals || !mesh.seams) return { vertexOf: Uint32Array.from({ length: n }, (_, i) => i) };
  const NONE = 0xffffffff;
  const pick = new Uint32Array(n).fill(NONE);
  const vertexOf = [...mesh.seams.vertexOf];
  for (let w = 0; w < mesh.seams.vertexOf.length; w++) {
    if (pick[vertexOf[w]] === NONE) pick[vertexOf[w]] = w;
  }
  for (let i = 0; i < n; i++) if (pick[i] === NONE) pick[i] = vertexOf.push(i) - 1;
  return { vertexOf: Uint32Array.from(vertexOf), pick };
}
