import { type SkinnedModel, vertexCount } from '../../../../src/index.ts';
import { frameOf } from '../content/content.ts';
import type { Doc } from '../doc.ts';
import { LEAST_SCALE } from '../fit/error-text.ts';
import type { FitEntry } from '../fit/fit-results.ts';
import { inspectedJoints } from '../inspect/inspected.ts';
import { startJob } from '../jobs/start-job.ts';
import { boneOf } from '../rig/joint-tree.ts';
import { blendShare } from '../rig/rig-work.ts';
import { frameErrors, heatColours, roundTop } from './frame-errors.ts';
import { heaviestBones, jointInfluence, numberColours } from './skin-paints.ts';
import { type Component, isComponent, scaleEnd, VertexDeformation } from './vertex-deformation.ts';

/** A visible part: of the original, of a result, or a model of the file. */
export interface Painted {
  /** Which part. */
  part: number;
  entry?: FitEntry;
  model?: SkinnedModel;
  /** For a part of the original: the model fitted to it, vertex by vertex. */
  follower?: SkinnedModel;
  /** 3N current positions, computed on demand. */
  positions(): Float32Array;
}

/** Caption of the colour scale. */
export interface Scale {
  /** Where it ends. */
  top: number;
  /** Whether it is preliminary, until all frames are known. */
  provisional: boolean;
}

/** Computes the colours of surfaces. Tracks the signals of its document that it reads. */
export class Painter {
  readonly #doc: Doc;
  readonly #deformations = new Map<number, VertexDeformation>();
  /** Cached colours that do not change from frame to frame, with their key. */
  readonly #kept = new WeakMap<object, { key: string; colours: Float32Array }>();

  constructor(doc: Doc) {
    this.#doc = doc;
  }

  /** 3N or 4N colours in frame k for `Surface.paint`; undefined for an unpainted surface. */
  colours(painted: Painted, k: number): Float32Array | undefined {
    const doc = this.#doc;
    const paint = doc.paint.value;
    const { part, follower } = painted;
    if (isComponent(paint)) return this.#deformation(painted, paint);
    const entry = painted.entry ?? (follower && doc.fit.value);
    const model = painted.model ?? follower;
    if (!model) return undefined;
    switch (paint) {
      case 'error':
        return painted.entry && heatColours(this.errors(painted, k), this.errorTop);
      case 'bones':
        return this.#keep(model, paint, () => numberColours(heaviestBones(model.weights)));
      case 'regions': {
        const regions = entry?.data.regions;
        return regions && this.#keep(model, paint, () => numberColours(ofPart(regions, entry.data.models, part)));
      }
      case 'influence': {
        const joint = doc.joint.value ?? -1;
        // Every part of a result has all of its bones; parts of a file may use other nodes.
        const bone = entry ? joint : boneOf(inspectedJoints(doc), model.skeleton, joint);
        return this.#keep(model, `${paint} ${bone}`, () => heatColours(jointInfluence(model.weights, bone), 1, true));
      }
      case 'blend': {
        const looked = doc.rig.blendLooked.value;
        // Other parts do not use this joint.
        const bone = looked?.part === part ? looked.blend.bone : -1;
        const values = () => (looked ? jointInfluence(model.weights, bone) : blendShare(model));
        return this.#keep(model, `${paint} ${looked && bone}`, () => heatColours(values(), 1, true));
      }
      case 'mix':
        return model.mixWeights && this.#keep(model, paint, () => heatColours(model.mixWeights!, 1));
      case 'linear': {
        // Already measured by the code that posed the surface.
        const error = doc.rig.poseError.peek();
        return error && heatColours(error.percent[part], error.top);
      }
      default:
        return undefined;
    }
  }

  /** N: distances from the original in frame k, in % of the diagonal. */
  errors({ part, positions, entry }: Painted, k: number): Float32Array {
    const original = frameOf(this.#doc.content.sequences[part], k);
    return frameErrors(original, positions(), entry!.data.errors.diagonal).percent;
  }

  /** End of the error scale in % of the diagonal, shared by all visible results. */
  get errorTop(): number {
    const { fit, against } = this.#doc;
    const shown = [fit.value, against.value].filter((entry) => entry !== undefined);
    const ends = shown.map(({ data: { errors } }) =>
      Math.min(errors.maxErrorPercent ?? 0, 4 * (errors.rmsePercent ?? 0)),
    );
    return roundTop(Math.max(LEAST_SCALE, ...ends));
  }

  /** The scale of a component over the whole motion; of the current frame until that is known. */
  componentScale(component: Component): Scale {
    const { inspection, content } = this.#doc;
    const tops = inspection.deformation(0).result.value?.tops[inspection.averaged.value ? 'average' : 'frames'];
    if (tops) return { top: roundEnd(component, tops[component]), provisional: false };
    const k = this.#doc.playback.frame.value;
    const ends = content.sequences.map((part, p) => scaleEnd(this.#componentOf(p, component, frameOf(part, k))));
    return { top: roundEnd(component, Math.max(...ends)), provisional: true };
  }

  #deformation({ part, entry, positions, model }: Painted, component: Component): Float32Array | undefined {
    const { inspection, content } = this.#doc;
    if (model && !entry) return undefined;
    this.#begin(undefined);
    const { top } = this.componentScale(component);
    if (!inspection.averaged.value) return heatColours(this.#componentOf(part, component, positions()), top);
    this.#begin(entry);
    const values = inspection.deformation(entry?.id ?? 0).result.value?.averages[part][component];
    return (
      values && this.#keep(model ?? content.sequences[part], `${component} ${top}`, () => heatColours(values, top))
    );
  }

  /** Measures all frames of the original or of a result in a worker. */
  #begin(entry: FitEntry | undefined): void {
    const parts = this.#doc.content.sequences;
    const fit = entry && { models: entry.data.models, firstFrame: entry.options.firstFrame ?? 0 };
    this.#doc.inspection
      .deformation(entry?.id ?? 0)
      .begin((onProgress) => startJob('deformation', { parts, fit }, onProgress));
  }

  #componentOf(part: number, component: Component, positions: Float32Array): Float32Array {
    const { sequences } = this.#doc.content;
    const deformation = this.#deformations.get(part) ?? new VertexDeformation(sequences[part].rest);
    this.#deformations.set(part, deformation);
    deformation.pose(positions);
    return deformation.values(component);
  }

  #keep(of: object, key: string, make: () => Float32Array): Float32Array {
    const kept = this.#kept.get(of);
    if (kept?.key === key) return kept.colours;
    const colours = make();
    this.#kept.set(of, { key, colours });
    return colours;
  }
}

/** Rotation scales end at multiples of 45°, at most 180°. */
const roundEnd = (component: Component, end: number): number =>
  component === 'rotation' && end > 20 ? Math.min(180, 45 * 2 ** Math.ceil(Math.log2(end / 45))) : roundTop(end);

/** The part of an array over all models that belongs to one of them: a view. */
function ofPart(numbers: Int32Array, models: readonly SkinnedModel[], part: number): Int32Array {
  const first = models.slice(0, part).reduce((sum, { mesh }) => sum + vertexCount(mesh), 0);
  return numbers.subarray(first, first + vertexCount(models[part].mesh));
}
