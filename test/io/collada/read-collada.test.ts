import { describe, expect, it } from 'vitest';
import { readCollada } from '../../../src/io/read-collada.ts';
import { validateMesh } from '../../../src/model/mesh.ts';
import { note } from '../../../src/model/note.ts';
import { clipFrame } from '../../../src/model/skeleton.ts';
import { validateModel } from '../../../src/model/skinned-model.ts';
import { codesOf } from '../../notes.ts';
import { expectRefusal, type Refusal } from '../../refusal.ts';
import { naiveLbs } from '../gltf/fixtures.ts';
import { textSource } from '../support.ts';
import { channel, colladaFile, source } from './fixtures.ts';

const read = async (text: string) => {
  const asset = await readCollada(textSource(text, 'strip.dae'));
  for (const mesh of asset.meshes) validateMesh(mesh);
  for (const model of asset.models) validateModel(model);
  return asset;
};
const GEOMETRY = '<instance_geometry url="#strip-mesh"/>';

describe('readCollada, a skin', () => {
  it('has mesh, weights, bones and space', async () => {
    const asset = await read(colladaFile());
    expect(asset.space).toEqual({ up: 'z', metresPerUnit: 0.01 });
    const [model] = asset.models;
    // In the space of the bind pose: twice as large, and not where its node is.
    expect([...model.mesh.positions]).toEqual([0, 0, 0, 2, 0, 0, 0, 2, 0, 2, 2, 0, 0, 4, 0, 2, 4, 0]);
    expect(model.mesh.groups).toEqual([{ name: 'Linen', start: 0, count: 4, material: 0 }]);
    expect(model.mesh.materials![0].name).toBe('Linen');
    expect(model.skeleton.names).toEqual(['Armature', 'Root', 'Tip', 'End']);
    expect([...model.skeleton.parents]).toEqual([-1, 0, 1, 2]);
    expect(model.weights.influences).toBe(2);
    expect([...model.weights.joints.slice(4, 6)]).toEqual([2, 1]);
    expect([...model.weights.weights.slice(4, 6)]).toEqual([0.75, 0.25]);
    expect(asset.notes).toEqual([]);
  });

  it('poses as computed by hand', async () => {
    const [model] = (await read(colladaFile())).models;
    const [clip] = model.clips;
    expect(clip.name).toBe('strip');
    expect([...clip.times]).toEqual([0, 1, 2]);
    const posed = (k: number) => naiveLbs(model, clipFrame(clip, k));
    expect([...posed(0)]).toEqual([...model.mesh.positions]);
    // At 2 s the root has moved by (4, 0, 2) and the tip is turned by 90° about (0, 2, 0).
    const end = posed(2);
    const expected: Record<number, number[]> = {
      0: [4, 0, 2],
      4: [4 - 2, 2, 2],
      5: [4 - 2, 4, 2],
      3: [4 + 0.25 * 2, 2 + 0.75 * 2, 2],
    };
    for (const [i, position] of Object.entries(expected)) {
      position.forEach((x, c) => void expect(end[3 * Number(i) + c]).toBeCloseTo(x, 5));
    }
    // At 1 s the matrix channel is between its keys.
    expect(posed(1)[0]).toBeCloseTo(2, 5);
  });

  it('has its outside out in every pose, also when it is bound mirrored', async () => {
    const text = colladaFile();
    // Seen in a mirror, which the joints undo.
    const mirrored = text
      .replace('<bind_shape_matrix>2 ', '<bind_shape_matrix>-2 ')
      .replace(/(<float_array id="binds-array"[^>]*>)1 (.*?) 1 0 0 0 0 1 0 -2/, '$1-1 $2 -1 0 0 0 0 1 0 -2');
    expect(mirrored.match(/-1 0 0 0/g)).toHaveLength(2);
    const [plain, bound] = await Promise.all([text, mirrored].map(async (file) => (await read(file)).models[0]));
    expect(bound.mesh).toEqual(plain.mesh);
    const end = (model: typeof bound) => naiveLbs(model, clipFrame(model.clips[0], 2));
    expect(end(bound)).toEqual(end(plain));
  });

  it('finds joints by id, and normalises weights with a note', async () => {
    const ids = colladaFile().replace(
      '<Name_array id="joints-array" count="2">root tip</Name_array>',
      '<IDREF_array id="joints-array" count="2">root tip</IDREF_array>',
    );
    expect((await read(ids)).models[0].skeleton.names).toContain('Tip');
    const off = (await read(colladaFile().replace('1 0.25 0.75', '1 0.25 0.25'))).notes;
    expect(off).toEqual([note('weights-normalised', { vertices: 2 })]);
    const weights =
      '<vertex_weights count="6"><input semantic="JOINT" source="#joints" offset="0"/><input semantic="WEIGHT" source="#weights" offset="1"/><vcount>0 1 1 1 1 1</vcount><v>-1 0 0 0 0 0 0 0 0 0</v></vertex_weights>';
    expect((await read(colladaFile({ weights }))).notes).toEqual([note('unweighted-vertices', { vertices: 2 })]);
  });

  it('steps, and says when curves are straightened', async () => {
    const animations = `<library_animations>${channel('turn', 'tip/translate.Y', [0, 2], 1, [2, 4], 'STEP')}${channel('other', 'root/transform', [1], 16, [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1], 'BEZIER')}</library_animations>`;
    const asset = await read(colladaFile({ animations }));
    const { locals } = asset.models[0].clips[0];
    // At 0 s, at 1 s, just before 2 s, and then.
    expect([0, 1, 2, 3].map((k) => locals![40 * k + 21])).toEqual([2, 2, 2, 4]);
    expect(asset.notes).toEqual([note('curves-straightened', {})]);
  });

  /** Time → the height of joint "tip", in the frames of a clip. */
  async function heights(...curve: [number[], number[], string | string[], Parameters<typeof channel>[6]?]) {
    const [times, values, kind, tangents] = curve;
    const animations = `<library_animations>${channel('bend', 'tip/translate.Y', times, 1, values, kind, tangents)}</library_animations>`;
    const asset = await read(colladaFile({ animations }));
    expect(asset.notes).toEqual([]);
    const [clip] = asset.models[0].clips;
    return Array.from(clip.times, (t, k): [number, number] => [t, clip.locals![40 * k + 21]]);
  }

  it('follows Bézier curves by their control points', async () => {
    // The curve that style sheets call ease-in-out: its height at a quarter of the time is in many tables.
    const ease = await heights([0, 1], [0, 1], 'BEZIER', { width: 2, into: [0, 0, 0.58, 1], out: [0.42, 0, 0, 0] });
    expect(ease.length).toBeGreaterThan(8);
    const at = (t: number) => {
      const later = ease.findIndex(([time]) => time >= t);
      const [[t0, y0], [t1, y1]] = [ease[later - 1], ease[later]];
      return y0 + ((t - t0) / (t1 - t0)) * (y1 - y0);
    };
    expect(at(0.25)).toBeCloseTo(0.12916, 2);
    expect(at(0.5)).toBeCloseTo(0.5, 3);
    expect(at(0.75)).toBeCloseTo(1 - 0.12916, 2);
  });

  it('follows cubics exactly, by control points, by their values alone, and by Hermite tangents', async () => {
    const y = (t: number) => t ** 3 - 2 * t + 50;
    const slope = (t: number) => 3 * t * t - 2;
    const keys = [0.5, 2, 3];
    const into = keys.map((t, k) => [
      t - (t - (keys[k - 1] ?? t)) / 3,
      y(t) - (slope(t) * (t - (keys[k - 1] ?? t))) / 3,
    ]);
    const out = keys.map((t, k) => [
      t + ((keys[k + 1] ?? t) - t) / 3,
      y(t) + (slope(t) * ((keys[k + 1] ?? t) - t)) / 3,
    ]);
    const tangent = (d: (k: number) => number) => keys.flatMap((t, k) => [d(k), slope(t) * d(k)]);
    const curves: [string, Parameters<typeof channel>[6]][] = [
      ['BEZIER', { width: 2, into: into.flat(), out: out.flat() }],
      ['BEZIER', { width: 1, into: into.map(([, value]) => value), out: out.map(([, value]) => value) }],
      [
        'HERMITE',
        {
          width: 2,
          into: tangent((k) => keys[k] - (keys[k - 1] ?? keys[k])),
          out: tangent((k) => (keys[k + 1] ?? keys[k]) - keys[k]),
        },
      ],
    ];
    for (const [kind, tangents] of curves) {
      const frames = await heights(keys, keys.map(y), kind, tangents);
      expect(frames.length).toBeGreaterThan(8);
      for (const [t, height] of frames) expect(height).toBeCloseTo(y(t), 4);
    }
  });

  it('goes from every key as that key says', async () => {
    const tangents = { width: 2, into: [0, 0, 0.9, 7, 2, 7, 3, 3], out: [0.1, 1, 1.5, 7, 2.5, 7, 3, 3] };
    const frames = await heights([0, 1, 2, 3], [1, 7, 5, 3], ['BEZIER', 'STEP', 'LINEAR', 'LINEAR'], tangents);
    const within = (from: number, to: number) => frames.filter(([t]) => t > from && t < to).map(([, height]) => height);
    expect(within(0, 1).length).toBeGreaterThan(4);
    expect(within(1, 2)).toEqual([7]);
    expect(within(2, 3)).toEqual([]);
  });

  it('turns as often as the angle says', async () => {
    const animations = `<library_animations>${channel('spin', 'tip/rotateZ.ANGLE', [0, 1, 2], 1, [0, 720, 720])}</library_animations>`;
    const [clip] = (await read(colladaFile({ animations }))).models[0].clips;
    // From frame to frame the angle grows by 120°, six times, and then rests.
    expect(Array.from(clip.times)).toHaveLength(8);
    const turnedBy = Array.from(clip.times.subarray(1), (_, k) => {
      const [a, b] = [k, k + 1].map((frame) => clip.locals!.subarray(40 * frame + 23, 40 * frame + 27));
      return 2 * Math.acos(Math.min(1, Math.abs(a.reduce((sum, x, c) => sum + x * b[c], 0))));
    });
    turnedBy.forEach((angle, k) => void expect(angle).toBeCloseTo(k < 6 ? (2 * Math.PI) / 3 : 0, 3));
  });

  it('has a clip for each <animation_clip>', async () => {
    const animations = `<library_animations>${channel('a', 'tip/rotateZ.ANGLE', [0, 1], 1, [0, 90])}<animation id="outer">${channel('b', 'tip/scale', [0, 1, 2], 3, [1, 1, 1, 2, 2, 2, 3, 3, 3])}</animation></library_animations>
<library_animation_clips><animation_clip id="one" name="Turn"><instance_animation url="#a"/></animation_clip><animation_clip id="two"><instance_animation url="#outer"/></animation_clip></library_animation_clips>`;
    const { clips } = (await read(colladaFile({ animations }))).models[0];
    expect(clips.map((clip) => [clip.name, clip.times.length])).toEqual([
      ['Turn', 2],
      ['two', 3],
    ]);
  });
});

