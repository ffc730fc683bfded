/** What verbs say of what they leave out, and which flags their errors and notes name. */
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { codesOf } from '../notes.ts';
import { newDesk, pliant } from './pliant.ts';

const { folder, run, json, expectRefusal } = newDesk();
const size = (file: string): number => statSync(join(folder, file)).size;
const FIT = ['--bones', '4', '--preset', 'fast'];
const ALONE = ['--no-report', '--blend-bones', '2'];

beforeAll(() => {
  expect(run('sample', 'tube', '--resolution', '120', '--frames', '6').status).toBe(0);
});

describe('clips that are not taken', () => {
  it.each([
    ['fit', ['-o', 'fit.glb', '--no-report', ...FIT]],
    ['learn', ['-o', 'learn.glb', '--points', '3']],
    ['skin', ['-o', 'skin.glb']],
    ['convert', ['-o', 'convert.abc']],
    ['measure', ['tube.glb']],
  ])('are noted by %s', (verb, flags) => {
    const told = json(verb, 'tube.glb', ...flags);
    expect(told.notes.filter(({ code }: { code: string }) => code === 'more-clips')).toMatchObject([
      { data: { clips: 2 } },
    ]);
    const again = verb === 'measure' ? [] : ['--force'];
    expect(codesOf(json(verb, 'tube.glb', ...flags, ...again, '--clip', 'twist').notes)).not.toContain('more-clips');
  });

  it('fit names the one that it takes', () => {
    const { stdout } = run('fit', 'tube.glb', '-o', 'named.glb', ...FIT);
    expect(stdout).toMatch(/^clip "bend" of tube\.glb\n/);
    expect(stdout).toContain('--clip');
    expect(readFileSync(join(folder, 'named.report.html'), 'utf8')).toContain('--clip');
  });

  it('of several, a frame is counted within its own', () => {
    const clips = ['--clip', 'bend', '--clip', 'twist', '--clip', 'bend-and-twist'];
    const { stdout } = run('fit', 'tube.glb', ...clips, '-o', 'three.glb', ...FIT);
    const [, frame, clip] = stdout.match(/largest error .* in frame (\d+) of (\S+)\n/)!;
    expect(Number(frame)).toBeLessThan(6);
    expect(readFileSync(join(folder, 'three.report.html'), 'utf8')).toContain(`worst frame ${frame} of ${clip}<`);
  });
});

describe('options within the cause of an error', () => {
  it.each([
    [['convert', 'tube.glb', '-o', 'one.obj'], /one frame by --first-frame and --last-frame/],
    [['fit', 'tube.glb', '-o', 'no.glb', '--bones', '3', '--max-error', '1'], /--max-error .*--bones/],
    [['fit', 'tube.glb', '-o', 'no.glb', '--lock', 'weights'], /--lock .*--rig/],
  ])('are named as flags: %j', (args, expected) => expectRefusal(args, expected));
});

describe('rigs that linearize cannot take as they are', () => {
  it('a mix is ignored with a note, and the mix says who plays it', () => {
    const mixed = json('mix', 'tube.glb', '-o', 'mixed.glb', '--no-report');
    expect(codesOf(mixed.notes)).toContain('players-blend-linearly');
    const { notes } = json('linearize', 'mixed.glb', '-o', 'from-mixed.glb', ...ALONE);
    expect(codesOf(notes)).toContain('mix-ignored');
    const { notes: others } = json('linearize', 'tube.glb', '-o', 'from-tube.glb', ...ALONE);
    expect(codesOf(others)).not.toContain('mix-ignored');
  });

  it('bones that scale are told of the flag for them', () => {
    expect(run('fit', 'tube.glb', '-o', 'scaling.glb', '--no-report', '--kind', 'affine', ...FIT).status).toBe(0);
    expectRefusal(['linearize', 'scaling.glb', '-o', 'no.glb'], { code: 'bad-input', reason: 'not-rigid' });
  });
});

