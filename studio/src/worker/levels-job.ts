import { lod } from '../../../src/doors/lod.ts';
import { type Asset, emptyAsset, readAsset, type Skeleton, type SkinnedModel } from '../../../src/index.ts';
import { blobFiles } from '../../../src/platform/browser/files.ts';
import type { LevelPart } from '../core/levels/levels-work.ts';
import type { JobTable } from './protocol.ts';
import type { Opened } from './rig-file.ts';

/** Levels of detail, as `pliant lod` makes them, and the opened file with them in it. */
export const levelsJob: JobTable['levels'] = async ({ models, opened, options }, run) => {
  const { levels, file, report } = await lod(await openedAsset(models, opened), { ...options, glb: {}, ...run });
  return {
    parts: levels.slice(1).map((level) => models.map(({ skeleton }, m) => partOf(level.models[m], skeleton))),
    original: report.detail.original,
    figures: report.detail.levels,
    file: file!,
    notes: report.notes,
  };
};

/** The opened file, if its rigs are still those that are shown; else these. */
export async function openedAsset(models: readonly SkinnedModel[], { files, clipsTogether }: Opened): Promise<Asset> {
  const own = models.map((model) => ({ ...model, clips: model.clips.filter(({ name }) => name !== clipsTogether) }));
  const given: Asset = { ...emptyAsset('memory', 0), models: own };
  if (!files) return given;
  const read = await readAsset(blobFiles(files), [files[0][0]]);
  const isSame = ({ mesh, weights }: SkinnedModel, m: number) =>
    isEqual(mesh.positions, read.models[m]?.mesh.positions) && isEqual(weights.weights, read.models[m].weights.weights);
  return read.source && models.length === read.models.length && models.every(isSame) ? read : given;
}

const isEqual = (a: Float32Array, b: Float32Array | undefined): boolean =>
  a.length === b?.length && a.every((x, c) => x === b[c]);

/** What a level has of its own, following the joints of the rig: rigs of other formats are written first, which sorts joints. */
function partOf({ mesh, weights, morphs, mixWeights, skeleton }: SkinnedModel, rig: Skeleton): LevelPart {
  const { materials: _, ...surface } = mesh;
  const inRig = jointsIn(rig, skeleton);
  const joints = weights.joints.map((joint) => inRig[joint]);
  return {
    mesh: surface,
    weights: { ...weights, joints },
    ...(morphs && { morphs }),
    ...(mixWeights && { mixWeights }),
  };
}

/** Joint → that of the rig: of the same name, below the same parent. */
function jointsIn(rig: Skeleton, { names, parents }: Skeleton): number[] {
  const found: number[] = [];
  const free = new Set(rig.names.keys());
  for (const [j, name] of names.entries()) {
    const parent = found[parents[j]] ?? -1;
    found[j] = [...free].find((own) => rig.names[own] === name && rig.parents[own] === parent) ?? j;
    free.delete(found[j]);
  }
  return found;
}
