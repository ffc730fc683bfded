import { existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { newDesk, type Refusal } from './pliant.ts';

const SMALL = ['--resolution', '100', '--frames', '4'];
const CUBE = `o cube
${[0, 1, 2, 3, 4, 5, 6, 7].map((c) => `v ${c & 1} ${(c >> 1) & 1} ${c >> 2}`).join('\n')}
f 1 3 4 2
f 5 6 8 7
f 1 2 6 5
f 3 7 8 4
f 1 5 7 3
f 2 4 8 6
`;

const { folder, run, json, expectRefusal } = newDesk();

beforeAll(() => {
  writeFileSync(join(folder, 'cube.obj'), CUBE);
  expect(run('sample', 'flag', ...SMALL).status).toBe(0);
  expect(run('sample', 'tube').status).toBe(0);
});

describe('info', () => {
  it('shows what a mesh is', () => {
    const { status, stdout, stderr } = run('info', 'cube.obj');
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^cube\.obj: Wavefront OBJ, \d+ B\n/);
    expect(stdout).toMatch(/^ {2}vertices +8$/m);
    expect(stdout).toMatch(/^ {2}triangles +12$/m);
    expect(stdout).toMatch(/^ {2}surface +closed, genus 0$/m);
    expect(stdout).toMatch(/^ {2}problems +none found$/m);
  });

  it('shows sequences and rigs', () => {
    expect(run('info', 'flag.glb').stdout).toMatch(/sequence "flag"\n {2}motion +4 frames, 24 per second/);
    expect(run('info', 'tube.glb').stdout).toMatch(/rig "tube"\n {2}bones +4\n {2}clips +bend \(48 frames/);
  });

  it('says the same to programs', () => {
    const { report, input, parts } = json('info', 'cube.obj', 'flag.glb', 'tube.glb');
    const { assets } = report;
    expect([assets.length, input.length, parts.length]).toEqual([3, 3, 3]);
    expect(assets[0].meshes[0]).toMatchObject({ vertices: 8, triangles: 12, closed: true, problems: [] });
    expect(assets[1].sequences[0]).toMatchObject({ name: 'flag', frames: 4 });
    expect(assets[2].models[0]).toMatchObject({ name: 'tube', bones: 4, boneNames: expect.any(Array) });
  });

  it('tells notes with the file that they are about', () => {
    writeFileSync(join(folder, 'lines.obj'), `${CUBE}l 1 2\n`);
    const { report } = json('info', '--each', 'lines.obj', 'cube.obj');
    expect(report.assets.map(({ notes }: { notes: object[] }) => notes.length)).toEqual([1, 0]);
    const { stdout } = run('info', '--each', 'lines.obj', 'cube.obj');
    expect(stdout.match(/^ *– /gm)).toHaveLength(1);
    expect(stdout.indexOf('– ')).toBeLessThan(stdout.indexOf('cube.obj'));
  });

  it('shows each file of a folder', () => {
    mkdirSync(join(folder, 'two'));
    for (const name of ['a.obj', 'b.obj']) writeFileSync(join(folder, 'two', name), CUBE);
    expect(json('info', '--each', 'two').input.map(({ files }: { files: string[] }) => files)).toEqual([
      ['two/a.obj'],
      ['two/b.obj'],
    ]);
  });

  it('names the problems of a mesh', () => {
    writeFileSync(join(folder, 'bad.obj'), `${CUBE}v 9 9 9\nf 1 1 2\n`);
    const { status, stdout } = run('info', 'bad.obj');
    expect(status).toBe(0);
    expect(stdout).toMatch(/belongs to no triangle/);
    expect(stdout).toMatch(/has no area/);
  });

  it('says where a mesh has no faces', () => {
    writeFileSync(join(folder, 'points.obj'), CUBE.slice(0, CUBE.indexOf('f ')));
    expect(run('info', 'points.obj').stdout).toMatch(
      /^ {2}problems +no faces, only points; the file may be truncated$/m,
    );
    expect(json('info', 'points.obj').report.assets[0].meshes[0].problems).toMatchObject([
      { kind: 'no-faces', count: 8 },
    ]);
  });

  it.each([
    ['a file that is missing', ['info', 'nothing.obj'], /nothing\.obj: no such file/],
    ['a pattern without files', ['info', 'nothing-*.obj'], /nothing-\*\.obj: no file matches/],
    ['a folder without meshes', ['info', 'empty'], /empty: contains no supported file/],
    ['a text that is no mesh', ['info', 'text.obj'], /text\.obj:1: no vertices \(got .*"hello"/],
    ['a broken mesh', ['info', 'broken.obj'], /broken\.obj:3: .*expected/],
    ['a cut-off GLB', ['info', 'cut.glb'], /cut\.glb/],
    ['a file of another kind', ['info', 'liar.glb'], /liar\.glb: .*OBJ/],
    ['frames that do not fit', ['info', 'cube.obj', 'flat.obj'], /flat\.obj: .*got 3, expected 8/],
  ])('refuses %s', (_, args, message) => {
    mkdirSync(join(folder, 'empty'), { recursive: true });
    writeFileSync(join(folder, 'text.obj'), 'hello world\n');
    writeFileSync(join(folder, 'broken.obj'), 'v 0 0 0\nv 1 0 0\nf 1 2 99\n');
    writeFileSync(join(folder, 'cut.glb'), readFileSync(join(folder, 'flag.glb')).subarray(0, 200));
    writeFileSync(join(folder, 'liar.glb'), CUBE);
    writeFileSync(join(folder, 'flat.obj'), 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n');
    expectRefusal(args, message);
  });
});

describe('inputs that are missing', () => {
  it.each([
    ['fit', ['none.glb', '-o', 'flag.glb']],
    ['fit', ['flag.glb', '--rest', 'none.obj', '-o', 'tube.glb'], 'none.obj'],
    ['skin', ['none/', '-o', 'flag.glb'], 'none/'],
    ['convert', ['none.glb', 'nowhere/out.abc']],
    ['measure', ['none.glb', 'flag.glb']],
    ['light', ['bake', 'none.glb', '-o', 'flag.glb']],
    ['cloth', ['run', 'cube.obj', '--body', 'none.glb', '-o', 'flag.glb']],
  ])('are told before what is wrong with the output: %s %j', (verb, args, file = 'none.glb') =>
    expectRefusal([verb, ...args], { code: 'not-found', file }),
  );

  it('are told where a folder has no pairs', () => {
    mkdirSync(join(folder, 'no-pairs'));
    for (const file of ['no-pairs', 'none'])
      expectRefusal(['cloth', 'train', file, '-o', 'out.glb'], { code: 'not-found', file });
  });

  it('are not looked for where a number names a frame', () =>
    expectRefusal(['fit', 'flag.glb', '--rest', '2', '-o', 'tube.glb'], { code: 'exists', file: 'tube.glb' }));
});

it.each([
  ['skin', ['tube.glb']],
  ['cloth', ['run', 'cube.obj', '--body', 'tube.glb']],
])('a motion is not written as a single OBJ: %s', (verb, args) =>
  expectRefusal([verb, ...args, '-o', 'out.obj'], { code: 'bad-option', file: 'out.obj' }),
);

it('an output that is a folder is refused where a file is written', () => {
  mkdirSync(join(folder, 'place.glb'));
  expectRefusal(['fit', 'flag.glb', '-o', 'place.glb'], /place\.glb: is a folder \(expected \.glb\)/);
});

describe('sample', () => {
  it('lists the samples with a line each', () => {
    const { status, stdout } = run('sample');
    expect(status).toBe(0);
    for (const name of ['flag', 'tablecloth', 'balloon', 'collapse', 'tube', 'box', 'figure']) {
      expect(stdout).toMatch(new RegExp(`^  ${name} +\\S`, 'm'));
    }
    const { samples } = json('sample').report;
    expect(samples.map(({ name }: { name: string }) => name)).toContain('figure');
  });

  it('writes the same bytes every time', () => {
    json('sample', 'flag', ...SMALL, '-o', 'again.glb');
    expect(readFileSync(join(folder, 'again.glb'))).toEqual(readFileSync(join(folder, 'flag.glb')));
  });

  it.each([
    ['.glb', 'a.glb'],
    ['frames/', 'a-frames/'],
    ['.pc2', 'a.pc2'],
  ])('writes a sequence that info reads back: %s', (_, output) => {
    expect(json('sample', 'flag', ...SMALL, '-o', output).output[0].path).toBe(output);
    const [input, ...flags] = output === 'a.pc2' ? ['a.obj', '--cache', 'a.pc2'] : [output];
    expect(json('info', input, ...flags).clips).toMatchObject([{ frames: 4 }]);
    expect(json('measure', input, 'flag.glb', ...flags).figures.maxErrorPercent).toBeLessThan(1e-4);
  });

  it('is silent with --quiet, and reports with --json', () => {
    expect(run('sample', 'box', '-o', 'q.glb', '--quiet')).toEqual({ status: 0, stdout: '', stderr: '' });
    const { output, figures } = json('sample', 'box', '-o', 'j.glb');
    expect(output).toEqual([{ path: 'j.glb', bytes: statSync(join(folder, 'j.glb')).size }]);
    expect(figures.bones).toBe(2);
  });
});

describe('skin and measure', () => {
  it('poses a rig by every operator', () => {
    for (const operator of ['rigid', 'lbs', 'dqs', 'sdqs', 'dib']) {
      json('skin', 'tube.glb', '--operator', operator, '-o', `tube-${operator}.glb`);
    }
    const lbs = json('measure', 'tube-lbs.glb', 'tube.glb', '--operator', 'lbs');
    expect(lbs.figures.maxErrorPercent).toBeLessThan(1e-3);
    const dqs = json('measure', 'tube-lbs.glb', 'tube-dqs.glb');
    expect(dqs.figures.maxErrorPercent).toBeGreaterThan(0.1);
  });

  it('says what the mix needs, and of which file', () =>
    expectRefusal(['skin', 'tube.glb', '--operator', 'mix', '-o', 'mix.glb'], {
      code: 'bad-input',
      file: 'tube.glb',
      option: 'operator',
    }));

  it('prints a table, per frame on request', () => {
    const { stdout } = run('measure', 'tube-lbs.glb', 'tube-dqs.glb', '--per-frame');
    expect(stdout).toMatch(/^ {2}RMSE +[\d.]+ {2}%$/m);
    expect(stdout).toMatch(/^ {2}frame +RMSE % +max % +surface distance %$/m);
  });

  it('compares meshes', () => expect(json('measure', 'cube.obj', 'cube.obj').figures.rmsePercent).toBe(0));

  const refusals: [string, string[], Refusal][] = [
    ['a file without a rig', ['skin', 'cube.obj', '-o', 'x.glb'], { code: 'not-found', file: 'cube.obj' }],
    [
      'a clip that does not exist',
      ['skin', 'tube.glb', '--clip', 'zzz', '-o', 'x.glb'],
      { code: 'not-found', option: 'clip', got: 'zzz' },
    ],
    [
      'a clip without a rig',
      ['measure', 'cube.obj', 'cube.obj', '--clip', 'x'],
      { code: 'bad-option', option: 'clip' },
    ],
    [
      'a flag of GLB for Alembic',
      ['skin', 'tube.glb', '-o', 'x.abc', '--compress', 'meshopt'],
      { code: 'bad-option', option: 'compress' },
    ],
  ];
  it.each(refusals)('refuses %s', (_, args, expected) => expectRefusal(args, expected));
});

it('demo fits a tablecloth and writes a GLB and a page over those of before', () => {
  mkdirSync(join(folder, 'out'));
  for (const name of ['tablecloth.glb', 'tablecloth.report.html']) writeFileSync(join(folder, 'out', name), 'before');
  const { verb, output } = json('demo');
  expect([verb, output.length]).toEqual(['demo', 2]);
  expect(json('info', 'out/tablecloth.glb').clips).toMatchObject([{ frames: 70 }]);
});

describe('outputs', () => {
  it('are not replaced without --force', () => {
    const before = statSync(join(folder, 'flag.glb')).mtimeMs;
    expectRefusal(['sample', 'flag', ...SMALL], { code: 'exists', reason: 'output-exists', file: 'flag.glb' });
    expect(statSync(join(folder, 'flag.glb')).mtimeMs).toBe(before);
    expect(run('sample', 'flag', ...SMALL, '--force').status).toBe(0);
  });

  it(
    'are refused before anything is computed, which here would take hours',
    () =>
      expectRefusal(['sample', 'flag', '--resolution', '100000', '--frames', '1000'], {
        code: 'exists',
        reason: 'output-exists',
      }),
    60_000,
  );

  it('are never an input, even with --force', () => {
    const before = readFileSync(join(folder, 'tube.glb'));
    symlinkSync('tube.glb', join(folder, 'link.glb'));
    for (const output of ['tube.glb', './tube.glb', 'link.glb']) {
      for (const verb of ['fit', 'skin']) {
        expectRefusal([verb, 'tube.glb', '-o', output, '--force'], /(tube|link)\.glb: is also an input/);
      }
    }
    symlinkSync('tube.glb', join(folder, 'page.html'));
    const onPage = ['--report', 'page.html', '--force'];
    expectRefusal(['fit', 'tube.glb', '-o', 'x.glb', ...onPage], { code: 'bad-option', file: 'page.html' });
    expectRefusal(['fit', 'flag.glb', '-o', 'tube.glb', ...onPage], { code: 'bad-option', file: 'page.html' });
    rmSync(join(folder, 'page.html'));
    rmSync(join(folder, 'link.glb'));
    expect(readFileSync(join(folder, 'tube.glb'))).toEqual(before);
  });

  it('never replace a folder with other things in it', () => {
    mkdirSync(join(folder, 'mine'), { recursive: true });
    writeFileSync(join(folder, 'mine', 'thesis.txt'), '');
    expectRefusal(['sample', 'flag', ...SMALL, '-o', 'mine/', '--force'], /mine: .*thesis\.txt/);
    expect(existsSync(join(folder, 'mine', 'thesis.txt'))).toBe(true);
  });

  it.each([
    ['into a folder that is missing', 'no/where.glb', /folder no does not exist/],
    ['below a file', 'cube.obj/x.glb', /cube\.obj is a file \(expected a folder\)/],
    ['without a known extension', 'x.fbx', /expected \.glb, a folder/],
  ])('refuse %s', (_, output, message) => expectRefusal(['sample', 'flag', ...SMALL, '-o', output], message));

  // Permissions do not stop root; /proc stops everyone.
  it.skipIf(!existsSync('/proc/version'))('refuse a place that may not be written (skipped without /proc)', () => {
    expectRefusal(['sample', 'flag', ...SMALL, '-o', '/proc/flag.glb'], {
      code: 'no-permission',
      file: '/proc/flag.glb',
    });
    expectRefusal(['sample', 'flag', ...SMALL, '-o', '/proc/frames/'], {
      code: 'no-permission',
      file: '/proc/frames/',
    });
    expectRefusal(['demo', '-o', '/proc/new/deep/x.glb'], { code: 'not-found', file: '/proc/new' });
  });
});
