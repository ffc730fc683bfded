import { parseAst } from 'vite';
import { expect, it } from 'vitest';
import { neverIn, replaceRanges } from '../../studio/build/edit-source.mjs';

const MODULE = `
function used() { return other(); }
function unused() { return 1; }
class Thing { method() { return 2; } }
const set = { member: function () { return 3; } };
context.found = used();
context.kept = used();
const nothing = thing.parts().length;`;

type Never = Parameters<typeof neverIn>[3];
const lean = (never: Never) => replaceRanges(MODULE, neverIn(parseAst(MODULE), MODULE, 'module.js', never));

it('empties functions and methods that are never called', () => {
  const code = lean({ called: ['unused', 'method', 'member'] });
  expect(code).toContain('function unused() {}');
  expect(code).toContain('class Thing { method() {} }');
  expect(code).toContain('member: function () {}');
  expect(code).toContain('function used() { return other(); }');
});

it('leaves out statements that set what is never set', () => {
  expect(lean({ set: ['context.found'] })).not.toContain('context.found');
  expect(lean({ set: ['context.found'] })).toContain('context.kept = used();');
});

it('puts what calls always return in their place, by the name of the function or all that stands before the brackets', () => {
  expect(lean({ returns: { parts: '[]' } })).toContain('const nothing = [].length;');
  expect(lean({ returns: { 'thing.parts': '[]', other: 'null' } })).toContain('return null; }');
});

it('says which names are not there', () => {
  expect(() => lean({ called: ['used', 'gone'], set: ['context.lost'] })).toThrow(
    'module.js has no gone, context.lost: has its version changed?',
  );
});

it('replaces what encloses others with them', () => {
  expect(
    replaceRanges('abcdef', [
      [2, 3, 'X'],
      [1, 5, '-'],
      [5, 6, '!'],
    ]),
  ).toBe('a-!');
});
