import type { Matrix4 } from 'three';
import { PliantError } from '../../../src/error.ts';
import { columnMajor44From34, matrix34FromColumnMajor44, transformPoint34 } from '../../../src/math/matrix34.ts';
import { MATRIX_STRIDE } from '../../../src/model/skeleton.ts';
import { largestStretch } from '../largest-stretch.ts';
import type { BakedClip, CrowdBones } from './crowd-bones.ts';

/** How an instance plays a clip. */
export interface PlayOptions {
  /** Where to begin, in seconds; at the start unless told. */
  time?: number;
  /** 1 unless told; negative plays backwards. */
  speed?: number;
  /** Whether it starts again at its end, or stays there; it does start again unless told. */
  loop?: boolean;
  /** Seconds to blend over from what was played before; none unless told. */
  fade?: number;
}

/** What every instance has, in arrays; index i is the instance's number. */
export class CrowdInstances {
  /** One more than the largest number in use. */
  end = 0;
  count = 0;
  /** 12 per instance: to the space of the crowd. */
  matrices = new Float32Array(0);
  /** 4 per instance: a sphere around it in the space of the crowd. */
  spheres = new Float64Array(0);
  /** How much its matrix enlarges. */
  scales = new Float32Array(0);
  /** 1: is there and shown; 0: is not shown; 2: the number is free. */
  state = new Uint8Array(0);
  /** The level drawn last. */
  levels = new Uint8Array(0);
  /** What is played: the number of a baked clip; a live pose instead where that is ≥ 0. */
  #clips = new Uint16Array(0);
  #live = new Int32Array(0);
  #times = new Float64Array(0);
  #speeds = new Float32Array(0);
  #loops = new Uint8Array(0);
  /** What was played before, as a pose and part of the way to the next, its weight, and how fast that falls. */
  #before = new Float32Array(0);
  #beforeWeights = new Float32Array(0);
  #fades = new Float32Array(0);
  readonly #free: number[] = [];
  readonly #bones: CrowdBones;

  constructor(bones: CrowdBones, capacity: number) {
    this.#bones = bones;
    this.#grow(capacity);
  }

  get capacity(): number {
    return this.state.length;
  }

  /** Bytes of everything per instance. */
  get byteLength(): number {
    return this.#arrays().reduce((sum, { byteLength }) => sum + byteLength, 0);
  }

  add(): number {
    const i = this.#free.pop() ?? this.end;
    if (i >= this.capacity) this.#grow(Math.max(16, 2 * this.capacity));
    if (i === this.end) this.end++;
    this.count++;
    this.state[i] = SHOWN;
    this.levels[i] = 0;
    this.#live[i] = -1;
    this.matrices.set(IDENTITY, MATRIX_STRIDE * i);
    this.play(i, 0, {});
    return i;
  }

  remove(i: number): void {
    this.require(i);
    this.#freeLive(i);
    this.state[i] = FREE;
    this.count--;
    this.#free.push(i);
  }

  require(i: number): void {
    if (i >= 0 && i < this.end && this.state[i] < FREE) return;
    throw new PliantError('bad-input', 'SkinnedCrowd', `instance (got ${i}, expected one that was added)`);
  }

  setMatrix(i: number, matrix: Matrix4): void {
    this.require(i);
    matrix34FromColumnMajor44(this.matrices, MATRIX_STRIDE * i, matrix.elements);
    this.#place(i);
  }

  getMatrix(i: number, matrix: Matrix4): Matrix4 {
    this.require(i);
    columnMajor44From34(matrix.elements, 0, this.matrices, MATRIX_STRIDE * i);
    return matrix;
  }

