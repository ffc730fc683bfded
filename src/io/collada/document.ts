import { PliantError, type PliantErrorCode } from '../../error.ts';
import { addNotes, type Note } from '../../model/note.ts';
import { TextScanner } from '../text-scanner.ts';
import { child, childrenOf, parseXml, type XmlElement } from './xml.ts';

/** COLLADA 1.4.1 and 1.5 as a tree: references, arrays and sources. Section numbers are of the 1.4.1 specification. */

export const COLLADA_OPERATION = 'readCollada';

/** Rows of numbers: what `<source>` with its `<accessor>` gives. */
export interface NumberSource {
  values: Float64Array;
  count: number;
  /** Numbers per row. */
  width: number;
}

export class ColladaDocument {
  readonly root: XmlElement;
  readonly file: string;
  readonly notes: Note[] = [];
  readonly #byId = new Map<string, XmlElement>();
  readonly #sources = new Map<XmlElement, NumberSource>();
  readonly #encoder = new TextEncoder();

  constructor(bytes: Uint8Array, file: string) {
    this.file = file;
    this.root = parseXml(bytes, COLLADA_OPERATION, file);
    if (this.root.name !== 'COLLADA') {
      this.fail(this.root, `the document is <${this.root.name}> (expected <COLLADA>)`);
    }
    const stack = [this.root];
    for (let element = stack.pop(); element; element = stack.pop()) {
      const { id } = element.attributes;
      if (id !== undefined && !this.#byId.has(id)) this.#byId.set(id, element);
      for (let c = element.children.length - 1; c >= 0; c--) stack.push(element.children[c]);
    }
  }

  fail(element: XmlElement, cause: string, code: PliantErrorCode = 'bad-file'): never {
    throw new PliantError(code, COLLADA_OPERATION, cause, { file: this.file, line: element.line });
  }

  note(added: Note): void {
    addNotes(this.notes, added);
  }

  byId(id: string): XmlElement | undefined {
    return this.#byId.get(id);
  }

  /** The element with the id that an attribute `#id` names. Other documents are not fetched. */
  target(element: XmlElement, attribute: 'url' | 'source' | 'target'): XmlElement {
    const url = element.attributes[attribute] ?? this.fail(element, `<${element.name}> without ${attribute}`);
    if (!url.startsWith('#')) this.fail(element, `refers to ${url} (expected #id in this document)`, 'unsupported');
    return this.#byId.get(url.slice(1)) ?? this.fail(element, `no element has the id ${url}`);
  }

  need(element: XmlElement, name: string): XmlElement {
    return child(element, name) ?? this.fail(element, `<${element.name}> without <${name}>`);
  }

  /** An attribute that counts something; `otherwise` when it is absent. */
  count(element: XmlElement, attribute: string, otherwise?: number): number {
    const text = element.attributes[attribute];
    if (text === undefined && otherwise !== undefined) return otherwise;
    if (text === undefined || !/^\s*\d{1,10}\s*$/.test(text)) {
      this.fail(element, `<${element.name} ${attribute}="${text ?? ''}"> (expected a whole number)`);
    }
    return Number(text);
  }

  /** All numbers in the text of an element; just `expected` of them, if that is said. */
  numbers(element: XmlElement, expected?: number): Float64Array {
    const bytes = this.#encoder.encode(element.text);
    const scanner = new TextScanner(bytes, COLLADA_OPERATION, this.file, element.line);
    const values: number[] = [];
    for (scanner.skipSpace(); !scanner.atEnd; scanner.skipSpace()) values.push(scanner.number('a value'));
    if (expected !== undefined && values.length !== expected) {
      this.fail(element, `<${element.name}> has ${values.length} numbers (expected ${expected})`);
    }
    return Float64Array.from(values);
  }

  /** Whole numbers within min … max. */
  indices(element: XmlElement, min: number, max: number): Int32Array {
    const values = this.numbers(element);
    const bad = values.findIndex((value) => !(Number.isInteger(value) && value >= min && value <= max));
    if (bad >= 0) {
      this.fail(element, `number ${bad} of <${element.name}> is ${values[bad]} (expected ${min} to ${max})`);
    }
    return Int32Array.from(values);
  }

  /** The `<input>` with that semantic. */
  input(element: XmlElement, semantic: string): XmlElement | undefined {
    return childrenOf(element, 'input').find((input) => input.attributes.semantic === semantic);
  }

  /** The numbers of a `<source>` (5-96), at least `width` per row. */
  source(input: XmlElement, width: number): NumberSource {
    const element = this.target(input, 'source');
    const known = this.#sources.get(element);
    const source = known ?? this.#readSource(element);
    if (!known) this.#sources.set(element, source);
    if (source.width < width) this.fail(element, `source of ${source.width} numbers per row (expected ${width})`);
    return source;
  }

  #readSource(element: XmlElement): NumberSource {
    const array =
      child(element, 'float_array') ?? child(element, 'int_array') ?? this.fail(element, 'no <float_array>');
    const all = this.numbers(array, this.count(array, 'count'));
    const common = child(element, 'technique_common');
    const accessor = common && child(common, 'accessor');
    if (!accessor) this.fail(element, '<source> without <accessor>');
    const stride = this.count(accessor, 'stride', 1);
    const offset = this.count(accessor, 'offset', 0);
    const count = this.count(accessor, 'count');
    if (stride === 0 || offset + count * stride > all.length) {
      const got = `count ${count}, stride ${stride}, offset ${offset}`;
      this.fail(accessor, `${got} (expected at most ${all.length} numbers)`);
    }
    // A parameter without a name is to be skipped (5-4); one parameter may also stand for a whole matrix.
    const params = childrenOf(accessor, 'param');
    const named = [...params.keys()].filter((p) => params[p].attributes.name !== undefined);
    if (params.length !== stride || named.length === stride || named.length === 0) {
      return { values: all.slice(offset, offset + count * stride), count, width: stride };
    }
    const values = new Float64Array(count * named.length);
    for (let r = 0; r < count; r++) {
      named.forEach((p, c) => {
        values[r * named.length + c] = all[offset + r * stride + p];
      });
    }
    return { values, count, width: named.length };
  }

  /** The words of a `<source>` with a Name_array or IDREF_array. */
  names(input: XmlElement): { names: string[]; areIds: boolean } {
    const element = this.target(input, 'source');
    const ids = child(element, 'IDREF_array');
    const array = ids ?? child(element, 'Name_array') ?? this.fail(element, 'no <Name_array> or <IDREF_array>');
    return { names: array.text.split(/\s+/).filter((word) => word !== ''), areIds: ids !== undefined };
  }
}