describe('readCollada, meshes', () => {
  it('are placed where their node is', async () => {
    const [mesh] = (await read(colladaFile({ instance: GEOMETRY }))).meshes;
    // Turned by 90° about z, then moved by 10 along x.
    const expected = [10, 0, 0, 10, 1, 0, 9, 0, 0];
    expected.forEach((x, c) => void expect(mesh.positions[c]).toBeCloseTo(x, 5));
    expect(mesh.space).toEqual({ up: 'z', metresPerUnit: 0.01 });
    expect(mesh.name).toBe('Strip');
  });

  it('that animated nodes carry are rigid models', async () => {
    const animations = `<library_animations>${channel('go', 'strip/location.X', [0, 1], 1, [10, 20])}</library_animations>`;
    const { models } = await read(colladaFile({ instance: GEOMETRY, animations }));
    expect(models[0].operator).toBe('rigid');
    const last = naiveLbs(models[0], clipFrame(models[0].clips[0], 1));
    models[0].mesh.positions.forEach((x, c) => void expect(last[c]).toBeCloseTo(x + (c % 3 === 0 ? 10 : 0), 4));
  });

  it('may consist of any kind of polygon', async () => {
    const inputs =
      '<input semantic="VERTEX" source="#vertices" offset="0"/><input semantic="NORMAL" source="#normals" offset="1"/>';
    const corners = (...list: number[]) => `<p>${list.map((i) => `${i} 0`).join(' ')}</p>`;
    const area = async (primitives: string) => {
      const [mesh] = (await read(colladaFile({ instance: GEOMETRY, primitives }))).meshes;
      let sum = 0;
      for (let t = 0; t < mesh.triangles.length; t += 3) {
        const [a, b, c] = [0, 1, 2].map((corner) =>
          mesh.positions.subarray(3 * mesh.triangles[t + corner], 3 * mesh.triangles[t + corner] + 3),
        );
        // Signed, seen from above: strips must not turn over.
        sum += ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])) / 2;
      }
      return sum;
    };
    expect(await area(`<triangles count="2">${inputs}${corners(0, 1, 3, 0, 3, 2)}</triangles>`)).toBeCloseTo(1, 5);
    expect(
      await area(`<polygons count="2">${inputs}${corners(0, 1, 3, 2)}${corners(2, 3, 5, 4)}</polygons>`),
    ).toBeCloseTo(2, 5);
    expect(await area(`<polygons count="1">${inputs}<ph>${corners(0, 1, 5, 4)}<h>0 0</h></ph></polygons>`)).toBeCloseTo(
      2,
      5,
    );
    expect(await area(`<tristrips count="1">${inputs}${corners(0, 1, 2, 3, 4, 5)}</tristrips>`)).toBeCloseTo(2, 5);
    expect(await area(`<trifans count="1">${inputs}${corners(0, 1, 3, 2)}</trifans>`)).toBeCloseTo(1, 5);
    expect(
      await area(`<triangles>${inputs}${corners(0, 1, 3)}</triangles><lines count="1">${inputs}</lines>`),
    ).toBeCloseTo(0.5, 5);
  });

  it('may list normals with the vertices, and skip parameters without a name', async () => {
    const text = colladaFile({
      instance: GEOMETRY,
      primitives: '<triangles><input semantic="VERTEX" source="#vertices" offset="0"/><p>0 1 3</p></triangles>',
    }).replace(
      '<vertices id="vertices">',
      `${source(
        'padded',
        4,
        Array.from({ length: 24 }, (_, c) => (c % 4 === 3 ? 1 : 0)),
        ['X', undefined, 'Y', 'Z'],
      )}<vertices id="vertices"><input semantic="NORMAL" source="#padded"/>`,
    );
    const [mesh] = (await read(text)).meshes;
    expect([...mesh.normals!.slice(0, 3)]).toEqual([0, 0, 1]);
  });

  it('may be shown through <instance_node>, and without a scene', async () => {
    const shown = colladaFile({ instance: GEOMETRY }).replace(
      '</visual_scene>',
      '<node id="more"><translate>0 0 5</translate><instance_node url="#strip"/></node></visual_scene>',
    );
    const { meshes } = await read(shown);
    expect(meshes.length).toBe(2);
    expect(meshes[1].positions[2]).toBe(5);
    const bare = colladaFile()
      .replace(/<library_visual_scenes>.*<\/scene>/s, '')
      .replace(/<library_animations>.*<\/library_animations>/s, '');
    const asset = await read(bare);
    expect(asset.meshes.length).toBe(1);
    expect(codesOf(asset.notes)).toEqual(['no-scene', 'no-instances']);
  });
});

