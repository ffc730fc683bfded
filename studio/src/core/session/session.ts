import type { Signal } from '@preact/signals-core';
import {
  FIT_OPTIONS,
  LEARN_OPTIONS,
  LINEARIZE_OPTIONS,
  type PointPath,
  type SkinnedModel,
} from '../../../../src/index.ts';
import { CLOTH_LOOKS } from '../cloth/cloth-work.ts';
import { type Breeze, DRESS_OPTIONS, type DressOptions, MOST_WIND, type OwnGarment, STIFFEST } from '../cloth/dress.ts';
import type { TrainedData, TrainOptions } from '../cloth/pair-work.ts';
import { type Content, clipNames } from '../content/content.ts';
import { Doc } from '../doc.ts';
import type { FitEntry } from '../fit/fit-results.ts';
import { COARSEST } from '../inspect/inspection.ts';
import type { LabState } from '../lab/lab-state.ts';
import type { LearnData } from '../learn/learn-work.ts';
import { LEVEL_KINDS, LEVEL_LOOKS, type LevelKind, type LevelsData } from '../levels/levels-work.ts';
import { LIGHT_LOOKS, LIGHT_SKIES, type LightData } from '../light/light-work.ts';
import { RIG_OPERATORS } from '../rig/rig-operators.ts';
import type { Linearized } from '../rig/rig-work.ts';
import { COMPARISONS, MOST_STOPS, PAINTS, SURFACE_LOOKS, type SurfaceLook } from '../view/looks.ts';
import {
  all,
  anyOf,
  array,
  type Check,
  fail,
  figure,
  finite,
  flag,
  index,
  list,
  number,
  oneOf,
  optional,
  optionsOf,
  record,
  shape,
  text,
  tuple,
} from './check.ts';

/** Everything that is open, as plain data: what a session file holds. */
export interface SessionData {
  /** Index of the document in front; the number of documents means the lab. */
  active: number;
  docs: SessionDoc[];
  lab?: LabState;
  /** Number of documents before the lab's tab [default all]. */
  beforeLab?: number;
}

/** A file of the content, in a session. */
export interface StoredFile {
  path: string;
  bytes: Uint8Array;
}

export interface SessionDoc {
  title: string;
  content: Omit<Content, 'files'>;
  files?: StoredFile[];
  fits: FitEntry[];
  learned?: LearnData;
  /** Results of `linearize` and `mix`. */
  linearized?: Linearized;
  mixed?: SkinnedModel[];
  /** The user's own garment. */
  garment?: OwnGarment;
  /** What was learned from pairs. */
  trained?: TrainedData;
  /** Levels of detail. */
  levels?: Partial<Record<LevelKind, LevelsData>>;
  /** Baked light. */
  light?: LightData;
  /** By the names of `keptOf`. */
  state: Record<string, unknown>;
}

/** A small value of a document that is saved in sessions. */
interface Kept {
  check: Check;
  read(): unknown;
  write(value: unknown): void;
}

/**
 * What a session keeps of a document beside its content and results: one line per value, with its check. Values are
 * restored in this order; those missing in a file keep their defaults.
 */