describe('--small', () => {
  it.each([
    ['convert', []],
    ['skin', []],
    ['learn', ['--points', '3']],
    ['linearize', ALONE],
  ])('of %s is a smaller file of the same motion', (verb, flags) => {
    expect(json(verb, 'tube.glb', '-o', `${verb}-plain.glb`, ...flags)).toBeDefined();
    expect(json(verb, 'tube.glb', '-o', `${verb}-small.glb`, '--small', ...flags)).toBeDefined();
    expect(size(`${verb}-small.glb`)).toBeLessThan(0.9 * size(`${verb}-plain.glb`));
    const { figures } = json('measure', `${verb}-plain.glb`, `${verb}-small.glb`);
    expect(figures.surfaceDistancePercent).toBeLessThan(0.02);
  });

  it('of what was learned drives as before, and what it drives is small, too', () => {
    const names = ['--points', '3', '--names', 'a,b,c'];
    for (const kind of ['plain', 'small']) {
      const how = kind === 'small' ? ['--small'] : [];
      expect(run('learn', 'tube.glb', ...names, '-o', `${kind}.glb`, ...how).status).toBe(0);
      expect(run('drive', `${kind}.glb`, '--by', 'a=0,0.1,0', '-o', `${kind}-driven.glb`).status).toBe(0);
    }
    expect(json('measure', 'plain-driven.glb', 'small-driven.glb').figures.maxErrorPercent).toBe(0);
    for (const [how, name] of [
      [[], 'morphs'],
      [['--skinned'], 'bones'],
    ] as const) {
      const drive = ['drive', 'plain.glb', '--by', 'a=0,0.1,0', ...how, '-o'];
      expect(run(...drive, `${name}.glb`).status).toBe(0);
      expect(run(...drive, `${name}-small.glb`, '--small').status).toBe(0);
      expect(size(`${name}-small.glb`)).toBeLessThan(0.9 * size(`${name}.glb`));
    }
  });

  it('gives way to the flags beside it', () => {
    expect(run('convert', 'tube.glb', 'given.glb', '--small', '--compress', 'none').status).toBe(0);
    expect(json('convert', 'tube.glb', 'packed.glb', '--small').output[0].bytes).toBeLessThan(size('given.glb'));
  });

  it('is for GLB only', () =>
    expectRefusal(['skin', 'tube.glb', '-o', 'out.abc', '--small'], { code: 'bad-option', option: 'small' }));
});

describe('targets that cannot be met', () => {
  const fit = (...flags: string[]): string[] => ['fit', 'tube.glb', '-o', 'no.glb', '--preset', 'fast', ...flags];

  it('a size that is too small', () => {
    expectRefusal(fit('--max-size', '1kB'), /--max-size \(got 1000 bytes, expected at least \d+.*\); .*--small/);
    const { error } = JSON.parse(run(...fit('--max-size', '1kB', '--small'), '--json').stdout);
    expect(error).toMatchObject({ code: 'bad-option', option: 'maxSize', reason: 'size-too-small' });
    expect(error.message).not.toContain('--small');
  });

  it('an error in another unit', () =>
    expectRefusal(fit('--max-error', '5cm'), { code: 'bad-option', option: 'maxError' }));
});

it('names without vertices go to points in the order of their choice', () => {
  const named = ['learn', 'tube.glb', '--names', 'a,b,c', '-o'];
  expect(codesOf(json(...named, 'chosen.glb').notes)).toContain('names-in-order');
  expect(codesOf(json(...named, 'own.glb', '--vertices', '10,50,90').notes)).not.toContain('names-in-order');
});

it('what is left of a mesh may be cut off, as info says', () => {
  writeFileSync(join(folder, 'cut.obj'), 'v 0 0 0\nv 1 0 0\nv 0 1 0\n');
  const advice = 'no faces, only points; the file may be truncated';
  expect(run('info', 'cut.obj').stdout).toContain(advice);
  expectRefusal(['fit', 'cut.obj', '-o', 'no.glb'], /truncated/);
});

describe('help', () => {
  const verbs: { name: string; flags: { long: string }[] }[] = JSON.parse(pliant(['help', '--json']).stdout).verbs;

  it.each(verbs)('$name shows every flag that its examples use', ({ name }) => {
    const { stdout } = pliant(['help', name]);
    const examples = stdout.split('\n').filter((line) => line.startsWith(`  pliant ${name}`));
    const shown = new Set(stdout.match(/^ +(-\w, )?--[a-z-]+/gm)?.map((flag) => flag.replace(/^.*--/, '--')));
    const used = examples.flatMap((line) => {
      // A batch passes on the flags of its verb.
      const other = /pliant batch (\w+)/.exec(line)?.[1];
      const passed = verbs.find((verb) => verb.name === other)?.flags.map(({ long }) => long) ?? [];
      return (line.match(/--[a-z][a-z-]*/g) ?? []).filter((flag) => !passed.includes(flag));
    });
    expect(used.filter((flag) => !shown.has(flag))).toEqual([]);
  });
});
