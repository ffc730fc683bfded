import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { atWork, ended, newDesk, type Refusal, startPliant } from './pliant.ts';

const { folder, run, json, expectRefusal } = newDesk();
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
    expect(stdout).toMatch(/energy {2}volume error % {2}surface error % {2}local RMS/);
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
    const { parts, figures, report, output } = json(
      ...['mix', 'tube.glb', '-o', 'json.glb', '--no-report', '--clip', 'bend', '--poses', '3'],
    );
    expect(parts).toMatchObject([{ name: 'tube', bones: 4 }]);
    expect(report.parts).toMatchObject([{ keeps: 'volume', converged: true }]);
    expect(report.parts[0].poses).toEqual(['bend, frame 0', 'bend, frame 3', 'bend, frame 5']);
    expect(figures.energy).toBe(report.parts[0].solved.terms.energy);
    expect(output).toEqual([{ path: 'json.glb', bytes: figures.bytes }]);
    expect(existsSync(join(folder, 'json.report.html'))).toBe(false);
  });

  it('bends joints, and takes all through their motions', () => {
    const bent = run(
      ...['mix', 'tube.glb', '-o', 'bent.glb', '--joint', 'bone3', '--axis', 'x', '--to-angle', '120'],
      ...['--joint', 'bone2'],
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
    expectRefusal(args, { code: 'exists', file: 'bend', reason: 'output-exists' });
    expect(json(...args, '--force').report.studies).toHaveLength(2);
    writeFileSync(join(folder, 'bend/own.txt'), 'mine');
    expectRefusal([...args, '--force'], { code: 'exists', file: 'bend' });
  });

  it.each<[string, string[], Refusal]>([
    ['no rig', ['-o', 'x.glb'], { code: 'bad-option' }],
    ['no output', ['tube.glb'], { code: 'bad-option' }],
    ['a mesh', ['face.obj', '-o', 'x.glb'], { code: 'not-found', file: 'face.obj' }],
    ['another output', ['tube.glb', '-o', 'x.obj'], { code: 'bad-option', file: 'x.obj' }],
    ['its own input', ['tube.glb', '-o', 'tube.glb', '--force'], { code: 'bad-option', file: 'tube.glb' }],
    ['a clip that is not there', ['tube.glb', '-o', 'x.glb', '--clip', 'x'], { code: 'not-found', option: 'clip' }],
    ['a joint that is not there', ['tube.glb', '-o', 'x.glb', '--joint', 'x'], { code: 'not-found', option: 'joint' }],
    ['an axis without a joint', ['tube.glb', '-o', 'x.glb', '--axis', 'x'], { code: 'bad-option', option: 'axis' }],
    ['an experiment with a rig', ['tube.glb', '--experiment', '-o', 'x'], { code: 'bad-option' }],
    ['an experiment with clips', ['--experiment', '-o', 'x', '--clip', 'bend'], { code: 'bad-option', option: 'clip' }],
    ['columns alone', ['tube.glb', '-o', 'x.glb', '--columns', '9'], { code: 'bad-option', option: 'columns' }],
  ])('refuses %s', (_, args, refusal) => {
    expectRefusal(['mix', ...args], refusal);
  });

  it('finds a joint by the end of its name, and suggests the one that may be meant', () => {
    expectRefusal(['mix', 'tube.glb', '-o', 'x.glb', '--joint', 'bon3', '--axis', 'x'], /did you mean bone3\?/);
  });

  it('suggests the clip that may be meant', () => {
    expectRefusal(['mix', 'tube.glb', '-o', 'x.glb', '--clip', 'bent'], {
      code: 'not-found',
      option: 'clip',
      got: 'bent',
    });
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
