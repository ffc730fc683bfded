import { describe, expect, it } from 'vitest';
import { extension, fileName, joinPath, naturalOrder, stem } from '../../src/io/paths.ts';

describe('paths', () => {
  it('are taken apart', () => {
    expect(fileName('a/b\\c.OBJ')).toBe('c.OBJ');
    expect(extension('a.b/c.OBJ')).toBe('obj');
    expect(extension('a.b/c')).toBe('');
    expect(stem('a/walk.0001.obj')).toBe('walk.0001');
    expect(stem('.hidden')).toBe('.hidden');
    expect(joinPath('a/', 'b')).toBe('a/b');
    expect(joinPath('a', 'b')).toBe('a/b');
    expect(joinPath('', 'b')).toBe('b');
  });

  it('are sorted naturally', () => {
    const names = [
      'f10.obj',
      'f2.obj',
      'f1.obj',
      'f02.obj',
      'f1a.obj',
      'e99.obj',
      'f.obj',
      'f123456789012345678901.obj',
    ];
    expect(names.sort(naturalOrder)).toEqual([
      'e99.obj',
      'f.obj',
      'f1.obj',
      'f1a.obj',
      'f02.obj',
      'f2.obj',
      'f10.obj',
      'f123456789012345678901.obj',
    ]);
  });
});
