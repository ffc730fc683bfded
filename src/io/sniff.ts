import { PliantError } from '../error.ts';
import type { ByteSource } from './files.ts';
import { extension } from './paths.ts';
import { MDD_HEADER_BYTES, mddCounts } from './read-mdd.ts';
import { OFF_KEYWORD } from './read-off.ts';
import { PC2_MAGIC } from './read-pc2.ts';

/** What kind of file this is: by its content first, by its name second. */

interface Format {
  /** As a sentence names it. */
  title: string;
  extensions: readonly string[];
  /** One mesh without motion, a cache of positions for one, or a file that may hold several things. */
  role: 'mesh' | 'cache' | 'scene' | 'unsupported';
  /** What to do instead, for kinds that are not read. */
  advice?: string;
}

const EXPORT = 'export OBJ files, PC2 or GLB instead';

export const FORMATS = {
  obj: { title: 'Wavefront OBJ', extensions: ['obj'], role: 'mesh' },
  ply: { title: 'PLY', extensions: ['ply'], role: 'mesh' },
  off: { title: 'OFF', extensions: ['off'], role: 'mesh' },
  pc2: { title: 'PC2 point cache', extensions: ['pc2'], role: 'cache' },
  mdd: { title: 'MDD motion cache', extensions: ['mdd'], role: 'cache' },
  glb: { title: 'glTF 2.0 (binary)', extensions: ['glb', 'vrm'], role: 'scene' },
  gltf: { title: 'glTF 2.0', extensions: ['gltf'], role: 'scene' },
  collada: { title: 'COLLADA', extensions: ['dae'], role: 'scene' },
  bvh: { title: 'BVH motion', extensions: ['bvh'], role: 'scene' },
  alembic: { title: 'Alembic', extensions: ['abc'], role: 'scene' },
  hdf5: {
    title: 'HDF5, the container of Alembic archives before 2013',
    extensions: [],
    role: 'unsupported',
    advice: 'export the archive again as Ogawa, or convert it with abcconvert -toOgawa',
  },
  fbx: { title: 'FBX scene', extensions: ['fbx'], role: 'unsupported', advice: EXPORT },
  blend: { title: 'Blender file', extensions: ['blend'], role: 'unsupported', advice: EXPORT },
  usd: { title: 'USD scene', extensions: ['usd', 'usda', 'usdc', 'usdz'], role: 'unsupported', advice: EXPORT },
  stl: { title: 'STL mesh', extensions: ['stl'], role: 'unsupported', advice: 'export OBJ or PLY instead' },
  zip: { title: 'ZIP archive', extensions: ['zip'], role: 'unsupported', advice: 'unpack it first' },
  gzip: { title: 'gzip archive', extensions: ['gz', 'tgz'], role: 'unsupported', advice: 'unpack it first' },
  image: { title: 'picture', extensions: ['png', 'jpg', 'jpeg', 'hdr'], role: 'unsupported', advice: 'pass a mesh' },
  session: {
    title: 'Pliant studio session',
    extensions: ['pliant'],
    role: 'unsupported',
    advice: 'rename it to end in .pliant and open it in pliant studio',
  },
  lfs: {
    title: 'pointer of Git LFS, not the file itself',
    extensions: [],
    role: 'unsupported',
    advice: 'run git lfs pull where it is checked out, or download the file',
  },
  html: {
    title: 'web page, not a model',
    extensions: ['html', 'htm'],
    role: 'unsupported',
    advice: 'the download may have failed; try it again',
  },
  utf16: { title: 'text in UTF-16', extensions: [], role: 'unsupported', advice: 'save it as UTF-8 or ASCII' },
  json: { title: 'JSON file, but not glTF', extensions: ['json'], role: 'unsupported', advice: 'pass a mesh' },
  xml: { title: 'XML file, but not COLLADA', extensions: ['xml'], role: 'unsupported', advice: 'pass a mesh' },
} as const satisfies Record<string, Format>;

export type FormatKind = keyof typeof FORMATS;

/** The kinds that are read. */
export type ReadableKind = {
  [K in FormatKind]: (typeof FORMATS)[K]['role'] extends 'unsupported' ? never : K;
}[FormatKind];

const kinds = Object.keys(FORMATS) as FormatKind[];

/** The format that a name promises. */
export function kindByName(path: string): FormatKind | undefined {
  const found = extension(path);
  return kinds.find((kind) => (FORMATS[kind].extensions as readonly string[]).includes(found));
}

const HEAD_BYTES = 4096;

