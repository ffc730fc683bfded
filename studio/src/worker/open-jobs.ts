import {
  type Asset,
  emptyAsset,
  type MeshSequence,
  PliantError,
  type RunOptions,
  readAsset,
  triangleCount,
} from '../../../src/index.ts';
import { lostNotes } from '../../../src/io/gltf/edit/lost.ts';
import { FORMATS } from '../../../src/io/sniff.ts';
import { mergeSequences } from '../../../src/mesh/merge-sequences.ts';
import { blobFiles, normalizePath } from '../../../src/platform/browser/files.ts';
import type { Content, SequenceData } from '../core/content/content.ts';
import { groupName, isClothPair } from '../core/content/file-groups.ts';
import { detachPictures } from './crossing.ts';
import type { Jobs } from './protocol.ts';
import { readFrames, requireRoom } from './read-frames.ts';

type Run = Required<RunOptions>;

/** Formats with positions of vertices only. */
const CACHES: readonly string[] = [FORMATS.pc2.title, FORMATS.mdd.title];

export async function openJob({ files, paths }: Jobs['open']['input'], run: Run): Promise<Content> {
  run.onProgress(0, 1, 'reading');
  if (isClothPair(paths)) {
    // Loaded on demand.
    const { openPairs } = await import('./open-pairs.ts');
    return openPairs(files, paths, run);
  }
  const access = blobFiles(files);
  const opened = new Set<string>();
  const open = (path: string) => {
    opened.add(normalizePath(path));
    return access.open(path);
  };
  const asset = await readAsset({ ...access, open }, paths);
  if (asset.clipsTogether !== undefined && asset.models.length > 0) {
    // Sequences of different meshes play at once as they are.
    asset.models = (await readAsset(access, paths, { clips: [asset.clipsTogether] })).models;
  }
  const name = groupName(paths);
  const content = await contentOf(name, asset, run);
  content.spaceUnknown = asset.space === undefined && asset.meshes.length + asset.sequences.length > 0;
  content.lost = lostNotes(asset.source);
  if (asset.source && asset.models.length > 0) {
    content.files = [...opened].flatMap((used) => files.filter(([path]) => normalizePath(path) === used));
  }
  const { meshes, sequences, models, motions } = content;
  if (meshes.length + sequences.length + models.length + motions.length === 0) {
    throw new PliantError('bad-input', 'open', 'contains nothing to show (expected a mesh or a motion)', {
      file: name,
    });
  }
  refuseBareCache(content);
  return content;
}

/** A cache without its mesh has moving points but no surface. */
function refuseBareCache({ name, format, sequences }: Content): void {
  if (!CACHES.includes(format) || sequences.some(({ rest }) => triangleCount(rest) > 0)) return;
  const cause = 'a cache needs the mesh that it moves: open both together, or a folder with both';
  throw new PliantError('bad-input', 'open', cause, { file: name });
}

export async function sampleJob({ name, options }: Jobs['sample']['input'], run: Run): Promise<Content> {
  // Loaded on demand.
  const { sample } = await import('../../../src/verbs/sample.ts');
  const made = await sample(name, { ...options, ...run });
  return contentOf(name, { ...emptyAsset('sample', 0), ...made }, run);
}

async function contentOf(name: string, asset: Asset, run: Run): Promise<Content> {
  const { format, meshes, motions, predictors = [], objects = [], notes, clipsTogether, cloths } = asset;
  // The bytes of the file would be copied with every message: what edits it reads it again.
  const models = asset.models.map(({ origin: _, ...model }) => model);
  const sequences = await readSequences(asset.sequences, run);
  await detachPictures([
    ...meshes,
    ...[...models, ...predictors].map(({ mesh }) => mesh),
    ...sequences.map(({ rest }) => rest),
  ]);
  const bytes = asset.bytes || sequences.reduce((sum, { frames }) => sum + frames.byteLength, 0);
  return {
    name,
    format,
    bytes,
    meshes,
    models,
    motions,
    predictors,
    objects,
    sequences,
    notes,
    clipsTogether,
    ...(cloths && { cloths }),
  };
}

/** All frames of all parts, at the times of the part with the most frames. */
async function readSequences(sequences: readonly MeshSequence[], run: Run): Promise<SequenceData[]> {
  if (sequences.length === 0) return [];
  const [only] = sequences;
  const parts = sequences.length === 1 ? [only] : mergedParts(sequences);
  requireRoom(parts);
  const out: SequenceData[] = [];
  for (const part of parts) out.push(await readFrames(part, run));
  for (const sequence of sequences) await sequence.close?.();
  return out;
}

function mergedParts(sequences: readonly MeshSequence[]): MeshSequence[] {
  const merged = mergeSequences(sequences);
  return merged.splitSequence(merged.sequence);
}
