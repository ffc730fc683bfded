import { ALWAYS, bracket } from './bracket.ts';
import { openBlock } from './cursor.ts';
import { type PropertyHeader, parsePropertyHeaders, type SampledHeader } from './headers.ts';
import type { MetaData } from './meta-data.ts';
import type { OgawaChild, OgawaFile, OgawaGroup } from './ogawa.ts';
import { numbersOf, type Pod, type PodNumbers, podBytes, textsOf } from './pods.ts';
import { KEY_BYTES } from './property-info.ts';
import { ACYCLIC, sampleTimes, type TimeSampling, whyNotSampling } from './time-sampling.ts';

/** What every part of an open archive needs of it. */
export interface ArchiveIndex {
  file: OgawaFile;
  /** The meta data that headers refer to by number. */
  metaData: readonly MetaData[];
  samplings: readonly TimeSampling[];
  /** Offsets of the groups that were opened as an object or a property: each belongs to one place of the tree. */
  opened: Set<number>;
}

/** Opens a group that no other part of the tree may be: loops end here, and nothing is read more often than it is stored. */
export async function openOnce(index: ArchiveIndex, { isData, offset }: OgawaChild, at: number): Promise<OgawaGroup> {
  if (isData) index.file.fail('found data instead of a group', at);
  if (offset > 0 && index.opened.has(offset)) index.file.fail(`the group at ${offset} appears twice in the tree`, at);
  index.opened.add(offset);
  return index.file.group(offset);
}

/** Three hours at 24 frames per second. Repeated samples take no room: the size of the file does not tell what is absurd. */
const MOST_SAMPLES = 2 ** 18;

/** A compound property: a group with one child per property, and their headers as the last. */
export class Compound {
  readonly headers: readonly PropertyHeader[];
  /** Of the object that it belongs to, for messages. */
  readonly path: string;
  readonly #index: ArchiveIndex;
  readonly #group: OgawaGroup;
  /** Name → the number of the first property that has it. */
  readonly #numbers = new Map<string, number>();
  readonly #compounds = new Map<number, Promise<Compound>>();
  readonly #properties = new Map<number, Promise<Property>>();

  private constructor(index: ArchiveIndex, group: OgawaGroup, headers: readonly PropertyHeader[], path: string) {
    this.headers = headers;
    this.path = path;
    this.#index = index;
    this.#group = group;
    for (const [number, { name }] of headers.entries()) if (!this.#numbers.has(name)) this.#numbers.set(name, number);
  }

  static async open(index: ArchiveIndex, path: string, child: OgawaChild, at: number): Promise<Compound> {
    const group = await openOnce(index, child, at);
    if (group.count === 0) return new Compound(index, group, [], path);
    const last = group.child(group.count - 1);
    if (!last.isData) index.file.fail('properties without headers (expected a data block as the last child)', at);
    const headers = parsePropertyHeaders(await openBlock(index.file, last), index.metaData);
    if (headers.length > group.count - 1) {
      index.file.fail(`${headers.length} properties in ${group.count - 1} groups`, group.offset);
    }
    return new Compound(index, group, headers, path);
  }

  header(name: string): PropertyHeader | undefined {
    const number = this.#numbers.get(name);
    return number === undefined ? undefined : this.headers[number];
  }

  async compound(name: string): Promise<Compound | undefined> {
    const number = this.#numbers.get(name);
    if (number === undefined || this.headers[number].kind !== 'compound') return undefined;
    const compound = this.#compounds.get(number) ?? Compound.open(this.#index, this.path, ...this.#place(number));
    this.#compounds.set(number, compound);
    return compound;
  }

  /** A scalar or array property. */
  async property(name: string): Promise<Property | undefined> {
    const number = this.#numbers.get(name);
    const header = this.header(name);
    if (number === undefined || !header || header.kind === 'compound') return undefined;
    const property = this.#properties.get(number) ?? this.#openProperty(header, number);
    this.#properties.set(number, property);
    return property;
  }

  async #openProperty(header: SampledHeader, number: number): Promise<Property> {
    return new Property(this.#index, this.path, header, await openOnce(this.#index, ...this.#place(number)));
  }

  /** The group of a property, and where the file says so. */
  #place(number: number): [OgawaChild, number] {
    return [this.#group.child(number), this.#group.offset + 8 + 8 * number];
  }

  /** A property that, where it is there, must have numbers of this extent and kind. */
  async numeric(name: string, extent: number, isPod: (pod: Pod) => boolean): Promise<Property | undefined> {
    const property = await this.property(name);
    if (!property) return undefined;
    const { header } = property;
    if (header.extent !== extent || !isPod(header.pod)) {
      property.fail(`${name} has elements of ${header.extent} ${header.pod} (expected ${extent})`, header.offset);
    }
    return property;
  }
}

/** A scalar or array property: samples at the times of a time sampling. */
export class Property {
  readonly header: SampledHeader;
  readonly file: OgawaFile;
  /** Of the object that it belongs to, for messages. */
  readonly path: string;
  readonly #group: OgawaGroup;
  readonly #sampling: TimeSampling;
  #times: Float64Array | undefined;
  #recent: { offset: number; numbers: PodNumbers }[] = [];

