import { PliantError } from '../error.ts';
import { kernelsAvailable } from '../kernels/load.ts';
import type { ParallelJob, ParallelPool } from '../kernels/parallel.ts';
import { firstNonFinite, vertexCount } from '../model/mesh.ts';
import { resolveOptions } from '../model/options.ts';
import { boneCount, MATRIX_STRIDE } from '../model/skeleton.ts';
import { type SkinnedModel, type SkinOperator, validateWeights } from '../model/skinned-model.ts';
import { type BoneLayout, boneLayout } from './bone-layout.ts';
import { BonePose } from './bones.ts';
import { layOutRest, type RestLayout } from './rest-layout.ts';
import { RestMorphs } from './rest-morphs.ts';
import { SKIN_OPTIONS, type SkinOptions } from './skin-options.ts';
import { skinTask } from './skin-task.ts';

/** What a pose looks like. Views of a `Skinner`'s memory: the next pose overwrites them. */
export interface Posed {
  /** 3N. */
  readonly positions: Float32Array;
  /** 3W unit normals, when the mesh has normals and they were asked for. */
  readonly normals?: Float32Array;
  /** 3W: the positions as renderers want them beside the normals. Without seams, `positions` itself. */
  readonly splitPositions?: Float32Array;
}

/** Vertices a thread takes at a time: tens of microseconds of work. */
const GRAIN = 2048;

/**
 * Poses one model again and again. Its rest data are laid out once in memory of its own; a kernel writes each pose there,
 * seen through views that stay the same: nothing is allocated per frame. With a pool the vertices are split among
 * threads.
 *
 * Positions exist per vertex (N), normals per split vertex (W). Where seams make these differ and normals are wanted, the
 * split vertices are posed, and the N positions are picked out of theirs.
 */
export class Skinner {
  readonly operator: SkinOperator;
  /** Which code runs: WebAssembly, or its TypeScript twin. */
  readonly kernel: 'wasm' | 'typescript';
  readonly #bones: BonePose;
  readonly #boneLayout: BoneLayout;
  readonly #rest: RestLayout;
  readonly #morphs: RestMorphs;
  readonly #posed: Posed;
  /** Runs the kernel over all vertices. */
  readonly #poseAll: () => void;
  readonly #job?: ParallelJob;
  #disposed = false;

