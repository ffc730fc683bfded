import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { writeModelGlb } from '../../src/io/write-glb.ts';
import { smallFigure } from '../light/small-figure.ts';
import { newDesk, type Refusal } from './pliant.ts';

const desk = newDesk();
const { folder } = desk;
const json = (...args: string[]) => desk.json('light', ...args);
const QUICK = ['--poses', '4', '--rays', '32', '--spheres', '8', '--directions', '16', '--no-fit', '--threads', '1'];

beforeAll(async () => {
  writeFileSync(join(folder, 'figure.glb'), (await writeModelGlb([smallFigure()])).bytes);
});

describe('light', () => {
  it('bakes light into the given file, measures and draws it', () => {
    const baked = json('bake', 'figure.glb', '-o', 'lit.glb', '--clips', 'walk', ...QUICK);
    expect(baked.report).toMatchObject({ task: 'bake', baked: ['walk'], poses: 4, spheres: 8 });
    expect(baked.output.map(({ path }: { path: string }) => path)).toEqual(['lit.glb', 'lit.report.html']);
    expect(readFileSync(join(folder, 'lit.report.html'), 'utf8').match(/<figure>/g)!.length).toBe(12);

    const told = json('measure', 'lit.glb', '--frames', '2', '--rays', '32', '--threads', '1', '-o', 'lit.html');
    expect(told.clips.map(({ name, baked }: { name: string; baked: boolean }) => [name, baked])).toEqual([
      ['wave', false],
      ['walk', true],
    ]);
    for (const figure of ['shadingErrorPercent', 'basePercent', 'poseSpacePercent', 'unshadowedPercent']) {
      expect(told.clips[1][figure]).toBeGreaterThan(0);
    }
    expect(readFileSync(join(folder, 'lit.html'), 'utf8')).toContain('spheres alone');

    const drawn = json('render', 'lit.glb', '--clip', 'walk', '--time', '.3', '--width', '40', '-o', 'lit.png');
    expect(drawn.report).toMatchObject({ task: 'render', show: 'baked', pose: { clip: 'walk', time: 0.3 } });
    expect([...readFileSync(join(folder, 'lit.png')).subarray(1, 4)]).toEqual([0x50, 0x4e, 0x47]);
  });

  it('draws films: numbered pictures, or one file that is a PNG too', () => {
    const film = (output: string, ...flags: string[]) =>
      json('render', 'figure.glb', '--clip', 'walk', '--width', '24', '--height', '24', ...flags, '-o', output);
    const { report, output } = film('walk/', '--start', '.25', '--end', '.75', '--fps', '8');
    expect(report).toMatchObject({
      show: 'base',
      pose: { clip: 'walk', time: 0.25 },
      film: { end: 0.75, frames: 5, framesPerSecond: 8 },
    });
    expect(output).toMatchObject([{ path: 'walk/' }]);
    const pictures = readdirSync(join(folder, 'walk')).sort();
    expect(pictures).toEqual([0, 1, 2, 3, 4].map((k) => `frame-000${k}.png`));
    const [first, last] = [pictures[0], pictures[4]].map((name) => readFileSync(join(folder, 'walk', name)));
    expect(first.equals(last)).toBe(false);
    // Other pictures than ours stay: the folder is not replaced.
    writeFileSync(join(folder, 'walk', 'own.png'), 'mine');
    const again = ['render', 'figure.glb', '--clip', 'walk', '-o', 'walk/', '--force'];
    desk.expectRefusal(['light', ...again], { code: 'exists' } as Refusal);

    film('walk.apng', '--start', '.25', '--end', '.75', '--fps', '8');
    const bytes = readFileSync(join(folder, 'walk.apng'));
    const chunks: string[] = [];
    for (let at = 8; at < bytes.length; at += 12 + bytes.readUInt32BE(at))
      chunks.push(bytes.toString('latin1', at + 4, at + 8));
    const later = ['fcTL', 'fdAT'];
    expect(chunks).toEqual(['IHDR', 'acTL', 'fcTL', 'IDAT', ...later, ...later, ...later, ...later, 'IEND']);
  });

  it('bakes by the other methods, and measures what they left in the file', () => {
    for (const method of ['paper', 'pose-space']) {
      const baked = json('bake', 'figure.glb', '-o', `${method}.glb`, '--method', method, ...QUICK);
      expect(baked.report).toMatchObject({ method, poses: 4 });
      const told = json('measure', `${method}.glb`, '--frames', '1', '--rays', '32', '--threads', '1');
      expect(told.report.hasLight).toBe(true);
    }
    const quick = ['--poses', '4', '--frames', '1', '--rays', '32', '--threads', '1'];
    expect(json('measure', 'figure.glb', '--method', 'paper', ...quick).report.hasLight).toBe(true);
  });

  it('refuses what it cannot do, and leaves nothing', () => {
    const bad = (args: string[], expected: Partial<Refusal>) =>
      desk.expectRefusal(['light', ...args], { code: 'bad-option', ...expected } as Refusal);
    bad(['bake', 'figure.glb'], {});
    bad(['bake', 'figure.glb', '-o', 'x.glb', '--show', 'traced'], { option: 'show' });
    bad(['measure', 'figure.glb', '-o', 'x.glb'], { option: 'output' });
    bad(['measure', 'figure.glb', '--no-report'], { option: 'no-report' });
    bad(['render', 'figure.glb', '-o', 'x.png', '--fps', '8'], { option: 'fps' });
    bad(['render', 'figure.glb', '-o', 'x/', '--time', '.5'], { option: 'time' });
    bad(['render', 'figure.glb', '-o', 'x/', '--start', '.5', '--end', '.2'], { option: 'end' });
    bad(['render', 'figure.glb', '-o', 'x.png', '--time', '999'], { option: 'time' });
    bad(['render', 'figure.glb', '-o', 'x.png', '--time', '-5'], { option: 'time' });
    bad(['render', 'figure.glb', '-o', 'x.png', '-o', 'y.png'], { option: 'output' });
    bad(['bake', 'figure.glb', '-o', 'x.glb', '--clips', 'jump'], { code: 'not-found', option: 'clips' });
    bad(['render', 'figure.glb', '-o', 'x.png', '--show', 'baked'], { code: 'bad-input' });
    writeFileSync(join(folder, 'dark.hdr'), 'no picture');
    bad(['render', 'figure.glb', '-o', 'x.png', '--environment', 'dark.hdr'], { code: 'bad-file' });
    expect(existsSync(join(folder, 'x.glb')) || existsSync(join(folder, 'x.png'))).toBe(false);
  });
});
