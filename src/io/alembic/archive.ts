import { PliantError } from '../../error.ts';
import type { ByteSource } from '../files.ts';
import { type Cursor, openBlock } from './cursor.ts';
import { type ObjectHeader, parseMetaDataList, parseObjectHeaders, parseTimeSamplings } from './headers.ts';
import { type MetaData, parseMetaData } from './meta-data.ts';
import { type OgawaChild, OgawaFile, type OgawaGroup } from './ogawa.ts';
import { type ArchiveIndex, Compound, openOnce } from './properties.ts';
import { FILE_VERSION, OBJECT_HASH_BYTES } from './property-info.ts';

/**
 * An Alembic archive in Ogawa. The root group has six children: data uint32 file version, data uint32 library version,
 * group of the top object, data meta data, data time samplings, data list of meta data.
 */
export interface Archive {
  file: OgawaFile;
  /** Alembic's version that wrote it: 10508 is 1.5.8. */
  libraryVersion: number;
  metaData: MetaData;
  top: ArchiveObject;
}

/** An object: a group whose first child has its properties, the last its children's headers, and those between are the children. */
export interface ArchiveObject {
  name: string;
  /** From the root: "/Bone/BoneShape". */
  path: string;
  metaData: MetaData;
  children: ArchiveObject[];
  properties(): Promise<Compound>;
}

/** Objects below each other: more are damage. */
const DEEPEST = 512;
/** All objects of an archive. */
const MOST_OBJECTS = 2 ** 20;

const LEAST_LIBRARY_VERSION = 9999;

/** Reads the tree of objects; properties when they are asked for. */
export async function openArchive(source: ByteSource, operation: string): Promise<Archive> {
  const file = new OgawaFile(source, operation);
  const root = await file.root();
  if (root.count < 6) file.fail(`the archive has ${root.count} parts (expected 6)`, root.offset);
  const data = async (c: number): Promise<Cursor> => {
    const child = root.child(c);
    if (!child.isData) file.fail(`part ${c} of the archive is a group (expected data)`, root.offset + 8 + 8 * c);
    return openBlock(file, child);
  };
  const uint32 = async (c: number): Promise<number> => {
    const cursor = await data(c);
    if (cursor.left !== 4) cursor.fail(`a version of ${cursor.left} bytes (expected 4)`);
    return cursor.uint(4);
  };
  const version = await uint32(0);
  if (version !== FILE_VERSION) {
    const cause = `Alembic file version ${version} (expected ${FILE_VERSION})`;
    throw new PliantError('unsupported', operation, cause, { file: source.name });
  }
  const libraryVersion = await uint32(1);
  if (libraryVersion < LEAST_LIBRARY_VERSION) {
    file.fail(`Alembic version ${libraryVersion} (expected ${LEAST_LIBRARY_VERSION} or more)`, root.child(1).offset);
  }
  const index: ArchiveIndex = {
    file,
    samplings: parseTimeSamplings(await data(4)),
    metaData: parseMetaDataList(await data(5)),
    opened: new Set([root.offset]),
  };
  const description = await data(3);
  return {
    file,
    libraryVersion,
    metaData: parseMetaData(description.text(description.left)),
    top: await readObjects(index, root.child(2), root.offset + 24),
  };
}

/** The object of a group and all below it. */
async function readObjects(index: ArchiveIndex, child: OgawaChild, at: number): Promise<ArchiveObject> {
  const { file } = index;
  let count = 0;
  const open = async (
    { name, metaData }: ObjectHeader,
    path: string,
    place: OgawaChild,
    placeAt: number,
    depth: number,
  ): Promise<ArchiveObject> => {
    if (depth > DEEPEST) file.fail(`objects ${depth} levels deep (expected at most ${DEEPEST})`, placeAt);
    if (++count > MOST_OBJECTS) file.fail(`more than ${MOST_OBJECTS} objects`, placeAt);
    const group = await openOnce(index, place, placeAt);
    const headers = await childHeaders(index, group);
    const children: ArchiveObject[] = [];
    for (const [c, header] of headers.entries()) {
      const offset = group.offset + 16 + 8 * c;
      children.push(await open(header, `${path}/${header.name}`, group.child(1 + c), offset, depth + 1));
    }
    let properties: Promise<Compound> | undefined;
    return {
      name,
      path,
      metaData,
      children,
      properties: () => {
        properties ??= Compound.open(
          index,
          path || '/',
          group.count > 0 ? group.child(0) : { isData: false, offset: 0 },
          group.offset + 8,
        );
        return properties;
      },
    };
  };
  return open({ name: 'ABC', metaData: new Map() }, '', child, at, 0);
}

/** Of an object's children: all but the hashes at the end of its last child. */
async function childHeaders(index: ArchiveIndex, group: OgawaGroup): Promise<ObjectHeader[]> {
  const { file, metaData } = index;
  if (group.count === 0) return [];
  const last = group.child(group.count - 1);
  if (!last.isData) return [];
  const headers = parseObjectHeaders(await openBlock(file, last, OBJECT_HASH_BYTES), metaData);
  if (headers.length > group.count - 2) {
    file.fail(`${headers.length} children in ${group.count - 2} groups`, group.offset);
  }
  return headers;
}