describe('readCollada refuses', () => {
  const change = (from: string, to: string) => {
    const text = colladaFile();
    expect(text).toContain(from);
    return text.replace(from, to);
  };
  it.each<[string, string, Refusal]>([
    ['another XML', '<svg/>', { file: 'strip.dae', line: 1, values: ['<svg>', '<COLLADA>'] }],
    ['a corner out of range', change('5 1 0 4 0 0</p>', '6 1 0 4 0 0</p>'), { file: 'strip.dae', values: [6, 6] }],
    ['a uv out of range', change('5 1 0 4 0 0</p>', '5 9 0 4 0 0</p>'), { values: [9, 4] }],
    ['a short <p>', change(' 4 0 0</p>', '</p>'), { values: [8, '<vcount>'] }],
    ['a torn <p>', change(' 4 0 0</p>', ' 4 0</p>'), { values: [3] }],
    ['a wrong count', change('count="18"', 'count="19"'), { values: ['<float_array>', 18, 19] }],
    [
      'an accessor beyond its array',
      change('count="6" stride="3"', 'count="600000000" stride="3"'),
      { values: [600000000, 18] },
    ],
    ['NaN', change('0 1 0 1 1 0', '0 NaN 0 1 1 0'), { file: 'strip.dae', values: ['NaN'] }],
    ['a reference to nothing', change('source="#positions"', 'source="#nothing"'), { values: ['#nothing'] }],
    ['weights of another number of vertices', change('<vcount>1 1 2', '<vcount>1 2'), { values: [5, 6] }],
    ['a joint out of range', change('<v>0 0', '<v>7 0'), { values: [0, 7, 2] }],
    ['a weight out of range', change('<v>0 0', '<v>0 9'), { values: [9, 3] }],
    ['a negative weight', change('1 0.25 0.75', '-1 0.25 0.75'), { values: [0, -1] }],
    ['a joint without a node', change('>root tip<', '>root tail<'), { values: ['tail'] }],
    ['a joint twice', change('>root tip<', '>root root<'), { line: 20 }],
    ['a skeleton without a node', change('<skeleton>#root', '<skeleton>#nobody'), { line: 57 }],
    ['times that fall', change('>0 1 2<', '>0 2 1<'), { line: 40 }],
    [
      'fewer values than times',
      change('count="3">0 90 90<', 'count="2">0 90<').replace(
        'count="3" stride="1"><param name="P0" type="float"/></accessor></technique_common></source>\n<source id="turn-inter',
        'count="2" stride="1"><param name="P0" type="float"/></accessor></technique_common></source>\n<source id="turn-inter',
      ),
      { line: 40 },
    ],
    ['a member that is none', change('rotateZ.ANGLE', 'rotateZ.WIDTH'), { values: ['rotateZ', 'WIDTH'] }],
    ['an unknown up axis', change('Z_UP', 'W_UP'), { values: ['W_UP'] }],
    ['a unit of nothing', change('meter="0.01"', 'meter="0"'), { values: [0] }],
    [
      'a node in itself',
      change('<instance_controller', '<instance_node url="#strip"/><instance_controller'),
      { line: 57 },
    ],
    ['a truncated file', colladaFile().slice(0, 3000), { line: 33 }],
  ])('%s', async (_, text, facts) => {
    await expectRefusal(read(text), 'bad-file', facts);
  });

  it('entities, other documents and too many nodes', async () => {
    await expectRefusal(
      read(change('<COLLADA', '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><COLLADA')),
      'unsupported',
      { values: ['DOCTYPE'] },
    );
    await expectRefusal(read(change('source="#positions"', 'source="other.dae#positions"')), 'unsupported', {
      values: ['#id'],
    });
    const doubling = Array.from(
      { length: 20 },
      (_, n) => `<node id="n${n}"><instance_node url="#n${n + 1}"/><instance_node url="#n${n + 1}"/></node>`,
    ).join('');
    const nodes = `<library_nodes>${doubling}<node id="n20"/></library_nodes><library_visual_scenes>`;
    const bomb = change('<library_visual_scenes>', nodes).replace(
      '<instance_controller',
      '<instance_node url="#n0"/><instance_controller',
    );
    await expectRefusal(read(bomb), 'too-large', { values: [65535] });
  });
});

