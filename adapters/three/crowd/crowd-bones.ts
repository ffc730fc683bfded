import { type AnimationClip, DataTexture, FloatType, RGBAFormat, Skeleton } from 'three';
import { MATRIX_STRIDE } from '../../../src/model/skeleton.ts';
import { visitPoses } from '../clip-poses.ts';
import { BoneSpheres } from './bone-spheres.ts';
import type { CrowdRig } from './crowd-rig.ts';
import { BONE_TEXELS, CROWD_MARK } from './crowd-shader.ts';

/** A motion that a function shows, of characters that no `AnimationClip` moves. */
export interface PosedClip {
  name: string;
  /** Seconds. */
  duration: number;
  /** Poses the character as it is at a time, world matrices included. */
  pose(time: number): void;
}

/** A clip whose poses are in the texture. */
export interface BakedClip {
  name: string;
  /** Seconds. */
  duration: number;
  /** Its first pose; the last one is pose `first + intervals`. */
  first: number;
  intervals: number;
  /** Centre and radius of a sphere that the character never leaves, in the space of the rig's root. */
  sphere: Float64Array;
}

/**
 * The bones of all characters in one texture of floats: the poses of every clip at equal steps of time, then poses that are set
 * live. A pose is the rows of B matrices, 3 × 4, so that pose p begins at number 12B·p; several stand side by side in a
 * row of the texture. The last texel says how long a pose is, how many are in a row, and that this is a crowd.
 *
 * A skeleton of three.js, because that is whose texture the renderer hands to the shaders for every mesh it draws.
 */
export class CrowdBones extends Skeleton {
  /** First of all the pose that the rig had, as a clip without time. */
  readonly baked: BakedClip[];
  /** Told of every pose that is set live. */
  onLive: ((pose: number) => void) | undefined;
  /** Around all clips. */
  readonly sphere = new Float64Array(4);
  readonly #rig: CrowdRig;
  readonly #spheres: BoneSpheres;
  /** Numbers per pose. */
  readonly #stride: number;
  #data: Float32Array;
  #posesInRow = 1;
  readonly #firstLive: number;
  /** Live poses: how many have been in use, and those that are free again. */
  #liveCount = 0;
  readonly #free: number[] = [];
  /** Rows of the texture, and which of them changed since it was handed over. */
  #rows: { start: number; count: number }[] = [];
  #changed = new Uint8Array(0);
  #anyChanged = false;
  #inCard = false;

