import type { GLTF } from '@gltf-transform/core';
import { addNotes, note } from '../../../model/note.ts';
import type { Report } from '../../../model/report.ts';
import type { Clip } from '../../../model/skeleton.ts';
import type { ModelOrigin, SkinnedModel } from '../../../model/skinned-model.ts';
import { boneTracks } from '../../glb/clips.ts';
import { storedTimes } from '../../glb/document.ts';
import { keysBetween } from '../../glb/frames.ts';
import type { ModelGlbOptions } from '../../glb/options.ts';
import { pliantExtras } from '../mesh.ts';
import type { GltfEditor } from './editor.ts';
import { poseOf } from './nodes.ts';

/**
 * Clips of models as animations of the file. Tracks that exist stay; a clip that the file has gets tracks of the bones that
 * were added, one that is new becomes an animation with tracks of all bones that it moves.
 */
export class AnimationEdits {
  readonly #editor: GltfEditor;
  readonly #report: Report;
  readonly #options: ModelGlbOptions;
  /** Of clips that are new, by their name. */
  readonly #added = new Map<string, number>();
  readonly #times = new Map<string, number>();
  readonly #between = new Map<number, string>();
  /** How many animations the file has. */
  readonly #given: number;

  constructor(editor: GltfEditor, options: ModelGlbOptions, report: Report) {
    this.#editor = editor;
    this.#given = editor.json.animations?.length ?? 0;
    this.#options = options;
    this.#report = report;
  }

  addClips(model: SkinnedModel, origin: ModelOrigin, nodes: readonly number[]): void {
    const { clips } = origin.read;
    const indicesOf = (name: string) => clips.flatMap((clip, c) => (clip.name === name ? [c] : []));
    const seen = new Map<string, number>();
    for (const clip of model.clips) {
      // Clips of one name are told apart by their order.
      const nth = seen.get(clip.name) ?? 0;
      seen.set(clip.name, nth + 1);
      const known = indicesOf(clip.name)[nth];
      if (known === undefined) this.#addTracks(this.#animation(clip.name), model, clip, nodes, 0);
      // Clips that play together are several animations of the file, each with tracks of its own.
      else if (origin.animations[known] < this.#given && nodes.length > origin.bones.length) {
        this.#addTracks(origin.animations[known], model, clip, nodes, origin.bones.length);
      }
    }
  }

  #animation(name: string): number {
    const index = this.#added.get(name) ?? this.#editor.append('animations', { name, channels: [], samplers: [] });
    this.#added.set(name, index);
    return index;
  }

  /** The tracks of bones from the `first` on. */
  #addTracks(index: number, model: SkinnedModel, clip: Clip, nodes: readonly number[], first: number): void {
    const { operation } = this.#report;
    const animation = this.#editor.change('animations', index);
    const channels = [...animation.channels];
    const samplers = [...animation.samplers];
    const isTaken = (node: number, path: string) =>
      channels.some(({ target }) => target.node === node && target.path === path);
    const bones = Array.from(nodes.keys()).slice(first);
    const hasLength = samplers.length > 0;
    for (const track of boneTracks(model, clip, bones, { ...this.#options, operation, hasLength })) {
      const { bone, path, type, array } = track;
      if (isTaken(nodes[bone], path)) continue;
      if (this.#editor.json.nodes![nodes[bone]].matrix) this.#replaceMatrix(nodes[bone], model, bone);
      const output = this.#editor.accessor(type, array, { normalized: array instanceof Int16Array });
      const sampler = samplers.push({ input: this.#timesAccessor(track.times, clip.name), output }) - 1;
      channels.push({ sampler, target: { node: nodes[bone], path } });
    }
    Object.assign(animation, { channels, samplers });
    this.#noteFrames(animation, index, clip);
  }

  /** A node that is animated may not have a matrix. */
  #replaceMatrix(node: number, { skeleton }: SkinnedModel, bone: number): void {
    const definition = this.#editor.change('nodes', node);
    delete definition.matrix;
    Object.assign(definition, poseOf(skeleton, bone));
  }

  /** Equal times share one accessor. */
  #timesAccessor(times: Float64Array, name: string): number {
    const stored = storedTimes(times, name, this.#report);
    const key = stored.join();
    const index = this.#times.get(key) ?? this.#editor.accessor('SCALAR', stored, { rising: true });
    this.#times.set(key, index);
    return index;
  }

  /** Says which keys are frames: see ../../glb/frames.ts. Clips of several models may share an animation. */
  #noteFrames(animation: GLTF.IAnimation, index: number, clip: Clip): void {
    const between = keysBetween(clip);
    if (!between) return;
    const said = this.#between.get(index);
    if (said === undefined) {
      const extras = animation.extras as Record<string, unknown> | undefined;
      animation.extras = { ...extras, pliant: { ...pliantExtras(extras), between } };
      this.#between.set(index, between.join());
    } else if (said !== between.join()) addNotes(this.#report.notes, note('in-between-keys', {}, clip.name));
  }
}
