/**
 * Scenes to simulate pairs of: a garment, what moves it, and motions to train on, two to choose settings on and one to
 * report, which no setting may be chosen on.
 */
import type { BodyMotion } from './cloth/body-motion.ts';
import { type BoneCapsule, fitCapsules } from './cloth/capsules.ts';
import { capeGarment, DRAG_SIDE, dragSheet, flagSheet, skirtGarment } from './cloth/garments.ts';
import type { MotionUse } from './cloth/pairs.ts';
import type { PairSceneName } from './cloth/scene.ts';
import { geodesicSphere } from './cloth/shapes.ts';
import type { Wind } from './cloth/wind.ts';
import type { Garment } from './cloth/worn.ts';
import type { Vector } from './math/vector.ts';
import { type Mesh, vertexCount } from './model/mesh.ts';
import { steadyTimes } from './model/sequence.ts';
import type { SkinnedModel } from './model/skinned-model.ts';
import { sampleFigure } from './rig/samples/figure.ts';
import { FIGURE_MOTIONS, figureClip } from './rig/samples/figure-clips.ts';
import { LUNGES } from './rig/samples/figure-lunges.ts';
import { posedSequence } from './skin/posed-sequence.ts';

export interface SceneMotion {
  name: string;
  use: MotionUse;
  seconds: number;
  wind?: Wind;
}

export interface PairScene {
  name: PairSceneName;
  garment: Garment;
  motions: readonly SceneMotion[];
  /** A rig with a clip for each motion, and its capsules. */
  body?: { model: SkinnedModel; capsules: readonly BoneCapsule[] };
}

export interface PairSceneOptions {
  /** Of the garment, about. */
  vertices: number;
  framesPerSecond: number;
  /** Multiplies wind, paths and the turns of legs and back [default 1]. */
  strength?: number;
}

/** A scene by its name. */
export function pairScene(name: PairSceneName, options: PairSceneOptions): PairScene {
  if (name === 'flag') return flagScene(options);
  if (name === 'drag') return dragScene(options);
  return figureScene(name, options);
}

/** The body of a scene in one of its motions. */
export function sceneMotion({ body }: PairScene, motion: string): BodyMotion | undefined {
  if (!body) return undefined;
  const { model, capsules } = body;
  const clip = model.clips.find((each) => each.name === motion)!;
  const sequence = posedSequence({ ...model, clips: [clip] }, 0);
  return { sequence, rig: { capsules, names: model.skeleton.names, clip } };
}

// --- A flag in wind that changes.

function flagScene({ vertices, strength = 1 }: PairSceneOptions): PairScene {
  const wind = (x: number, z: number, turbulence: number, eddy: number, seed: number): Wind => ({
    velocity: [strength * x, 0, strength * z],
    turbulence,
    eddy,
    seed,
  });
  return {
    name: 'flag',
    garment: flagSheet(vertices),
    motions: [
      { name: 'breeze', use: 'train', seconds: 2, wind: wind(3.5, 0.5, 0.4, 0.9, 1) },
      { name: 'gusts', use: 'train', seconds: 2, wind: wind(5, -0.8, 0.5, 1.2, 2) },
      { name: 'stream', use: 'train', seconds: 2, wind: wind(6, 0.3, 0.25, 0.7, 3) },
      { name: 'squall', use: 'choose', seconds: 3, wind: wind(4.5, 1.2, 0.5, 1, 4) },
      { name: 'weather', use: 'choose', seconds: 3, wind: wind(5, 0.4, 0.45, 1, 5) },
      { name: 'bluster', use: 'report', seconds: 3, wind: wind(5.5, -1, 0.5, 0.8, 6) },
    ],
  };
}

// --- A sheet dragged by its corners over a ball.

const BALL = 0.2;
const HOLD = 0.01;
const CORNERS: readonly Vector[] = [
  [-DRAG_SIDE, 0, -DRAG_SIDE],
  [DRAG_SIDE, 0, -DRAG_SIDE],
  [-DRAG_SIDE, 0, DRAG_SIDE],
  [DRAG_SIDE, 0, DRAG_SIDE],
];

/** Where ball and corners are at a time, m from their rest. */
interface DragPath {
  name: string;
  use: MotionUse;
  seconds: number;
  ball(t: number): Vector;
  /** Way of all corners, and the share by which they come together. */
  hands(t: number): { way: Vector; closer: number };
}

