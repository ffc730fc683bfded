import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildProgram } from '../../cli/program.ts';
import { readAsset } from '../../src/io/read-asset.ts';
import { nodeFiles } from '../../src/platform/node/index.ts';
import { pc2File } from '../io/cache-fixtures.ts';
import { largestDistance } from '../io/gltf/fixtures.ts';
import { codesOf } from '../notes.ts';
import { atWork, ended, newDesk, newFolder, type Refusal, startPliant } from './pliant.ts';

const { folder, json, expectRefusal } = newDesk();

/** How each kind of output is read again: the paths, in a folder. */
const OUTPUTS: Record<string, { path: string; input: string[] }> = {
  glb: { path: 'a.glb', input: ['a.glb'] },
  abc: { path: 'a.abc', input: ['a.abc'] },
  frames: { path: 'a-frames/', input: ['a-frames'] },
  pc2: { path: 'a-pc2.pc2', input: ['a-pc2.obj', 'a-pc2.pc2'] },
  mdd: { path: 'a-mdd.mdd', input: ['a-mdd.obj', 'a-mdd.mdd'] },
};

/** The corners of the triangles in every frame. */
async function cornersOf(paths: readonly string[]): Promise<Float32Array> {
  const { sequences } = await readAsset(
    nodeFiles,
    paths.map((path) => join(folder, path)),
  );
  expect(sequences).toHaveLength(1);
  const [{ rest, frameCount, readFrame, close }] = sequences;
  const corners: number[] = [];
  for (let k = 0; k < frameCount; k++) {
    const frame = await readFrame(k);
    for (const i of rest.triangles) corners.push(...frame.subarray(3 * i, 3 * i + 3));
  }
  await close?.();
  return Float32Array.from(corners);
}

beforeAll(() => {
  json('sample', 'flag', '--resolution', '60', '--frames', '4', '-o', 'flag.glb');
  json('sample', 'tube', '--frames', '5', '-o', 'tube.glb');
  for (const { path } of Object.values(OUTPUTS)) {
    const { output, clips } = json('convert', 'flag.glb', path);
    expect(output[0]).toEqual({ path, bytes: expect.any(Number) });
    expect(clips).toMatchObject([{ frames: 4 }]);
  }
});

