import { type SaxesAttributePlain, SaxesParser } from 'saxes';
import { PliantError } from '../../error.ts';

/**
 * XML as a tree, read strictly (saxes). Documents with a DOCTYPE are refused: no entity but the five of XML is known,
 * nothing outside the file is ever fetched, and nothing expands. Depth, elements and size are bounded.
 */
export interface XmlElement {
  name: string;
  attributes: Readonly<Record<string, string>>;
  children: XmlElement[];
  /** All character data directly inside. */
  text: string;
  /** 1-based line of the start tag's end. */
  line: number;
}

export const XML_LIMITS = { bytes: 2 ** 28, depth: 512, elements: 2 ** 21 } as const;

const CHUNK = 1 << 16;

/** The root element of a document. */
export function parseXml(bytes: Uint8Array, operation: string, file: string): XmlElement {
  const parser = new SaxesParser({ xmlns: false, position: true });
  const fail = (code: 'bad-file' | 'unsupported' | 'too-large', cause: string): never => {
    throw new PliantError(code, operation, cause, { file, line: parser.line });
  };
  let root: XmlElement | undefined;
  const open: { element: XmlElement; texts: string[] }[] = [];
  let elements = 0;

  parser.on('doctype', () => fail('unsupported', 'DOCTYPE is not supported (expected none)'));
  parser.on('error', (error) => fail('bad-file', `invalid XML: ${error.message.replace(/^[\d:]+\s*|\.$/g, '')}`));
  parser.on('opentag', ({ name, attributes }) => {
    if (++elements > XML_LIMITS.elements) fail('too-large', `more than ${XML_LIMITS.elements} elements`);
    if (open.length === XML_LIMITS.depth) fail('too-large', `elements nested deeper than ${XML_LIMITS.depth}`);
    const element: XmlElement = {
      name,
      attributes: attributes as Record<string, SaxesAttributePlain['value']>,
      children: [],
      text: '',
      line: parser.line,
    };
    open.at(-1)?.element.children.push(element);
    root ??= element;
    open.push({ element, texts: [] });
  });
  const addText = (text: string): void => {
    open.at(-1)?.texts.push(text);
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => {
    const { element, texts } = open.pop()!;
    element.text = texts.join('');
  });

  const text = decode(bytes, fail);
  for (let from = 0; from < text.length; from += CHUNK) parser.write(text.slice(from, from + CHUNK));
  parser.close();
  return root ?? fail('bad-file', 'an empty document (expected an element)');
}

/** The text of a document, in the encoding that its first bytes tell, or that it declares. */
function decode(bytes: Uint8Array, fail: (code: 'unsupported', cause: string) => never): string {
  const head = String.fromCharCode(...bytes.subarray(0, 200));
  const wide = { '\xff\xfe': 'utf-16le', '\xfe\xff': 'utf-16be' }[head.slice(0, 2)];
  if (wide) return new TextDecoder(wide).decode(bytes);
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
