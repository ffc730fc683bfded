import type { TextScanner } from '../text-scanner.ts';

/** Scalar types: the names of 1994 and the later ones. */
const TYPES = {
  char: 'int8',
  uchar: 'uint8',
  short: 'int16',
  ushort: 'uint16',
  int: 'int32',
  uint: 'uint32',
  float: 'float32',
  double: 'float64',
} as const;

export type PlyType = (typeof TYPES)[keyof typeof TYPES];

/** Every name of a type → the later one. */
const TYPE_OF = new Map(Object.entries(TYPES).flatMap(([old, type]) => [[old, type] as const, [type, type] as const]));

export interface PlyProperty {
  name: string;
  type: PlyType;
  /** Type of the count of a list; absent for a single value. */
  countType?: PlyType;
}

export interface PlyElement {
  name: string;
  count: number;
  properties: PlyProperty[];
}

const PLY_FORMATS = ['ascii', 'binary_little_endian', 'binary_big_endian'] as const;
export type PlyFormat = (typeof PLY_FORMATS)[number];

/** Reads the header and leaves the scanner at the first byte of data. */
export function parsePlyHeader(scanner: TextScanner): { format: PlyFormat; elements: PlyElement[] } {
  const elements: PlyElement[] = [];
  let format: PlyFormat | undefined;
  if (scanner.restOfLine() !== 'ply') scanner.fail('not a PLY file (expected "ply" on the first line)', 0);
  for (;;) {
    scanner.skipLine();
    if (scanner.atEnd) scanner.fail('unterminated header (expected "end_header")');
    const at = scanner.pos;
    const fail = (expected: string): never => scanner.fail(`got "${line.slice(0, 60)}" (expected ${expected})`, at);
    const line = scanner.restOfLine();
    const words = line.split(/\s+/);
    switch (words[0]) {
      case 'end_header':
        if (!format) return fail('a "format" line first');
        scanner.skipLine();
        return { format, elements };
      case 'comment':
      case 'obj_info':
      case '':
        break;
      case 'format':
        format = PLY_FORMATS.find((known) => known === words[1]) ?? fail(`format ${PLY_FORMATS.join(' or ')}`);
        break;
      case 'element':
        if (words.length !== 3 || !/^\d{1,10}$/.test(words[2])) fail('element <name> <count>');
        elements.push({ name: words[1], count: Number(words[2]), properties: [] });
        break;
      case 'property':
        elements.at(-1)?.properties.push(parseProperty(words, fail)) ?? fail('an "element" line first');
        break;
      default:
        fail('element, property, comment or end_header');
    }
  }
}

function parseProperty(words: readonly string[], fail: (expected: string) => never): PlyProperty {
  const type = (word: string): PlyType => TYPE_OF.get(word) ?? fail(`a type: ${[...TYPE_OF.keys()].join(', ')}`);
  if (words[1] === 'list') {
    if (words.length !== 5) fail('property list <count type> <type> <name>');
    return { name: words[4], type: type(words[3]), countType: type(words[2]) };
  }
  if (words.length !== 3) fail('property <type> <name>');
  return { name: words[2], type: type(words[1]) };
}
