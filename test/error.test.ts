import { describe, expect, it } from 'vitest';
import { explain, PliantError } from '../src/error.ts';

describe('PliantError', () => {
  it.each([
    [{}, 'exceeds 3'],
    [{ file: 'a.obj' }, 'a.obj: exceeds 3'],
    [{ file: 'a.obj', line: 3 }, 'a.obj:3: exceeds 3'],
    [{ file: 'a.pc2', offset: 16 }, 'a.pc2 at byte 16: exceeds 3'],
    [{ option: 'maxSize' }, 'maxSize exceeds 3'],
    [{ file: 'a.obj', option: 'maxSize' }, 'a.obj: maxSize exceeds 3'],
  ])('with %o is explained by its place, option and cause', (facts, explanation) => {
    const error = new PliantError('bad-option', 'fit', 'exceeds 3', facts);
    expect(explain(error)).toBe(explanation);
    expect(error.message).toBe(`fit: ${explanation}`);
    expect(error).toMatchObject(facts);
  });

  it('names options as a front end does', () => {
    const error = new PliantError('bad-option', 'fit', '(got 1, expected 2)', { option: 'maxSize' });
    expect(explain(error, () => '--max-size')).toBe('invalid --max-size (got 1, expected 2)');
  });

  it('names options within a cause, but not what only looks like one', () => {
    const error = new PliantError('bad-option', 'fit', '(got {a}, expected {option:lastFrame})', { option: 'object' });
    expect(error.message).toBe('fit: invalid object (got {a}, expected lastFrame)');
    expect(explain(error, (name) => `<${name}>`)).toBe('invalid <object> (got {a}, expected <lastFrame>)');
  });

  it('is one of many things that can be thrown', () => {
    expect(explain(new TypeError('oops'))).toBe('oops');
    expect(explain('oops')).toBe('oops');
  });
});
