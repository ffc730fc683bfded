import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { newDesk, type Refusal } from './pliant.ts';

const { folder, run, json, expectRefusal } = newDesk();
const at = (name: string): string => join(folder, name);

beforeAll(() => {
  expect(run('sample', 'tube', '--resolution', '120', '--frames', '6').status).toBe(0);
});

describe('pliant linearize', () => {
  it('writes a GLB and a page, and tells programs what they ask for', () => {
    const answer = json('linearize', 'tube.glb', '-o', 'out.glb', '--blend-bones', '3');
    const { figures, clips, report } = answer;
    expect(figures.blendBones).toBe(3);
    expect(figures.envelopingErrorPercent).toBeLessThan(figures.envelopingErrorLbsPercent);
    expect(figures.averageInfluencesAfter).toBeGreaterThan(1);
    expect(clips.map(({ name }: { name: string }) => name)).toEqual(['bend', 'twist', 'bend-and-twist']);
    expect(report.parts).toMatchObject([{ training: { source: 'both', frames: 24 } }]);
    expect(report.parts[0].curve).toHaveLength(4);
    const page = readFileSync(at('out.report.html'), 'utf8');
    for (const word of ['Error by number of blend bones', 'The worst pose', 'Dual quaternions', 'Joints']) {
      expect(page).toContain(word);
    }
    expect(page).toMatch(/<h1>out\.glb from [^<]*<\/h1>.*<code>pliant linearize /s);
    expect(run('info', 'out.glb').status).toBe(0);
  });

  it('trains with the clips of the file, or of another', () => {
    const own = json(
      ...['linearize', 'tube.glb', '-o', 'own.glb', '--training', 'clips', '--no-report', '--blend-bones', '2'],
      ...['--training-frames', '4'],
    );
    expect(own.report.parts[0].training).toEqual({ source: 'clips', frames: 4 });
    expect(existsSync(at('own.report.html'))).toBe(false);
    const other = json(
      ...['linearize', 'tube.glb', '-o', 'other.glb', '--training', 'own.glb', '--no-report', '--blend-bones', '2'],
    );
    expect(other.report.parts[0].training.source).toBe('given');
    expect(other.input).toHaveLength(2);
  });

  it.each<[string[], Refusal]>([
    [['--operator', 'lbs'], { code: 'bad-option', option: 'operator' }],
    [['--training', 'nowhere.bvh'], { code: 'bad-option', option: 'training' }],
    [['--map', 'names.json'], { code: 'not-found', file: 'names.json' }],
    [['--max-enveloping-error', 'x'], { code: 'bad-option', option: 'maxEnvelopingError' }],
    [['--frames-per-second', '20'], { code: 'bad-option', option: 'framesPerSecond' }],
    [['--object', 'hat'], { code: 'not-found', option: 'object' }],
  ])('%s is one clear error', (flags, refusal) => {
    expectRefusal(['linearize', 'tube.glb', '-o', 'bad.glb', ...flags], refusal);
  });

  it('refuses a training that is neither a word nor a file', () => {
    expectRefusal(['linearize', 'tube.glb', '-o', 'x.glb', '--training', 'clps'], {
      code: 'bad-option',
      option: 'training',
      got: 'clps',
    });
  });

  it('refuses a rig that was linearized before', () => {
    expectRefusal(['linearize', 'out.glb', '-o', 'twice.glb'], { code: 'bad-input' });
  });
});