  play(i: number, clip: number, { time = 0, speed = 1, loop = true, fade = 0 }: PlayOptions): void {
    this.require(i);
    const fading = fade > 0 && this.#live[i] < 0;
    if (fading) {
      poseOf(pose, this.#bones.baked[this.#clips[i]], this.#times[i]);
      this.#before[i] = pose[0] + pose[1];
    }
    this.#beforeWeights[i] = fading ? 1 : 0;
    this.#fades[i] = fading ? 1 / fade : 0;
    this.#freeLive(i);
    this.#clips[i] = clip;
    this.#speeds[i] = speed;
    this.#loops[i] = loop ? 1 : 0;
    this.#times[i] = within(time, this.#bones.baked[clip].duration, loop);
    this.#place(i);
  }

  /** Poses the instance as the rig is posed now, until it plays something. */
  setLive(i: number): void {
    this.require(i);
    if (this.#live[i] < 0) this.#live[i] = this.#bones.takeLive();
    this.#beforeWeights[i] = 0;
    this.#bones.setLive(this.#live[i], sphere);
    this.#placeSphere(i, sphere);
  }

  /** Seconds into the clip that is played. */
  timeOf(i: number): number {
    this.require(i);
    return this.#times[i];
  }

  /** Lets time pass. */
  advance(seconds: number): void {
    const { baked } = this.#bones;
    const clips = this.#clips;
    const times = this.#times;
    const speeds = this.#speeds;
    const loops = this.#loops;
    const weights = this.#beforeWeights;
    for (let i = 0; i < this.end; i++) {
      const { duration } = baked[clips[i]];
      if (duration > 0) times[i] = within(times[i] + seconds * speeds[i], duration, loops[i] === 1);
      if (weights[i] === 0) continue;
      weights[i] = Math.max(0, weights[i] - seconds * this.#fades[i]);
      if (weights[i] > 0) continue;
      this.#fades[i] = 0;
      if (this.state[i] < FREE) this.#place(i);
    }
  }

  /** Writes the four numbers of an instance's pose that the shader reads. */
  writePose(out: Float32Array, o: number, i: number): void {
    if (this.#live[i] >= 0) {
      out[o] = this.#live[i];
      out[o + 1] = 0;
      out[o + 2] = 0;
      out[o + 3] = 0;
      return;
    }
    poseOf(pose, this.#bones.baked[this.#clips[i]], this.#times[i]);
    out[o] = pose[0];
    out[o + 1] = pose[1];
    out[o + 2] = this.#before[i];
    out[o + 3] = this.#beforeWeights[i];
  }

  /** Brings scale and sphere up to date. While it fades, an instance may be anywhere that a clip takes it. */
  #place(i: number): void {
    if (this.#live[i] >= 0) {
      this.#bones.sphereOfPose(this.#live[i], sphere);
      this.#placeSphere(i, sphere);
    } else this.#placeSphere(i, this.#fades[i] > 0 ? this.#bones.sphere : this.#bones.baked[this.#clips[i]].sphere);
  }

  #placeSphere(i: number, of: Float64Array): void {
    const m = MATRIX_STRIDE * i;
    this.scales[i] = largestStretch(this.matrices, m);
    transformPoint34(this.spheres, 4 * i, this.matrices, m, of, 0);
    this.spheres[4 * i + 3] = of[3] * this.scales[i];
  }

  #freeLive(i: number): void {
    if (this.#live[i] >= 0) this.#bones.freeLive(this.#live[i]);
    this.#live[i] = -1;
  }

  #grow(capacity: number): void {
    const wider = <T extends Lists>(list: T, stride = 1): T => {
      const out = new (list.constructor as new (length: number) => T)(stride * capacity);
      out.set(list);
      return out;
    };
    this.matrices = wider(this.matrices, MATRIX_STRIDE);
    this.spheres = wider(this.spheres, 4);
    this.scales = wider(this.scales);
    this.state = wider(this.state);
    this.levels = wider(this.levels);
    this.#clips = wider(this.#clips);
    this.#live = wider(this.#live);
    this.#times = wider(this.#times);
    this.#speeds = wider(this.#speeds);
    this.#loops = wider(this.#loops);
    this.#before = wider(this.#before);
    this.#beforeWeights = wider(this.#beforeWeights);
    this.#fades = wider(this.#fades);
  }

  #arrays(): Lists[] {
    const { matrices, spheres, scales, state, levels } = this;
    const clip = [this.#clips, this.#live, this.#times, this.#speeds, this.#loops];
    return [matrices, spheres, scales, state, levels, ...clip, this.#before, this.#beforeWeights, this.#fades];
  }
}

type Lists = Float32Array | Float64Array | Uint8Array | Uint16Array | Int32Array;

/** States of an instance. */
export const HIDDEN = 0;
export const SHOWN = 1;
const FREE = 2;

const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];
const sphere = new Float64Array(4);
const pose = new Float64Array(2);

/** The baked pose at a time, and how much of the way to the next has passed. */
function poseOf(out: Float64Array, { first, intervals, duration }: BakedClip, time: number): void {
  const place = duration > 0 ? (time / duration) * intervals : 0;
  const k = Math.max(0, Math.min(Math.floor(place), intervals - 1));
  out[0] = first + k;
  out[1] = intervals > 0 ? place - k : 0;
}

/** A time within a clip: again from the start, or the end that was passed. */
function within(time: number, duration: number, loop: boolean): number {
  if (duration === 0) return 0;
  if (time >= 0 && time < duration) return time;
  return loop ? time - duration * Math.floor(time / duration) : Math.max(0, Math.min(time, duration));
}
