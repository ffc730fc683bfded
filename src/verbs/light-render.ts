import { PliantError } from '../error.ts';
import type { EnvironmentMap } from '../model/environment.ts';
import { choiceOption, integerOption, type OptionsOf, type RunOptions, resolveOptions } from '../model/options.ts';
import { lapTimer } from '../model/report.ts';
import { litCamera, litPicture } from '../report/light-pictures.ts';
import type { Picture } from '../report/png.ts';
import { choosePoses, clipNames, clipPoses, type Pose, poseOfClip } from '../skin/choose-poses.ts';
import { findNamed } from './choose.ts';
import { type LightRun, lightRigs, lightsOf } from './light-parts.ts';
import { litPoses } from './light-pictures.ts';
import { assetOf, modelPart, type VerbInput, type VerbReport, verbReport } from './verb.ts';

const VERB = 'light';

/** What `light render` can be asked for. */
export const LIGHT_RENDER_OPTIONS = {
  object: { type: 'string', default: undefined, description: 'the rig to draw [default all rigs of the file]' },
  clip: { type: 'string', default: undefined, description: 'clip to pose the rig by [default the first]' },
  time: { type: 'number', default: -1, description: 'seconds into the clip [default its middle]', unit: 's' },
  show: choiceOption(
    'best',
    ['best', 'unshadowed', 'base', 'baked', 'traced'],
    'light to show; best: what the file has, else that of spheres alone',
  ),
  width: integerOption(800, { min: 16, max: 8192 }, 'width of the picture, pixels'),
  height: integerOption(800, { min: 16, max: 8192 }, 'height of the picture, pixels'),
  rays: integerOption(512, { min: 16, max: 65_536 }, 'rays per vertex of what is traced'),
} as const;

/** What was drawn. */
export interface LightRenderDetail {
  task: 'render';
  pose: { clip: string; time: number };
  show: string;
  environment: string;
}

/** Options of `lightRender`. */
export interface LightRenderOptions
  extends Partial<OptionsOf<typeof LIGHT_RENDER_OPTIONS>>,
    Pick<LightRun, 'tiles'>,
    RunOptions {
  /** [default a sky] */
  environment?: { name: string; map: EnvironmentMap };
}

/** Draws the rigs of an asset in a pose, lit by an environment. */
export async function lightRender(
  input: VerbInput,
  options: LightRenderOptions = {},
): Promise<{ picture: Picture; report: VerbReport<LightRenderDetail> }> {
  const asset = assetOf(input);
  const { tiles, environment, onProgress, signal, ...given } = options;
  const { object, clip, time, show, width, height, rays } = resolveOptions(LIGHT_RENDER_OPTIONS, given, VERB);
  const detail: LightRenderDetail = { task: 'render', pose: { clip: '', time: 0 }, show, environment: '' };
  const report = verbReport<LightRenderDetail>(detail, asset);
  const models = lightRigs(VERB, asset, { object }, report.notes);
  const names = clipNames(models).map((name) => ({ name }));
  const chosen = findNamed(names, { verb: VERB, asset, option: 'clip', name: clip })?.name ?? names[0]?.name;
  const isBaked = models.every(({ light }) => light);
  detail.show = show === 'best' ? (isBaked ? 'baked' : 'base') : show;
  if (detail.show === 'baked' && !isBaked) {
    throw new PliantError('bad-input', VERB, 'no light is baked in it (use light bake first)', { file: asset.name });
  }
  const pose: Pose =
    chosen === undefined
      ? choosePoses(models, { poses: 1 }).poses[0]
      : time < 0
        ? clipPoses(models, chosen, 1)[0]
        : poseOfClip(models, chosen, time);
  detail.pose = { clip: pose.name, time: pose.time };

  const lights = lightsOf(environment ? [environment] : []);
  detail.environment = lights(1)[0].name;
  const lap = lapTimer(report.seconds);
  const traced = detail.show === 'traced';
  const [lit] = await litPoses(models, [pose], (order) => lights(order)[0], {
    traced,
    rays,
    tiles,
    onProgress,
    signal,
  });
  lap('light');
  const { colours } = lit.shown.find(({ by }) => by === detail.show)!;
  const picture = litPicture(lit, colours, litCamera(lit, width, height));
  lap('draw');
  report.parts = models.map((model) => modelPart(model));
  return { picture, report };
}
