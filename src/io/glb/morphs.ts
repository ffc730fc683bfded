import type { Mesh as GltfMesh, TypedArray } from '@gltf-transform/core';
import { diagonalOf } from '../../mesh/bounds.ts';
import type { Clip } from '../../model/skeleton.ts';
import type { Morph, SkinnedModel } from '../../model/skinned-model.ts';
import type { GlbDocument } from './document.ts';
import { powerOfTwoBelow } from './filters.ts';
import { type Lattice, latticeRoom, latticeVectors } from './lattice.ts';
import { perSplitVertex, type Storage } from './mesh.ts';
import { inStoredOrder } from './order.ts';

/**
 * Morphs of a skinned model as morph targets (glTF 2.0 §3.7.2.2), which players add to the rest pose before the bones
 * move it. Only positions: normals stay those of the rest pose.
 *
 * On a lattice a displacement is off by up to half a step, and that error is multiplied by the morph's weight. A morph
 * whose weights exceed 1 is therefore stored larger, and its weights smaller, by a power of two that brings them to 1 at
 * most; one that is too large for 16 bits is stored smaller. `extras.pliant.morphScales` says how much, so that reading
 * gives what was written.
 */

/** M: how many times larger each morph is stored than it is; all 1 without a lattice. */
export function morphScales({ morphs = [], clips }: SkinnedModel, lattice: Lattice | undefined): number[] {
  return morphs.map(({ positions }, m) => {
    if (!lattice) return 1;
    let largest = 1;
    for (const { morphWeights } of clips) {
      for (let w = m; w < (morphWeights?.length ?? 0); w += morphs.length) {
        largest = Math.max(largest, Math.abs(morphWeights![w]));
      }
    }
    const wanted = 1 / powerOfTwoBelow(1 / largest);
    const room = latticeRoom(lattice, positions);
    return wanted <= room ? wanted : powerOfTwoBelow(room);
  });
}

/** Adds the morphs to every primitive of the model's mesh, with weights of 0. */
export function addMorphs(
  glb: GlbDocument,
  mesh: GltfMesh,
  model: SkinnedModel,
  { order, lattice }: Storage,
  scales: readonly number[],
): void {
  const { morphs = [] } = model;
  for (const [m, { name, positions }] of morphs.entries()) {
    const displacements = lattice ? latticeVectors(lattice, positions, scales[m]) : positions;
    const array = inStoredOrder(perSplitVertex(displacements, 3, model.mesh) as TypedArray, 3, order);
    const accessor = glb.accessor('VEC3', array).setSparse(isSparse(glb, array));
    // Some importers cannot do without names.
    const target = glb.document.createPrimitiveTarget(glb.options.names ? name : `morph ${m}`);
    target.setAttribute('POSITION', accessor);
    for (const primitive of mesh.listPrimitives()) primitive.addTarget(target);
  }
  if (morphs.length > 0) mesh.setWeights(morphs.map(() => 0));
}

/** What the JSON of a sparse accessor takes beyond that of a plain one, in bytes. */
const SPARSE_JSON = 128;

/** Whether 3W numbers are smaller as a list of those that are not 0. Meshopt makes runs of 0 smaller than any list. */
function isSparse(glb: GlbDocument, array: TypedArray): boolean {
  if (glb.options.compress === 'meshopt') return false;
  const vertices = array.length / 3;
  let moved = 0;
  for (let i = 0; i < array.length; i += 3) {
    if (array[i] !== 0 || array[i + 1] !== 0 || array[i + 2] !== 0) moved++;
  }
  const element = 3 * array.BYTES_PER_ELEMENT;
  const index = vertices < 255 ? 1 : vertices < 65535 ? 2 : 4;
  return moved * (index + element) + SPARSE_JSON < vertices * 4 * Math.ceil(element / 4);
}

/** A clip's morph weights as they are to be stored. */
export interface MorphTrack {
  /** 1 where nothing changes, else all of the clip's. */
  keys: number;
  /** M per key: whole numbers of which 32767 is 1, or the weights themselves. */
  array: Float32Array<ArrayBuffer> | Int16Array<ArrayBuffer>;
  normalized: boolean;
}

/** Undefined where all weights stay 0. `tolerance` is a fraction of the diagonal: displacements below it are rounding. */
export function morphTrack(
  glb: GlbDocument,
  model: SkinnedModel,
  clip: Clip,
  scales: readonly number[],
  tolerance: number,
): MorphTrack | undefined {
  const { morphWeights } = clip;
  if (!morphWeights) return undefined;
  const { morphs = [], mesh } = model;
  const f = morphs.length;
  const tolerances = morphs.map((morph) => (tolerance * diagonalOf(mesh.positions)) / (longest(morph) || 1));
  const leaves = (from: (m: number) => number) =>
    morphWeights.some((weight, w) => Math.abs(weight - from(w % f)) > tolerances[w % f]);
  const keys = leaves((m) => morphWeights[m]) ? clip.times.length : 1;
  if (keys === 1 && !leaves(() => 0)) return undefined;
  const stored = Float32Array.from(morphWeights.subarray(0, f * keys), (weight, w) => weight / scales[w % f]);
  const normalized = glb.options.quantize && stored.every((weight) => Math.abs(weight) <= 1);
  const array = normalized ? Int16Array.from(stored, (weight) => Math.round(32767 * weight)) : stored;
  return { keys, array, normalized };
}

function longest({ positions }: Morph): number {
  let most = 0;
  for (let i = 0; i < positions.length; i += 3) {
    most = Math.max(most, Math.hypot(positions[i], positions[i + 1], positions[i + 2]));
  }
  return most;
}
