import { describe, expect, it } from 'vitest';
import type { PliantErrorCode } from '../../../src/error.ts';
import { child, childrenOf, parseXml, XML_LIMITS } from '../../../src/io/collada/xml.ts';
import { type Refusal, refusal } from '../../refusal.ts';
import { bytesOf } from '../support.ts';

const parse = (text: string) => parseXml(bytesOf(text), 'test', 'a.xml');

function refuse(text: string, code: PliantErrorCode, facts: Refusal): void {
  expect(() => parse(text)).toThrow(refusal(code, facts));
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
    refuse('<?xml version="1.0" encoding="klingon"?><a/>', 'unsupported', { values: ['klingon'] });
  });

  it.each(['little', 'big'])('reads UTF-16 with the %s end first', (end) => {
    const wide = Buffer.from('\ufeff<?xml version="1.0" encoding="UTF-16"?><a>é</a>', 'utf16le');
    if (end === 'big') wide.swap16();
    expect(parseXml(wide, 'test', 'a.xml').text).toBe('é');
  });

  it('refuses entities and what could expand or fetch', () => {
    const bomb = '<!DOCTYPE a [<!ENTITY b "bbbb"><!ENTITY c "&b;&b;&b;">]><a>&c;</a>';
    refuse(bomb, 'unsupported', { file: 'a.xml', line: 1, values: ['DOCTYPE'] });
    refuse('<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>', 'unsupported', { values: ['DOCTYPE'] });
    refuse('<a>&c;</a>', 'bad-file', { line: 1 });
  });

  it.each<[string, string, Refusal]>([
    ['an open element', '<a>\n<b></a>', { file: 'a.xml', line: 2 }],
    ['a truncated file', '<a><b>', { line: 1 }],
    ['two roots', '<a/><b/>', { line: 1 }],
    ['no element', '   ', { line: 1 }],
    ['text', 'hello', { line: 1 }],
    ['a repeated attribute', '<a b="1" b="2"/>', { line: 1 }],
  ])('refuses %s', (_, text, facts) => refuse(text, 'bad-file', facts));

  it('bounds the depth', () => {
    const deep = (n: number) => '<a>'.repeat(n) + '</a>'.repeat(n);
    expect(parse(deep(XML_LIMITS.depth)).name).toBe('a');
    refuse(deep(XML_LIMITS.depth + 1), 'too-large', { values: [XML_LIMITS.depth] });
  });
});
