import { writeFileSync } from 'node:fs';
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
