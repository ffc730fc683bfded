import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import type { BatchLine } from '../../src/index.ts';
import { ended, newDesk, type Outcome, startPliant } from './pliant.ts';
import { expectToFit } from './schema.ts';

const desk = newDesk();
const { folder, run, expectRefusal } = desk;
const path = (name: string) => join(folder, name);
const bytes = (name: string) => readFileSync(path(name));

/** The lines of `--json` by input, held to the schema. */
function linesOf({ stdout }: Outcome): Record<string, BatchLine> {
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as BatchLine);
  for (const line of lines) expectToFit(line);
  return Object.fromEntries(lines.map((line) => [line.input, line]));
}

const states = (outcome: Outcome) =>
  Object.fromEntries(Object.entries(linesOf(outcome)).map(([input, { state }]) => [input, state]));

beforeAll(() => {
  mkdirSync(path('shots/a'), { recursive: true });
  for (const args of [
    ['tube', '-o', 'shots/tube.glb'],
    ['box', '-o', 'shots/a/box.glb'],
    ['cape', '-o', 'capes.glb'],
  ])
    expect(run('sample', ...args, '--quiet')).toMatchObject({ status: 0 });
  writeFileSync(path('shots/bad.glb'), 'not a GLB');
});

describe('a batch', () => {
  it('writes what the verb alone writes, lists what failed, and goes on where it ended', () => {
    const args = ['batch', 'weights', 'shots/**/*.glb', '-o', 'out', '--influences', '2'];
    const first = run(...args, '--json');
    expect(first.status).toBe(2);
    expect(first.stderr).toMatch(/^pliant: shots\/bad\.glb: [^\n]+\n$/);
    const lines = linesOf(first);
    expect(states(first)).toEqual({
      'shots/a/box.glb': 'written',
      'shots/bad.glb': 'failed',
      'shots/tube.glb': 'written',
    });
    const box = lines['shots/a/box.glb'];
    expect(box.output).toEqual([{ path: 'out/a/box.glb', bytes: bytes('out/a/box.glb').length }]);
    expect(box.answer).toMatchObject({ verb: 'weights', input: [{ files: ['shots/a/box.glb'] }], output: box.output });
    expect(lines['shots/bad.glb'].error).toMatchObject({ code: 'bad-file', file: 'shots/bad.glb' });
    expect(readdirSync(path('out')).sort()).toEqual(['.pliant-batch.jsonl', 'a', 'tube.glb']);
    expect(run('weights', 'shots/tube.glb', '-o', 'alone.glb', '--influences', '2').status).toBe(0);
    expect(bytes('out/tube.glb').equals(bytes('alone.glb'))).toBe(true);

    // Again: nothing is done twice; what is gone, or was changed since, is.
    expect(states(run(...args, '--json'))).toEqual({
      'shots/a/box.glb': 'kept',
      'shots/bad.glb': 'failed',
      'shots/tube.glb': 'kept',
    });
    rmSync(path('out/a/box.glb'));
    rmSync(path('shots/bad.glb'));
    appendFileSync(path('out/.pliant-batch.jsonl'), '{"key": "half a li'); // of a batch that was killed
    const again = run(...args, '--json');
    expect([again.status, states(again)]).toEqual([0, { 'shots/a/box.glb': 'written', 'shots/tube.glb': 'kept' }]);
    // Other flags: what is there is ours, and may be replaced.
    const other = run(...args.slice(0, -1), '3', '--json');
    expect(states(other)).toEqual({ 'shots/a/box.glb': 'written', 'shots/tube.glb': 'written' });
    // What somebody else wrote may not.
    writeFileSync(path('out/tube.glb'), 'precious');
    const foreign = run(...args, '--json');
    expect(linesOf(foreign)['shots/tube.glb'].error).toMatchObject({ code: 'exists', reason: 'output-exists' });
    expect(bytes('out/tube.glb').toString()).toBe('precious');
    expect(states(run(...args, '--force', '--json'))['shots/tube.glb']).toBe('written');
  });

  it('takes files by flags, folders as inputs, tasks, and writes folders', () => {
    expect(run('convert', 'shots/tube.glb', '-o', 'takes-tube/', '--last-frame', '2').status).toBe(0);
    const { status, stderr } = run('batch', 'convert', 'takes-*/', '-o', 'caches', '--to', 'pc2', '--quiet');
    expect([status, stderr]).toEqual([0, '']);
    expect(readdirSync(path('caches')).sort()).toEqual(['.pliant-batch.jsonl', 'takes-tube.obj', 'takes-tube.pc2']);
    const cache = ['--cache', 'caches/takes-tube.pc2'];
    const back = run('batch', 'convert', 'caches/takes-tube.obj', ...cache, '-o', 'back', '--to', 'folder', '--json');
    expect(states(back)).toEqual({ 'caches/takes-tube.obj': 'written' });
    expect(readdirSync(path('back/takes-tube'))).toEqual(readdirSync(path('takes-tube')));
  });

  it('refuses what makes no sense before it starts', () => {
    const args = (...more: string[]) => ['batch', ...more, '-o', 'never'];
    expectRefusal(args('wieghts', 'shots/*.glb'), { code: 'bad-option', got: 'wieghts' });
    expectRefusal(args('sample', 'flag'), { code: 'bad-option', got: 'sample' });
    expectRefusal(args('cloth', 'sew', 'capes.glb'), { code: 'bad-option', candidates: ['run', 'pair', 'train'] });
    expectRefusal(args('skin', 'shots/*.glb', '--influences', '2'), { code: 'bad-option', got: '--influences' });
    expectRefusal(args('weights', 'shots/*.glb', '--influences', '99'), { code: 'bad-option', option: 'influences' });
    expectRefusal(args('weights', 'shots/*.glb', '--report', 'a.html'), { code: 'bad-option', got: '--report' });
    expectRefusal(args('weights', 'shots/*.glb', '--skeleton', 'no.bvh'), { code: 'not-found', file: 'no.bvh' });
    expectRefusal(args('weights', 'none/*.glb'), { code: 'not-found', file: 'none/*.glb' });
    expectRefusal(args('weights'), { code: 'bad-option' });
    expectRefusal(['batch', 'weights', 'shots/*.glb'], { code: 'bad-option' });
    // Two inputs of one name, and an output that is an input.
    expectRefusal(args('weights', 'shots/tube.glb', 'out/tube.glb'), { code: 'bad-option', file: 'out/tube.glb' });
    expectRefusal(['batch', 'weights', 'shots/*.glb', '-o', 'shots'], { code: 'bad-option', file: 'shots/tube.glb' });
  });

  it('leaves nothing half-written when it is interrupted', async () => {
    const child = startPliant(['batch', 'fit', 'shots/**/*.glb', '-o', 'stopped', '--max-error', '0.0001%'], folder);
    const outcome = ended(child);
    // Both verbs are at work once their folders are there.
    const working = () =>
      existsSync(path('stopped')) &&
      readdirSync(path('stopped'), { recursive: true }).some((name) => /0.out$/.test(`${name}`));
    while (!working()) await setTimeout(50);
    child.kill('SIGINT');
    expect((await outcome).status).toBe(130);
    expect(readdirSync(path('stopped')).filter((name) => name.endsWith('.part'))).toEqual([]);
  });
});
