import { lastAtMost } from '../../math/last-at-most.ts';
import { composeTrs, decomposeTrs, interpolateTrs, skinTransforms } from '../../math/trs.ts';
import { note } from '../../model/note.ts';
import { type Clip, LOCAL_STRIDE } from '../../model/skeleton.ts';
import type { Bones } from '../bones.ts';
import { distinctTimes } from '../key-times.ts';
import { stem } from '../paths.ts';
import { nodeLocal } from './bones.ts';
import { type Curve, cubicAt, readCurve, SAME_TIME, timesBetween } from './curves.ts';
import type { ColladaDocument } from './document.ts';
import { nodesBy, type SceneNode, type Transformation } from './scene.ts';
import { child, childrenOf, type XmlElement } from './xml.ts';

/**
 * `<library_animations>` (5-7): channels that move a transformation of a node, or one number of it. Clips have a frame
 * at every key of every channel, and between keys where steps and curves need them; linear segments of matrices are so in
 * translation, rotation and scale each for itself.
 */
export interface ColladaAnimation {
  name: string;
  tracks: Track[];
}

interface Track extends Curve {
  node: number;
  /** Index into the node's transformations. */
  transformation: number;
  /** The first number that is moved. */
  member: number;
}

/** The animations of the document: one for each `<animation_clip>`, else one with everything. */
export function readAnimations(document: ColladaDocument, scene: readonly SceneNode[]): ColladaAnimation[] {
  const nodeOf = nodesBy(scene, 'id');
  const tracksIn = (roots: readonly XmlElement[]): Track[] =>
    roots
      .flatMap((root) => channelsBelow(root))
      .flatMap((channel) => readTrack(document, scene, nodeOf, channel) ?? []);

  const clipLibrary = child(document.root, 'library_animation_clips');
  const clips = clipLibrary ? childrenOf(clipLibrary, 'animation_clip') : [];
  const animations =
    clips.length > 0
      ? clips.map((clip, index) => ({
          name: clip.attributes.name ?? clip.attributes.id ?? `clip ${index}`,
          tracks: tracksIn(childrenOf(clip, 'instance_animation').map((instance) => document.target(instance, 'url'))),
        }))
      : [{ name: stem(document.file), tracks: tracksIn(childrenOf(document.root, 'library_animations')) }];
  return animations.filter((animation) => animation.tracks.length > 0);
}

function channelsBelow(element: XmlElement): XmlElement[] {
  return element.children.flatMap((e) => (e.name === 'channel' ? [e] : e.name === 'animation' ? channelsBelow(e) : []));
}

/** `node/sid`, `node/sid.ANGLE`, `node/sid(2)`. */
const TARGET = /^([^/]+)\/([^/.()]+)(?:\.(\w+)|\((\d)\))?$/;
const MEMBERS: Record<string, number> = { X: 0, Y: 1, Z: 2, ANGLE: 3 };

/** The track of a `<channel>`, or undefined when it moves something else than a node. */
function readTrack(
  document: ColladaDocument,
  scene: readonly SceneNode[],
  nodeOf: ReadonlyMap<string, number>,
  channel: XmlElement,
): Track | undefined {
  const target = channel.attributes.target ?? '';
  const [, id, sid, memberName, memberIndex] = TARGET.exec(target) ?? [];
  const node = nodeOf.get(id ?? '');
  const transformation = node === undefined ? -1 : scene[node].transformations.findIndex((t) => t.sid === sid);
  if (node === undefined || transformation < 0) {
    document.note(note('not-read', { what: 'other-channels' }));
    return undefined;
  }
  const size = scene[node].transformations[transformation].values.length;
  const whole = memberName === undefined && memberIndex === undefined;
  const member = whole ? 0 : memberIndex === undefined ? MEMBERS[memberName] : Number(memberIndex);
  if (!(member < size)) {
    document.fail(channel, `target ${target} (expected one of the ${size} numbers of "${sid}")`);
  }

  const sampler = document.target(channel, 'source');
  const input = document.input(sampler, 'INPUT');
  const output = document.input(sampler, 'OUTPUT');
  if (!input || !output) return document.fail(sampler, '<sampler> without INPUT and OUTPUT');
  const keys = document.source(input, 1);
  const width = whole ? size : 1;
  const values = document.source(output, width);
  if (keys.count === 0 || values.count !== keys.count || values.width !== width || keys.width !== 1) {
    const got = `${keys.count} times, ${values.count} × ${values.width} values`;
    document.fail(sampler, `${got} (expected ${width} values per time)`);
  }
  if (keys.values.some((time, k) => k > 0 && time < keys.values[k - 1])) document.fail(sampler, 'times decrease');
  return { node, transformation, member, ...readCurve(document, sampler, keys.values, values.values, width) };
}

