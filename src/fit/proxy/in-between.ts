import { vertexCount } from '../../model/mesh.ts';
import type { RunOptions } from '../../model/options.ts';
import { checkpoint } from '../../model/run.ts';
import { MATRIX_STRIDE } from '../../model/skeleton.ts';
import type { SkinnedModel } from '../../model/skinned-model.ts';
import { type ProxyModelInput, proxyModel } from './proxy-model.ts';
import { type Gap, type Key, PlayedBones, StraightWay } from './straight-way.ts';

/**
 * Keys between frames. Players turn bones on arcs and scale them along turning axes, so that between two frames a bone
 * strays from the straight way, the interpolated matrices: little where frames are close, by percents where poses are far
 * apart. Here what is played is measured against the straight way, and where it strays most keys are put half-way between
 * two others, again and again, until it stays within a tolerance. Frames keep their own keys.
 *
 * At such a key an affine bone is at the interpolated matrix itself, so that any tolerance can be reached. Rigid and TRS
 * bones cannot be there: theirs are the bones of their kind that put the mesh nearest to where the interpolated matrices
 * put it, solved together (`BlendMetric.nearest`). How near that is bounds what keys can do.
 */
export interface InBetween {
  /** With `frames` in its clip where keys were added. */
  model: SkinnedModel;
  figures: InBetweenFigures;
}

/** In % of the diagonal, as `StraightWay.measure` has them. */
export interface InBetweenFigures {
  /** Keys that are no frames. */
  added: number;
  /** How far what is played is from the straight way, without and with these keys. */
  before: number;
  after: number;
  /** What was asked for, given how fast the motion is. */
  tolerance: number;
  /** How near bones of this kind can come at all. */
  nearest: number;
}

/** A motion that moves by less than this per frame, in % of the diagonal, is looked at more closely … */
const SLOW = 2;
/** … by this factor. */
const SLOW_FACTOR = 0.2;
/** The share of the tolerance that is used: files that are rounded add a little. */
const USED = 0.98;
/** And the share to which keys are added beyond, where few bytes do it: see `fewBytes`. */
const AIM = 2 / 3;
/** In motions of more frames only the tolerance counts: every round makes the model anew, which takes them long. */
const MOST_AIMED = 100;
/** What lies beyond the reach of a kind is approached up to this factor, if that lowers the distance by a third. */
const NEARLY = 1.1;
const WORTH_IT = 2 / 3;
/** Maximum keys between two frames; in all, per frame; and a total that is always allowed, for a few poses. */
const MOST_PER_FRAME = 31;
const MEAN_PER_FRAME = 3;
const ALWAYS_ALLOWED = 128;
/** Gaps shorter than this many seconds (beyond 1 s: this fraction) are not divided. */
const SHORTEST = 1e-5;
/** A key must take away this share of the squared distance where it is put. */
const LEAST_GAIN = 0.05;
/** By what a key half-way divides the squared distance of a gap, as a rule: gaps that much better than others can wait. */
const USUAL_GAIN = 9;

/**
 * @param tolerance in % of the diagonal; 0 adds no keys.
 * @param clipStarts first frames of all clips except the first: nothing is played between them and the frame
 *   before.
 */
export async function withInBetweenKeys(
  input: ProxyModelInput,
  tolerance: number,
  clipStarts: readonly number[] = [],
  run: RunOptions = {},
): Promise<InBetween> {
  const way = new StraightWay(input, clipStarts);
  await checkpoint(run, 'fit', 0, 1, 'building nodes');
  const within = tolerance * (way.motion() < SLOW ? SLOW_FACTOR : 1);
  const frames = Array.from(input.times, (_, k) => ({ k, t: 0, bones: way.at({ k, t: 0 }) }));
  const plain = keyed(input, way, frames);
  await checkpoint(run, 'fit', 1, 1, 'building nodes');
  const aims = frames.length <= MOST_AIMED;
  const asked = tolerance > 0 && plain.percent > (aims ? AIM : USED) * within;
  const nearest = asked ? await way.nearestPercent(plain.model, run) : 0;
  let found = plain;
  if (asked) {
    const inReach = nearest <= USED * within ? USED * within : NEARLY * nearest;
    const worthIt = inReach <= within || inReach < WORTH_IT * plain.percent;
    const most = Math.max(MEAN_PER_FRAME * frames.length, ALWAYS_ALLOWED);
    if (worthIt) found = await divide(input, way, plain, inReach, most, run);
    const aim = AIM * within;
    const aimed = aims && NEARLY * nearest < aim ? await divide(input, way, found, aim, fewBytes(input), run) : found;
    if (aimed.percent <= aim) found = aimed;
  }
  const added = found.keys.length - frames.length;
  return {
    model: added > 0 ? withFrames(found) : found.model,
    figures: { added, before: plain.percent, after: found.percent, tolerance: within, nearest },
  };
}

