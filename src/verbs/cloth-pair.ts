import { coarseMesh } from '../cloth/coarse-mesh.ts';
import { type ClothPair, PAIR_OPTIONS, simulatePair } from '../cloth/pairs.ts';
import { pinsNear } from '../cloth/pins.ts';
import { PAIR_SCENE_NAMES, type PairSceneName } from '../cloth/scene.ts';
import type { Garment } from '../cloth/worn.ts';
import { PliantError } from '../error.ts';
import { meshInGltfSpace } from '../io/glb/space.ts';
import type { FigureName, Figures } from '../model/figures.ts';
import { vertexCount } from '../model/mesh.ts';
import { type Note, note } from '../model/note.ts';
import { integerOption, type OptionSpecs, type OptionsOf, type RunOptions, resolveOptions } from '../model/options.ts';
import { addSeconds } from '../model/report.ts';
import type { SkinnedModel } from '../model/skinned-model.ts';
import { pairScene, type SceneMotion, sceneMotion } from '../pair-scenes.ts';
import { bodiesOf, GARMENT_OPTIONS, garmentOf, windOf } from './cloth-inputs.ts';
import { pinsOf } from './cloth-pins.ts';
import { assetOf, meshPart, sequenceClip, type VerbInput, type VerbReport, verbReport } from './verb.ts';

/** The options of `clothPair`. */
export const CLOTH_PAIR_OPTIONS = {
  ...GARMENT_OPTIONS,
  clip: {
    type: 'string',
    default: undefined,
    description:
      'motions: clips of the body, or of the scene, as in walk,dance [default all clips; of a scene those to train and to choose on]',
  },
  vertices: integerOption(4000, { min: 60, max: 100_000 }, 'vertices of the garment of a scene'),
  ...PAIR_OPTIONS,
} as const satisfies OptionSpecs;

/** Options of `clothPair`. */
export interface ClothPairOptions extends Partial<OptionsOf<typeof CLOTH_PAIR_OPTIONS>>, RunOptions {
  /** What wears the garment: a rig with clips, or a sequence. Without one only the wind moves it. */
  body?: VerbInput;
  /** The coarse mesh, modelled where the garment is [default the garment with fewer vertices]. */
  coarse?: VerbInput;
  /** Takes each pair when it is simulated; none is then kept in memory, and `pairs` is empty. */
  onPair?(made: MadePair): Promise<void>;
}

/** A pair that was just simulated. */
export interface MadePair {
  /** Its body is closed when it was taken. */
  pair: ClothPair;
  figures: Figures;
  /** The body with a clip for each motion, where it is a rig. */
  rig?: SkinnedModel;
}

/** What only `cloth pair` reports. */
export interface ClothPairDetail {
  /** The scene, if it is one of ours. */
  scene?: PairSceneName;
  /** The motions, and what each is for. */
  motions: { name: string; use?: ClothPair['use'] }[];
}

/** What `clothPair` gives: the pairs, and the body that they share. */
export interface ClothPairOutcome {
  pairs: ClothPair[];
  /** The body with a clip for each motion, where it is a rig. */
  rig?: SkinnedModel;
  report: VerbReport<ClothPairDetail>;
}

const VERB = 'cloth';
/** Vertices of a garment for one of its coarse mesh, at least: with fewer there is hardly any detail to learn. */
const FINER = 2;

export const isPairScene = (name: unknown): name is PairSceneName =>
  typeof name === 'string' && (PAIR_SCENE_NAMES as readonly string[]).includes(name);

