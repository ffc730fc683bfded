import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { newDesk, type Refusal, root } from './pliant.ts';

const { folder, run, json, expectRefusal } = newDesk();
const FLAG = ['flag.obj', '--cache', 'flag.pc2'];
const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);

beforeAll(() => {
  expect(run('sample', 'flag', '--resolution', '200', '--frames', '14', '-o', 'flag.pc2').status).toBe(0);
  expect(
    run('learn', 'flag.obj', '--cache', 'flag.pc2', '--points', '3', '--bones', '6', '-o', 'flag.glb').status,
  ).toBe(0);
});

describe('learn', () => {
  it('says in JSON what it made', () => {
    const told = json(
      ...['learn', ...FLAG, '--examples', '8', '--vertices', '3,77', '--axes', 'xyz,xy', '--names', 'corner, edge'],
      ...['--bones', '5', '-o', 'own.glb'],
    );
    expect(told.report.controlPoints).toMatchObject([
      { name: 'corner', vertex: 3 },
      { name: 'edge', vertex: 77 },
    ]);
    expect(told.report.exampleFrames).toHaveLength(8);
    expect(told.figures).toMatchObject({ bones: 5, bytes: readFileSync(join(folder, 'own.glb')).length });
    expect(told.figures.leaveOneOutRmsePercent).toBeGreaterThan(0);
  });

  it.each(['linear', 'gaussian'])('learns with the kernel %s, from a sequence as from a rig', (kernel) => {
    expect(run('sample', 'tube', '--resolution', '100', '--frames', '5', '--force').status).toBe(0);
    for (const input of [FLAG, ['tube.glb']]) {
      const few = ['--points', '3', '--bones', '4', '-o', 'kernel.glb', '--force'];
      expect(json('learn', ...input, '--kernel', kernel, ...few).report.kernel).toBe(kernel);
    }
  });

  it('writes a file that says so of itself', () => {
    const { stdout } = run('info', 'flag.glb');
    expect(stdout).toMatch(/predictor/);
    expect(stdout).toMatch(/3 control points/);
    expect(stdout).toMatch(/point 2 +vertex \d+, .* \(.*\); .* x .* to .*, y .*, z /);
  });

  it('lists the control points, as info does, and says how players blend, as drive does', () => {
    const { report, notes } = json('learn', ...FLAG, '--points', '2', '-o', 'two.glb');
    expect(json('info', 'two.glb').report.assets[0].predictors[0].controlPoints).toEqual(report.controlPoints);
    const by = `${report.controlPoints[0].name}=0,0,0`;
    const driven = json('drive', 'two.glb', '--by', by, '--skinned', '-o', 'still.glb');
    const blend = expect.objectContaining({ code: 'players-blend-linearly', data: { operator: 'dqs' } });
    expect(notes).toContainEqual(blend);
    expect(driven.notes).toContainEqual(blend);
  });

  it('takes the bones of a rig that fit made, whatever order its file has', () => {
    expect(run('fit', ...FLAG, '--bones', '5', '--no-report', '-o', 'rig.glb').status).toBe(0);
    const told = json('learn', ...FLAG, '--rig', 'rig.glb', '-o', 'own-rig.glb');
    expect(told).toMatchObject({ figures: { bones: 5 }, report: { given: ['bones'] } });
    expectRefusal(['learn', ...FLAG, '--rig', 'flag.obj', '-o', 'b.glb'], { code: 'not-found', file: 'flag.obj' });
  });

  const refusals: [string[], Refusal][] = [
    [[...FLAG, '--rig', 'flag.glb', '--bones', '3'], { code: 'bad-option', option: 'bones' }],
    [['flag.obj'], { code: 'not-found', file: 'flag.obj' }],
    [[...FLAG, '--vertices', '1,x'], { code: 'bad-option', option: 'vertices' }],
    [[...FLAG, '--axes', 'xyz'], { code: 'bad-option', option: 'axes' }],
    [[...FLAG, '--vertices', '1', '--axes', 'w'], { code: 'bad-option', option: 'axes' }],
    [[...FLAG, '--vertices', '99999'], { code: 'bad-input' }],
    [[...FLAG, '--points', '0'], { code: 'bad-option', option: 'points' }],
    [[...FLAG, '--examples', '1'], { code: 'bad-option' }],
    [[...FLAG, '--points', '2', '--names', 'a'], { code: 'bad-input' }],
    [[...FLAG, '--points', '2', '--names', 'a,a'], { code: 'bad-input' }],
    [[...FLAG, '--limit', '0.2'], { code: 'bad-option' }],
    [['missing/'], { code: 'not-found', file: 'missing/' }],
    [[...FLAG, '-o', 'flag.glb'], { code: 'exists', file: 'flag.glb' }],
  ];
  it.each(refusals)('refuses %j', (args, expected) =>
    expectRefusal(['learn', ...args, ...(args.includes('-o') ? [] : ['-o', 'a.glb'])], expected),
  );
});