const { sin, cos } = Math;
const DRAG_PATHS: readonly DragPath[] = [
  {
    name: 'circle',
    use: 'train',
    seconds: 2.5,
    ball: (t) => [0.15 * sin(3 * t), 0.1 + 0.08 * sin(2 * t), 0.15 * cos(3 * t) - 0.15],
    hands: (t) => ({ way: [0.08 * sin(1.7 * t), 0, 0], closer: 0.14 + 0.08 * sin(2.6 * t) }),
  },
  {
    name: 'bounce',
    use: 'train',
    seconds: 2.5,
    ball: (t) => [0.08 * sin(1.3 * t), 0.1 - 0.1 * cos(3.7 * t), 0.1 * sin(2.1 * t)],
    hands: (t) => ({ way: [0, 0.07 * sin(2.9 * t), 0.06 * sin(1.1 * t)], closer: 0.18 - 0.08 * cos(1.9 * t) }),
  },
  {
    name: 'sway',
    use: 'train',
    seconds: 2.5,
    ball: (t) => [0.18 * sin(2.1 * t), 0.12 + 0.03 * cos(3 * t), -0.1 * sin(1.4 * t)],
    hands: (t) => ({ way: [-0.16 * sin(2.4 * t), 0.03 * sin(4.1 * t), 0.05 * sin(3.1 * t)], closer: 0.2 }),
  },
  {
    name: 'eight',
    use: 'choose',
    seconds: 3,
    ball: (t) => [0.17 * sin(2 * t), 0.1 - 0.06 * cos(3.3 * t), 0.12 * sin(4 * t)],
    hands: (t) => ({
      way: [0.06 * sin(2.7 * t), 0.04 * sin(1.9 * t), 0.1 * sin(1.6 * t)],
      closer: 0.17 + 0.06 * sin(2.2 * t),
    }),
  },
  {
    name: 'wander',
    use: 'choose',
    seconds: 3,
    ball: (t) => [0.14 * sin(2.5 * t) + 0.05 * sin(4.3 * t), 0.1 - 0.07 * cos(2.8 * t), 0.15 * sin(1.8 * t + 1) - 0.12],
    hands: (t) => ({
      way: [0.09 * sin(1.5 * t), 0.05 * sin(3.3 * t), -0.07 * sin(2.3 * t)],
      closer: 0.16 + 0.07 * sin(3 * t),
    }),
  },
  {
    name: 'twirl',
    use: 'report',
    seconds: 3,
    ball: (t) => [0.15 * sin(3.1 * t) - 0.06 * sin(1.2 * t), 0.11 + 0.08 * sin(2.4 * t), 0.17 * cos(2.2 * t) - 0.1],
    hands: (t) => ({
      way: [0.1 * sin(2.1 * t), 0.06 * sin(3.6 * t), 0.09 * sin(2.8 * t)],
      closer: 0.17 + 0.08 * cos(2.4 * t),
    }),
  },
];

function dragScene({ vertices, framesPerSecond, strength = 1 }: PairSceneOptions): PairScene {
  const centres: Vector[] = [[0, -0.25, 0], ...CORNERS];
  const balls = centres.map((centre, b) => geodesicSphere('ball', 162, centre, b === 0 ? BALL : HOLD));
  const count = vertexCount(balls[0]);
  const mesh: Mesh = {
    name: 'drag',
    positions: Float32Array.from(balls.flatMap(({ positions }) => [...positions])),
    triangles: Uint32Array.from(balls.flatMap(({ triangles }, b) => Array.from(triangles, (i) => i + b * count))),
    space: { up: 'y', metresPerUnit: 1 },
  };
  const bones = centres.length;
  const still = centres.flatMap(() => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]);
  const model: SkinnedModel = {
    name: 'drag',
    mesh,
    weights: {
      influences: 1,
      joints: Uint16Array.from({ length: count * bones }, (_, i) => Math.floor(i / count)),
      weights: new Float32Array(count * bones).fill(1),
    },
    skeleton: {
      names: ['ball', 'hand.1', 'hand.2', 'hand.3', 'hand.4'],
      parents: new Int32Array(bones).fill(-1),
      restLocals: Float32Array.from(centres.flatMap(() => [0, 0, 0, 0, 0, 0, 1, 1, 1, 1])),
      inverseBind: Float32Array.from(still),
    },
    clips: DRAG_PATHS.map((path) => dragClip(path, framesPerSecond, strength)),
    operator: 'lbs',
  };
  return {
    name: 'drag',
    garment: dragSheet(vertices),
    motions: DRAG_PATHS.map(({ name, use, seconds }) => ({ name, use, seconds })),
    body: { model, capsules: [{ bone: 0, a: centres[0], b: centres[0], radius: BALL }] },
  };
}

function dragClip({ name, seconds, ball, hands }: DragPath, framesPerSecond: number, strength: number) {
  const times = steadyTimes(Math.round(seconds * framesPerSecond), framesPerSecond);
  const ways = Array.from(times, (t) => {
    const { way, closer } = hands(t);
    const held = CORNERS.map((corner) => way.map((x, c) => strength * (x - closer * corner[c])));
    return [ball(t).map((x) => strength * x), ...held];
  });
  const locals = Float32Array.from(ways.flatMap((frame) => frame.flatMap((way) => [...way, 0, 0, 0, 1, 1, 1, 1])));
  const transforms = Float32Array.from(
    ways.flatMap((frame) => frame.flatMap(([x, y, z]) => [1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, z])),
  );
  return { name, times, locals, transforms };
}

// --- Garments on the figure.

/** Vertices of the figure: its surface only moves pins. */
const FIGURE_VERTICES = 3000;

const FIGURE_USES: readonly SceneMotion[] = [
  { name: 'dance', use: 'train', seconds: 4.5 },
  { name: 'walk', use: 'train', seconds: 2 },
  { name: 'jumping-jacks', use: 'train', seconds: 1.5 },
  { name: 'turn', use: 'choose', seconds: 3 },
  { name: 'run', use: 'choose', seconds: 3 },
  { name: 'lunges', use: 'report', seconds: 3 },
];

function figureScene(name: 'skirt' | 'cape', { vertices, framesPerSecond, strength = 1 }: PairSceneOptions): PairScene {
  const figure = sampleFigure(FIGURE_VERTICES, 2, framesPerSecond);
  const clips = FIGURE_USES.map(({ name: clip, seconds }) => {
    const motion = [...FIGURE_MOTIONS, LUNGES].find((each) => each.name === clip)!;
    return figureClip(figure.skeleton, motion, Math.round(seconds * framesPerSecond), framesPerSecond, strength);
  });
  return {
    name,
    garment: name === 'skirt' ? skirtGarment(vertices) : capeGarment(vertices),
    motions: FIGURE_USES,
    body: { model: { ...figure, clips }, capsules: fitCapsules(figure) },
  };
}