/** First bytes → kind. */
const MAGIC: readonly (readonly [string, FormatKind])[] = [
  ['glTF', 'glb'],
  [PC2_MAGIC, 'pc2'],
  ['ply\n', 'ply'],
  ['ply\r', 'ply'],
  ['Ogawa', 'alembic'],
  ['\x89HDF\r\n\x1a\n', 'hdf5'],
  ['Kaydara FBX Binary', 'fbx'],
  ['; FBX', 'fbx'],
  ['BLENDER', 'blend'],
  ['PXR-USDC', 'usd'],
  ['#usda', 'usd'],
  ['PLIANT\r\n', 'session'],
  ['PK\x03\x04', 'zip'],
  ['\x1f\x8b', 'gzip'],
  ['\x89PNG', 'image'],
  ['\xff\xd8\xff', 'image'],
  ['#?RADIANCE', 'image'],
  ['#?RGBE', 'image'],
  ['version https://git-lfs.github.com/spec/', 'lfs'],
];

/** Text of which every second byte is 0: of enough characters to be no accident, with or without a byte order mark. */
const UTF16 = /^(\xff\xfe|\xfe\xff|(\0[\t\n\r -~]){8}|([\t\n\r -~]\0){8})/;

const OBJ_STATEMENT = /^(v|vt|vn|vp|f|o|g|s|l|p|usemtl|mtllib)[ \t]/;

/** The kind that the first bytes speak for, or undefined. */
async function kindByContent(source: ByteSource): Promise<FormatKind | undefined> {
  const bytes = await source.read(0, Math.min(HEAD_BYTES, source.size));
  // One character per byte.
  const head = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  const magic = MAGIC.find(([start]) => head.startsWith(start));
  if (magic) return magic[1];

  if (UTF16.test(head)) {
    // XML may be in any encoding.
    const isXml = /^(\xff\xfe|\xfe\xff)?\0?\s*\0?</.test(head);
    return isXml && head.replace(/\0/g, '').includes('<COLLADA') ? 'collada' : 'utf16';
  }

  const text = head.replace(/^\xef\xbb\xbf/, '').trimStart();
  if (/^<(!doctype html|html)\b/i.test(text)) return 'html';
  if (text.startsWith('<')) return text.includes('<COLLADA') ? 'collada' : 'xml';
  if (text.startsWith('{'))
    return /"(asset|accessors|bufferViews|buffers|meshes|nodes)"\s*:/.test(text) ? 'gltf' : 'json';
  if (/^HIERARCHY\s/i.test(text)) return 'bvh';
  if (/^solid\s/.test(text) && /\bfacet\b/.test(text)) return 'stl';
  if (matchesMdd(source, bytes)) return 'mdd';

  const statement = text.split(/[\r\n]+/).find((line) => /^\s*[^#\s]/.test(line)) ?? '';
  if (OFF_KEYWORD.test(statement.trim().split(/\s+/)[0])) return 'off';
  return OBJ_STATEMENT.test(statement.trimStart()) ? 'obj' : undefined;
}

/** MDD has no magic number: the counts of its header must give its size exactly. */
function matchesMdd(source: ByteSource, head: Uint8Array): boolean {
  if (head.length < MDD_HEADER_BYTES) return false;
  const { frameCount, vertices } = mddCounts(head);
  const expected = MDD_HEADER_BYTES + 4 * frameCount + 12 * frameCount * vertices;
  return frameCount > 0 && vertices > 0 && source.size === expected;
}

/** The kind of a file that can be read; throws when there is none, when it is not read, or when its name says another. */
export async function sniff(source: ByteSource): Promise<ReadableKind> {
  const operation = 'readAsset';
  const place = { file: source.name };
  if (source.size === 0) throw new PliantError('bad-file', operation, 'the file is empty', place);
  const named = kindByName(source.name);
  const content = await kindByContent(source);
  // A USDZ is an archive, but nobody should unpack it.
  const found = content === 'zip' && named === 'usd' ? named : (content ?? named);
  if (found === undefined) {
    const expected = kinds.filter((kind) => FORMATS[kind].role !== 'unsupported').map((kind) => FORMATS[kind].title);
    throw new PliantError('unsupported', operation, `unknown file format (expected ${expected.join(', ')})`, place);
  }
  const format: Format = FORMATS[found];
  if (format.role === 'unsupported') {
    throw new PliantError('unsupported', operation, `unsupported format (${format.title}: ${format.advice})`, place);
  }
  const oneFamily = (named === 'gltf' || named === 'glb') && (found === 'gltf' || found === 'glb');
  if (named !== undefined && named !== found && !oneFamily) {
    const cause = `looks like ${format.title} (expected ${FORMATS[named].title} from the file name)`;
    throw new PliantError('bad-file', operation, cause, place);
  }
  return found as ReadableKind;
}
