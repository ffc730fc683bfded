import { PliantError } from '../error.ts';
import { memorySource, NO_FILES } from '../io/files.ts';
import { readGltf } from '../io/read-gltf.ts';
import { writeModelGlb } from '../io/write-glb.ts';
import { type Tile, type TileRunner, tilesHere } from '../kernels/tiles.ts';
import type { TracePoses } from '../light/baked-light.ts';
import { DEFAULT_MAPS } from '../light/default-lights.ts';
import { environmentSh } from '../light/environment.ts';
import type { MakeFitEquations } from '../light/fit-base.ts';
import type { EnvironmentLight } from '../light/light-errors.ts';
import { TRACE_OPTIONS, tracedOf } from '../light/traced-pose.ts';
import { packPoses, packScene } from '../light-tile.ts';
import type { Asset } from '../model/asset.ts';
import type { EnvironmentMap } from '../model/environment.ts';
import type { GltfSource } from '../model/gltf-source.ts';
import { vertexCount } from '../model/mesh.ts';
import { type Note, note } from '../model/note.ts';
import { resolveOptions } from '../model/options.ts';
import type { SkinnedModel } from '../model/skinned-model.ts';
import { clipNames } from '../skin/choose-poses.ts';
import { equationsOf, packFit, packParameters } from '../sphere-tile.ts';
import { TILES } from '../tile-tasks.ts';
import { findNamed, requireRigs } from './choose.ts';

/** What all verbs of light share. */

/** Which rigs, which clips, where rays are traced. */
export interface LightRun {
  object?: string;
  /** By name [default all]. */
  clips?: readonly string[];
  /** Who traces [default the calling thread]. */
  tiles?: TileRunner;
}

/** The rigs of an asset with the clips that were named. */
export function lightRigs(
  verb: string,
  asset: Asset,
  { object, clips }: Pick<LightRun, 'object' | 'clips'>,
  notes: Note[],
): SkinnedModel[] {
  const rigs = requireRigs(verb, asset, object);
  const names = clipNames(rigs).map((name) => ({ name }));
  for (const name of clips ?? []) findNamed(names, { verb, asset, option: 'clips', name });
  const left = asset.meshes.length + asset.sequences.length;
  if (left > 0) notes.push(note('light-left-out', { count: left }));
  if (!clips) return rigs;
  return rigs.map((model) => ({ ...model, clips: model.clips.filter(({ name }) => clips.includes(name)) }));
}

/** An asset as a glTF file, which light can be added to. */
export async function editable(asset: Asset, notes: Note[]): Promise<Asset & { source: GltfSource }> {
  const { source } = asset;
  return source && isWhole(asset) ? { ...asset, source } : asGltf(asset, notes);
}

const isWhole = ({ models, source }: Asset): boolean =>
  models.every(({ origin, mesh }) => origin?.source === source && origin?.read.mesh === mesh);

async function asGltf({ models, name = 'memory.glb' }: Asset, notes: Note[]): Promise<Asset & { source: GltfSource }> {
  const { bytes, report } = await writeModelGlb(models, { weights: 'float' });
  notes.push(...report.notes);
  const asset = await readGltf(memorySource(name, bytes), NO_FILES, name);
  return { ...asset, source: asset.source! };
}

/** Traces poses as tiles, wherever these are made, and gives them back in order. */
export const traceWith = (tiles: TileRunner = tilesHere(TILES)): TracePoses =>
  async function* (models, poses, options, run) {
    const asked = Object.entries(options).filter(([name]) => Object.hasOwn(TRACE_OPTIONS, name));
    const settings = resolveOptions(TRACE_OPTIONS, Object.fromEntries(asked), 'light');
    const vertices = models.reduce((sum, { mesh }) => sum + vertexCount(mesh), 0);
    const inputs = [{ bytes: packScene(models) }, { bytes: packPoses(poses) }];
    const jobs = poses.map((_, pose) => ({ ...settings, pose }));
    const onProgress = (done: number, total: number) => run.onProgress?.(done, total, 'tracing');
    const made = tiles.run('light', inputs, jobs, { signal: run.signal, onProgress });
    for await (const tile of inOrder(made)) yield tracedOf(tile, vertices, settings);
  };

/** Makes the equations of a fit as tiles. */
export const equationsWith = (tiles: TileRunner = tilesHere(TILES)): MakeFitEquations => {
  return (fit, { signal }) => {
    const own = { bytes: packFit(fit) };
    const jobs = fit.witnesses.map((_, sample) => ({ sample }));
    return async function* (parameters) {
      const made = tiles.run('spheres', [own, { bytes: packParameters(parameters) }], jobs, { signal });
      for await (const tile of inOrder(made)) yield equationsOf(tile, parameters.length);
    };
  };
};

/** Tiles in the order of their jobs. */
async function* inOrder(tiles: AsyncIterable<Tile>): AsyncGenerator<Uint8Array> {
  const early = new Map<number, Uint8Array>();
  let next = 0;
  for await (const { index, bytes } of tiles) {
    early.set(index, bytes);
    for (let tile = early.get(next); tile; tile = early.get(next)) {
      early.delete(next++);
      yield tile;
    }
  }
}

/** Maps with their names, as light of an order; those of Pliant where there are none. */
export const lightsOf =
  (maps: readonly { name: string; map: EnvironmentMap }[]) =>
  (order: number): EnvironmentLight[] => {
    const made = Object.entries(DEFAULT_MAPS).map(([name, make]) => ({ name, map: make() }));
    return (maps.length > 0 ? maps : made).map(({ name, map }) => ({ name, sh: environmentSh(map, order) }));
  };

/** Throws where rigs have no clips: nothing to measure. */
export function requireClips(verb: string, asset: Asset, models: readonly SkinnedModel[]): void {
  if (clipNames(models).length > 0) return;
  throw new PliantError('not-found', verb, 'the rig has no clips', { file: asset.name, reason: 'needs-motion' });
}
