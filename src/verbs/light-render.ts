import { PliantError } from '../error.ts';
import { LightScene } from '../light/scene.ts';
import { boundsOf } from '../mesh/bounds.ts';
import type { EnvironmentMap } from '../model/environment.ts';
import {
  choiceOption,
  FRAMES_PER_SECOND_OPTION,
  integerOption,
  type OptionsOf,
  type RunOptions,
  resolveOptions,
} from '../model/options.ts';
import { lapTimer } from '../model/report.ts';
import { checkpoint } from '../model/run.ts';
import type { SkinnedModel } from '../model/skinned-model.ts';
import { litCamera, litPicture } from '../report/light-pictures.ts';
import type { Picture } from '../report/png.ts';
import { choosePoses, clipNames, clipOf, clipPoses, type Pose } from '../skin/choose-poses.ts';
import { findNamed } from './choose.ts';
import { type LightRun, lightRigs, lightsOf, requireClips } from './light-parts.ts';
import { eachLitPose } from './light-pictures.ts';
import { assetOf, modelPart, type VerbInput, type VerbReport, verbReport } from './verb.ts';

const VERB = 'light';

/** What pictures and films can be asked for. */
const SHARED_OPTIONS = {
  object: { type: 'string', default: undefined, description: 'the rig to draw [default all rigs of the file]' },
  clip: { type: 'string', default: undefined, description: 'clip to pose the rig by [default the first]' },
  show: choiceOption(
    'best',
    ['best', 'unshadowed', 'base', 'baked', 'traced'],
    'light to show; best: what the file has, else that of spheres alone',
  ),
  width: integerOption(800, { min: 16, max: 8192 }, 'width of the picture, pixels'),
  height: integerOption(800, { min: 16, max: 8192 }, 'height of the picture, pixels'),
  rays: integerOption(512, { min: 16, max: 65_536 }, 'rays per vertex of what is traced'),
} as const;

/** What `light render` can be asked for. */
export const LIGHT_RENDER_OPTIONS = {
  ...SHARED_OPTIONS,
  time: { type: 'number', default: -1, min: 0, description: 'seconds into the clip [default its middle]', unit: 's' },
} as const;

/** What a film of `light render` can be asked for. */
export const LIGHT_FILM_OPTIONS = {
  ...SHARED_OPTIONS,
  start: {
    type: 'number',
    default: -1,
    min: 0,
    description: 'first moment of a film [default that of the clip]',
    unit: 's',
  },
  end: {
    type: 'number',
    default: -1,
    min: 0,
    description: 'last moment of a film [default that of the clip]',
    unit: 's',
  },
  fps: { ...FRAMES_PER_SECOND_OPTION, description: 'pictures of a film per second' },
} as const;

/** A film has no more pictures than this. */
const MOST_FRAMES = 100_000;

/** What was drawn. */
export interface LightRenderDetail {
  task: 'render';
  /** The pose; of a film the first. */
  pose: { clip: string; time: number };
  show: string;
  environment: string;
  /** Of a film: its last moment, and its pictures. */
  film?: { end: number; frames: number; framesPerSecond: number };
}

interface Surroundings extends Pick<LightRun, 'tiles'>, RunOptions {
  /** [default a sky] */
  environment?: { name: string; map: EnvironmentMap };
}

/** Options of `lightRender`. */
export interface LightRenderOptions extends Partial<OptionsOf<typeof LIGHT_RENDER_OPTIONS>>, Surroundings {}

/** Options of `lightFilm`. */
export interface LightFilmOptions extends Partial<OptionsOf<typeof LIGHT_FILM_OPTIONS>>, Surroundings {
  /** Called with picture after picture. */
  onPicture(picture: Picture, film: { frame: number; frames: number; framesPerSecond: number }): Promise<void>;
}

/** Draws the rigs of an asset in a pose, lit by an environment. */
export async function lightRender(
  input: VerbInput,
  options: LightRenderOptions = {},
): Promise<{ picture: Picture; report: VerbReport<LightRenderDetail> }> {
  const { tiles, environment, onProgress, signal, ...given } = options;
  const { time, ...settings } = resolveOptions(LIGHT_RENDER_OPTIONS, given, VERB);
  const { models, clip, report, light } = prepared(input, settings, environment);
  const pose: Pose =
    clip === undefined
      ? choosePoses(models, { poses: 1 }).poses[0]
      : time < 0
        ? clipPoses(models, clip, 1)[0]
        : clipOf(models, clip).poseAt(withinClip(clipOf(models, clip), time, 'time'));
  report.detail.pose = { clip: pose.name, time: pose.time };
  const pictures = drawn(models, [pose], light, report, { ...settings, tiles, onProgress, signal });
  const { value } = await pictures.next();
  await pictures.return(undefined);
  return { picture: value!, report };
}

/** A moment of a clip, if it has one then. */
function withinClip({ start, seconds }: { start: number; seconds: number }, time: number, option: string): number {
  const end = start + seconds;
  if (time >= start && time <= end + 1e-6) return time;
  const cause = `(got ${time}, expected ${Number(start.toFixed(3))} to ${Number(end.toFixed(3))} s)`;
  throw new PliantError('bad-option', VERB, cause, { option });
}

