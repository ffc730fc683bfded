import { describe, expect, it } from 'vitest';
import { explain, PliantError } from '../src/error.ts';

describe('PliantError', () => {
  it.each([
    [{}, 'too many'],
    [{ file: 'a.obj' }, 'a.obj: too many'],
    [{ file: 'a.obj', line: 3 }, 'a.obj:3: too many'],
    [{ file: 'a.pc2', offset: 16 }, 'a.pc2 @16: too many'],
    [{ option: 'maxSize' }, 'maxSize: too many'],
    [{ file: 'a.obj', option: 'maxSize' }, 'a.obj: maxSize: too many'],
  ])('with %o is explained by its place, option and cause', (facts, explanation) => {
    const error = new PliantError('bad-option', 'fit', 'too many', facts);
    expect(explain(error)).toBe(explanation);
    expect(error.message).toBe(`fit: ${explanation}`);
    expect(error).toMatchObject(facts);
  });

  it('names options as a front end does', () => {
    const error = new PliantError('bad-option', 'fit', '(got 1, expected 2)', { option: 'maxSize' });
    expect(explain(error, () => '--max-size')).toBe('--max-size (got 1, expected 2)');
  });

  it('names options within a cause, but not what only looks like one', () => {
    const error = new PliantError('bad-option', 'fit', '(got {a}, expected {option:lastFrame})', { option: 'object' });
    expect(error.message).toBe('fit: object (got {a}, expected lastFrame)');
    expect(explain(error, (name) => `<${name}>`)).toBe('<object> (got {a}, expected <lastFrame>)');
  });

  it('is one of many things that can be thrown', () => {
    expect(explain(new TypeError('oops'))).toBe('oops');
    expect(explain('oops')).toBe('oops');
  });
});
