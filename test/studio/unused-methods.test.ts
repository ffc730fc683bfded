import { parseAst } from 'vite';
import { expect, it } from 'vitest';
import { namesCalled, withoutMethods } from '../../studio/build/unused-methods.mjs';

const LIBRARY = `
export class Thing {
  constructor(only) { this.kept = function () { return 1; }; this.dropped = () => 2; this.size = 3; this.only = only; }
  read() { return helper(this); }
  parts() { return 5; }
  byString() { return 6; }
  byLine() { return 6; }
  ofHelper() { return 7; }
  ofStranger() { return 8; }
  copy() { return this.clone(); }
  clone() { return this.copy(); }
  set only(value) { this.size = value; }
  toString() { return 'thing'; }
  nobody() { return lost(this); }
  ofLost() { return 9; }
  taken() { return 10; }
}
function helper(thing) { return thing.ofHelper(); }
function lost(thing) { return thing.ofLost(); }
function made() { return { inSet: helper, outOfSet: helper, data: 3 }; }
function dataOf(red, blue) { return { red, blue }; }
export const SHADERS = { light: helper, dark: helper };
made().inSet;
const { taken } = thing;
taken();`;
const PAGE = `
const thing = new Thing();
thing.only = thing.read() + thing.kept();
const { parts } = thing;
thing['by' + 'x'], thing['byString'];
SHADERS['light'];
console.log(\`\\nbyLine\`);
thing.dropped = undefined;`;
const STRANGER = 'map.ofStranger();';

const MODULES = [
  ['/pliant/node_modules/library/index.js', LIBRARY],
  ['/pliant/page/main.ts', PAGE],
  ['/pliant/elsewhere.ts', STRANGER],
] as const;

function lean(users: Record<string, string[]> = { library: ['/page/'] }): string {
  return withoutMethods(LIBRARY, parseAst(LIBRARY), namesCalled(MODULES, users).get('library')!);
}

it('leaves out methods that nothing reads, takes apart or has in a string', () => {
  expect(lean()).not.toMatch(/nobody\(|dropped/);
});

it('leaves out methods that only call each other, or are called by functions that nobody calls', () => {
  expect(lean()).not.toMatch(/copy\(\) \{|clone\(\) \{|ofLost\(\) \{/);
  expect(lean()).toContain('ofHelper() {');
});

it('leaves out names that only strangers read, unless they are users', () => {
  expect(lean()).not.toContain('ofStranger() {');
  expect(lean({ library: ['/page/', '/elsewhere'] })).toContain('ofStranger() {');
});

it('leaves functions out of sets that are returned, or that the module has; no data', () => {
  expect(lean()).toContain('{ red, blue }');
  expect(lean()).toContain('{ inSet: helper,  data: 3 }');
  expect(lean()).toContain('{ light: helper,  }');
});

it('keeps those that are called, taken apart, named in strings, by the language, and setters', () => {
  for (const name of 'kept read parts byString byLine() constructor toString size taken()'.split(' ')) {
    expect(lean()).toContain(name);
  }
  expect(lean()).toContain('set only(');
  expect(lean()).toContain('this.only = only;');
  expect(lean()).toContain('const { taken } = thing;');
  // What is left is still a program.
  expect(() => parseAst(lean())).not.toThrow();
});

it('knows functions that the bundler has numbered', () => {
  const modules = [
    ['/pliant/node_modules/library/index.js', 'class Thing { used() {} }\nfunction helper$2(thing) { thing.used(); }'],
    ['/pliant/page/main.ts', 'helper$1(thing);'],
  ] as const;
  expect(
    namesCalled(modules, { library: ['/page/'] })
      .get('library')!
      .has('used'),
  ).toBe(true);
});

it('says which users there are none of', () => {
  expect(() => lean({ library: ['/page/', '/moved/'] })).toThrow('nothing that is bundled lies in /moved/');
});