/** Draws a clip of the rigs of an asset as a film, seen from one place that shows all of it. */
export async function lightFilm(
  input: VerbInput,
  options: LightFilmOptions,
): Promise<{ report: VerbReport<LightRenderDetail> }> {
  const { tiles, environment, onPicture, onProgress, signal, ...given } = options;
  const { start, end, fps, ...settings } = resolveOptions(LIGHT_FILM_OPTIONS, given, VERB);
  const { asset, models, clip, report, light } = prepared(input, settings, environment);
  requireClips(VERB, asset, models);
  const shown = clipOf(models, clip!);
  const { start: first, seconds, poseAt } = shown;
  const from = start < 0 ? first : withinClip(shown, start, 'start');
  const to = end < 0 ? first + seconds : withinClip(shown, end, 'end');
  if (to < from) {
    const cause = `(got ${from} to ${to} s, expected an end that is not before the start)`;
    throw new PliantError('bad-option', VERB, cause, { option: end < 0 ? 'start' : 'end' });
  }
  // A moment that rounding puts behind the end is still drawn.
  const frames = Math.floor((to - from) * fps + 1e-6) + 1;
  if (frames > MOST_FRAMES) {
    throw new PliantError('too-large', VERB, `a film of ${frames} pictures (expected at most ${MOST_FRAMES})`);
  }
  const { detail } = report;
  detail.pose = { clip: clip!, time: from };
  detail.film = { end: to, frames, framesPerSecond: fps };
  const poses = Array.from({ length: frames }, (_, k) => poseAt(from + k / fps));
  let frame = 0;
  for await (const picture of drawn(models, poses, light, report, { ...settings, tiles, signal })) {
    await checkpoint({ onProgress, signal }, VERB, frame, frames, 'drawing');
    await onPicture(picture, { frame: frame++, frames, framesPerSecond: fps });
  }
  return { report };
}

/** What pictures and films begin with: rigs, the clip, how light is shown. */
function prepared(
  input: VerbInput,
  { object, clip, show }: Pick<OptionsOf<typeof SHARED_OPTIONS>, 'object' | 'clip' | 'show'>,
  environment: Surroundings['environment'],
) {
  const asset = assetOf(input);
  const detail: LightRenderDetail = { task: 'render', pose: { clip: '', time: 0 }, show, environment: '' };
  const report = verbReport<LightRenderDetail>(detail, asset);
  const models = lightRigs(VERB, asset, { object }, report.notes);
  const names = clipNames(models).map((name) => ({ name }));
  const chosen = findNamed(names, { verb: VERB, asset, option: 'clip', name: clip })?.name ?? names[0]?.name;
  const isBaked = models.every(({ light }) => light);
  detail.show = show === 'best' ? (isBaked ? 'baked' : 'base') : show;
  if (detail.show === 'baked' && !isBaked) {
    throw new PliantError('bad-input', VERB, 'contains no baked light (expected a GLB from `pliant light bake`)', {
      file: asset.name,
    });
  }
  const lights = lightsOf(environment ? [environment] : []);
  detail.environment = lights(1)[0].name;
  report.parts = models.map((model) => modelPart(model));
  return { asset, models, clip: chosen, report, light: (order: number) => lights(order)[0] };
}

/** The poses as pictures, one by one, from one place. */
async function* drawn(
  models: readonly SkinnedModel[],
  poses: readonly Pose[],
  light: ReturnType<typeof prepared>['light'],
  { detail, seconds }: VerbReport<LightRenderDetail>,
  {
    width,
    height,
    rays,
    ...run
  }: Pick<OptionsOf<typeof SHARED_OPTIONS>, 'width' | 'height' | 'rays'> & Omit<Surroundings, 'environment'>,
): AsyncGenerator<Picture, void> {
  const lap = lapTimer(seconds);
  const by = detail.show as 'unshadowed' | 'base' | 'baked' | 'traced';
  const places = poses.length > 1 ? placesOf(models, poses) : undefined;
  let camera: ReturnType<typeof litCamera> | undefined;
  for await (const lit of eachLitPose(models, poses, light, { ...run, traced: by === 'traced', only: by, rays })) {
    lap('light');
    camera ??= litCamera(lit, width, height, places);
    const picture = litPicture(lit, lit.shown[0].colours, camera);
    lap('draw');
    yield picture;
  }
}

/** The corners of the box around each pose: 24 numbers each. */
function placesOf(models: readonly SkinnedModel[], poses: readonly Pose[]): Float32Array[] {
  const scene = new LightScene(models);
  return poses.map(({ parts }) => {
    const { min, max } = boundsOf(scene.pose(parts).positions);
    return Float32Array.from({ length: 24 }, (_, c) => (((c / 3) >> (c % 3)) & 1 ? max[c % 3] : min[c % 3]));
  });
}
