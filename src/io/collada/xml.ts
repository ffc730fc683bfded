import { parseXml as parseDocument, type XmlDocument, XmlError, type XmlElement as XmlNode } from '@rgrove/parse-xml';
import { PliantError, type PliantErrorCode } from '../../error.ts';
import { lastAtMost } from '../../math/last-at-most.ts';

/**
 * XML as a tree, read strictly. Documents with a DOCTYPE are refused: no entity but the five of XML is known, nothing
 * outside the file is ever fetched, and nothing expands. Depth, elements and size are bounded.
 */
export interface XmlElement {
  name: string;
  attributes: Readonly<Record<string, string>>;
  children: XmlElement[];
  /** All character data directly inside. */
  text: string;
  /** 1-based line of the start tag. */
  line: number;
}

export const XML_LIMITS = { bytes: 2 ** 28, depth: 512, elements: 2 ** 21 } as const;

const DOCTYPE = /^[^<]*(?:<\?[^>]*>[^<]*|<!--[\s\S]*?-->[^<]*)*<!DOCTYPE/;

/** The root element of a document. */
export function parseXml(bytes: Uint8Array, operation: string, file: string): XmlElement {
  const fail = (code: PliantErrorCode, cause: string, line?: number): never => {
    throw new PliantError(code, operation, cause, { file, line });
  };
  const tooDeep = (line?: number) => fail('too-large', `elements nested deeper than ${XML_LIMITS.depth}`, line);
  const text = decode(bytes, fail);
  const doctype = DOCTYPE.exec(text)?.[0];
  if (doctype !== undefined) {
    const cause = 'the document has a DOCTYPE (expected none: entities are not read)';
    fail('unsupported', cause, doctype.split('\n').length);
  }
  // Every element has one or two; before a tree is made of them.
  if (occurrences(text, '<') > 2 * XML_LIMITS.elements) fail('too-large', `more than ${XML_LIMITS.elements} elements`);

  const lineAt = lineFinder(text);
  const plain = (node: XmlNode, depth: number): XmlElement => {
    const line = lineAt(node.start);
    if (depth > XML_LIMITS.depth) tooDeep(line);
    const element: XmlElement = { name: node.name, attributes: node.attributes, children: [], text: '', line };
    for (const child of node.children) {
      if (child.type === 'element') element.children.push(plain(child as XmlNode, depth + 1));
      if (child.type === 'text') element.text += (child as unknown as { text: string }).text;
    }
    return element;
  };
  return plain(parsed(text, fail, tooDeep).root!, 1);
}

/** A document, of which one with an element is well-formed. */
function parsed(
  text: string,
  fail: (code: PliantErrorCode, cause: string, line?: number) => never,
  tooDeep: () => never,
): XmlDocument {
  try {
    return parseDocument(text, { includeOffsets: true });
  } catch (error) {
    // It calls itself for every element inside another.
    if (error instanceof RangeError) return tooDeep();
    if (!(error instanceof XmlError)) throw error;
    const cause = error.message.split('\n')[0].replace(/ \(line \d+, column \d+\)$/, '');
    return fail('bad-file', `not well-formed XML: ${cause}`, error.line);
  }
}

function occurrences(text: string, character: string): number {
  let count = 0;
  for (let at = text.indexOf(character); at >= 0; at = text.indexOf(character, at + 1)) count++;
  return count;
}

/** Place in a text → its line, from 1. */
function lineFinder(text: string): (place: number) => number {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (place) => lastAtMost(starts, place) + 1;
}

/** The text of a document, in the encoding that it declares. */
function decode(bytes: Uint8Array, fail: (code: PliantErrorCode, cause: string) => never): string {
  const head = String.fromCharCode(...bytes.subarray(0, 200));
  const declared = /^(?:\xef\xbb\xbf)?<\?xml[^>]*?encoding\s*=\s*["']([\w.-]+)["']/.exec(head)?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(declared).decode(bytes);
  } catch {
    return fail('unsupported', `encoding ${declared} (expected UTF-8)`);
  }
}

/** The first child with that name. */
export const child = (element: XmlElement, name: string): XmlElement | undefined =>
  element.children.find((candidate) => candidate.name === name);

/** All children with that name. */
export const childrenOf = (element: XmlElement, name: string): XmlElement[] =>
  element.children.filter((candidate) => candidate.name === name);
