import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { newFolder, type Outcome, pliant, root } from './pliant.ts';

let folder: string;
const run = (...args: string[]): Outcome => pliant(args, folder);
const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);

beforeAll(() => {
  folder = newFolder();
  expect(run('sample', 'flag', '--resolution', '200', '--frames', '14', '-o', 'flag.pc2').status).toBe(0);
  expect(
    run('learn', 'flag.obj', '--cache', 'flag.pc2', '--points', '3', '--bones', '6', '-o', 'flag.glb').status,
  ).toBe(0);
});

describe('learn', () => {
  it('says in JSON what it made', () => {
    const { stdout, status } = run(
      'learn',
      'flag.obj',
      '--cache',
      'flag.pc2',
      '--examples',
      '8',
      '--vertices',
      '3,77',
      '--axes',
      'xyz,xy',
      '--names',
      'corner, edge',
      '--bones',
      '5',
      '-o',
      'own.glb',
      '--json',
    );
    expect(status).toBe(0);
    const told = JSON.parse(stdout);
    expect(told).toMatchObject({ points: [3, 77], names: ['corner', 'edge'], bones: 5 });
    expect(told.examples.length).toBe(8);
    expect(told.leaveOneOutRmsePercent).toBeGreaterThan(0);
    expect(told.bytes).toBe(readFileSync(join(folder, 'own.glb')).length);
  });

  it.each(['linear', 'gaussian'])('learns with the kernel %s, from a sequence as from a rig', (kernel) => {
    expect(run('sample', 'tube', '--resolution', '100', '--frames', '5', '--force').status).toBe(0);
    for (const input of [['flag.obj', '--cache', 'flag.pc2'], ['tube.glb']]) {
      const few = ['--points', '3', '--bones', '4', '-o', 'kernel.glb', '--force', '--json'];
      const { stdout, stderr, status } = run('learn', ...input, '--kernel', kernel, ...few);
      expect([status, stderr]).toEqual([0, '']);
      expect(JSON.parse(stdout).report.notes).toContainEqual(expect.stringContaining(`kernel: ${kernel};`));
    }
  });

  it('writes a file that says so of itself', () => {
    const { stdout } = run('info', 'flag.glb');
    expect(stdout).toMatch(/predictor/);
    expect(stdout).toMatch(/3 control points/);
    expect(stdout).toMatch(/point 2 +vertex \d+, rests at \(.*\); in the examples x .* to .*, y .*, z /);
  });

  it('lists the control points, as info does, and says how players blend, as drive does', () => {
    const { stdout } = run('learn', 'flag.obj', '--cache', 'flag.pc2', '--points', '2', '-o', 'two.glb', '--json');
    const { controlPoints, report } = JSON.parse(stdout);
    const [{ predictors }] = JSON.parse(run('info', 'two.glb', '--json').stdout).assets;
    expect(predictors[0].controlPoints).toEqual(controlPoints);
    const by = `${controlPoints[0].name}=0,0,0`;
    const driven = JSON.parse(run('drive', 'two.glb', '--by', by, '--skinned', '-o', 'still.glb', '--json').stdout);
    const blend = expect.objectContaining({ code: 'players-blend-linearly', data: { operator: 'dqs' } });
    expect(report.notes).toContainEqual(blend);
    expect(driven.reports[1].notes).toContainEqual(blend);
  });

  it('takes the bones of a rig that fit made, whatever order its file has', () => {
    expect(run('fit', 'flag.obj', '--cache', 'flag.pc2', '--bones', '5', '--no-report', '-o', 'rig.glb').status).toBe(
      0,
    );
    const { stdout, status } = run(
      'learn',
      'flag.obj',
      '--cache',
      'flag.pc2',
      '--rig',
      'rig.glb',
      '-o',
      'own-rig.glb',
      '--json',
    );
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ bones: 5, report: { given: ['bones'] } });
    const { stderr, ...rest } = run('learn', 'flag.obj', '--cache', 'flag.pc2', '--rig', 'flag.obj', '-o', 'b.glb');
    expect([rest.status, stderr]).toEqual([2, expect.stringMatching(/flag.obj: --rig \(got 0 rigs, expected one/)]);
  });

  it.each([
    [['flag.obj', '--cache', 'flag.pc2', '-o', 'a.glb', '--rig', 'flag.glb', '--bones', '3'], /--rig too/],
    [['flag.obj', '-o', 'a.glb'], /nothing that moves|distinct/],
    [['flag.pc2', '-o', 'a.glb', '--vertices', '1,x'], /whole numbers/],
    [['flag.pc2', '-o', 'a.glb', '--axes', 'xyz'], /--vertices/],
    [['flag.obj', '--cache', 'flag.pc2', '-o', 'a.glb', '--vertices', '99999'], /control point 99999/],
    [['flag.obj', '--cache', 'flag.pc2', '-o', 'a.glb', '--points', '0'], /points/],
    [['flag.obj', '--cache', 'flag.pc2', '-o', 'a.glb', '--examples', '1'], /examples \(got 1/],
    [['flag.obj', '--cache', 'flag.pc2', '-o', 'a.glb', '--points', '2', '--names', 'a'], /names .*got 1, expected 2/],
    [
      ['flag.obj', '--cache', 'flag.pc2', '-o', 'a.glb', '--points', '2', '--names', 'a,a'],
      /names .*got a twice, expected/,
    ],
    [['flag.obj', '--cache', 'flag.pc2', '-o', 'a.glb', '--limit', '0.2'], /--limit \(got 0.2, expected a number ≥ 1/],
    [['missing/', '-o', 'a.glb'], /missing/],
    [['flag.obj', '--cache', 'flag.pc2', '-o', 'flag.glb'], /exists/],
  ])('refuses %j', (args, message) => {
    const before = readdirSync(folder).sort();
    const { status, stderr, stdout } = run('learn', ...args);
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^pliant: [^\n]+\n$/);
    expect(stderr).toMatch(message);
    expect(readdirSync(folder).sort()).toEqual(before);
  });
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
    const { controlPoints } = JSON.parse(run('info', 'flag.glb', '--json').stdout).assets[0].predictors[0];
    const offsets = Array.from({ length: 5 }, (_, k) => [[0, 0, (0.1 * k) / 4]]);
    write('by.json', JSON.stringify({ points: ['point 2'], times: [0, 0.25, 0.5, 0.75, 1], offsets }));
    expect(run('drive', 'flag.glb', '--points', 'by.json', '-o', 'by-path.mdd').status).toBe(0);
    const flags = ['--by', 'point 2=0,0,0.1', '--frames-per-second', '4'];
    expect(run('drive', 'flag.glb', ...flags, '-o', 'by-flag.mdd').status).toBe(0);
    expect(readFileSync(join(folder, 'by-flag.mdd'))).toEqual(readFileSync(join(folder, 'by-path.mdd')));
    expect(controlPoints.map(({ name }: { name: string }) => name)).toEqual(['point 1', 'point 2', 'point 3']);
    const none = run('drive', 'flag.glb', '--by', 'pint 2=0,0,1', '-o', 'x.glb');
    expect([none.status, none.stderr]).toEqual([2, expect.stringMatching(/got pint 2, .*did you mean point 2\?/)]);
    expect(run('drive', 'flag.glb', ...flags, '--points', 'by.json', '-o', 'x.glb').stderr).toMatch(/got both/);
  });

  it.each([
    [['path.txt', '{}'], /path\.txt/],
    [['a.json', '{'], /not JSON/],
    [['b.json', '{"frames": [[1, 2]]}'], /frame 0 has 2 coordinates \(expected 9, of 3 points\)/],
    [['c.json', '{"frames": [[[1,2,3],[1,2,3],[1,2,null]]]}'], /coordinate 8 is null/],
    [['d.json', '{"frames": [[[1,2,3],[1,2,3],[1,2,3]]], "times": [1, 2]}'], /times/],
    [['e.json', '[]'], /no frames/],
    [['f.json', '{"points": ["a"], "frames": [[]]}'], /points \(got \["a"\], expected the 3 names point 1, point 2/],
  ])('refuses a path %j', ([name, text], message) => {
    write(name, text);
    const { status, stderr } = run('drive', 'flag.glb', '--points', name, '-o', 'x.glb');
    expect(status).toBe(2);
    expect(stderr).toMatch(message);
  });

  it('refuses a file that nothing was learned in, and an output of no use', () => {
    expect(run('drive', 'path.glb', '--points', 'path.json', '-o', 'x.glb').stderr).toMatch(/holds no predictor/);
    expect(run('drive', 'flag.glb', '-o', 'x.glb').stderr).toMatch(/--points/);
    const gone = run('drive', 'flag.glb', '--points', 'gone.json', '-o', 'x.glb');
    expect([gone.status, gone.stderr]).toEqual([2, expect.stringMatching(/gone\.json: no such file/)]);
    expect(run('drive', 'flag.glb', '--points', 'path.json', '-o', 'f/', '--skinned').stderr).toMatch(/\.glb only/);
  });
});
