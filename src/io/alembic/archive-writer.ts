import type { ByteSink } from '../files.ts';
import { ByteList } from './byte-list.ts';
import { metaDataText } from './meta-data.ts';
import { OgawaWriter } from './ogawa-writer.ts';
import { FILE_VERSION, OBJECT_HASH_BYTES, OWN_META_DATA } from './property-info.ts';
import {
  hashOf,
  metaDataIndex,
  type PropertySpec,
  PropertyWriter,
  propertyHeader,
  type WriterState,
  type Written,
} from './property-writer.ts';
import { IDENTITY, type TimeSampling } from './time-sampling.ts';

/**
 * Any Alembic archive: objects, compounds, scalar and array properties. Samples go to the file as they are set, equal
 * ones once; the tree of groups and headers follows in `finish`.
 */
export class ArchiveWriter {
  readonly top: ObjectWriter;
  readonly #metaData: string;
  readonly #state: WriterState;

  constructor(sink: ByteSink, metaData: Readonly<Record<string, string>> = {}) {
    this.#metaData = metaDataText(metaData);
    this.#state = { file: new OgawaWriter(sink), written: new Map(), listed: new Map(), samplings: [] };
    this.addSampling(IDENTITY);
    this.top = new ObjectWriter(this.#state, 'ABC', '');
  }

  /** The index of a time sampling; an equal one is not added again. */
  addSampling(sampling: TimeSampling): number {
    const { samplings } = this.#state;
    const equal = ({ timePerCycle, stored }: TimeSampling): boolean =>
      timePerCycle === sampling.timePerCycle && stored.join() === sampling.stored.join();
    const found = samplings.findIndex((entry) => equal(entry.sampling));
    return found >= 0 ? found : samplings.push({ sampling, samples: 0 }) - 1;
  }

  /** Writes the tree. Returns the size of the file. */
  async finish(): Promise<number> {
    const { file, listed, samplings } = this.#state;
    const { group } = await this.top.finish();
    const times = new ByteList();
    for (const { sampling, samples } of samplings) {
      times.uint(samples, 4).float64(sampling.timePerCycle).uint(sampling.stored.length, 4);
      for (const time of sampling.stored) times.float64(time);
    }
    const list = new ByteList();
    for (const text of listed.keys()) {
      const bytes = encoder.encode(text);
      list.uint(bytes.length, 1).add(bytes);
    }
    const root = await file.group([
      await file.data(new ByteList().uint(FILE_VERSION, 4).toArray()),
      await file.data(new ByteList().uint(LIBRARY_VERSION, 4).toArray()),
      group,
      await file.data(encoder.encode(this.#metaData)),
      await file.data(times.toArray()),
      await file.data(list.toArray()),
    ]);
    await file.finish(root);
    return file.size;
  }
}

/** The version of the Alembic library whose files these are: 1.7.9. Readers want 9999 or more. */
const LIBRARY_VERSION = 10709;

const encoder = new TextEncoder();

export class ObjectWriter {
  readonly name: string;
  readonly properties: CompoundWriter;
  readonly #metaData: string;
  readonly #state: WriterState;
  readonly #children: ObjectWriter[] = [];

  constructor(state: WriterState, name: string, metaData: string) {
    this.name = name;
    this.properties = new CompoundWriter(state, '', '');
    this.#metaData = metaData;
    this.#state = state;
  }

  /** Names of siblings must differ, and hold no slash. */
  child(name: string, metaData: Readonly<Record<string, string>> = {}): ObjectWriter {
    const child = new ObjectWriter(this.#state, name, metaDataText(metaData));
    this.#children.push(child);
    return child;
  }

  async finish(): Promise<Written> {
    const properties = await this.properties.finish();
    const children: Written[] = [];
    const headers = new ByteList();
    for (const child of this.#children) {
      children.push(await child.finish());
      const name = encoder.encode(child.name);
      const metaData = encoder.encode(child.#metaData);
      const index = metaDataIndex(this.#state, child.#metaData);
      headers.uint(name.length, 4).add(name).uint(index, 1);
      if (index === OWN_META_DATA) headers.uint(metaData.length, 4).add(metaData);
    }
    const childrenHash = hashOf(...children.map(({ hash }) => hash));
    const hash = hashOf(headers.toArray(), properties.hash, childrenHash);
    headers.add(properties.hash).add(children.length > 0 ? childrenHash : new Uint8Array(OBJECT_HASH_BYTES / 2));
    const { file } = this.#state;
    const group = await file.group([
      properties.group,
      ...children.map((child) => child.group),
      await file.data(headers.toArray()),
    ]);
    return { group, hash };
  }
}

export class CompoundWriter {
  readonly name: string;
  readonly #metaData: string;
  readonly #state: WriterState;
  readonly #properties: (CompoundWriter | PropertyWriter)[] = [];

  constructor(state: WriterState, name: string, metaData: string) {
    this.name = name;
    this.#metaData = metaData;
    this.#state = state;
  }

  compound(name: string, metaData: Readonly<Record<string, string>> = {}): CompoundWriter {
    const compound = new CompoundWriter(this.#state, name, metaDataText(metaData));
    this.#properties.push(compound);
    return compound;
  }

  scalar(name: string, spec: PropertySpec): PropertyWriter {
    return this.#add(new PropertyWriter(this.#state, name, 'scalar', spec));
  }

  array(name: string, spec: PropertySpec): PropertyWriter {
    return this.#add(new PropertyWriter(this.#state, name, 'array', spec));
  }

  #add(property: PropertyWriter): PropertyWriter {
    this.#properties.push(property);
    return property;
  }

  /** The header of a compound: its kind is 0, and it has no samples. */
  header(): Uint8Array {
    return propertyHeader(this.#state, this.name, this.#metaData, 0, [], 0);
  }

  async finish(): Promise<Written> {
    const parts: Written[] = [];
    const headers = new ByteList();
    for (const property of this.#properties) {
      parts.push(await property.finish());
      headers.add(property.header());
    }
    const { file } = this.#state;
    const bytes = headers.toArray();
    const children = parts.map(({ group }) => group);
    const group = await file.group(parts.length > 0 ? [...children, await file.data(bytes)] : []);
    return { group, hash: hashOf(bytes, ...parts.map(({ hash }) => hash)) };
  }
}
