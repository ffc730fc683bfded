import { fit, readAsset, type SkinnedModel, sample } from '../src/index.ts';
import { joinParts } from '../src/lod/parts.ts';
import type { PosedSurface } from '../src/lod/surface.ts';
import { nodeFiles } from '../src/platform/node/index.ts';
import { choosePoses } from '../src/skin/choose-poses.ts';
import { realData } from './data.ts';
import { machineOfParts } from './lod-machine.ts';
import type { Row } from './lod-tables.ts';

/** What levels of detail are measured on. */

/** A model, and the levels that are made of it. */
export interface LodCase {
  name: string;
  role: Row['role'];
  /** No character: limits are not for it. */
  isHard?: true;
  models(): Promise<SkinnedModel[] | undefined>;
  triangles: number[];
}

const file = (path: string) => async (): Promise<SkinnedModel[] | undefined> => {
  const found = realData(path);
  return found === undefined ? undefined : (await readAsset(nodeFiles, [found])).models;
};

const made = (name: 'figure' | 'tube' | 'box', resolution: number) => async (): Promise<SkinnedModel[]> =>
  (await sample(name, { resolution })).models;

/** A rig for a sequence of meshes. */
const fitted = (path: string, bones: number) => async (): Promise<SkinnedModel[] | undefined> => {
  const found = realData(path);
  if (found === undefined) return undefined;
  return (await fit(await readAsset(nodeFiles, [found]), { bones, preset: 'fast', baseline: false })).models;
};

export const CASES: LodCase[] = [
  { name: 'CesiumMan', role: 'chosen on', models: file('gltf/CesiumMan.glb'), triangles: [2000, 1000, 500, 250] },
  { name: 'RobotExpressive', role: 'looked at', models: file('gltf/RobotExpressive.glb'), triangles: [1600, 800, 400] },
  { name: 'figure', role: 'chosen on', models: made('figure', 4000), triangles: [3000, 1000, 500] },
  { name: 'stormtrooper', role: 'looked at', models: file('collada/stormtrooper.dae'), triangles: [3200, 1600] },
  { name: 'figure, fine', role: 'unseen', models: made('figure', 12_000), triangles: [6000, 2000] },
  { name: 'box', role: 'looked at', isHard: true, models: made('box', 3000), triangles: [1000, 300] },
  { name: 'horse, fitted', role: 'unseen', models: fitted('sequences/horse-gallop', 24), triangles: [6000, 2000] },
  { name: 'Fox', role: 'looked at', models: file('gltf/Fox.glb'), triangles: [300, 150] },
  {
    ...{ name: 'machine', role: 'looked at', isHard: true, triangles: [4000, 2000, 1000, 500] },
    models: async () => [machineOfParts()],
  },
  { name: 'RiggedFigure', role: 'looked at', models: file('gltf/RiggedFigure.glb'), triangles: [128] },
];

/** Moments that are fitted to, and others. */
export const FITTED = 13;
export const UNSEEN = 12;

/** A surface in the poses that are fitted, and in those that are not; these come from the same clips, or from other `models`. */
export function surfaces(
  models: readonly SkinnedModel[],
  others?: readonly SkinnedModel[],
): { fitted: PosedSurface; unseen: PosedSurface } {
  const chosen = choosePoses(models, { poses: FITTED, held: UNSEEN });
  const { poses } = chosen;
  const held = others ? choosePoses(others, { poses: FITTED, held: UNSEEN }).held : chosen.held;
  const { surface } = joinParts(models, [...poses, ...held]);
  const part = (from: number, to: number): PosedSurface => ({
    ...surface,
    poses: surface.poses.slice(from, to),
    skin: { ...surface.skin!, bones: surface.skin!.bones.slice(from, to) },
    ...(surface.morphWeights && { morphWeights: surface.morphWeights.slice(from, to) }),
  });
  return { fitted: part(0, poses.length), unseen: part(poses.length, poses.length + held.length) };
}
