import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sheet } from '../../src/cloth/shapes.ts';
import { writeObj } from '../../src/io/write-obj.ts';
import { newDesk } from './pliant.ts';

describe('pliant cloth run', () => {
  const { folder, json, expectRefusal } = newDesk();
  const cape = sheet('cape', 120, [0.2, 1.42, -0.16], [-0.4, 0, 0], [0, -0.9, 0]);
  writeFileSync(join(folder, 'cape.obj'), writeObj(cape));
  json('sample', 'figure', '--resolution', '2500', '--frames', '4', '-o', 'figure.glb');
  const RUN = ['cloth', 'run', 'cape.obj', '--body', 'figure.glb'];

  it('writes a sequence that other verbs read', () => {
    const quick = ['--coarse-vertices', '40', '--settle', '0', '--frames-per-second', '24'];
    const { figures, report } = json(...RUN, '--clip', 'walk', '--pin-vertices', '0-5', ...quick, '-o', 'worn.abc');
    expect(report).toEqual({ clip: 'walk', collider: 'capsules', physics: 'alone' });
    expect(figures).toMatchObject({ frames: 4, pinnedVertices: 6, vertices: cape.positions.length / 3 });
    expect(json('info', 'worn.abc').clips).toMatchObject([{ frames: 4 }]);
  });

  it('refuses what it cannot run', () => {
    expectRefusal(['cloth', 'walk', 'cape.obj', '-o', 'x.abc'], { code: 'bad-option', got: 'walk' });
    expectRefusal(['cloth', 'run', 'cape.obj', '-o', 'x.abc'], { code: 'bad-option', option: 'body' });
    expectRefusal([...RUN, '--clip', 'fly', '-o', 'x.abc'], { code: 'not-found', option: 'clip' });
    expectRefusal([...RUN, '--pin-bone', 'nose', '-o', 'x.abc'], { code: 'not-found', option: 'pinBone' });
  });
});

describe('pliant cloth pair', () => {
  const { json, expectRefusal } = newDesk();
  const QUICK = ['--vertices', '80', '--coarse-vertices', '16', '--settle', '0', '--frames-per-second', '4'];

  it('writes a folder, and replaces it when asked to', () => {
    const pair = ['cloth', 'pair', 'drag', '--clip', 'circle,eight', ...QUICK, '--again', '-o', 'pairs'];
    const { figures, report, clips, output } = json(...pair);
    const motions = [
      { name: 'circle', use: 'train' },
      { name: 'eight', use: 'choose' },
    ];
    expect(report).toEqual({ scene: 'drag', motions });
    expect(figures).toHaveProperty('repeatabilityPercent');
    expect(clips).toHaveLength(2);
    expect(output).toMatchObject([{ path: 'pairs/' }]);
    expect(json('info', 'pairs/circle.fine.abc').clips).toMatchObject([{ frames: 10 }]);
    expect(json('info', 'pairs/body.glb').clips.map(({ name }: { name: string }) => name)).toEqual(['circle', 'eight']);
    expectRefusal(pair, { code: 'exists' });
    json(...pair, '--force');
  });

  it('refuses flags of other tasks', () => {
    expectRefusal(['cloth', 'pair', 'drag', '--physics', 'off', '-o', 'x'], { code: 'bad-option', option: 'physics' });
    expectRefusal(['cloth', 'run', 'cape.obj', '--again', '-o', 'x.abc'], { code: 'bad-option', option: 'again' });
    expectRefusal(['cloth', 'pair', 'drag'], { code: 'bad-option' });
    expectRefusal(['cloth', 'pair', 'nothing.obj', '-o', 'x'], { code: 'not-found' });
  });
});

describe('pliant cloth train', () => {
  const { json, expectRefusal, folder } = newDesk();
  const QUICK = ['--vertices', '80', '--coarse-vertices', '16', '--settle', '0', '--frames-per-second', '6'];
  json('cloth', 'pair', 'drag', '--clip', 'circle,eight', ...QUICK, '--again', '-o', 'pairs');

  it('writes a GLB that cloth run runs, and a page', () => {
    const { report, output } = json('cloth', 'train', 'pairs', '--modes', '4', '-o', 'drag.glb');
    expect(Object.keys(report.heldOut)).toContain('repeat');
    expect(report).toMatchObject({ motions: ['circle'], heldOutMotion: 'eight', best: { E: expect.any(Number) } });
    expect(output).toMatchObject([{ path: 'drag.glb' }, { path: 'drag.report.html' }]);
    const run = [
      '--coarse',
      'pairs/eight.coarse.abc',
      '--body',
      'pairs/body.glb',
      '--clip',
      'eight',
      '--physics',
      'still',
    ];
    const ran = json('cloth', 'run', 'drag.glb', ...run, '-o', 'out.abc');
    expect(ran.report).toMatchObject({ physics: 'still', clip: expect.any(String) });
    const worn = json('cloth', 'run', 'drag.glb', '--body', 'pairs/body.glb', '--clip', 'circle', '-o', 'worn.abc');
    expect(worn.figures.coarseVertices).toBe(ran.figures.coarseVertices);
    const caches = ['--coarse', 'pairs/circle.coarse.abc', '--fine', 'pairs/circle.fine.abc'];
    const other = json('cloth', 'train', ...caches, '--method', 'linear', '--no-report', '-o', 'other.glb');
    expect(other.notes.map(({ code }: { code: string }) => code)).toContain('one-motion');
  });

  it('refuses what it cannot train on, and leaves nothing', () => {
    expectRefusal(['cloth', 'train', '-o', 'x.glb'], { code: 'bad-option' });
    expectRefusal(['cloth', 'train', 'pairs', '--hold-out', 'fly', '-o', 'x.glb'], {
      code: 'not-found',
      option: 'holdOut',
    });
    expectRefusal(['cloth', 'train', 'nothing', '-o', 'x.glb'], { code: 'not-found' });
    expectRefusal(['cloth', 'run', '-o', 'x.abc'], { code: 'bad-option' });
    expect(existsSync(join(folder, 'x.glb'))).toBe(false);
  });
});
