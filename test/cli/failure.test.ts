import { CommanderError } from 'commander';
import { describe, expect, it } from 'vitest';
import { failureOf } from '../../cli/terminal/failure.ts';
import { PliantError, type PliantErrorCode } from '../../src/error.ts';
import { note } from '../../src/model/note.ts';
import { noteText } from '../../src/report/note-text.ts';

const EXIT_CODES: Record<PliantErrorCode, number> = {
  'bad-file': 2,
  unsupported: 2,
  'bad-input': 2,
  'bad-option': 2,
  'not-found': 2,
  exists: 2,
  'no-permission': 2,
  system: 1,
  'too-large': 2,
  cancelled: 130,
  internal: 1,
};

describe('failures', () => {
  it.each(Object.entries(EXIT_CODES))('%s ends with %i', (code, exitCode) => {
    const error = new PliantError(code as PliantErrorCode, 'verb', 'cause');
    expect(failureOf(error)).toMatchObject({ exitCode, code });
  });

  it('adds what the reader left out', () => {
    const notes = [note('visibility-ignored', {}, 'arm')];
    const failure = failureOf(new PliantError('not-found', 'fit', 'contains no motion', { notes }));
    expect(`${failure.message}.`).toContain(noteText(notes[0]));
    expect(failure.facts?.notes).toEqual(notes);
  });

  it('tells what we foresee on one line: the file first, not the function that read it', () => {
    const error = new PliantError('bad-file', 'readObj', 'odd\nline', { file: 'x.obj', line: 3 });
    expect(failureOf(error).message).toBe('x.obj:3: odd line');
    expect(error).toMatchObject({ operation: 'readObj', message: 'readObj: x.obj:3: odd\nline' });
  });

  it('names options as flags, and what may have been meant', () => {
    const error = new PliantError('not-found', 'verb', '(got wlak)', {
      option: 'clipName',
      got: 'wlak',
      candidates: ['run', 'walk'],
    });
    expect(failureOf(error).message).toBe('invalid --clip-name (got wlak); did you mean walk?');
  });

  it('advises --small unless it was given', () => {
    const error = new PliantError('bad-option', 'fit', '(got 1 byte)', { option: 'maxSize', reason: 'size-too-small' });
    expect(failureOf(error, ['fit', 'x']).message).toContain('--small');
    expect(failureOf(error, ['fit', '--', '--small']).message).toContain('--small');
    expect(failureOf(error, ['fit', 'x', '--small']).message).toBe('invalid --max-size (got 1 byte)');
  });

  it('advises --map unless it was given', () => {
    const error = new PliantError('bad-input', 'weights', 'no bones match', { reason: 'no-common-joints' });
    expect(failureOf(error, ['weights', 'x']).message).toContain('--map');
    expect(failureOf(error, ['weights', 'x', '--map', 'y']).message).toBe('no bones match');
  });

  it('says that the rest is our own mistake, on one line', () => {
    const failure = failureOf(new TypeError('x is not\na function'));
    expect(failure).toMatchObject({ exitCode: 1, code: 'internal' });
    expect(failure.message).toMatch(/^internal error: x is not a function .*--debug/);
    expect(failureOf('thrown text')).toMatchObject({ exitCode: 1 });
  });

  it('turns usage errors into our style', () => {
    const error = new CommanderError(1, 'commander.unknownOption', "error: unknown option '--x'");
    expect(failureOf(error)).toMatchObject({ exitCode: 2, message: "unknown option '--x'" });
  });
});