  constructor(model: SkinnedModel, options: Partial<SkinOptions> = {}, pool?: ParallelPool) {
    const { operator: asked, antipodality, normals, kernel } = resolveOptions(SKIN_OPTIONS, options, 'skin');
    // Kernels follow joints without looking: one that does not exist must not get that far.
    const n = vertexCount(model.mesh);
    validateWeights(model.weights, n, boneCount(model.skeleton), 'skin');
    const operator = asked === 'model' ? model.operator : asked;
    if (operator === 'mix' && model.mixWeights?.length !== n) {
      const got = model.mixWeights?.length ?? 'none';
      throw new PliantError('bad-input', 'skin', `operator mix needs mix weights (got ${got}, expected ${n})`);
    }
    const threads = pool?.threads ?? 1;
    this.operator = operator;
    this.kernel = chooseKernel(kernel, operator, threads > 1);
    this.#bones = new BonePose(model.skeleton);
    this.#boneLayout = boneLayout(operator);
    this.#rest = layOutRest(model, {
      operator,
      antipodality,
      normals: normals && model.mesh.normals !== undefined,
      boneStride: this.#boneLayout.stride,
      wasm: this.kernel === 'wasm',
      shared: threads > 1,
      threads,
    });
    this.#morphs = new RestMorphs(model.morphs ?? [], this.#rest);
    const { posed, normals: posedNormals, pick } = this.#rest;
    this.#posed = {
      positions: pick ? new Float32Array(3 * n) : posed,
      normals: posedNormals,
      splitPositions: posedNormals && posed.subarray(0, posedNormals.length),
    };
    const { job, count } = this.#rest;
    if (pool && threads > 1) {
      const shared = pool.open('skin', job);
      this.#job = shared;
      this.#poseAll = () => shared.run(count, GRAIN);
    } else {
      const poseRange = skinTask(job, 0);
      this.#poseAll = () => poseRange(0, count);
    }
  }

  /**
   * Poses the model by 12B transforms (3 × 4 row-major, rest → pose). `signs` (B, see `continuousSigns`) matter for dual
   * quaternions with antipodality off. `morphWeights` (M, one per morph of the model) move the rest positions before the
   * bones do; normals stay those of the rest pose, turned by the bones only. Returns the same views every time.
   */
  pose(transforms: Float32Array, signs?: Int8Array, morphWeights?: Float32Array): Posed {
    this.#check(transforms, signs, morphWeights);
    if (this.#boneLayout.rigidParts) this.#bones.set(transforms, signs);
    else this.#bones.setMatrices(transforms);
    return this.#run(morphWeights);
  }

  /** As `pose`, for transforms that are known to turn and move only; by dual quaternions, with antipodality. */
  poseRigid(transforms: Float32Array, morphWeights?: Float32Array): Posed {
    if (this.operator !== 'dqs') throw badPose(`rigid transforms (got operator ${this.operator}, expected dqs)`);
    this.#check(transforms, undefined, morphWeights);
    this.#bones.setRigid(transforms);
    return this.#run(morphWeights);
  }

  #run(morphWeights?: Float32Array): Posed {
    this.#morphs.dial(morphWeights);
    this.#boneLayout.write(this.#rest.bones, this.#bones, this.#rest.centre);
    this.#poseAll();
    if (this.#rest.pick) pickVectors(this.#posed.positions, this.#rest.posed, this.#rest.pick);
    return this.#posed;
  }

  /** Lets go of the threads' share of the work. The views keep the last pose. */
  dispose(): void {
    if (!this.#disposed) this.#job?.close();
    this.#disposed = true;
  }

  #check(transforms: Float32Array, signs?: Int8Array, morphWeights?: Float32Array): void {
    if (this.#disposed) throw badPose('this Skinner was disposed');
    const expected = this.#bones.matrices.length;
    const bones = expected / MATRIX_STRIDE;
    if (transforms.length !== expected) {
      throw badPose(`transforms (got ${transforms.length} numbers, expected ${expected} for ${bones} bones)`);
    }
    if (signs && signs.length !== bones) throw badPose(`signs (got ${signs.length}, expected ${bones})`);
    const bad = firstNonFinite(transforms);
    if (bad >= 0) {
      throw badPose(`bone ${Math.floor(bad / MATRIX_STRIDE)} (got ${transforms[bad]}, expected finite numbers)`);
    }
    if (!morphWeights) return;
    if (morphWeights.length !== this.#morphs.count) {
      throw badPose(`morph weights (got ${morphWeights.length}, expected ${this.#morphs.count})`);
    }
    const badWeight = firstNonFinite(morphWeights);
    if (badWeight >= 0) throw badPose(`morph ${badWeight} (got weight ${morphWeights[badWeight]}, expected finite)`);
  }
}

const badPose = (cause: string): PliantError => new PliantError('bad-input', 'pose', cause);

function chooseKernel(asked: SkinOptions['kernel'], operator: SkinOperator, shared: boolean): 'wasm' | 'typescript' {
  const available = operator !== 'dib' && kernelsAvailable(shared);
  if (asked === 'wasm' && !available) {
    const why = operator === 'dib' ? 'operator dib' : 'a host without SIMD';
    throw new PliantError('unsupported', 'skin', `kernel wasm is not available (got ${why})`);
  }
  return available && asked !== 'typescript' ? 'wasm' : 'typescript';
}

/** out[i] = from[pick[i]] for vectors. */
function pickVectors(out: Float32Array, from: Float32Array, pick: Uint32Array): void {
  for (let i = 0; i < pick.length; i++) {
    const w = 3 * pick[i];
    out[3 * i] = from[w];
    out[3 * i + 1] = from[w + 1];
    out[3 * i + 2] = from[w + 2];
  }
}
