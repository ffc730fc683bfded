import { PliantError } from '../error.ts';
import {
  coarserImages,
  type GeometryImages,
  IMAGE_CHANNELS,
  type ImageLevel,
  type ImageName,
  MAX_IMAGE_LEVEL,
  patchesOfLevel,
  tileLayout,
  validateGeometryImages,
} from '../model/geometry-images.ts';
import { packData, unpackData } from './gltf/packed-data.ts';
import { decodePng, encodePng } from './png.ts';

/**
 * Geometry images as bytes: a description in JSON, what is known of the patches (`packed-data.ts`), and a 16-bit PNG per level
 * and kind of image. Levels come in order, so that whatever begins a file set or a file is a coarser model.
 */

/** Where bytes are: a file beside the description, or a view of a GLB's buffer. */
export type ImageRef = { uri: string } | { bufferView: number };

/** The description. */
export interface ImagesDescription {
  version: 1;
  base: ImageRef;
  levels: Partial<Record<ImageName, ImageRef>>[];
}

const OPERATION = 'readGeometryImages';
const VERSION = 1;
const NAMES = Object.keys(IMAGE_CHANNELS) as ImageName[];

/** Writes everything but the description: `store` is called from coarse to fine, and says where it has put the bytes. */
export async function describeImages(
  images: GeometryImages,
  store: (bytes: Uint8Array, name: string, mimeType: string) => ImageRef,
): Promise<ImagesDescription> {
  const { levels, ...base } = images;
  const description: ImagesDescription = {
    version: VERSION,
    base: store(packData(base), 'base.bin', 'application/octet-stream'),
    levels: [],
  };
  for (const [d, level] of levels.entries()) {
    const refs: ImagesDescription['levels'][number] = {};
    for (const name of NAMES) {
      const samples = level[name];
      if (!samples) continue;
      const { width, height } = level;
      const png = await encodePng({ width, height, channels: IMAGE_CHANNELS[name], samples });
      refs[name] = store(png, `${d}.${name}.png`, 'image/png');
    }
    description.levels.push(refs);
  }
  return description;
}

/**
 * Images from a description. `load` gives the bytes, or undefined where they are not there (yet): what comes before that level
 * is the model then. At most `most` levels are read.
 */
export async function imagesOfDescription(
  description: unknown,
  load: (ref: ImageRef) => Promise<Uint8Array | undefined>,
  most = Infinity,
): Promise<GeometryImages> {
  const { base, levels } = requireDescription(description);
  const packed = await load(base);
  if (!packed) return fail('what is known of the patches is missing');
  // Plain bytes: a `Buffer` of Node has other ideas of a slice.
  const { buffer, byteOffset, byteLength } = packed;
  const known = unpackData(new Uint8Array(buffer, byteOffset, byteLength)) as
    | Omit<GeometryImages, 'levels'>
    | undefined;
  if (!(known?.depths instanceof Uint8Array)) fail('what is known of the patches cannot be read');
  const read: ImageLevel[] = [];
  for (let d = 0; d < Math.min(levels.length, most); d++) {
    const level = await readLevel(levels[d], d, patchesOfLevel(known!, d), load);
    if (!level) break;
    read.push(level);
  }
  if (read.length === 0) fail('no level is there as a whole');
  // Those that are not there count as read until the others are cut off.
  const whole: GeometryImages = { ...known!, levels: [...read, ...new Array<ImageLevel>(levels.length - read.length)] };
  const images = requireShape(whole, levels.length) && coarserImages(whole, read.length);
  validateGeometryImages(images, OPERATION);
  return images;
}

async function readLevel(
  refs: ImagesDescription['levels'][number],
  d: number,
  patches: number,
  load: (ref: ImageRef) => Promise<Uint8Array | undefined>,
): Promise<ImageLevel | undefined> {
  const layout = tileLayout(d, patches);
  const out: Partial<ImageLevel> = { ...layout };
  for (const name of NAMES) {
    const ref = refs[name];
    if (!ref) continue;
    const bytes = await load(ref);
    if (!bytes) return undefined;
    const { width, height } = layout;
    const size = { width, height, channels: IMAGE_CHANNELS[name], bits: 16 as const };
    out[name] = (await decodePng(bytes, size, `${name} of level ${d}`)) as Uint16Array;
  }
  if (!out.positions || !out.normals) fail(`level ${d} has no positions or no normals`);
  return out as ImageLevel;
}

function requireDescription(value: unknown): ImagesDescription {
  const { version, base, levels } = (value ?? {}) as Partial<ImagesDescription>;
  if (version !== VERSION) fail(`version ${String(version)} (expected ${VERSION})`);
  if (!isRef(base) || !Array.isArray(levels)) fail('no base or no levels');
  if (levels!.length === 0 || levels!.length > MAX_IMAGE_LEVEL + 1) fail(`${levels!.length} levels`);
  for (const level of levels!) {
    for (const name of NAMES) {
      if (level?.[name] !== undefined && !isRef(level[name])) fail(`${name} of a level is no reference`);
    }
  }
  return value as ImagesDescription;
}

const isRef = (value: unknown): value is ImageRef => {
  const { uri, bufferView } = (value ?? {}) as { uri?: unknown; bufferView?: unknown };
  return typeof uri === 'string' || (Number.isInteger(bufferView) && (bufferView as number) >= 0);
};

/** What `coarserImages` and the check of the contract rely on. */
function requireShape({ corners, depths, errors, boxes, origin, step }: GeometryImages, levels: number): true {
  const sound =
    corners instanceof Uint32Array &&
    errors instanceof Float32Array &&
    errors.length === depths.length * levels &&
    depths.every((depth) => depth < levels) &&
    boxes?.points instanceof Float32Array &&
    Array.isArray(origin) &&
    typeof step === 'number';
  if (!sound) fail('what is known of the patches does not fit together');
  return true;
}

function fail(cause: string): never {
  throw new PliantError('bad-input', OPERATION, cause);
}

/** A file set: the description and everything it names, by file names that begin with `name`. */
export async function geometryImageFiles(
  images: GeometryImages,
  name: string,
): Promise<{ name: string; bytes: Uint8Array }[]> {
  const files: { name: string; bytes: Uint8Array }[] = [];
  const description = await describeImages(images, (bytes, part) => {
    const uri = `${name}.${part}`;
    files.push({ name: uri, bytes });
    return { uri };
  });
  const text = new TextEncoder().encode(`${JSON.stringify(description, undefined, 1)}\n`);
  return [{ name: `${name}.images.json`, bytes: text }, ...files];
}

/** The way back: `load` gives the bytes of a file by its name, or undefined where it is not there. */
export function readImageFiles(
  description: Uint8Array,
  load: (name: string) => Promise<Uint8Array | undefined>,
  most?: number,
): Promise<GeometryImages> {
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder().decode(description));
  } catch {
    fail('the description is not JSON');
  }
  return imagesOfDescription(json, async (ref) => ('uri' in ref ? load(ref.uri) : undefined), most);
}
