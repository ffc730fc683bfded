import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { writeSequenceGlb } from '../../src/io/write-glb.ts';
import type { MeshSequence } from '../../src/model/sequence.ts';
import { bendingSheet } from '../fit/bending-sheet.ts';
import { expectSelfContainedPage } from '../html.ts';
import { codesOf } from '../notes.ts';
import { expectValidGlb } from '../validate-glb.ts';
import { atWork, ended, newDesk, newFolder, type Refusal, startPliant } from './pliant.ts';

const SMALL = ['--resolution', '150', '--frames', '8'];
const QUICK = ['--preset', 'fast'];

const { folder, run, json, expectRefusal: expectRefused } = newDesk();
const expectRefusal = (args: string[], expected: Refusal): void => expectRefused(['fit', ...args], expected);
const bytesOf = (file: string): Uint8Array => new Uint8Array(readFileSync(join(folder, file)));
const textOf = (file: string): string => readFileSync(join(folder, file), 'utf8');

beforeAll(() => {
  for (const output of ['flag/', 'flag.glb', 'flag.pc2']) {
    expect(run('sample', 'flag', ...SMALL, '-o', output).status).toBe(0);
  }
  mkdirSync(join(folder, 'cached'));
  for (const file of ['flag.obj', 'flag.pc2']) writeFileSync(join(folder, 'cached', file), bytesOf(file));
  expect(run('sample', 'tube', '--resolution', '200', '--frames', '6').status).toBe(0);
});

