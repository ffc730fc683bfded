import type { ClothPair } from '../../../src/cloth/pairs.ts';
import { readPairs } from '../../../src/cloth/pairs-folder.ts';
import { type RunOptions, readAsset } from '../../../src/index.ts';
import { blobFiles } from '../../../src/platform/browser/files.ts';
import { pairOfCaches } from '../../../src/verbs/cloth-caches.ts';
import type { Content, PairData } from '../core/content/content.ts';
import { groupName, type PathFile } from '../core/content/file-groups.ts';
import { readFrames, requireRoom } from './read-frames.ts';

type Run = Required<RunOptions>;

/** Opens a folder of `pliant cloth pair`, or a coarse and a fine cache of one motion. */
export async function openPairs(files: PathFile[], paths: string[], run: Run): Promise<Content> {
  const access = blobFiles(files);
  const [path, fine] = paths;
  const read = async (each: string) => readAsset(access, [each]);
  const caches = fine && (await pairOfCaches({ coarse: await read(path), fine: await read(fine) }));
  const pairs = caches ? [caches.pair] : await readPairs(access, path);
  const notes = caches ? caches.notes : [];
  const sequencesOf = ({ coarse, fine: truth, repeat, body }: ClothPair) =>
    [coarse, truth, repeat, body?.sequence].filter((sequence) => sequence !== undefined);
  const all = pairs.flatMap(sequencesOf);
  try {
    requireRoom(all);
    const data: PairData[] = [];
    for (const pair of pairs) data.push(await pairData(pair, run));
    return {
      ...{ meshes: [], sequences: [], models: [], motions: [], predictors: [], objects: [] },
      name: groupName(paths),
      format: 'cloth pairs',
      bytes: files.reduce((sum, [, file]) => sum + file.size, 0),
      notes,
      pairs: data,
    };
  } finally {
    for (const sequence of all) await sequence.close?.();
  }
}

async function pairData({ coarse, fine, repeat, body, ...pair }: ClothPair, run: Run): Promise<PairData> {
  return {
    ...pair,
    coarse: await readFrames(coarse, run),
    fine: await readFrames(fine, run),
    ...(repeat && { repeat: await readFrames(repeat, run) }),
    ...(body && { body: { ...body, sequence: await readFrames(body.sequence, run) } }),
  };
}
