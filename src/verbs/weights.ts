import { PliantError } from '../error.ts';
import type { Figures } from '../model/figures.ts';
import { followedBones } from '../model/influences.ts';
import { addSeconds } from '../model/report.ts';
import { boneCount } from '../model/skeleton.ts';
import type { SkinnedModel } from '../model/skinned-model.ts';
import type { BindResult } from '../rig/bind/bind.ts';
import { BIND_OPTIONS, INFLUENCE_OPTIONS } from '../rig/bind/bind-options.ts';
import { findMirror, mirrorDifference, symmetrizeWeights } from '../rig/bind/mirror.ts';
import { smoothSkin } from '../rig/bind/smooth.ts';
import { type TrimError, trimModel } from '../rig/bind/trim.ts';
import {
  assetOf,
  clipReport,
  glbOf,
  modelPart,
  type VerbInput,
  type VerbReport,
  verbReport,
  worstFigures,
} from './verb.ts';
import { type WeightsPart, type WeightsVerbOptions, weightsParts } from './weights-parts.ts';
import { bindParts } from './weights-together.ts';

const VERB = 'weights';

/** Details of a part, in addition to its figures. */
export interface WeightsPartDetail {
  name: string;
  /** Absent where the weights of the file were kept. */
  method?: string;
  smoothed: boolean;
  /** Of binding, before anything is trimmed. */
  bound?: Figures;
  mirror: {
    axis: 'x' | 'y' | 'z';
    plane: number;
    /** Vertices with a mirrored partner. */
    matched: number;
    /** Those of them whose partner has more than 0.01 of its weight on other bones. */
    differing: number;
    mostDifferent: number;
    mostDifference: number;
    symmetrized: boolean;
  };
  /** Per clip the vertices that suffer most from trimming, the worst first. */
  trimming: Pick<TrimError, 'clip' | 'worst'>[];
}

/** What only `weights` reports. */
export interface WeightsDetail {
  parts: WeightsPartDetail[];
}

/** What `weights` returns. */
export interface WeightsOutcome {
  models: SkinnedModel[];
  file?: Uint8Array;
  report: VerbReport<WeightsDetail>;
}

/** Binds meshes to a skeleton or keeps the weights of a rig; mirrors and trims them, and measures what that costs. */
export async function weights(input: VerbInput, options: WeightsVerbOptions = {}): Promise<WeightsOutcome> {
  requireReadOptions(options);
  const asset = assetOf(input);
  const report = verbReport<WeightsDetail>({ parts: [] }, asset);
  const parts = weightsParts(asset, options, report.notes);
  const models: SkinnedModel[] = [];
  const bound = await bindParts(parts, options);
  for (const part of parts) {
    const weighed = await weighPart(part, bound.get(part), options);
    describePart(weighed, options, report, parts.length > 1 ? part.model.name : undefined);
    models.push(weighed.model);
  }
  const followed = models.flatMap(({ weights, skeleton }) => [...followedBones(weights)].map((j) => skeleton.names[j]));
  report.figures = {
    ...worstFigures(report.parts, 'maxWeightLost', ['trimmedVertices']),
    followedBones: new Set(followed).size,
  };
  const { influences = INFLUENCE_OPTIONS.influences.default, glb } = options;
  return { models, ...(await glbOf(models, glb && { ...glb, influences }, report, options)), report };
}

/** The methods that read an option. */
const READ_BY = {
  heat: ['volume', 'heat'],
  resolution: ['volume'],
  rigidParts: ['volume'],
  eyes: ['volume'],
  exponent: ['geodesic', 'inverse-distance'],
  cutoff: ['geodesic', 'inverse-distance'],
} as const;

function requireReadOptions(options: WeightsVerbOptions): void {
  const { method = BIND_OPTIONS.method.default } = options;
  for (const [option, methods] of Object.entries(READ_BY)) {
    if (options[option as keyof typeof READ_BY] === undefined || methods.some((name) => name === method)) continue;
    throw new PliantError(
      'bad-option',
      VERB,
      `applies to {option:method} ${methods.join(' and ')} only (got ${method})`,
      {
        option,
      },
    );
  }
}

/** A part with its weights, and how they came about. */
type Weighed = Awaited<ReturnType<typeof weighPart>>;

async function weighPart({ model: start }: WeightsPart, bound: BindResult | undefined, options: WeightsVerbOptions) {
  const { mesh, skeleton } = start;
  const { smoothing = 0, symmetrize = false } = options;

  // (1) New weights, or those that are there.
  const kept = () => (smoothing > 0 ? smoothSkin(mesh, start.weights, boneCount(skeleton), smoothing) : start.weights);
  const found = bound?.weights ?? kept();

  // (2) Both sides.
  const mirror = findMirror(mesh, skeleton, options);
  const whole = symmetrize ? symmetrizeWeights(found, mirror) : found;

  // (3) Fewer influences.
  const trimmed = await trimModel({ ...start, weights: whole }, { ...options, evenly: symmetrize });
  return { ...trimmed, influencesBefore: whole.influences, bound, mirror };
}

function describePart(
  { model, errors, influencesBefore, bound, mirror, report: trimmed }: Weighed,
  { method = BIND_OPTIONS.method.default, smoothing = 0, symmetrize = false }: WeightsVerbOptions,
  report: WeightsOutcome['report'],
  part: string | undefined,
): void {
  const figures = { followedBones: followedBones(model.weights).size, influencesBefore, ...trimmed.figures };
  report.parts.push({ ...modelPart(model), figures });
  for (const [c, clip] of model.clips.entries()) {
    const { clip: _name, frames: _frames, worst: _worst, ...figures } = errors[c] ?? {};
    report.clips.push({ ...clipReport(clip, part), figures });
  }
  for (const { notes, seconds } of bound ? [bound.report, trimmed] : [trimmed]) {
    report.notes.push(...notes.map((each) => (part ? { ...each, about: part } : each)));
    addSeconds(report.seconds, seconds);
  }
  const { difference: _, ...asymmetry } = mirrorDifference(model.weights, mirror);
  const { axis, plane, matched } = mirror;
  report.detail.parts.push({
    name: model.name,
    ...(bound && { method, bound: bound.report.figures }),
    smoothed: smoothing > 0,
    mirror: { axis: (['x', 'y', 'z'] as const)[axis], plane, matched, ...asymmetry, symmetrized: symmetrize },
    trimming: errors.map(({ clip, worst }) => ({ clip, worst })),
  });
}
