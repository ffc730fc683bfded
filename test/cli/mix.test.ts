import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { atWork, ended, newDesk, startPliant } from './pliant.ts';

const { folder, run, expectRefusal } = newDesk();
const read = (name: string): string => readFileSync(join(folder, name), 'utf8');

beforeAll(() => {
  expect(run('sample', 'tube', '--resolution', '200', '--frames', '6').status).toBe(0);
  writeFileSync(join(folder, 'face.obj'), 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n');
});

describe('mix', () => {
  it('writes the mixed rig and a page, and tells energies, volumes and seconds', () => {
    const { status, stdout, stderr } = run('mix', 'tube.glb', '-o', 'mixed.glb');
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^tube: \d+ vertices, 18 poses$/m);
    expect(stdout).toMatch(/energy {2}volume error % {2}local rms/);
    for (const name of ['LBS', 'mix 0.5', 'DQS', 'solved'])
      expect(stdout).toMatch(new RegExp(`^ *${name} +[\\d.]`, 'm'));
    expect(stdout).toMatch(/^solved in [\d.]+ s, converged after \d+ iterations?$/m);
    expect(stdout).toMatch(/wrote mixed\.glb .*\nwrote mixed\.report\.html/);
    expect(read('mixed.report.html')).toContain('Mixes compared');
    expect(read('mixed.report.html')).toMatch(/<h1>mixed\.glb from [^<]*<\/h1>.*<code>pliant mix /s);
    expect(run('info', 'mixed.glb').stdout).toMatch(/skinning +mix/);
    expect(run('skin', 'mixed.glb', '-o', 'motion.glb').status).toBe(0);
  });

  it('says the same to programs', () => {
    const { status, stdout } = run(
      'mix',
      'tube.glb',
      '-o',
      'json.glb',
      '--no-report',
      '--clip',
      'bend',
      '--poses',
      '3',
      '--json',
    );
    expect(status).toBe(0);
    const { parts, written } = JSON.parse(stdout);
    expect(parts).toHaveLength(1);
    expect(parts[0]).toMatchObject({ name: 'tube', keeps: 'volume', converged: true, poses: expect.any(Array) });
    expect(parts[0].poses).toEqual(['bend, frame 0', 'bend, frame 3', 'bend, frame 5']);
    const dqs = parts[0].rivals.find((rival: { name: string }) => rival.name === 'DQS');
    expect(parts[0].solved.terms.energy).toBeLessThanOrEqual(dqs.terms.energy);
    expect(parts[0].seconds.solve).toBeGreaterThan(0);
    expect(written).toHaveLength(1);
    expect(existsSync(join(folder, 'json.report.html'))).toBe(false);
  });

  it('bends joints, and takes all through their motions', () => {
    const bent = run(
      'mix',
      'tube.glb',
      '-o',
      'bent.glb',
      '--joint',
      'bone3',
      '--axis',
      'x',
      '--to-angle',
      '120',
      '--joint',
      'bone2',
    );
    expect([bent.status, bent.stderr]).toEqual([0, '']);
    expect(bent.stdout).toMatch(/48 poses/);
    expect(read('bent.report.html')).toContain('120°');
    expect(run('mix', 'tube.glb', '-o', 'range.glb', '--range-of-motion', '--no-report').stdout).toMatch(/12 poses/);
  });

  it('makes the experiment: a page, a table and drawings', () => {
    const args = ['mix', '--experiment', '-o', 'bend', '--columns', '24', '--rows', '6', '--angle-step', '45'];
    const { status, stdout, stderr } = run(...args);
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/rectangle with points, 5 bends/);
    expect(stdout).toMatch(/best of the 25: /);
    const files = readdirSync(join(folder, 'bend'));
    expect(files).toContain('report.html');
    expect(files.filter((name) => name.endsWith('.svg'))).toHaveLength(26);
    expect(read('bend/areas.csv').trimEnd().split('\n')).toHaveLength(1 + 2 * 53 * 5);
    expect(run(...args).stderr).toMatch(/bend: already holds 28 files; use --force/);
    expect(run(...args, '--force').status).toBe(0);
    writeFileSync(join(folder, 'bend/own.txt'), 'mine');
    expect(run(...args, '--force').stderr).toMatch(/holds own\.txt, which Pliant did not write/);
  });

  it.each([
    ['no rig', ['mix', '-o', 'x.glb'], /no rig \(expected a file with bones/],
    ['no output', ['mix', 'tube.glb'], /--output \(got nothing/],
    ['a mesh', ['mix', 'face.obj', '-o', 'x.glb'], /face\.obj: holds no rig/],
    ['another output', ['mix', 'tube.glb', '-o', 'x.obj'], /x\.obj: cannot write this kind of output/],
    ['its own input', ['mix', 'tube.glb', '-o', 'tube.glb', '--force'], /is also an input/],
    [
      'a clip that is not there',
      ['mix', 'tube.glb', '-o', 'x.glb', '--clip', 'bent'],
      /no such clip \(got bent.*did you mean bend/,
    ],
    [
      'a joint that is not there',
      ['mix', 'tube.glb', '-o', 'x.glb', '--joint', 'bone9'],
      /no such joint \(got bone9, expected bone1/,
    ],
    ['an axis without a joint', ['mix', 'tube.glb', '-o', 'x.glb', '--axis', 'x'], /--axis needs a --joint/],
    ['an experiment with a rig', ['mix', 'tube.glb', '--experiment', '-o', 'x'], /makes its own rig \(got tube\.glb/],
    [
      'an experiment with clips',
      ['mix', '--experiment', '-o', 'x', '--clip', 'bend'],
      /--clip does not go with --experiment/,
    ],
    [
      'columns without the experiment',
      ['mix', 'tube.glb', '-o', 'x.glb', '--columns', '9'],
      /--columns needs --experiment/,
    ],
    ['areas of a surface', ['mix', 'tube.glb', '-o', 'x.glb', '--keep', 'area'], /keep area \(got a surface in space/],
  ])('refuses %s', (_, args, message) => {
    expectRefusal(args, message);
  });

  it('leaves nothing when it is interrupted', async () => {
    const before = readdirSync(folder).sort();
    const child = startPliant(['mix', '--experiment', '-o', 'long', '--columns', '2000', '--rows', '200'], folder);
    const outcome = ended(child);
    await atWork(folder, before.length + 1);
    child.kill('SIGINT');
    expect((await outcome).status).toBe(130);
    expect(readdirSync(folder).sort()).toEqual(before);
  });
});
