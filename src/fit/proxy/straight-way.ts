import { nearestAlongAxes, nearestRotation } from '../../decompose/bones/linear-parts.ts';
import { diagonalOf } from '../../mesh/bounds.ts';
import type { RunOptions } from '../../model/options.ts';
import { checkpoint } from '../../model/run.ts';
import { MATRIX_STRIDE } from '../../model/skeleton.ts';
import type { SkinnedModel } from '../../model/skinned-model.ts';
import { ClipSampler } from '../../skin/poses.ts';
import { BlendMetric } from './blend-metric.ts';
import type { ProxyModelInput } from './proxy-model.ts';

/** A key: frame k, or the fraction t of the way to the next. */
export interface Key {
  k: number;
  t: number;
}

/** What lies between two keys. */
export interface Gap {
  from: Key;
  /** Where on the way from frame `from.k` it ends, up to 1. */
  end: number;
  /** The largest squared distance within, summed over the vertices. */
  distance: number;
}

/** Where in a gap between two keys it is looked. */
const LOOKS = [0.25, 0.5, 0.75];

/** The motion as it is meant between frames, (1 − t)·A_k + t·A_{k+1} of every bone, and distances from it. */
export class StraightWay {
  readonly boneCount: number;
  readonly #input: ProxyModelInput;
  readonly #metric: BlendMetric;
  readonly #starts: ReadonlySet<number>;
  readonly #diagonal: number;
  /** 12B. */
  readonly #straight: Float64Array;

  constructor(input: ProxyModelInput, clipStarts: readonly number[]) {
    const { mesh, weights, transforms, times } = input;
    this.boneCount = transforms.length / (MATRIX_STRIDE * times.length);
    this.#input = input;
    this.#metric = new BlendMetric(mesh.positions, weights, this.boneCount);
    this.#starts = new Set(clipStarts);
    this.#diagonal = diagonalOf(mesh.positions) || 1;
    this.#straight = new Float64Array(MATRIX_STRIDE * this.boneCount);
  }

  time({ k, t }: Key): number {
    const { times } = this.#input;
    return t === 0 ? times[k] : (1 - t) * times[k] + t * times[k + 1];
  }

  /** 12B: a copy. */
  at({ k, t }: Key): Float64Array {
    return this.#fill(k, t).slice();
  }

  /** How far bones are from the way there: the squared distance summed over the vertices. */
  distance({ k, t }: Key, bones: ArrayLike<number>): number {
    return this.#metric.squaredDistance(this.#fill(k, t), 0, bones, 0);
  }

  /** The bones of the kind that come nearest, starting from those that are played. */
  nearest(key: Key, played: Float64Array): { bones: Float64Array; distance: number } {
    const { kind, axes } = this.#input;
    const straight = this.at(key);
    if (kind === 'affine') return { bones: straight, distance: 0 };
    const solver = kind === 'rigid' ? nearestRotation : nearestAlongAxes(axes!, 0);
    const bones = this.#metric.nearest(straight, played, solver);
    return { bones, distance: this.distance(key, bones) };
  }

  /** How near bones of the kind can come half-way between frames, in %: what no number of keys improves on. */
  async nearestPercent(model: SkinnedModel, run: RunOptions): Promise<number> {
    const { times, kind } = this.#input;
    if (kind === 'affine') return 0;
    const played = new PlayedBones(model, this.boneCount);
    let sum = 0;
    for (let k = 0; k + 1 < times.length; k++) {
      await checkpoint(run, 'fit', k, times.length, 'adding keys');
      const half = { k, t: 0.5 };
      if (!this.#starts.has(k + 1)) sum += this.nearest(half, played.at(this.time(half))).distance;
    }
    return this.#percent(sum);
  }

  /** The root mean square over the vertices and frames by which the mesh moves from frame to frame, in %. */
  motion(): number {
    const { transforms, times } = this.#input;
    const stride = MATRIX_STRIDE * this.boneCount;
    let sum = 0;
    for (let k = 1; k < times.length; k++) {
      if (!this.#starts.has(k)) {
        sum += this.#metric.squaredDistance(transforms, k * stride, transforms, (k - 1) * stride);
      }
    }
    return this.#percent(sum);
  }

  /**
   * What is played against the straight way: every gap between keys, and in % the root mean square over vertices and
   * frames, each frame at the worst moment on its way to the next. That is at least the root mean square at any one
   * fraction of the way.
   */
  measure(model: SkinnedModel, keys: readonly Key[]): { gaps: Gap[]; percent: number } {
    const played = new PlayedBones(model, this.boneCount);
    const worst = new Map<number, number>();
    const gaps: Gap[] = [];
    keys.forEach((from, at) => {
      const next = keys[at + 1];
      if (!next || (next.t === 0 && this.#starts.has(next.k))) return;
      const end = next.k === from.k ? next.t : 1;
      const looks = LOOKS.map((f) => from.t + f * (end - from.t));
      // At frames nothing is off; at other keys bones that are not affine are.
      const distances = (from.t === 0 ? looks : [from.t, ...looks]).map((t) => {
        const key = { k: from.k, t };
        return this.distance(key, played.at(this.time(key)));
      });
      const distance = Math.max(...distances);
      gaps.push({ from, end, distance });
      worst.set(from.k, Math.max(worst.get(from.k) ?? 0, distance));
    });
    return { gaps, percent: this.#percent([...worst.values()].reduce((sum, x) => sum + x, 0)) };
  }

  /** A sum of squared distances over vertices and frames → % and back. */
  #percent(sum: number): number {
    return (100 * Math.sqrt(sum / this.#terms)) / this.#diagonal;
  }

  squares(percent: number): number {
    return ((percent / 100) * this.#diagonal) ** 2 * this.#terms;
  }

  get #terms(): number {
    return this.#metric.vertexCount * Math.max(1, this.#input.times.length - 1 - this.#starts.size);
  }

  #fill(k: number, t: number): Float64Array {
    const { transforms } = this.#input;
    const stride = this.#straight.length;
    for (let c = 0; c < stride; c++) {
      const a = transforms[k * stride + c];
      this.#straight[c] = t === 0 ? a : (1 - t) * a + t * transforms[(k + 1) * stride + c];
    }
    return this.#straight;
  }
}

/** The matrices of the fitted bones as players show them: of an affine bone's two nodes the second. */
export class PlayedBones {
  readonly #sampler: ClipSampler;
  readonly #nodes: Float32Array;
  readonly #boneCount: number;

  constructor({ skeleton, clips }: SkinnedModel, boneCount: number) {
    this.#sampler = new ClipSampler(skeleton, clips[0]);
    this.#nodes = new Float32Array(MATRIX_STRIDE * skeleton.parents.length);
    this.#boneCount = boneCount;
  }

  /** 12B: a copy. */
  at(time: number): Float64Array {
    this.#sampler.poseAt(time, this.#nodes);
    const perBone = this.#nodes.length / this.#boneCount;
    const out = new Float64Array(MATRIX_STRIDE * this.#boneCount);
    for (let j = 0; j < this.#boneCount; j++) {
      const node = (j + 1) * perBone - MATRIX_STRIDE;
      out.set(this.#nodes.subarray(node, node + MATRIX_STRIDE), MATRIX_STRIDE * j);
    }
    return out;
  }
}
