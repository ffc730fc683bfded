import { describe, expect, it } from 'vitest';
import { PliantError } from '../../../src/error.ts';
import { child, childrenOf, parseXml, XML_LIMITS } from '../../../src/io/collada/xml.ts';
import { bytesOf } from '../support.ts';

const parse = (text: string) => parseXml(bytesOf(text), 'test', 'a.xml');

function refuse(text: string, code: string, message: RegExp): void {
  let error: unknown;
  try {
    parse(text);
  } catch (reason) {
    error = reason;
  }
  expect(error).toBeInstanceOf(PliantError);
  expect((error as PliantError).message).toMatch(message);
  expect((error as PliantError).code).toBe(code);
}

describe('parseXml', () => {
  it('makes a tree', () => {
    const root = parse(
      '<?xml version="1.0"?>\n<a x="1 &amp; 2">\n  one<b/>\n  <c>t&lt;o</c><b y=\'2\'/><![CDATA[<three>]]></a>',
    );
    expect(root.name).toBe('a');
    expect(root.attributes.x).toBe('1 & 2');
    expect(root.text.replace(/\s+/g, ' ')).toBe(' one <three>');
    expect(childrenOf(root, 'b').map((b) => b.attributes.y)).toEqual([undefined, '2']);
    expect(child(root, 'c')!.text).toBe('t<o');
    expect(child(root, 'c')!.line).toBe(4);
  });

  it('reads other encodings that are declared', () => {
    const latin1 = Uint8Array.from('<?xml version="1.0" encoding="ISO-8859-1"?><a>\xe9</a>', (c) => c.charCodeAt(0));
    expect(parseXml(latin1, 'test', 'a.xml').text).toBe('é');
    refuse('<?xml version="1.0" encoding="klingon"?><a/>', 'unsupported', /encoding klingon/);
  });

  it.each(['little', 'big'])('reads UTF-16 with the %s end first', (end) => {
    const wide = Buffer.from('\ufeff<?xml version="1.0" encoding="UTF-16"?><a>é</a>', 'utf16le');
    if (end === 'big') wide.swap16();
    expect(parseXml(wide, 'test', 'a.xml').text).toBe('é');
  });

  it('refuses entities and what could expand or fetch', () => {
    const bomb = '<!DOCTYPE a [<!ENTITY b "bbbb"><!ENTITY c "&b;&b;&b;">]><a>&c;</a>';
    refuse(bomb, 'unsupported', /a\.xml:1: the document has a DOCTYPE \(expected none: entities are not read\)/);
    refuse('<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>', 'unsupported', /DOCTYPE/);
    refuse('<a>&c;</a>', 'bad-file', /not well-formed XML: .*entity/);
  });

  it.each<[string, string, RegExp]>([
    ['an open element', '<a>\n<b></a>', /a\.xml:2: not well-formed/],
    ['a truncated file', '<a><b>', /not well-formed/],
    ['two roots', '<a/><b/>', /not well-formed/],
    ['no element', '   ', /not well-formed|empty/],
    ['text', 'hello', /not well-formed/],
    ['a repeated attribute', '<a b="1" b="2"/>', /not well-formed/],
  ])('refuses %s', (_, text, message) => refuse(text, 'bad-file', message));

  it('bounds the depth', () => {
    const deep = (n: number) => '<a>'.repeat(n) + '</a>'.repeat(n);
    expect(parse(deep(XML_LIMITS.depth)).name).toBe('a');
    refuse(deep(XML_LIMITS.depth + 1), 'too-large', /nested deeper than/);
  });
});