/** out = the value of a track at a time. */
function sampleTrack(track: Track, time: number, out: Float64Array): void {
  const { times, values, width, kinds } = track;
  const k = Math.max(0, lastAtMost(times, time));
  const span = k + 1 < times.length ? times[k + 1] - times[k] : 0;
  const t = kinds[k] === 'step' || span <= 0 ? 0 : Math.min(1, Math.max(0, (time - times[k]) / span));
  const [a, b] = [k * width, (k + 1) * width];
  if (t === 0) out.set(values.subarray(a, a + width));
  else if (kinds[k] === 'cubic') for (let c = 0; c < width; c++) out[c] = cubicAt(track, k, c, time);
  else if (width === 16) blendMatrices(out, values.subarray(a, b), values.subarray(b, b + width), t);
  else for (let c = 0; c < width; c++) out[c] = (1 - t) * values[a + c] + t * values[b + c];
}

/** out (12 of 16) = between two matrices, by their parts. */
function blendMatrices(out: Float64Array, from: Float64Array, to: Float64Array, t: number): void {
  const a = new Float64Array(LOCAL_STRIDE);
  const b = new Float64Array(LOCAL_STRIDE);
  decomposeTrs(a, 0, from, 0);
  decomposeTrs(b, 0, to, 0);
  interpolateTrs(a, 0, a, 0, b, 0, t);
  composeTrs(out, 0, a, 0);
}

/** Degrees that a frame may be turned from the one before: rotations between frames take the shorter way. */
const MOST_TURN = 120;
/** Frames that one segment is divided into at most, however often it turns. */
const MOST_PARTS = 1024;

/** Times between keys that an angle turns so far apart that the way between them would be lost. */
function timesOfTurns(
  { node, transformation, member, times, values, width, kinds }: Track,
  scene: readonly SceneNode[],
) {
  const angle = 3 - member;
  if (scene[node].transformations[transformation].kind !== 'rotate' || angle >= width) return [];
  return Array.from(times.subarray(1)).flatMap((to, k) => {
    const turn = Math.abs(values[(k + 1) * width + angle] - values[k * width + angle]);
    const parts = kinds[k] === 'step' ? 1 : Math.min(MOST_PARTS, Math.ceil(turn / MOST_TURN) || 1);
    return Array.from({ length: parts - 1 }, (_, p) => times[k] + ((p + 1) / parts) * (to - times[k]));
  });
}

/** Bones × frames that are read at most: 1.5 GB of poses and matrices. */
const MOST_POSES = 2 ** 24;

/** The clips of the animations that move these bones. */
export function readClips(
  document: ColladaDocument,
  scene: readonly SceneNode[],
  bones: Bones,
  animations: readonly ColladaAnimation[],
): Clip[] {
  const { skeleton, boneOf } = bones;
  const stride = LOCAL_STRIDE * skeleton.parents.length;
  return animations.flatMap(({ name, tracks }) => {
    const moving = tracks.filter((track) => boneOf.has(track.node));
    if (moving.length === 0) return [];
    const times = distinctTimes(
      moving.flatMap((track): ArrayLike<number>[] => [track.times, timesBetween(track), timesOfTurns(track, scene)]),
      SAME_TIME,
    );
    if (times.length * skeleton.parents.length > MOST_POSES) {
      const got = `${skeleton.parents.length} bones × ${times.length} frames`;
      document.fail(document.root, `${got} (expected at most ${MOST_POSES} in all)`, 'too-large');
    }

    const byNode = new Map<number, Track[]>();
    for (const track of moving) byNode.set(track.node, [...(byNode.get(track.node) ?? []), track]);
    const locals = new Float32Array(stride * times.length);
    const value = new Float64Array(16);
    times.forEach((time, k) => {
      locals.set(skeleton.restLocals, k * stride);
      for (const [node, nodeTracks] of byNode) {
        const posed = scene[node].transformations.map((t): Transformation => ({ ...t, values: t.values.slice() }));
        for (const track of nodeTracks) {
          sampleTrack(track, time, value);
          posed[track.transformation].values.set(value.subarray(0, track.width), track.member);
        }
        nodeLocal(locals, k * stride + LOCAL_STRIDE * boneOf.get(node)!, posed);
      }
    });
    const transforms = skinTransforms(skeleton.parents, skeleton.inverseBind, locals);
    if (!locals.every(Number.isFinite) || !transforms.every(Number.isFinite)) {
      document.fail(document.root, `a pose of animation "${name}" is not finite`);
    }
    return [{ name, times, locals, transforms }];
  });
}