/** Simulates coarse and fine cloth of the same motions, to learn folds from. `input` is a garment or the name of a scene. */
export async function clothPair(
  input: VerbInput | PairSceneName,
  { body, coarse, onPair, ...given }: ClothPairOptions = {},
): Promise<ClothPairOutcome> {
  const { onProgress, signal, ...asked } = given;
  const options = resolveOptions(CLOTH_PAIR_OPTIONS, asked, VERB);
  const play = isPairScene(input)
    ? sceneOf(input, asked, options, body)
    : await garmentPlay(input, body, options, asked);
  const pairs: ClothPair[] = [];
  const report = verbReport<ClothPairDetail>({ ...(play.scene && { scene: play.scene }), motions: [] });
  try {
    const known = await coarseOf(play, coarse, options, { onProgress, signal });
    const [fine, low] = [play.garment.mesh, known.mesh];
    for (const [m, { name, use, seconds, garment, body: moved }] of play.motions.entries()) {
      const { pair, report: made } = await simulatePair(garment, moved, {
        ...options,
        collider: moved && !moved.rig ? 'surface' : options.collider,
        seconds: seconds ?? options.seconds,
        name,
        given: { coarse: known },
        signal,
        onProgress:
          onProgress && ((done, total, label) => onProgress(m + done / total, play.motions.length, `${label} ${name}`)),
      });
      const named = { ...pair, ...(use && { use }) };
      if (onPair) await onPair({ pair: named, figures: made.figures, rig: play.rig });
      else pairs.push(named);
      report.detail.motions.push({ name, ...(use && { use }) });
      report.clips.push({ ...sequenceClip(pair.fine), name, figures: made.figures });
      addSeconds(report.seconds, made.seconds);
      report.notes.push(...made.notes.filter(({ code }) => report.notes.every((note) => note.code !== code)));
    }
    report.parts = [meshPart('fine', fine), meshPart('coarse', low)];
    if (vertexCount(fine) < FINER * vertexCount(low)) {
      report.notes.push(note('pair-not-finer', { fine: vertexCount(fine), coarse: vertexCount(low) }));
    }
  } catch (error) {
    await play.close();
    throw error;
  }
  if (onPair) await play.close();
  report.notes.unshift(...play.notes);
  report.figures = figuresOf(report.clips.map(({ figures = {} }) => figures));
  return { pairs, ...(play.rig && { rig: play.rig }), report };
}

/** What is simulated. */
interface Play {
  scene?: PairSceneName;
  garment: Garment;
  motions: {
    name: string;
    use?: ClothPair['use'];
    seconds?: number;
    garment: Garment;
    body: ReturnType<typeof sceneMotion>;
  }[];
  rig?: SkinnedModel;
  notes: Note[];
  /** Lets go of what poses the body. */
  close(): Promise<void>;
}

const named = (clip: string | undefined): string[] | undefined => clip?.split(',').map((name) => name.trim());

/** One of our scenes. */
function sceneOf(
  name: PairSceneName,
  asked: Partial<OptionsOf<typeof CLOTH_PAIR_OPTIONS>>,
  { vertices, framesPerSecond, clip }: OptionsOf<typeof CLOTH_PAIR_OPTIONS>,
  body: VerbInput | undefined,
): Play {
  const others = [
    'object',
    'bodyObject',
    'pinBone',
    'pinDistance',
    'pinGroup',
    'pinColor',
    'pinVertices',
    'wind',
    'seconds',
  ] as const;
  const option = body ? 'body' : others.find((each) => asked[each] !== undefined);
  if (option) throw new PliantError('bad-option', VERB, `cannot be used with the scene ${name}`, { option });
  const scene = pairScene(name, { vertices, framesPerSecond });
  const wanted = named(clip);
  const candidates = scene.motions.map((motion) => motion.name);
  const unknown = wanted?.find((each) => !candidates.includes(each));
  if (unknown !== undefined) {
    const cause = `(got ${unknown || 'nothing'}, expected ${candidates.join(', ')})`;
    throw new PliantError('not-found', VERB, cause, { option: 'clip', got: unknown, candidates });
  }
  // One motion to choose on is enough to train a file.
  const chosenOn = scene.motions.find(({ use }) => use === 'choose');
  const isPlayed = (motion: SceneMotion) =>
    wanted?.includes(motion.name) ?? (motion.use === 'train' || motion === chosenOn);
  const played = scene.motions.filter(isPlayed);
  const clips = scene.body?.model.clips.filter((each) => played.some((motion) => motion.name === each.name));
  const motions = played.map(({ wind, ...motion }) => ({
    ...motion,
    garment: { ...scene.garment, wind },
    body: sceneMotion(scene, motion.name),
  }));
  return {
    scene: name,
    garment: scene.garment,
    motions,
    ...(scene.body && { rig: { ...scene.body.model, clips: clips! } }),
    notes: [],
    async close() {
      for (const { body: moved } of motions) await moved?.sequence.close?.();
    },
  };
}