  constructor(rig: CrowdRig, clips: readonly (AnimationClip | PosedClip)[], rate: number) {
    super([]);
    this.#rig = rig;
    this.#stride = MATRIX_STRIDE * rig.jointCount;
    this.#spheres = new BoneSpheres(new Set(rig.parts.flatMap(({ geometries }) => geometries)), rig.jointCount);
    const intervals = clips.map(({ duration }) => Math.max(1, Math.ceil(duration * rate - 1e-6)));
    this.#firstLive = 1 + intervals.reduce((sum, steps) => sum + steps + 1, 0);
    this.#data = this.#makeTexture(this.#firstLive);
    rig.writePose(this.#data, 0);
    this.baked = [{ name: '', duration: 0, first: 0, intervals: 0, sphere: this.#sphereOf(0, 1) }];
    let first = 1;
    clips.forEach((clip, c) => {
      this.#bake(clip, first, intervals[c]);
      const sphere = this.#sphereOf(first, intervals[c] + 1);
      this.baked.push({ name: clip.name, duration: clip.duration, first, intervals: intervals[c], sphere });
      first += intervals[c] + 1;
    });
    this.#spheres.around(this.sphere, this.#data, 0, this.#stride, this.#firstLive);
  }

  /** Poses that there is room for. */
  get capacity(): number {
    return Math.floor((this.#data.length - 4) / this.#stride);
  }

  /** The matrices of a pose: 12B. */
  matricesOf(pose: number): Float32Array {
    return this.#data.subarray(this.#stride * pose, this.#stride * (pose + 1));
  }

  /** Bytes of the texture. */
  get byteLength(): number {
    return this.#data.byteLength;
  }

  /** A pose that can be set live. */
  takeLive(): number {
    const pose = this.#free.pop() ?? this.#firstLive + this.#liveCount++;
    const { capacity } = this;
    if (pose >= capacity) {
      const before = this.#data;
      this.boneTexture!.dispose();
      this.#data = this.#makeTexture(this.#firstLive + Math.max(8, 2 * this.#liveCount));
      this.#data.set(before.subarray(0, this.#stride * capacity));
    }
    return pose;
  }

  freeLive(pose: number): void {
    this.#free.push(pose);
  }

  /** Takes over the pose that the rig has now; writes the sphere around it. */
  setLive(pose: number, sphere: Float64Array): void {
    this.#rig.writePose(this.#data, this.#stride * pose);
    this.sphereOfPose(pose, sphere);
    this.#changed[Math.floor(pose / this.#posesInRow)] = 1;
    this.#anyChanged = true;
    this.onLive?.(pose);
  }

  /** Writes the sphere around a pose. */
  sphereOfPose(pose: number, sphere: Float64Array): void {
    this.#spheres.around(sphere, this.#data, this.#stride * pose, 0, 1);
  }

  /** Adds `weight` times the matrices of a pose, and of the next one by `part`, to `out` (12B). */
  addPose(out: Float64Array, pose: number, part: number, weight: number): void {
    const data = this.#data;
    const o = this.#stride * pose;
    for (let c = 0; c < this.#stride; c++) out[c] += weight * (1 - part) * data[o + c];
    if (part > 0) for (let c = 0; c < this.#stride; c++) out[c] += weight * part * data[o + this.#stride + c];
  }

  /** Called by three.js once per picture: hands over what changed. */
  override update(): void {
    if (!this.#anyChanged) return;
    const texture = this.boneTexture!;
    // Before the first time, and in versions of three.js without ranges, all of it.
    if (this.#inCard && 'updateRanges' in texture) {
      for (let r = 0; r < this.#changed.length; r++) if (this.#changed[r]) texture.updateRanges.push(this.#rows[r]);
    }
    this.#changed.fill(0);
    this.#anyChanged = false;
    texture.needsUpdate = true;
  }

  override computeBoneTexture(): this {
    return this;
  }

  #bake(clip: AnimationClip | PosedClip, first: number, intervals: number): void {
    const times = Array.from({ length: intervals + 1 }, (_, k) => (clip.duration * k) / intervals);
    let pose = first;
    const take = () => this.#rig.writePose(this.#data, this.#stride * pose++);
    if (!('pose' in clip)) {
      visitPoses(clip, this.#rig.root, times, take, 'SkinnedCrowd');
      return;
    }
    for (const time of times) {
      clip.pose(time);
      take();
    }
  }

  #sphereOf(first: number, count: number): Float64Array {
    return this.#spheres.around(new Float64Array(4), this.#data, this.#stride * first, this.#stride, count);
  }

  /** A new texture with room for so many poses; returns its numbers. */
  #makeTexture(poses: number): Float32Array {
    const texels = BONE_TEXELS * this.#rig.jointCount;
    this.#posesInRow = Math.max(1, Math.ceil(Math.sqrt(poses / texels)));
    const width = this.#posesInRow * texels;
    const height = Math.ceil((poses * texels + 1) / width);
    const data = new Float32Array(4 * width * height);
    data.set([texels, this.#posesInRow, 0, CROWD_MARK], data.length - 4);
    const texture = new DataTexture(data, width, height, RGBAFormat, FloatType);
    texture.needsUpdate = true;
    texture.onUpdate = () => {
      this.#inCard = true;
    };
    this.#inCard = false;
    this.#changed = new Uint8Array(height);
    this.#rows = Array.from({ length: height }, (_, row) => ({ start: 4 * width * row, count: 4 * width }));
    this.boneTexture = texture;
    return data;
  }
}