describe('convert', () => {
  const kinds = Object.keys(OUTPUTS);
  // In this process, since there are many.
  const convert = (...paths: string[]) =>
    buildProgram(new AbortController().signal).parseAsync(['convert', '--quiet', ...paths], { from: 'user' });

  it.each(kinds.flatMap((from) => kinds.map((to) => [from, to])))('%s → %s', async (from, to) => {
    const place = `${from} to ${to}`;
    mkdirSync(join(folder, place));
    const { path, input } = OUTPUTS[to];
    await convert(...OUTPUTS[from].input.map((name) => join(folder, name)), '-o', join(folder, place, path));
    const corners = await cornersOf(input.map((name) => `${place}/${name}`));
    expect(largestDistance(corners, await cornersOf(['flag.glb']))).toBeLessThan(1e-6);
  });

  it('takes the last path as the output, or the one of -o', () => {
    json('convert', 'flag.glb', '-o', 'named.mdd'); // The others above took the last.
    expect(readFileSync(join(folder, 'named.mdd'))).toEqual(readFileSync(join(folder, 'a-mdd.mdd')));
  });

  it('leaves the mesh alone that two caches share', () => {
    const mesh = statSync(join(folder, 'a-mdd.obj')).mtimeMs;
    const { output } = json('convert', 'a-mdd.obj', '--cache', 'a-mdd.mdd', 'a-mdd.pc2');
    expect(output.map(({ path }: { path: string }) => path)).toEqual(['a-mdd.pc2']);
    expect(statSync(join(folder, 'a-mdd.obj')).mtimeMs).toBe(mesh);
    // Any other mesh of that name is not.
    expectRefusal(['convert', 'flag.glb', 'a-mdd.pc2'], { code: 'exists', file: 'a-mdd.pc2' });
    rmSync(join(folder, 'a-mdd.pc2'));
    expectRefusal(['convert', 'flag.glb', 'a-mdd.pc2'], { code: 'exists', file: 'a-mdd.obj' });
  });

  it('takes some of the frames, which keep their times', () => {
    const { clips } = json('convert', 'flag.glb', 'some.mdd', '--first-frame', '1', '--frame-step', '2');
    expect(clips[0]).toMatchObject({ frames: 2, duration: expect.closeTo(2 / 24, 6) });
    const [{ sequences }] = json('info', 'some.obj', '--cache', 'some.mdd').report.assets;
    expect(sequences[0].times[0]).toBeCloseTo(1 / 24, 6);
    expectRefusal(['convert', 'flag.glb', 'x.mdd', '--last-frame', '4'], { code: 'bad-option', option: 'lastFrame' });
  });

  it('writes one frame as a mesh, and refuses to do so with several', () => {
    json('convert', 'flag.glb', 'pose.obj', '--first-frame', '2', '--last-frame', '2');
    expect(json('info', 'pose.obj').parts).toHaveLength(1);
    json('convert', 'flag.glb', 'rest2.mdd', '--rest', '2'); // Its rest2.obj is the rest pose.
    expect(json('measure', 'pose.obj', 'rest2.obj').figures.maxErrorPercent).toBeLessThan(1e-4);
    expectRefusal(['convert', 'flag.glb', 'x.obj'], { code: 'bad-option', file: 'flag.glb' });
  });

  it('poses rigs, at their keys or at a steady rate, by any operator', () => {
    const keys = json('convert', 'tube.glb', 'keys.mdd');
    expect(keys).toMatchObject({ report: { clip: 'bend' }, clips: [{ frames: 5 }] });
    expect(json('measure', 'keys.obj', 'tube.glb', '--cache', 'keys.mdd').figures.maxErrorPercent).toBeLessThan(1e-3);
    const steady = json('convert', 'tube.glb', 'steady.mdd', '--frames-per-second', '100', '--operator', 'dqs');
    expect(steady.clips[0].frames).toBeGreaterThan(10);
    expectRefusal(['convert', 'flag.glb', 'x.mdd', '--clip', 'bend'], { code: 'not-found', option: 'clip' });
    expectRefusal(['convert', 'tube.glb', 'x.mdd', '--clip', 'bnd'], { code: 'not-found', option: 'clip', got: 'bnd' });
  });

  it('keeps rigs as rigs in a GLB that is written anew, unless frames are asked for', () => {
    const { notes, clips } = json('convert', 'tube.glb', 'small.glb', '--small');
    expect(codesOf(notes)).not.toContain('frames-as-targets');
    expect(clips.map(({ name }: { name: string }) => name)).toContain('twist');
    expect(json('info', 'small.glb').report.assets[0].models).toHaveLength(1);
    expect(json('measure', 'tube.glb', 'small.glb').figures.rmsePercent).toBeLessThan(0.01);
    const posed = json('convert', 'tube.glb', 'posed.glb', '--clip', 'bend');
    expect(codesOf(posed.notes)).toContain('frames-as-targets');
    expect(json('info', 'posed.glb').report.assets[0].models).toEqual([]);
  });

  it('converts meshes that stand still', () => {
    writeFileSync(join(folder, 'still.obj'), 'o still\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n');
    json('convert', 'still.obj', 'still.glb');
    const { meshes, sequences } = json('info', 'still.glb').report.assets[0];
    expect([meshes.length, sequences.length]).toEqual([1, 0]);
    json('convert', 'still.glb', 'again.obj');
    json('convert', 'still.glb', 'still.pc2', '--force');
    expect(statSync(join(folder, 'still.pc2')).size).toBe(32 + 36);
    expectRefusal(['convert', 'still.glb', 'x.obj', '--frame-step', '2'], { code: 'bad-option', option: 'frameStep' });
  });

  it('writes several meshes where they fit, and joins or chooses them where they do not', () => {
    const node = (name: string, x: number) =>
      `<node id="${name}-node"><translate>${x} 0 0</translate><instance_geometry url="#${name}"/></node>`;
    const geometry = (
      name: string,
    ) => `<geometry id="${name}" name="${name}"><mesh><source id="${name}-p"><float_array id="${name}-a" count="9">0 0 0 1 0 0 0 1 0</float_array>
<technique_common><accessor source="#${name}-a" count="3" stride="3"><param name="X"/><param name="Y"/><param name="Z"/></accessor></technique_common></source>
<vertices id="${name}-v"><input semantic="POSITION" source="#${name}-p"/></vertices>
<triangles count="1"><input semantic="VERTEX" source="#${name}-v" offset="0"/><p>0 1 2</p></triangles></mesh></geometry>`;
    writeFileSync(
      join(folder, 'two.dae'),
      `<?xml version="1.0"?><COLLADA version="1.4.1"><asset><unit meter="0.01"/><up_axis>Z_UP</up_axis></asset>
<library_geometries>${geometry('one')}${geometry('other')}</library_geometries>
<library_visual_scenes><visual_scene id="s">${node('one', 0)}${node('other', 5)}</visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene></COLLADA>`,
    );
    json('convert', 'two.dae', 'two.glb');
    expect(json('info', 'two.glb').parts).toHaveLength(2);
    json('convert', 'two.dae', 'two.abc');
    expect(json('info', 'two.abc').parts).toHaveLength(2);
    expectRefusal(['convert', 'two.dae', 'x.obj'], { code: 'bad-option', file: 'two.dae', option: 'object' });
    const chosen = json('convert', 'two.dae', 'chosen.obj', '--object', 'other');
    expect(chosen.parts).toMatchObject([{ name: 'other', vertices: 3 }]);
    expect(chosen.notes).toMatchObject([{ code: 'space-lost', data: { space: { up: 'z', metresPerUnit: 0.01 } } }]);
    expect(json('convert', 'two.dae', 'merged.obj', '--merge').parts).toMatchObject([{ vertices: 6, triangles: 2 }]);
  });

  it('says that Alembic has no rest pose, where that matters', () => {
    expect(codesOf(json('convert', 'a.abc', 'same.abc').notes)).toEqual([]);
    expect(codesOf(json('convert', 'flag.glb', 'late.abc', '--first-frame', '2').notes)).toEqual(['rest-pose-lost']);
  });

  it('moves a late start to 0 in glTF, where players would wait for it', () => {
    json('convert', 'flag.glb', 'late.mdd', '--first-frame', '2');
    expect(codesOf(json('convert', 'late.obj', '--cache', 'late.mdd', 'late.glb').notes)).toContain('start-moved');
    expect(json('info', 'late.glb').report.assets[0].sequences[0].times[0]).toBe(0);
  });

  it('says what the output cannot: times, and rates', () => {
    const frames = [
      [0, 0, 0],
      [1, 1, 1],
      [2, 2, 2],
    ]; // One vertex, at the 30 frames per second of its reader.
    writeFileSync(join(folder, 'point.pc2'), pc2File(frames));
    json('convert', 'point.pc2', 'thirty.mdd', '--frames-per-second', '30');
    expect(codesOf(json('convert', 'thirty.mdd', 'same.mdd', '--frames-per-second', '12').notes)).toContain(
      'own-times',
    );
    const rate = expect.closeTo(30, 5);
    expect(json('convert', 'thirty.mdd', 'thirty/').notes).toContainEqual(
      expect.objectContaining({ code: 'times-lost', data: { framesPerSecond: rate } }),
    );
    expect(json('convert', 'thirty.mdd', 'at24.pc2').notes).toContainEqual(
      expect.objectContaining({ code: 'frames-counted', data: { framesPerSecond: 24, rate } }),
    );
    json('convert', 'thirty.mdd', 'at30.pc2', '--frames-per-second', '30');
    expect(readFileSync(join(folder, 'at30.pc2'))).toEqual(Buffer.from(pc2File(frames)));
  });

  const refusals: [string, string[], Refusal][] = [
    ['no output', ['flag.glb'], { code: 'bad-option' }],
    ['an unknown kind', ['flag.glb', 'x.fbx'], { code: 'bad-option', file: 'x.fbx' }],
    ['an input that is missing', ['nothing.abc', 'x.glb'], { code: 'not-found', file: 'nothing.abc' }],
    ['an output that exists', ['flag.glb', 'tube.glb'], { code: 'exists', reason: 'output-exists', file: 'tube.glb' }],
    ['its own input', ['flag.glb', './flag.glb', '--force'], { code: 'bad-option', file: './flag.glb' }],
    ['flags of GLB for others', ['flag.glb', 'x.mdd', '--quantize'], { code: 'bad-option', option: 'quantize' }],
    ['a folder with other things', ['flag.glb', 'mine/', '--force'], { code: 'exists', file: 'mine' }],
  ];
  it.each(refusals)('refuses %s', (_, args, expected) => {
    mkdirSync(join(folder, 'mine'), { recursive: true });
    writeFileSync(join(folder, 'mine', 'thesis.txt'), '');
    expectRefusal(['convert', ...args], expected);
  });

  it('a cache that is cut off, or damaged in the middle, leaves nothing', () => {
    const bytes = readFileSync(join(folder, 'a-pc2.pc2'));
    writeFileSync(join(folder, 'nan.pc2'), bytes.fill(0xff, bytes.length - 40));
    expectRefusal(['convert', 'a-pc2.obj', '--cache', 'nan.pc2', '-o', 'x.mdd'], { code: 'bad-file', file: 'nan.pc2' });
  });

  it('stops at Ctrl-C and leaves nothing', async () => {
    const place = newFolder();
    // A gigabyte of zeros that takes no room, into a text that would take much.
    const header = pc2File([[0, 0, 0]], { samples: 4000 }).slice(0, 32);
    new DataView(header.buffer).setInt32(16, 20_000, true);
    writeFileSync(join(folder, 'large.pc2'), header);
    truncateSync(join(folder, 'large.pc2'), 32 + 4000 * 20_000 * 12);
    const child = startPliant(['convert', join(folder, 'large.pc2'), 'out/'], place);
    const done = ended(child);
    await atWork(place, 1);
    child.kill('SIGINT');
    const { status, stdout, stderr } = await done;
    expect([status, stdout, stderr.trim()]).toEqual([130, '', 'pliant: interrupted']);
    expect(readdirSync(place)).toEqual([]);
    rmSync(join(folder, 'large.pc2'));
  });
});