describe('readCollada, geometries without a mesh', () => {
  const EMPTY = {
    'no positions': `<mesh>${source('none', 3, [])}<vertices id="v0"><input semantic="POSITION" source="#none"/></vertices></mesh>`,
    'no vertices': '<mesh/>',
    'no mesh': '<spline/>',
  };
  const withEmpty = (content: string, instance: string) =>
    colladaFile({ instance }).replace(
      '<library_geometries>',
      `<library_geometries><geometry id="empty" name="Empty">${content}</geometry>`,
    );
  const both = '<instance_geometry url="#empty"/><instance_geometry url="#strip-mesh"/>';

  it.each(Object.entries(EMPTY))('are left out beside others, with a note: %s', async (what, content) => {
    const { meshes, notes } = await read(withEmpty(content, both));
    expect(meshes.map(({ name }) => name)).toEqual(['Strip']);
    const reason = what === 'no mesh' ? 'no-mesh' : 'no-vertices';
    expect(notes).toContainEqual(note('object-not-read', { reason }, 'Empty'));
  });

  it.each(Object.entries(EMPTY))('are left out where no scene shows anything: %s', async (_, content) => {
    const { meshes } = await read(withEmpty(content, ''));
    expect(meshes.map(({ name }) => name)).toEqual(['Strip']);
  });

  it.each(Object.values(EMPTY))('are refused alone', async (content) => {
    const alone = withEmpty(content, '<instance_geometry url="#empty"/>');
    await expect(read(alone)).rejects.toMatchObject({ operation: 'readCollada', file: 'strip.dae' });
  });
});
