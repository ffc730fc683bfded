import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { codesOf } from '../notes.ts';
import { newDesk, type Refusal } from './pliant.ts';

const desk = newDesk();
const { folder } = desk;
const json = (...args: string[]) => desk.json('lod', ...args);

beforeAll(() => {
  expect(desk.run('sample', 'tube', '--resolution', '60', '--frames', '3').status).toBe(0);
  expect(desk.run('sample', 'flag', '--resolution', '64', '--frames', '4').status).toBe(0);
});

describe('lod', () => {
  it('writes a GLB with levels and a page about them', () => {
    const told = json('tube.glb', '-o', 'lods.glb', '--triangles', '60,30', '--poses', '3');
    expect(told.report.levels.map(({ triangles }: { triangles: number }) => triangles)).toEqual([60, 30]);
    expect(told.output.map(({ path }: { path: string }) => path)).toEqual(['lods.glb', 'lods.report.html']);
    const page = readFileSync(join(folder, 'lods.report.html'), 'utf8');
    expect(page).toContain('<b>30</b> triangles');
    expect(page).toContain('>size</th>');
    expect(desk.json('info', 'lods.glb').report.assets[0].models[0].mesh.levels).toEqual([60, 30]);
    expect(desk.run('lod', 'tube.glb', '--levels', '2', '--poses', '3').stdout).toMatch(/1 px from/);
  });

  it('writes a file per level into a folder', () => {
    json('tube.glb', '-o', 'levels/', '--levels', '2', '--poses', '3');
    expect(readdirSync(join(folder, 'levels')).sort()).toEqual(['lod1.glb', 'lod2.glb', 'report.html']);
    json('tube.glb', '-o', 'levels/', '--triangles', '50', '--poses', '2', '--force', '--no-report');
    expect(readdirSync(join(folder, 'levels'))).toEqual(['lod1.glb']);
  });

  it('writes levels of a sequence as caches', () => {
    const told = json('flag.glb', '-o', 'flags/', '--triangles', '40');
    expect(told.report.levels).toHaveLength(1);
    expect(readdirSync(join(folder, 'flags')).sort()).toEqual(['lod1.abc', 'report.html']);
    expect(desk.json('info', 'flags/lod1.abc').parts[0].triangles).toBeLessThanOrEqual(40);
    // Sizes of their levels are not known: there is no column of blanks.
    expect(readFileSync(join(folder, 'flags/report.html'), 'utf8')).not.toContain('>size</th>');
    expect(desk.run('lod', 'flag.glb', '--triangles', '40').stdout).not.toMatch(/size/);
  });

  it('keeps errors that are asked for, and says where it cannot', () => {
    const told = json('tube.glb', '--max-error', '.5%,5', '--poses', '3');
    expect(told.report.levels.length).toBeGreaterThan(0);
    expect(codesOf(json('tube.glb', '--max-error', '1e-9%', '--poses', '2').notes)).toContain('no-levels');
  });

  it('makes no folder without a level in it, and says why', () => {
    writeFileSync(join(folder, 'line.obj'), 'v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n');
    writeFileSync(join(folder, 'points.obj'), 'v 0 0 0\nv 1 0 0\n');
    writeFileSync(join(folder, 'one.obj'), 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n');
    for (const [file, said] of [
      ['line.obj', /line\.obj: no face has an area/],
      ['points.obj', /points\.obj: has no faces \(got 2 points/],
      ['one.obj', /one\.obj: no level can be made.*1 triangle/],
    ] as const) {
      desk.expectRefusal(['lod', file, '-o', 'none/', '--no-report', '--quiet'], said);
      desk.expectRefusal(['lod', file, '-o', 'none/'], said);
    }
    // One file still has the given mesh.
    expect(codesOf(json('one.obj', '-o', 'one.glb', '--no-report').notes)).toContain('no-levels');
  });

  it('names what can be kept', () => {
    desk.expectRefusal(['lod', 'tube.glb', '--keep', 'tbue'], /expected tube, .*did you mean tube/);
  });

  it('refuses what it cannot do, and leaves nothing', () => {
    const bad = (args: string[], expected: Partial<Refusal>) =>
      desk.expectRefusal(['lod', ...args], { code: 'bad-option', ...expected } as Refusal);
    bad(['tube.glb', '-o', 'x.glb', '--separate'], { option: 'separate' });
    bad(['tube.glb', '-o', 'x.glb', '--triangles', 'many'], { option: 'triangles' });
    bad(['tube.glb', '-o', 'x.glb', '--triangles', '100', '--levels', '2'], { option: 'triangles' });
    bad(['flag.glb', '-o', 'x.glb'], { option: 'output' });
    desk.expectRefusal(['lod', 'tube.glb', '--max-error', '1%,.1%'], /got 1%,0\.1%, expected larger errors/);
    desk.expectRefusal(['lod', 'tube.glb', '--max-error', '0%'], /got 0%, expected percentages above 0/);
    expect(existsSync(join(folder, 'x.glb'))).toBe(false);
  });
});