function keptOf(doc: Doc): Record<string, Kept> {
  const { content, playback, inspection, cloth, levels, light } = doc;
  const made = levels.made.peek();
  const results = doc.fits.peek().map(({ id }) => id);
  const joints = doc.mostJoints;
  const steering = 3 * (doc.predictor.peek()?.points.length ?? 0);
  const point = list(number(), 3);
  return {
    panel: kept(doc.panel, oneOf(doc.panels)),
    fitOptions: kept(doc.fitOptions, optionsOf(FIT_OPTIONS)),
    learnOptions: kept(doc.learnOptions, optionsOf(LEARN_OPTIONS)),
    selected: kept(doc.selected, oneOf([undefined, ...results])),
    comparison: kept(doc.comparison, oneOf(COMPARISONS)),
    paint: kept(doc.paint, oneOf(PAINTS)),
    wireframe: kept(doc.wireframe, flag),
    look: kept(doc.look, oneOf(Object.keys(SURFACE_LOOKS) as SurfaceLook[])),
    exposure: kept(doc.exposure, number(-MOST_STOPS, MOST_STOPS)),
    ground: kept(doc.ground, flag),
    orthographic: kept(doc.orthographic, flag),
    joints: kept(doc.joints, flag),
    wipe: kept(doc.wipe, number(0, 1)),
    clip: kept(doc.clip, oneOf(['', ...clipNames(content)])),
    inRow: kept(doc.inRow, flag),
    beside: kept(doc.rig.beside, oneOf([undefined, ...RIG_OPERATORS])),
    linearizeOptions: kept(doc.rig.linearizeOptions, optionsOf(LINEARIZE_OPTIONS)),
    operator: kept(doc.operator, oneOf(doc.rig.operators.peek())),
    joint: within(doc.joint, joints),
    blendBone: within(doc.rig.blendBone, doc.rig.blendBones.peek().length),
    against: kept(inspection.against, oneOf([undefined, ...results])),
    charted: keptSet(inspection.charted, oneOf(results)),
    averaged: kept(inspection.averaged, flag),
    merged: kept(inspection.merged, number(0, COARSEST)),
    turns: {
      check: list(tuple([index(joints), point])),
      read: () => [...doc.turns.value.value],
      write: (value) => doc.turns.reset(new Map(value as [number, [number, number, number]][])),
    },
    clothOptions: kept(cloth.options, optionsOf(DRESS_OPTIONS)),
    trainOptions: kept<TrainOptions>(cloth.pairs.options, record(anyOf([figure, text]))),
    clothLook: kept(cloth.look, oneOf(CLOTH_LOOKS)),
    breeze: {
      check: shape({ speed: number(0, MOST_WIND), heading: number(-180, 180) }),
      read: () => cloth.breeze.value.value,
      write: (value) => cloth.breeze.reset(value as Breeze),
    },
    bending: {
      check: number(0, 10 ** STIFFEST),
      read: () => cloth.bending.value.value,
      write: (value) => cloth.bending.reset(value as number),
    },
    worn: {
      check: optional(optionsOf(DRESS_OPTIONS)),
      read: () => cloth.worn.value?.options,
      write: (value) => cloth.wear(value as Partial<DressOptions> | undefined),
    },
    levelKind: kept(levels.kind, oneOf(LEVEL_KINDS)),
    levelOptions: kept(levels.options.meshes, record(figure)),
    imageOptions: kept(levels.options.images, record(figure)),
    levelShown: kept(levels.shown.meshes, index(1 + (made.meshes?.figures.length ?? Infinity))),
    imageShown: kept(levels.shown.images, index(1 + (made.images?.figures.length ?? Infinity))),
    levelLook: kept(levels.look, oneOf(LEVEL_LOOKS)),
    levelDistance: kept(levels.distance, optional(number(0))),
    lightLook: kept(light.look, oneOf(LIGHT_LOOKS)),
    lightOwn: kept(light.own, optional(shape({ name: text, sh: all(array(Float32Array, 75), finite), suns: index() }))),
    lightSky: kept(light.sky, oneOf(LIGHT_SKIES)),
    lightTurn: {
      check: number(-180, 180),
      read: () => light.turn.value.peek(),
      write: (value) => light.turn.reset(value as number),
    },
    lightFloor: kept(light.floor, flag),
    lightOptions: kept(light.options, record(anyOf([figure, flag]))),
    pins: keptSet(doc.learn.pins, index(steering / 3)),
    point: within(doc.learn.point, steering / 3),
    whole: kept(doc.learn.whole, flag),
    take: kept(
      doc.learn.take,
      optional((value, what) => {
        shape({ times: array(Float64Array), points: array(Float64Array) })(value, what);
        const { times, points } = value as PointPath;
        array(Float64Array, times.length * steering)(points, `${what}.points`);
        for (const values of [times, points]) finite(values, what);
        if (times.length < 2 || times.some((time, k) => k > 0 && time <= times[k - 1])) fail(what, 'times that rise');
      }),
    ),
    replays: kept(doc.learn.replays, flag),
    points: {
      check: optional(all(array(Float64Array, steering), finite)),
      read: () => doc.points.value.value,
      write: (value) => doc.points.reset(value as Float64Array | undefined),
    },
    filmFrames: kept(doc.filmFrames, shape({ from: optional(index()), to: optional(index()) })),
    camera: kept(doc.camera, optional(shape({ position: point, target: point }))),
    frame: {
      check: number(0),
      // While it plays, the frame is no change.
      read: () => (playback.playing.value ? playback.frame.peek() : playback.frame.value),
      write: (value) => playback.seek(value as number),
    },
    speed: kept(playback.speed, number(0.01, 100)),
    loop: kept(playback.loop, flag),
    playing: kept(playback.playing, flag),
  };
}

const kept = <T>(value: Signal<T>, check: Check): Kept => ({
  check,
  read: () => value.value,
  write: (found) => {
    value.value = found as T;
  },
});

const keptSet = (value: Signal<ReadonlySet<number>>, check: Check): Kept => ({
  check: list(check),
  read: () => [...value.value],
  write: (found) => {
    value.value = new Set(found as number[]);
  },
});

/** A selected index below `count`; null is none. An index out of range is ignored. */
const within = (value: Signal<number | undefined>, count: number): Kept => ({
  check: (found, what) => {
    if (found !== null) index()(found, what);
  },
  read: () => value.value ?? null,
  write: (found) => {
    if (found === null) value.value = undefined;
    else if ((found as number) < count) value.value = found as number;
  },
});

/** Reads every signal that a session keeps. */
export function saveDoc(title: string, doc: Doc): SessionDoc {
  const state = Object.entries(keptOf(doc)).map(([name, { read }]) => [name, read()] as const);
  const { linearized, mixed } = doc.rig;
  return {
    title,
    content: doc.content,
    fits: doc.fits.value,
    learned: doc.learned.value,
    linearized: linearized.value,
    mixed: mixed.value,
    trained: doc.cloth.pairs.trained.value,
    levels: doc.levels.made.value,
    light: doc.light.made.value,
    garment: doc.cloth.worn.value?.own ?? doc.cloth.own.value,
    state: Object.fromEntries(state),
  };
}

/** Throws if a value is invalid. */
export function restoreDoc({ content, fits, learned, state, ...results }: SessionDoc): Doc {
  const { linearized, mixed, garment, trained, light, levels = {} } = results;
  const doc = new Doc(content);
  doc.restoreResults(fits, learned);
  doc.levels.made.value = levels;
  doc.light.made.value = light;
  if (linearized) doc.rig.linearized.value = linearized;
  if (mixed) doc.rig.mixed.value = mixed;
  doc.cloth.own.value = garment;
  doc.cloth.pairs.trained.value = trained;
  for (const [name, { check, write }] of Object.entries(keptOf(doc))) {
    // Undefined values are not in the file.
    if (!(name in state)) continue;
    check(state[name], name);
    write(state[name]);
  }
  return doc;
}
