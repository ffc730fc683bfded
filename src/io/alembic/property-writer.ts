import { concatBytes } from '../../math/bytes.ts';
import { murmur3 } from '../../math/murmur3.ts';
import { ByteList } from './byte-list.ts';
import { metaDataText } from './meta-data.ts';
import { EMPTY_DATA, type OgawaChild } from './ogawa.ts';
import type { OgawaWriter } from './ogawa-writer.ts';
import { isText, PODS, type Pod, podBytes } from './pods.ts';
import {
  CONSTANT,
  HAS_CHANGES,
  HAS_SAMPLING,
  HOMOGENEOUS,
  INFO,
  LISTED_META_DATA,
  LISTED_META_DATA_BYTES,
  OWN_META_DATA,
} from './property-info.ts';
import type { TimeSampling } from './time-sampling.ts';

/** Scalar and array properties of an archive being written: their samples, and their headers. */

const encoder = new TextEncoder();

/** What all parts of an archive being written share. */
export interface WriterState {
  file: OgawaWriter;
  /** Key, size and kind of a sample → its block. */
  written: Map<string, OgawaChild>;
  /** Meta data → index in the list. */
  listed: Map<string, number>;
  samplings: { sampling: TimeSampling; samples: number }[];
}

export function metaDataIndex({ listed }: WriterState, text: string): number {
  if (text === '') return 0;
  const found = listed.get(text);
  if (found !== undefined) return found;
  if (encoder.encode(text).length > LISTED_META_DATA_BYTES || listed.size >= LISTED_META_DATA) return OWN_META_DATA;
  listed.set(text, listed.size + 1);
  return listed.size;
}

/** A part of the tree as written: its group, and a hash of all that is in it. */
export interface Written {
  group: OgawaChild;
  hash: Uint8Array;
}

/** What a property holds and when. */
export interface PropertySpec {
  pod: Pod;
  /** Numbers per element: 1 unless said. */
  extent?: number;
  metaData?: Readonly<Record<string, string>>;
  /** Index of its time sampling: 0 unless said. */
  sampling?: number;
}

export class PropertyWriter {
  readonly name: string;
  readonly #kind: 'scalar' | 'array';
  readonly #spec: PropertySpec;
  readonly #state: WriterState;
  /** Blocks of the stored samples; for arrays each with that of its dimensions. */
  readonly #stored: OgawaChild[][] = [];
  /** Identity of the last sample. */
  #last = '';
  #samples = 0;
  #firstChanged = 0;
  #lastChanged = 0;
  #homogeneous = true;
  #elements = -1;
  #hash = new Uint8Array(0);

  constructor(state: WriterState, name: string, kind: 'scalar' | 'array', spec: PropertySpec) {
    this.name = name;
    this.#kind = kind;
    this.#spec = spec;
    this.#state = state;
  }

  /** The next sample. `dimensions` of an array are known from its size, unless it holds texts or has a rank above 1. */
  async set(bytes: Uint8Array, dimensions?: readonly number[]): Promise<void> {
    const { pod, extent = 1 } = this.#spec;
    const { file, written } = this.#state;
    const key = murmur3(bytes);
    const identity = `${String.fromCharCode(...key)}${bytes.length}${isText(pod) ? pod : ''}${dimensions?.join('×') ?? ''}`;
    if (this.#samples === 0 || identity !== this.#last) {
      // What was repeated since the last change is now in the middle, where it is stored again by reference.
      if (this.#firstChanged !== 0) {
        for (let k = this.#lastChanged + 1; k < this.#samples; k++)
          this.#stored.push(this.#stored[this.#stored.length - 1]);
      }
      let data = bytes.length === 0 ? EMPTY_DATA : written.get(identity);
      if (!data) {
        data = await file.data(key, bytes);
        written.set(identity, data);
      }
      this.#stored.push(this.#kind === 'scalar' ? [data] : [data, await file.data(dimensionsBlock(dimensions))]);
      if (this.#firstChanged === 0) this.#firstChanged = this.#samples;
      this.#lastChanged = this.#samples;
      const elements =
        dimensions?.reduce((product, size) => product * size, 1) ?? bytes.length / (extent * podBytes(pod));
      if (this.#elements >= 0 && elements !== this.#elements) this.#homogeneous = false;
      this.#elements = this.#elements < 0 || elements === this.#elements ? elements : Number.NaN;
      this.#last = identity;
    }
    this.#hash = hashOf(this.#hash, key);
    this.#samples++;
  }

  /** The next sample equals the one before. */
  repeat(): void {
    this.#samples++;
  }

  header(): Uint8Array {
    const { pod, extent = 1, metaData = {}, sampling = 0 } = this.#spec;
    const [first, last] = [this.#firstChanged, this.#lastChanged];
    const isScalarLike = this.#kind === 'scalar' || this.#elements === 1;
    const constant = first === 0 && last === 0;
    const changes = !constant && (first !== 1 || last !== this.#samples - 1);
    const info =
      ((this.#kind === 'array' ? 2 : 0) | (isScalarLike ? 1 : 0)) +
      PODS.indexOf(pod) * 2 ** INFO.pod.shift +
      extent * 2 ** INFO.extent.shift +
      (sampling > 0 ? HAS_SAMPLING : 0) +
      (changes ? HAS_CHANGES : 0) +
      (this.#homogeneous ? HOMOGENEOUS : 0) +
      (constant ? CONSTANT : 0);
    const numbers = [this.#samples, ...(changes ? [first, last] : []), ...(sampling > 0 ? [sampling] : [])];
    return propertyHeader(this.#state, this.name, metaDataText(metaData), info, numbers, this.#samples);
  }

  async finish(): Promise<Written> {
    const entry = this.#state.samplings[this.#spec.sampling ?? 0];
    const constant = this.#lastChanged === 0 && this.#samples > 0;
    entry.samples = Math.max(entry.samples, constant ? 1 : this.#samples);
    return { group: await this.#state.file.group(this.#stored.flat()), hash: this.#hash };
  }
}

/** Empty where the size of the data says it, else a uint64 per dimension. */
function dimensionsBlock(dimensions: readonly number[] | undefined): Uint8Array {
  const bytes = new ByteList();
  for (const size of dimensions ?? []) bytes.uint(size, 8);
  return bytes.toArray();
}

/** `info` without size hint and meta data, `numbers` between it and the name. */
export function propertyHeader(
  state: WriterState,
  name: string,
  metaData: string,
  info: number,
  numbers: readonly number[],
  samples: number,
): Uint8Array {
  const nameBytes = encoder.encode(name);
  const metaDataBytes = encoder.encode(metaData);
  const largest = Math.max(nameBytes.length, metaDataBytes.length, samples, ...numbers);
  const hint = largest < 2 ** 8 ? 0 : largest < 2 ** 16 ? 1 : 2;
  const index = metaDataIndex(state, metaData);
  const width = 2 ** hint;
  const bytes = new ByteList().uint(info + hint * 2 ** INFO.sizeHint.shift + index * 2 ** INFO.metaData.shift, 4);
  for (const number of numbers) bytes.uint(number, width);
  bytes.uint(nameBytes.length, width).add(nameBytes);
  if (index === OWN_META_DATA) bytes.uint(metaDataBytes.length, width).add(metaDataBytes);
  return bytes.toArray();
}

/** 16 bytes that change when any of the parts does. */
export function hashOf(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  return murmur3(concatBytes(parts)).slice();
}