describe('drive', () => {
  it('follows a path, and another motion of the mesh', () => {
    const frame = [
      [0.1, 1, 0],
      [0.5, 1.5, 0.1],
      [1, 2, 0],
    ];
    write('path.json', JSON.stringify({ times: [0, 0.5, 1], frames: [frame, frame, frame] }));
    expect(run('drive', 'flag.glb', '--points', 'path.json', '-o', 'path.glb').status).toBe(0);
    expect(run('drive', 'flag.glb', '--points', 'flag.pc2', '-o', 'frames/').status).toBe(0);
    expect(readdirSync(join(folder, 'frames')).length).toBe(14 + 1); // and the rest pose
    expect(run('drive', 'flag.glb', '--points', 'flag.pc2', '-o', 'bones.glb', '--skinned').status).toBe(0);
    const swapped = [frame[2], frame[0], frame[1]];
    const points = ['point 3', 'point 1', 'point 2'];
    write('named.json', JSON.stringify({ points, times: [0, 0.5, 1], frames: [swapped, swapped, swapped] }));
    expect(run('drive', 'flag.glb', '--points', 'named.json', '-o', 'named.glb').status).toBe(0);
    expect(readFileSync(join(folder, 'named.glb'))).toEqual(readFileSync(join(folder, 'path.glb')));
    const told = run('measure', 'flag.pc2', 'frames/', '--json');
    expect(told.status).toBe(0);
  });

  it('follows the example of the docs', () => {
    const text = readFileSync(join(root, 'docs/learn.md'), 'utf8').match(/```json\n([\s\S]*?)```/)![1];
    write('docs.json', text);
    expect(run('drive', 'flag.glb', '--points', 'docs.json', '-o', 'docs.glb')).toMatchObject({
      status: 0,
      stderr: '',
    });
  });

  it('moves points from where they rest, by flags as by a path', () => {
    const { controlPoints } = json('info', 'flag.glb').report.assets[0].predictors[0];
    const offsets = Array.from({ length: 5 }, (_, k) => [[0, 0, (0.1 * k) / 4]]);
    write('by.json', JSON.stringify({ points: ['point 2'], times: [0, 0.25, 0.5, 0.75, 1], offsets }));
    expect(run('drive', 'flag.glb', '--points', 'by.json', '-o', 'by-path.mdd').status).toBe(0);
    const flags = ['--by', 'point 2=0,0,0.1', '--frames-per-second', '4'];
    expect(run('drive', 'flag.glb', ...flags, '-o', 'by-flag.mdd').status).toBe(0);
    expect(readFileSync(join(folder, 'by-flag.mdd'))).toEqual(readFileSync(join(folder, 'by-path.mdd')));
    expect(controlPoints.map(({ name }: { name: string }) => name)).toEqual(['point 1', 'point 2', 'point 3']);
    const unknown: Refusal = { code: 'bad-option', option: 'by', got: 'pint 2' };
    expectRefusal(['drive', 'flag.glb', '--by', 'pint 2=0,0,1', '-o', 'x.glb'], unknown);
    const both = ['drive', 'flag.glb', ...flags, '--points', 'by.json', '-o', 'x.glb'];
    expectRefusal(both, { code: 'bad-option', option: 'points' });
  });

  const paths: [string, string, Refusal][] = [
    ['path.txt', '{}', { code: 'unsupported', file: 'path.txt' }],
    ['a.json', '{', { code: 'bad-file', file: 'a.json' }],
    ['b.json', '{"frames": [[1, 2]]}', { code: 'bad-input', option: 'points' }],
    ['e.json', '[]', { code: 'bad-input', option: 'points' }],
  ];
  it.each(paths)('refuses a path: %s', (name, text, expected) => {
    write(name, text);
    expectRefusal(['drive', 'flag.glb', '--points', name, '-o', 'x.glb'], expected);
  });

  it('refuses a file that nothing was learned in, and an output of no use', () => {
    const drive = (...args: string[]): string[] => ['drive', ...args, '-o', 'x.glb'];
    expectRefusal(drive('path.glb', '--points', 'path.json'), { code: 'not-found', file: 'path.glb' });
    expectRefusal(drive('flag.glb'), { code: 'bad-option', option: 'points' });
    expectRefusal(drive('flag.glb', '--points', 'gone.json'), { code: 'not-found', file: 'gone.json' });
    const folders = ['drive', 'flag.glb', '--points', 'path.json', '-o', 'f/', '--skinned'];
    expectRefusal(folders, { code: 'bad-option', option: 'skinned' });
  });
});