  constructor({ file, samplings }: ArchiveIndex, path: string, header: SampledHeader, group: OgawaGroup) {
    const { name, kind, samples, sampling, offset } = header;
    this.header = header;
    this.file = file;
    this.path = path;
    this.#group = group;
    const needed = (samples === 0 ? 0 : this.stored) * (kind === 'array' ? 2 : 1);
    if (group.count < needed) {
      this.fail(`${name}: ${group.count} blocks of samples (expected ${needed})`, group.offset || offset);
    }
    if (samples > MOST_SAMPLES) this.fail(`${name}: ${samples} samples (expected at most ${MOST_SAMPLES})`, offset);
    const { [sampling]: times } = samplings;
    if (!times) this.fail(`${name}: time sampling ${sampling} (expected 0 to ${samplings.length - 1})`, offset);
    this.#sampling = times;
    // What never changes needs no times.
    if (this.isConstant) return;
    const bad = whyNotSampling(times);
    if (bad) this.fail(`${name}: ${bad} (expected times that increase)`, offset);
    if (times.timePerCycle === ACYCLIC && samples > times.stored.length) {
      this.fail(`${name}: ${samples} samples at ${times.stored.length} times`, offset);
    }
  }

  /** An error at a byte of the file that says which object it concerns. */
  fail(cause: string, offset: number): never {
    return this.file.fail(`${this.path}: ${cause}`, offset);
  }

  /** When the samples of a property that changes were taken, in seconds. */
  get times(): Float64Array {
    this.#times ??= sampleTimes(this.#sampling, this.samples);
    return this.#times;
  }

  get samples(): number {
    return this.header.samples;
  }

  /** Whether every sample is equal, as its header says. */
  get isConstant(): boolean {
    return this.header.lastChanged === 0;
  }

  /** How many samples are in the file: those that repeat the first or the last are not. */
  get stored(): number {
    const { firstChanged, lastChanged } = this.header;
    return this.isConstant ? 1 : lastChanged - firstChanged + 2;
  }

  /** Sample → number of the stored sample that it equals. */
  storedIndex(k: number): number {
    const { firstChanged, lastChanged } = this.header;
    return this.isConstant || k < firstChanged ? 0 : Math.min(k, lastChanged) - firstChanged + 1;
  }

  /** Stored sample → the first sample that it is. */
  firstSample(stored: number): number {
    return stored === 0 ? 0 : this.header.firstChanged + stored - 1;
  }

  /** The data block of a stored sample: the same block where samples are equal. */
  block(stored: number): OgawaChild {
    const child = this.#group.child(stored * (this.header.kind === 'array' ? 2 : 1));
    if (!child.isData) this.fail(`${this.header.name}: found a group instead of a sample`, this.#group.offset);
    return child;
  }

  /** Bytes of a stored sample without its key. */
  async size(stored: number): Promise<number> {
    const block = this.block(stored);
    const size = await this.file.blockSize(block);
    if (size > 0 && size < KEY_BYTES) this.fail(`a sample of ${size} bytes (expected its key of 16)`, block.offset);
    return Math.max(0, size - KEY_BYTES);
  }

  /** Elements of a stored sample. */
  async elements(stored: number): Promise<number> {
    const { extent, pod } = this.header;
    return (await this.size(stored)) / (extent * podBytes(pod));
  }

  /** What identifies the content of a stored sample: its size and key. */
  async identity(stored: number): Promise<string> {
    const size = await this.size(stored);
    const key = size === 0 ? '' : String.fromCharCode(...(await this.file.blockStart(this.block(stored), KEY_BYTES)));
    return `${size} ${key}`;
  }

  /** The bytes of a stored sample without its key. */
  async bytes(stored: number): Promise<Uint8Array> {
    const size = await this.size(stored);
    if (size === 0) return new Uint8Array(0);
    const bytes = await this.file.blockOfSize(this.block(stored), size + KEY_BYTES);
    return bytes!.subarray(KEY_BYTES);
  }

  /** The numbers of a stored sample. A view: not to be changed. */
  async numbers(stored: number): Promise<PodNumbers> {
    const bytes = await this.bytes(stored);
    const width = this.header.extent * podBytes(this.header.pod);
    if (width === 0 || bytes.length % width !== 0) {
      const { name } = this.header;
      this.fail(`${name}: ${bytes.length} bytes (expected a multiple of ${width})`, this.block(stored).offset);
    }
    return numbersOf(bytes, this.header.pod);
  }

  /**
   * The numbers of a stored sample that must have as many elements, in one read. The last two are kept: samples that
   * share a block, and neighbours that are interpolated, are not read again.
   */
  async recent(stored: number, elements: number): Promise<PodNumbers> {
    const block = this.block(stored);
    const kept = this.#recent.find(({ offset }) => offset === block.offset);
    if (kept) return kept.numbers;
    const { name, extent, pod } = this.header;
    const bytes = await this.file.blockOfSize(block, KEY_BYTES + elements * extent * podBytes(pod));
    if (!bytes) {
      const got = await this.elements(stored);
      const cause = `${name}: sample ${this.firstSample(stored)} has ${got} elements (expected ${elements})`;
      return this.fail(cause, block.offset);
    }
    const numbers = numbersOf(bytes.subarray(KEY_BYTES), pod);
    this.#recent = [{ offset: block.offset, numbers }, ...this.#recent.slice(0, 1)];
    return numbers;
  }

  /** The samples around a time: the value there is a + fraction · (b − a). What never changes has one. */
  async around(
    time: number,
    elements: number,
  ): Promise<{ a: PodNumbers; b: PodNumbers; fraction: number; offset: number }> {
    const { before, after, fraction } = this.isConstant ? ALWAYS : bracket(this.times, time);
    const stored = this.storedIndex(before);
    const a = await this.recent(stored, elements);
    const b = fraction === 0 ? a : await this.recent(this.storedIndex(after), elements);
    return { a, b, fraction, offset: this.block(stored).offset };
  }

  async texts(stored: number): Promise<string[]> {
    return textsOf(await this.bytes(stored), this.header.pod === 'wstring' ? 'wstring' : 'string');
  }
}
