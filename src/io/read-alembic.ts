import { PliantError } from '../error.ts';
import { type Asset, emptyAsset } from '../model/asset.ts';
import { triangleCount, vertexCount } from '../model/mesh.ts';
import { note } from '../model/note.ts';
import type { MeshSequence } from '../model/sequence.ts';
import { plural } from '../model/wording.ts';
import { type ArchiveObject, openArchive } from './alembic/archive.ts';
import { bake } from './alembic/bake.ts';
import { type FacesChange, type PolyMesh, readPolyMesh, type Unusable } from './alembic/poly-mesh.ts';
import { readScene, type Scene, type SceneMesh } from './alembic/scene.ts';
import type { ByteSource } from './files.ts';

/**
 * Alembic archives in Ogawa, the container of the last decade. Opening reads the index and the first sample of every
 * mesh; frames are read when they are asked for.
 */

const OPERATION = 'readAlembic';

/** Of all rest poses, which are in memory. */
const MOST_VERTICES = 2 ** 26;
/** Of all meshes; instances share theirs. Equal faces are in the file once, however many meshes have them. */
const MOST_TRIANGLES = 2 ** 27;

/** Meshes that move become sequences, others static meshes. Closes the source when no sequence needs it any more. */
export async function readAlembic(source: ByteSource): Promise<Asset> {
  try {
    const asset = await readMeshes(source);
    shareSource(asset, source);
    if (asset.sequences.length === 0) await source.close();
    return asset;
  } catch (error) {
    await source.close();
    throw error;
  }
}

async function readMeshes(source: ByteSource): Promise<Asset> {
  const archive = await openArchive(source, OPERATION);
  const scene = await readScene(archive);
  const asset: Asset = { ...emptyAsset('Alembic (Ogawa)', source.size), objects: scene.objects, ownTimes: true };
  const { notes } = asset;
  const changing: ({ path: string } & FacesChange)[] = [];
  const names = meshNames(scene.meshes);
  // Instances share what they are instances of.
  const polyMeshes = new Map<ArchiveObject, PolyMesh | Unusable>();
  let vertices = 0;
  let triangles = 0;
  for (const [m, { object, path, chain, visibility }] of scene.meshes.entries()) {
    if (visibility === 'hidden') {
      notes.push(note('object-not-read', { reason: 'hidden' }, path));
      continue;
    }
    const name = names[m];
    const isNew = !polyMeshes.has(object);
    const read = polyMeshes.get(object) ?? (await readPolyMesh(object, name, notes));
    polyMeshes.set(object, read);
    if ('why' in read) {
      if (typeof read.why === 'string') notes.push(note('object-not-read', { reason: read.why }, path));
      else changing.push({ path, ...read.why });
      continue;
    }
    if (visibility === 'animated') notes.push(note('visibility-ignored', {}, path));
    vertices += vertexCount(read.mesh);
    if (isNew) triangles += triangleCount(read.mesh);
    if (vertices > MOST_VERTICES || triangles > MOST_TRIANGLES) {
      const most = `${MOST_VERTICES} over all meshes and instances, ${MOST_TRIANGLES} triangles of all meshes`;
      const cause = `${vertices} vertices and ${triangles} triangles up to ${path} (expected at most ${most})`;
      throw new PliantError('too-large', OPERATION, cause, { file: source.name });
    }
    const { mesh, motion } = await bake(read, chain, name);
    if (motion) asset.sequences.push({ name, rest: { ...mesh, name }, ...motion });
    else asset.meshes.push({ ...mesh, name });
  }
  if (changing.length > 0 && asset.sequences.length + asset.meshes.length === 0) {
    const { path, sample, vertices, faces } = changing[0];
    const [before, after] = [0, 1].map((at) => `${vertices[at]} vertices and ${plural(faces[at], 'face')}`);
    const change = before === after ? `still ${after}, but connected differently` : `from ${before} to ${after}`;
    const cause = `${path} changes its faces at sample ${sample}, ${change} (expected the same faces throughout)`;
    throw new PliantError('unsupported', OPERATION, cause, { file: source.name });
  }
  for (const { path, ...change } of changing) notes.push(note('faces-change', change, path));
  for (const [kind, count] of otherKinds(scene))
    notes.push(note('not-read', { what: 'objects', names: [kind], count }));
  archive.file.opened();
  return asset;
}

/** The objects' own names; their paths where two have the same. */
function meshNames(meshes: readonly SceneMesh[]): string[] {
  const own = meshes.map(({ path }) => path.slice(path.lastIndexOf('/') + 1));
  const counts = new Map<string, number>();
  for (const name of own) counts.set(name, (counts.get(name) ?? 0) + 1);
  return own.map((name, m) => (counts.get(name) === 1 ? name : meshes[m].path.slice(1)));
}

/** Kinds of objects that are read. */
const READ = new Set(['transform', 'mesh', 'subdivision mesh', 'face set', 'group']);

/** What else the archive holds, kind → count. */
function otherKinds({ objects }: Scene): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { kind } of objects) {
    if (READ.has(kind) || kind.startsWith('instance of ')) continue;
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return counts;
}

/** The sequences of an archive read from one source: it is closed with the last of them. */
function shareSource(asset: Asset, source: ByteSource): void {
  const open = new Set<MeshSequence>(asset.sequences);
  for (const sequence of asset.sequences) {
    sequence.close = async () => {
      if (open.delete(sequence) && open.size === 0) await source.close();
    };
  }
}