/** A key, and the bones there: 12B. */
interface PosedKey extends Key {
  bones: Float64Array;
}

/** The model with these keys, and how far it strays. */
interface Keyed {
  keys: PosedKey[];
  model: SkinnedModel;
  gaps: Gap[];
  percent: number;
}

function keyed(input: ProxyModelInput, way: StraightWay, keys: PosedKey[]): Keyed {
  const stride = keys[0].bones.length;
  const transforms = new Float64Array(stride * keys.length);
  keys.forEach(({ bones }, at) => {
    transforms.set(bones, stride * at);
  });
  const model = proxyModel({ ...input, transforms, times: Float64Array.from(keys, (key) => way.time(key)) });
  return { keys, model, ...way.measure(model, keys) };
}

function withFrames({ keys, model }: Keyed): SkinnedModel {
  const [clip] = model.clips;
  const frames = Uint32Array.from(keys.flatMap(({ t }, key) => (t === 0 ? [key] : [])));
  return { ...model, clips: [{ ...clip, frames }] };
}

/** Divides gaps until all is within `wanted` %, nothing is left to gain, or `most` keys were added. */
async function divide(
  input: ProxyModelInput,
  way: StraightWay,
  start: Keyed,
  wanted: number,
  most: number,
  run: RunOptions,
): Promise<Keyed> {
  const settled = new Set<string>(); // gaps in which a key would gain nothing
  let now = start;
  for (;;) {
    const added = now.keys.length - input.times.length;
    if (now.percent <= wanted || added >= most) return now;
    await checkpoint(run, 'fit', added, most, 'adding keys');
    const played = new PlayedBones(now.model, way.boneCount);
    const more: PosedKey[] = [];
    while (more.length === 0) {
      const open = now.gaps.filter((gap) => isWide(way, gap) && !settled.has(nameOf(gap)));
      const chosen = worstGaps(now.gaps, open, way.squares(wanted)).slice(0, most - added);
      if (chosen.length === 0) return now;
      for (const gap of chosen) {
        const key = { k: gap.from.k, t: (gap.from.t + gap.end) / 2 };
        const there = played.at(way.time(key));
        const { bones, distance } = way.nearest(key, there);
        if (distance > (1 - LEAST_GAIN) * way.distance(key, there)) settled.add(nameOf(gap));
        else more.push({ ...key, bones });
      }
    }
    now = keyed(
      input,
      way,
      [...now.keys, ...more].sort((a, b) => a.k - b.k || a.t - b.t),
    );
  }
}

/** Whether a key can be put into a gap: files keep times in single precision. */
const isWide = (way: StraightWay, { from, end }: Gap): boolean => {
  const [start, stop] = [way.time(from), way.time({ k: from.k, t: end })];
  return end - from.t > 1 / (MOST_PER_FRAME + 1) && stop - start > SHORTEST * Math.max(1, Math.abs(stop));
};
const nameOf = ({ from, end }: Gap): string => `${from.k} ${from.t} ${end}`;

/** How many keys add a fiftieth to a small file, in which a vertex takes about as much as this many numbers of a track. */
const NUMBERS_PER_VERTEX = 12;
const SHARE = 1 / 50;

function fewBytes({ mesh, kind, transforms, times }: ProxyModelInput): number {
  const boneCount = transforms.length / (MATRIX_STRIDE * times.length);
  const numbersPerKey = boneCount * { rigid: 7, trs: 10, affine: 14 }[kind];
  return Math.floor(SHARE * (times.length + (NUMBERS_PER_VERTEX * vertexCount(mesh)) / numbersPerKey));
}

/**
 * The gaps to divide so that the sum over the frames of their largest distances comes down to `wanted`, if nothing were
 * left of those divided: those of the worst frames first, and of each frame those that are not far better than its worst.
 */
function worstGaps(all: readonly Gap[], open: readonly Gap[], wanted: number): Gap[] {
  const byFrame = new Map<number, Gap[]>();
  for (const gap of all) {
    const gaps = byFrame.get(gap.from.k);
    if (gaps) gaps.push(gap);
    else byFrame.set(gap.from.k, [gap]);
  }
  const frames = [...byFrame.values()].map((gaps) => ({
    gaps,
    worst: Math.max(...gaps.map(({ distance }) => distance)),
  }));
  frames.sort((a, b) => b.worst - a.worst);
  let sum = frames.reduce((total, { worst }) => total + worst, 0);
  const dividable = new Set(open);
  const chosen: Gap[] = [];
  for (const { gaps, worst } of frames) {
    if (sum <= wanted) break;
    const divided = gaps.filter((gap) => dividable.has(gap) && gap.distance > worst / USUAL_GAIN);
    const left = gaps.map((gap) => (divided.includes(gap) ? 0 : gap.distance));
    sum += Math.max(...left) - worst;
    chosen.push(...divided);
  }
  return chosen;
}
