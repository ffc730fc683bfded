import { parseAst } from 'vite';
import { expect, it } from 'vitest';
import { namesIn, withoutMethods } from '../../studio/build/unused-methods.mjs';

const LIBRARY = `
export class Thing {
  constructor() { this.kept = function () { return 1; }; this.dropped = () => 2; this.size = 3; }
  read() { return 4; }
  parts() { return 5; }
  byString() { return 6; }
  set only(value) { this.size = value; }
  toString() { return 'thing'; }
  nobody() { return 7; }
}`;
const PAGE = `
const thing = new Thing();
thing.only = thing.read() + thing.kept();
const { parts } = thing;
thing['by' + 'x'], thing['byString'];
thing.dropped = undefined;`;

const lean = () => withoutMethods(LIBRARY, parseAst(LIBRARY), namesIn([LIBRARY, PAGE]));

it('leaves out methods that nothing reads, takes apart or has in a string', () => {
  expect(lean()).not.toMatch(/nobody|dropped/);
});

it('keeps those that are called, taken apart, named in strings, by the language, and setters', () => {
  for (const name of ['kept', 'read', 'parts', 'byString', 'set only', 'toString', 'constructor', 'size']) {
    expect(lean()).toContain(name);
  }
  // What is left is still a program.
  expect(() => parseAst(lean())).not.toThrow();
});
