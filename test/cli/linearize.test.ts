import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { newFolder, pliant } from './pliant.ts';

const folder = newFolder();
const at = (name: string): string => join(folder, name);

beforeAll(() => {
  expect(pliant(['sample', 'tube', '-o', at('tube.glb'), '--resolution', '120', '--frames', '6']).status).toBe(0);
});

describe('pliant linearize', () => {
  it('writes a GLB and a page, and tells programs what they ask for', () => {
    const { status, stdout, stderr } = pliant([
      ...['linearize', at('tube.glb'), '-o', at('out.glb'), '--blend-bones', '3', '--json'],
    ]);
    expect(stderr).toBe('');
    expect(status).toBe(0);
    const answer = JSON.parse(stdout);
    expect(answer.blendBones).toBe(3);
    expect(answer.envelopingError).toBeLessThan(answer.envelopingErrorLbs);
    expect(answer.averageInfluences).toBeGreaterThan(1);
    expect(answer.seconds).toBeGreaterThan(0);
    expect(answer.curve).toHaveLength(4);
    expect(answer.clips.map(({ name }: { name: string }) => name)).toEqual(['bend', 'twist', 'bend-and-twist']);
    expect(answer.training).toEqual({ source: 'range-of-motion', frames: 12 });
    const page = readFileSync(at('out.report.html'), 'utf8');
    for (const word of ['Error over blend bones', 'The worst pose', 'Dual quaternions', 'Joints']) {
      expect(page).toContain(word);
    }
    expect(page).toMatch(/<h1>out\.glb from [^<]*<\/h1>.*<code>pliant linearize /s);
    const info = pliant(['info', at('out.glb')]);
    expect(info.status).toBe(0);
  });

  it('trains with the clips of the file, or of another', () => {
    const own = pliant([
      ...['linearize', at('tube.glb'), '-o', at('own.glb'), '--training', 'clips', '--no-report', '--json'],
      ...['--blend-bones', '2', '--training-frames', '4'],
    ]);
    expect(JSON.parse(own.stdout).training).toEqual({ source: 'clips', frames: 4 });
    expect(existsSync(at('own.report.html'))).toBe(false);
    const other = pliant([
      ...['linearize', at('tube.glb'), '-o', at('other.glb'), '--training', at('own.glb'), '--no-report', '--json'],
      ...['--blend-bones', '2'],
    ]);
    expect(other.stderr).toBe('');
    expect(JSON.parse(other.stdout).training.source).toBe('given');
  });

  it.each([
    [['--operator', 'lbs'], /--operator \(got lbs, expected dqs, sdqs, dib\)/],
    [['--training', 'nowhere.bvh'], /nowhere\.bvh/],
    [['--map', 'names.json'], /--map needs --training/],
    [['--max-enveloping-error', 'x'], /--max-enveloping-error/],
    [['--frames-per-second', '20'], /applies to --keys steady only/],
    [['--object', 'hat'], /no such object \(got hat/],
  ])('%s is one clear error', (flags, message) => {
    const { status, stderr } = pliant(['linearize', at('tube.glb'), '-o', at('bad.glb'), ...flags]);
    expect(stderr).toMatch(message);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(status).toBe(2);
    expect(existsSync(at('bad.glb'))).toBe(false);
  });

  it('refuses a training that is neither a word nor a file', () => {
    const { status, stderr } = pliant(['linearize', at('out.glb'), '-o', at('x.glb'), '--training', 'clps']);
    expect(stderr).toMatch(/--training \(got clps, expected .* or a file that exists\); did you mean clips\?/);
    expect(status).toBe(2);
  });

  it('refuses a rig that was linearized before', () => {
    const { status, stderr } = pliant(['linearize', at('out.glb'), '-o', at('twice.glb')]);
    expect(stderr).toMatch(/has blend bones already/);
    expect(status).toBe(2);
    expect(existsSync(at('twice.glb'))).toBe(false);
  });
});
