import { bufferOf, type KernelMemory, kernelMemory, SCRATCH_BYTES } from '../kernels/load.ts';
import { Places } from '../kernels/places.ts';
import { boundsOf } from '../mesh/bounds.ts';
import { type Mesh, vertexCount } from '../model/mesh.ts';
import { boneCount } from '../model/skeleton.ts';
import type { SkinnedModel, SkinOperator, SkinWeights } from '../model/skinned-model.ts';
import { inQuads, QUAD } from './quads.ts';
import { type SkinJob, type SkinPlaces, TABLE_BYTES, writeTable } from './skin-job.ts';

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

/** The most that morphs may add to a kernel's memory. */
const MORPH_BYTES = 2 ** 28;
/** Bytes of a number, of a vector and of a joint. */
const FLOAT = Float32Array.BYTES_PER_ELEMENT;
const VECTOR = 3 * FLOAT;
const JOINT = Uint16Array.BYTES_PER_ELEMENT;

/** Lays a model out for kernels, in memory of its own. */
export function layOutRest(model: SkinnedModel, options: RestLayoutOptions): RestLayout {
  const { operator, antipodality, normals } = options;
  const { vertexOf, pick } = posedVertices(model.mesh, normals);
  const count = vertexOf.length;
  const padded = QUAD * Math.ceil(count / QUAD);
  const k = operator === 'rigid' ? 1 : model.weights.influences;

  // (1) Places for everything.
  const places = new Places();
  const boneFloats = options.boneStride * boneCount(model.skeleton);
  const at: SkinPlaces = {
    table: places.take(TABLE_BYTES),
    restPositions: places.take(VECTOR * padded),
    restNormals: normals ? places.take(VECTOR * padded) : 0,
    joints: places.take(JOINT * k * padded),
    weights: places.take(FLOAT * k * padded),
    mix: operator === 'mix' ? places.take(FLOAT * padded) : 0,
    bones: places.take(FLOAT * boneFloats),
    positions: places.take(VECTOR * padded),
    normals: normals ? places.take(VECTOR * padded) : 0,
    scratch: places.take(SCRATCH_BYTES * options.threads),
  };
  const morphs = options.wasm ? placeMorphs(places, model.morphs?.length ?? 0, VECTOR * padded) : undefined;

  // (2) The memory, and the rest data in it.
  const memory = memoryOf(places.bytes, options);
  const buffer = bufferOf(memory);
  const job: SkinJob = { memory, kernel: operator === 'rigid' ? 'lbs' : operator, k, antipodality, at };
  const floats = (offset: number, length: number) => new Float32Array(buffer, offset, length);
  const centre = middleOf(model.mesh);
  const restPositions = floats(at.restPositions, 3 * padded);
  writeTable(job, buffer);
  writePositions(restPositions, model.mesh, vertexOf, centre);
  if (normals) writeNormals(floats(at.restNormals, 3 * padded), model.mesh.normals!);
  const influences = {
    joints: new Uint16Array(buffer, at.joints, k * padded),
    shares: floats(at.weights, k * padded),
    k,
  };
  writeInfluences(influences, model.weights, vertexOf, operator === 'rigid');
  if (operator === 'mix') floats(at.mix, padded).set(Array.from(vertexOf, (i) => model.mixWeights![i]));

  return {
    job,
    count,
    vertexOf,
    centre,
    restPositions,
    morphs,
    bones: floats(at.bones, boneFloats),
    posed: floats(at.positions, 3 * count),
    normals: normals ? floats(at.normals, model.mesh.normals!.length) : undefined,
    pick,
  };
}

/** Of morphs, pages are taken only once something is written there. */
function placeMorphs(places: Places, count: number, bytes: number): RestLayout['morphs'] {
  if (count === 0 || bytes * count > MORPH_BYTES) return undefined;
  return { plain: places.take(bytes), weights: places.take(FLOAT * count), displacements: places.take(bytes * count) };
}

function memoryOf(bytes: number, { wasm, shared }: RestLayoutOptions): KernelMemory {
  if (wasm) return kernelMemory(bytes, shared);
  return shared ? new SharedArrayBuffer(bytes) : new ArrayBuffer(bytes);
}

/** The middle of the box of a mesh (3). */
function middleOf(mesh: Mesh): Float64Array {
  const { min, max } = boundsOf(mesh.positions);
  return Float64Array.from(min, (low, c) => (low + max[c]) / 2);
}

/** By fours, relative to the centre. */
function writePositions(out: Float32Array, mesh: Mesh, vertexOf: Uint32Array, centre: Float64Array): void {
  for (let v = 0; v < vertexOf.length; v++) {
    for (let c = 0; c < 3; c++) out[inQuads(v, c)] = mesh.positions[3 * vertexOf[v] + c] - centre[c];
  }
}

/** By fours; the posed vertices begin with those that have a normal. */
function writeNormals(out: Float32Array, normals: Float32Array): void {
  for (let v = 0; 3 * v < normals.length; v++) {
    for (let c = 0; c < 3; c++) out[inQuads(v, c)] = normals[3 * v + c];
  }
}

/** k per vertex; padding follows bone 0. */
function writeInfluences(
  { joints, shares, k }: { joints: Uint16Array; shares: Float32Array; k: number },
  { influences, joints: from, weights }: SkinWeights,
  vertexOf: Uint32Array,
  rigid: boolean,
): void {
  for (let v = 0; v < vertexOf.length; v++) {
    for (let s = 0; s < k; s++) {
      joints[k * v + s] = from[influences * vertexOf[v] + s];
      shares[k * v + s] = rigid ? 1 : weights[influences * vertexOf[v] + s];
    }
  }
  for (let v = vertexOf.length; k * v < shares.length; v++) shares[k * v] = 1;
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