describe('fit', () => {
  it('writes a GLB that is as far from the input as it says, and a page beside it', async () => {
    const told = json('fit', 'flag/', '-o', 'out.glb', '--bones', '8', ...QUICK);
    expect(told).toMatchObject({
      verb: 'fit',
      input: [{ files: ['flag/'] }],
      figures: {
        bones: 8,
        influences: 4,
        frames: 8,
        bytes: statSync(join(folder, 'out.glb')).size,
        morphBytes: statSync(join(folder, 'flag.glb')).size,
      },
      report: { kind: 'trs', morphBytesEstimated: false, converged: expect.any(Boolean) },
      output: [{ path: 'out.glb' }, { path: 'out.report.html', bytes: statSync(join(folder, 'out.report.html')).size }],
    });
    expect(told.report.perFrame.rmsePercent).toHaveLength(8);
    expect(Object.keys(told.seconds)).toEqual(expect.arrayContaining(['solve', 'write', 'report page']));
    const measured = json('measure', 'flag/', 'out.glb', '--no-surface-distance');
    expect(told.figures.vertices).toBe(json('info', 'flag.glb').parts[0].vertices);
    for (const figure of ['rmsePercent', 'maxErrorPercent', 'distortionPercent'] as const) {
      expect(Math.abs(measured.figures[figure] / told.figures[figure] - 1)).toBeLessThan(0.02);
    }
    await expectValidGlb(bytesOf('out.glb'));
    const page = textOf('out.report.html');
    expectSelfContainedPage(page);
    expect(page).toContain('<h1>out.glb from flag/</h1>');
    expect(page).toContain('<code>pliant fit flag/ -o out.glb --bones 8 --preset fast --json</code>');
  });

  it('can be measured when its vertices were reordered and rounded', () => {
    const told = json('fit', 'flag/', '-o', 'tiny.glb', '--bones', '8', '--small', '--no-report', ...QUICK);
    const measured = json('measure', 'flag/', 'tiny.glb', '--no-surface-distance');
    expect(codesOf(measured.notes)).toContain('vertices-reordered');
    for (const figure of ['rmsePercent', 'maxErrorPercent', 'distortionPercent'] as const) {
      expect(Math.abs(measured.figures[figure] / told.figures[figure] - 1)).toBeLessThan(0.02);
    }
  });

  it('prints a table for people', () => {
    const { status, stdout, stderr } = run('fit', 'flag.glb', '-o', 'table.glb', '--bones', '5', ...QUICK);
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^ {2}from +\d+ vertices × 8 frames; as morph targets with the same settings [\d.]+ kB$/m);
    expect(stdout).toMatch(/^ {2}to +5 TRS bones, at most 4 per vertex; [\d.]+ kB, [\d.]+ × smaller$/m);
    expect(stdout).toMatch(/^ {2}RMSE +[\d.]+ % of the diagonal$/m);
    expect(stdout).toMatch(/^ {2}seconds +reduce [\d.]+, solve/m);
    expect(stdout).not.toContain('converged');
    expect(stdout).toMatch(/^wrote table\.glb \([\d.]+ kB\)\nwrote table\.report\.html \(\d+ kB\)\n$/m);
    expect(run('fit', 'flag.glb', '-o', 'quiet.glb', '--bones', '3', ...QUICK, '--quiet', '--no-report').stdout).toBe(
      '',
    );
  });

  it('reaches an error, with or without its %', () => {
    const told = json('fit', 'flag/', '-o', 'error.glb', '--max-error', '1.5%', ...QUICK, '--no-report');
    expect(told.figures.rmsePercent).toBeLessThanOrEqual(1.5);
    expect(json('fit', 'flag/', '-o', 'same.glb', '--max-error', '1.5', ...QUICK, '--no-report').figures.bones).toBe(
      told.figures.bones,
    );
  });

  it('keeps within a size, written as asked for', async () => {
    const flags = ['--small', ...QUICK, '--no-report', '--force'];
    const least = json('fit', 'flag/', '-o', 'size.glb', '--bones', '1', ...flags).figures.bytes;
    const size = least + 1500;
    const told = json('fit', 'flag/', '-o', 'size.glb', '--max-size', `${size / 1000}kB`, ...flags);
    expect(told.figures.bytes).toBeLessThanOrEqual(size);
    expect(told.figures.bones).toBeGreaterThan(1);
    expect(told.output[0].bytes).toBe(statSync(join(folder, 'size.glb')).size);
    expectRefusal(['flag/', '-o', 'no.glb', '--max-size', '1kB', '--small', ...QUICK], {
      code: 'bad-option',
      option: 'maxSize',
      reason: 'size-too-small',
    });
  });

  it.each([
    ['a folder with a mesh and its cache', ['cached']],
    ['a mesh and --cache', ['flag.obj', '--cache', 'flag.pc2']],
    ['a file that carries both', ['flag.glb']],
    ['a pattern', ['flag/*.obj']],
  ])('reads %s', (_, input) => {
    const told = json('fit', ...input, '-o', 'input.glb', '--bones', '4', ...QUICK, '--no-report', '--force');
    expect(told.figures.frames).toBe(8);
    expect(told.figures.rmsePercent).toBeGreaterThan(0);
  });

  it('picks frames, kind, influences and storage', async () => {
    const told = json(
      ...['fit', 'flag/', '-o', 'picked.glb', '--bones', '3', '--kind', 'affine', '--influences', '2', ...QUICK],
      ...['--first-frame', '1', '--last-frame', '7', '--frame-step', '3', '--rest-frame', '2', '--weights', 'u8'],
      '--no-report',
    );
    expect(told).toMatchObject({ figures: { influences: 2, frames: 3, bones: 3 }, report: { kind: 'affine' } });
    await expectValidGlb(bytesOf('picked.glb'));
    expect(json('info', 'picked.glb').parts[0].bones).toBe(6);
  });

  it('adds keys between frames where the motion would stray, and frames stay what they are', () => {
    const args = ['fit', 'flag/', '--bones', '4', '--kind', 'affine', ...QUICK, '--no-report', '--force'];
    const told = json(...args, '-o', 'keys.glb', '--in-between', '0.05%');
    expect(told.figures.inBetweenKeys).toBeGreaterThan(0);
    expect(told.figures.inBetweenErrorPercent).toBeLessThanOrEqual(0.05);
    const [clip] = json('info', 'keys.glb').clips;
    expect(clip).toMatchObject({ frames: 8, keys: 8 + told.figures.inBetweenKeys });
    const far = json('measure', 'flag/', 'keys.glb', '--no-surface-distance').figures.rmsePercent;
    expect(far).toBeCloseTo(told.figures.rmsePercent, 3);
    const off = json(...args, '-o', 'none.glb', '--in-between', 'off');
    expect(off.figures.inBetweenKeys).toBe(0);
    expect(off.figures.inBetweenErrorPercent).toBeGreaterThan(0.05);
    expect(json('info', 'none.glb').clips).toMatchObject([{ frames: 8 }]);
    expectRefusal(['flag/', '-o', 'no.glb', '--in-between', 'much'], { code: 'bad-option', option: 'inBetween' });
  });

  it('poses a rig, and fits several of its clips together', () => {
    const names = json('info', 'tube.glb').clips.map(({ name }: { name: string }) => name);
    const clips = names.slice(0, 2).flatMap((name: string) => ['--clip', name]);
    const told = json('fit', 'tube.glb', ...clips, '-o', 'clips.glb', '--bones', '4', ...QUICK, '--no-report');
    expect(told.clips).toMatchObject([
      { name: names[0], frames: 6 },
      { name: names[1], frames: 6 },
    ]);
    expect(json('info', 'clips.glb').clips).toMatchObject([{ name: names[0] }, { name: names[1] }]);
    const far = json('measure', 'tube.glb', 'clips.glb', '--clip', names[1], '--no-surface-distance').figures
      .rmsePercent;
    expect(far).toBeLessThan(0.5);
  });

  it('fits several inputs together as clips of one mesh', () => {
    expect(run('sample', 'flag', ...SMALL, '--seed', '7', '-o', 'gale/').status).toBe(0);
    const told = json('fit', 'flag/', 'gale/', '-o', 'two.glb', '--bones', '6', ...QUICK, '--no-report');
    expect(told.clips).toMatchObject([
      { name: 'flag', frames: 8 },
      { name: 'gale', frames: 8 },
    ]);
  });

  it('fits the meshes of a scene together', async () => {
    const beside: MeshSequence = { ...bendingSheet(6, 4, 8), name: 'other' };
    const { bytes } = await writeSequenceGlb([{ ...bendingSheet(8, 5, 8), name: 'one' }, beside]);
    writeFileSync(join(folder, 'scene.glb'), bytes);
    const told = json('fit', 'scene.glb', '-o', 'scene-fit.glb', '--bones', '6', ...QUICK);
    // But for names that the reader gave.
    expect(Math.abs(told.figures.morphBytes / bytes.length - 1)).toBeLessThan(0.01);
    await expectValidGlb(bytesOf('scene-fit.glb'));
    expectSelfContainedPage(textOf('scene-fit.report.html'));
    expect(json('info', 'scene-fit.glb').parts).toMatchObject([{ name: 'one' }, { name: 'other' }]);
    const far = json('measure', 'scene.glb', 'scene-fit.glb', '--object', 'other', '--no-surface-distance');
    expect(far.figures.rmsePercent).toBeLessThan(2);
    const one = ['--object', 'other', '-o', 'object.glb', '--bones', '2', ...QUICK, '--no-report'];
    expect(json('fit', 'scene.glb', ...one).figures.vertices).toBe(beside.rest.positions.length / 3);
  });

  it.each(['weights', 'transforms'])('keeps the %s of a rig', async (half) => {
    const name = `locked-${half}.glb`;
    const args = ['--lock', half, '--rig', 'tube.glb', '--no-report', '-o', name];
    const { figures } = json('fit', 'tube.glb', '--operator', 'lbs', '--kind', 'affine', ...args);
    expect(figures.rmsePercent).toBeLessThan(0.01);
    await expectValidGlb(bytesOf(name));
  });

  it('gives the same bytes with any number of threads', () => {
    const fit = (threads: string, output: string) =>
      json('fit', 'flag/', '-o', output, '--bones', '5', ...QUICK, '--threads', threads, '--no-report');
    fit('1', 'one-thread.glb');
    fit('3', 'three-threads.glb');
    expect(bytesOf('three-threads.glb')).toEqual(bytesOf('one-thread.glb'));
  });
});