/** A garment on a body, or in the wind. */
async function garmentPlay(
  input: VerbInput,
  worn: VerbInput | undefined,
  options: OptionsOf<typeof CLOTH_PAIR_OPTIONS>,
  asked: Partial<OptionsOf<typeof CLOTH_PAIR_OPTIONS>>,
): Promise<Play> {
  const asset = assetOf(input);
  const wearer = worn && assetOf(worn);
  const unused =
    asked.vertices !== undefined ? 'vertices' : wearer && asked.seconds !== undefined ? 'seconds' : undefined;
  const why = unused === 'vertices' ? 'applies to scenes only' : 'applies to garments without a body only';
  if (unused) throw new PliantError('bad-option', VERB, why, { option: unused });
  const mesh = garmentOf(asset, options.object);
  const wind = windOf(options.wind);
  if (!wearer) {
    const option = (['clip', 'bodyObject', 'pinBone'] as const).find((each) => asked[each] !== undefined);
    if (option) throw new PliantError('bad-option', VERB, 'needs {option:body}', { option });
    const garment = { mesh, wind, pinned: pinsOf(mesh, undefined, options, { garment: asset, body: asset }) };
    const name = wind ? 'wind' : 'still';
    return { garment, motions: [{ name, garment, body: undefined }], notes: asset.notes, async close() {} };
  }
  const clips =
    named(options.clip) ?? (wearer.models.length === 1 ? wearer.models[0].clips.map(({ name }) => name) : []);
  const chosen = clips.length > 0 ? clips : [undefined];
  const { bodies, close } = bodiesOf(wearer, { ...options, toEnd: true }, chosen, asked.collider);
  const [{ body, model }] = bodies;
  try {
    const garment = { mesh, wind, pinned: pinsOf(mesh, body.rig, options, { garment: asset, body: wearer }) };
    return {
      garment,
      motions: bodies.map((moved) => ({ name: moved.clip, garment, body: moved.body })),
      ...(model && { rig: { ...model, clips: bodies.map((moved) => moved.body.rig!.clip) } }),
      notes: [...asset.notes, ...wearer.notes],
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** One coarse mesh for all motions. */
async function coarseOf(
  { garment }: Play,
  given: VerbInput | undefined,
  { coarseVertices }: OptionsOf<typeof CLOTH_PAIR_OPTIONS>,
  run: RunOptions,
) {
  if (!given) return coarseMesh(garment.mesh, garment.pinned, coarseVertices, run);
  const mesh = meshInGltfSpace(garmentOf(assetOf(given), undefined));
  return { mesh, pinned: pinsNear(mesh, garment) };
}

/** Figures of several motions: those of the meshes, totals, means and the worst. */
function figuresOf(all: readonly Figures[]): Figures {
  const values = (name: FigureName) => all.map((figures) => figures[name]).filter((x) => x !== undefined);
  const pick = (names: readonly FigureName[], how: (values: number[]) => number): Figures =>
    Object.fromEntries(names.filter((name) => values(name).length > 0).map((name) => [name, how(values(name))]));
  const sum = (xs: number[]) => xs.reduce((total, x) => total + x, 0);
  return {
    ...all[0],
    ...pick(['frames'], sum),
    ...pick(['detailCorrelation', 'repeatabilityPercent', 'meanEdgeStrainPercent'], (xs) => sum(xs) / xs.length),
    ...pick(['maxEdgeStretchPercent', 'penetrationMillimetres'], (xs) => Math.max(...xs)),
  };
}
