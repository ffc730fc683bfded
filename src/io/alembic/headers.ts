import type { Cursor } from './cursor.ts';
import { type MetaData, parseMetaData } from './meta-data.ts';
import { PODS, type Pod } from './pods.ts';
import { CONSTANT, HAS_CHANGES, HAS_SAMPLING, INFO, infoField, OWN_META_DATA } from './property-info.ts';
import type { TimeSampling } from './time-sampling.ts';

/** The header blocks of an archive. */

/** Entry 0 is no meta data; then a byte with the length of each, and the text. */
export function parseMetaDataList(cursor: Cursor): MetaData[] {
  const list: MetaData[] = [new Map()];
  while (!cursor.done) list.push(parseMetaData(cursor.text(cursor.uint(1))));
  return list;
}

/** Each: uint32 most samples that a property has (not needed), float64 time per cycle, uint32 count, float64 times. */
export function parseTimeSamplings(cursor: Cursor): TimeSampling[] {
  const samplings: TimeSampling[] = [];
  while (!cursor.done) {
    cursor.uint(4);
    const timePerCycle = cursor.float64();
    samplings.push({ timePerCycle, stored: cursor.float64s(cursor.uint(4)) });
  }
  if (samplings.length === 0) cursor.fail('no time samplings (expected at least one)');
  return samplings;
}

export interface ObjectHeader {
  name: string;
  metaData: MetaData;
}

/** Each: uint32 length of the name, the name, a byte for its meta data; 255: uint32 length and the text follow. */
export function parseObjectHeaders(cursor: Cursor, list: readonly MetaData[]): ObjectHeader[] {
  const headers: ObjectHeader[] = [];
  while (!cursor.done) {
    const name = cursor.text(cursor.uint(4));
    const index = cursor.uint(1);
    headers.push({ name, metaData: metaDataAt(cursor, index, list, 4) });
  }
  return headers;
}

interface CompoundHeader {
  kind: 'compound';
  name: string;
  metaData: MetaData;
}

export interface SampledHeader {
  kind: 'scalar' | 'array';
  name: string;
  metaData: MetaData;
  pod: Pod;
  /** Numbers per element. */
  extent: number;
  samples: number;
  /** The first sample that differs from the one before; 0 when none does. */
  firstChanged: number;
  lastChanged: number;
  /** Index of the time sampling. */
  sampling: number;
  /** Where the header is in the file. */
  offset: number;
}

export type PropertyHeader = CompoundHeader | SampledHeader;

/** See property-info.ts for the layout. */
export function parsePropertyHeaders(cursor: Cursor, list: readonly MetaData[]): PropertyHeader[] {
  const headers: PropertyHeader[] = [];
  while (!cursor.done) {
    const start = cursor.offset;
    const info = cursor.uint(4);
    const hint = infoField(info, INFO.sizeHint);
    if (hint > 2) cursor.fail(`size hint ${hint} (expected 0 to 2)`);
    const width = (1 << hint) as 1 | 2 | 4;
    const kind = infoField(info, INFO.kind);
    const sampled = kind === 0 ? undefined : sampledHeader(cursor, info, width, start);
    const name = cursor.text(cursor.uint(width));
    const metaData = metaDataAt(cursor, infoField(info, INFO.metaData), list, width);
    headers.push(sampled ? { ...sampled, name, metaData } : { kind: 'compound', name, metaData });
  }
  return headers;
}

function sampledHeader(
  cursor: Cursor,
  info: number,
  width: 1 | 2 | 4,
  offset: number,
): Omit<SampledHeader, 'name' | 'metaData'> {
  const podNumber = infoField(info, INFO.pod);
  const pod = PODS[podNumber] ?? cursor.fail(`data of type ${podNumber} (expected 0 to ${PODS.length - 1})`);
  const samples = cursor.uint(width);
  let firstChanged = Math.min(1, samples);
  let lastChanged = Math.max(0, samples - 1);
  if (info & HAS_CHANGES) {
    firstChanged = cursor.uint(width);
    lastChanged = cursor.uint(width);
  } else if (info & CONSTANT || samples < 2) {
    firstChanged = lastChanged = 0;
  }
  if (firstChanged > lastChanged || lastChanged > Math.max(0, samples - 1)) {
    cursor.fail(`samples change from ${firstChanged} to ${lastChanged} (expected 0 to ${samples - 1})`);
  }
  return {
    kind: infoField(info, INFO.kind) === 1 ? 'scalar' : 'array',
    pod,
    extent: infoField(info, INFO.extent),
    samples,
    firstChanged,
    lastChanged,
    sampling: info & HAS_SAMPLING ? cursor.uint(width) : 0,
    offset,
  };
}

/** Meta data by its index in the archive's list, or from the header itself. */
function metaDataAt(cursor: Cursor, index: number, list: readonly MetaData[], width: 1 | 2 | 4): MetaData {
  if (index === OWN_META_DATA) return parseMetaData(cursor.text(cursor.uint(width)));
  return list[index] ?? cursor.fail(`meta data ${index} (expected 0 to ${list.length - 1})`);
}