describe('outputs of fit', () => {
  it('are a GLB and no other kind', () => {
    expectRefusal(['flag/', '-o', 'out.fbx'], { code: 'bad-option', file: 'out.fbx' });
    expectRefusal(['flag/'], { code: 'bad-option' });
  });

  it('are a page where it was asked for, or none', () => {
    json('fit', 'flag/', '-o', 'a.glb', '--bones', '2', ...QUICK, '--report', 'page.html');
    json('fit', 'flag/', '-o', 'b.glb', '--bones', '2', ...QUICK, '--no-report');
    const names = readdirSync(folder);
    expect(names).toEqual(expect.arrayContaining(['a.glb', 'page.html', 'b.glb']));
    expect(names.filter((name) => /^[ab]\.report/.test(name))).toEqual([]);
  });

  it.each([
    ['a page that is no HTML', ['--report', 'page.pdf']],
    ['a page and none', ['--report', 'page.html', '--no-report']],
    ['none and a page', ['--no-report', '--report', 'page.html']],
  ])('are not %s', (_, flags) =>
    expectRefusal(['flag/', '-o', 'c.glb', ...flags], { code: 'bad-option', option: 'report' }),
  );

  it('are refused when one of them exists, before anything is computed', () => {
    writeFileSync(join(folder, 'mine.report.html'), 'mine');
    expectRefusal(['flag/', '-o', 'mine.glb'], { code: 'exists', reason: 'output-exists', file: 'mine.report.html' });
    expect(textOf('mine.report.html')).toBe('mine');
    expectRefusal(['flag/', '-o', 'flag.glb', '--no-report'], { code: 'exists', file: 'flag.glb' });
    expect(json('fit', 'flag/', '-o', 'mine.glb', '--bones', '2', ...QUICK, '--force').output).toHaveLength(2);
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('are not there after %s', async (signal, code) => {
    const place = newFolder();
    const input = join(folder, 'long.glb');
    run('sample', 'flag', '--resolution', '2000', '--frames', '30', '-o', input); // the second time it is there
    const child = startPliant(['fit', input, '-o', 'f.glb', '--bones', '200', '--moves', '10000'], place);
    const done = ended(child);
    await atWork(place, 2);
    child.kill(signal);
    const { status, stdout, stderr } = await done;
    expect([status, stdout, stderr.trim()]).toEqual([code, '', 'pliant: interrupted']);
    expect(readdirSync(place)).toEqual([]);
  });
});

describe('fit refuses', () => {
  const refusals: [string, string[], Refusal][] = [
    ['a mesh that does not move', ['flag.obj'], { code: 'not-found', file: 'flag.obj' }],
    ['a cache without its mesh', ['flag.pc2'], { code: 'bad-input', file: 'flag.pc2' }],
    ['a file that is missing', ['nothing/'], { code: 'not-found', file: 'nothing/' }],
    ['a size that is none', ['flag/', '--max-size', 'small'], { code: 'bad-option', option: 'maxSize' }],
    ['an error that is none', ['flag/', '--max-error', 'low'], { code: 'bad-option', option: 'maxError' }],
    ['too large an error', ['flag/', '--max-error', '101%'], { code: 'bad-option', option: 'maxError' }],
    ['a kind that does not exist', ['flag/', '--kind', 'afine'], { code: 'bad-option', option: 'kind', got: 'afine' }],
    ['a number of threads that is none', ['flag/', '--threads', '-1'], { code: 'bad-option', option: 'threads' }],
    ['a clip that does not exist', ['tube.glb', '--clip', 'wlak'], { code: 'not-found', option: 'clip', got: 'wlak' }],
    ['frames that do not exist', ['flag/', '--last-frame', '99'], { code: 'bad-option', option: 'lastFrame' }],
    ['other meshes as clips', ['flag/', 'tube.glb'], { code: 'bad-input' }],
    ['a cache for several', ['flag/', 'cached', '--cache', 'flag.pc2'], { code: 'bad-option', option: 'cache' }],
  ];
  it.each(refusals)('%s', (_, args, expected) => expectRefusal([...args, '-o', 'x.glb'], expected));
});
