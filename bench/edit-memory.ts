// The memory that verbs need for a glTF file that is mostly pictures: 180 MB of them beside 20 MB of a rig, each verb in a
// process of its own. Pictures of large files stay there until they are written; the peak is that of reading, or what a verb
// needs to solve for 288,000 vertices.
//
//   node dist/bench/edit-memory.js [--write]

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { glbParts, type Piece } from '../src/io/gltf/container.ts';
import { joined } from '../src/model/bytes.ts';
import { machine, markdownTable, writeResults } from './tables.ts';

const PICTURES = 12;
const PICTURE_BYTES = 15e6;
const [RINGS, SIDES, JOINTS, KEYS] = [2400, 120, 24, 60];

const VERBS = [
  ['convert'],
  ['mix', '--poses', '2', '--no-report'],
  ['weights', '--method', 'inverse-distance'],
  ['linearize', '--blend-bones', '2', '--training-frames', '4', '--no-report'],
];

const folder = mkdtempSync(join(tmpdir(), 'pliant-'));
try {
  const input = join(folder, 'in.glb');
  writeFileSync(input, await largeRig());
  const { size } = statSync(input);
  const rows = VERBS.map(([verb, ...flags]) => {
    const output = join(folder, `${verb}.glb`);
    const { peak, seconds } = run([verb, input, '-o', output, ...flags]);
    return [verb, megabytes(statSync(output).size), megabytes(peak), (peak / size).toFixed(2), seconds.toFixed(1)];
  });
  const table = markdownTable(['verb', 'output, MB', 'peak, MB', 'of the input', 'seconds'], rows);
  const text = `# Memory of editing\n\nThe input has ${megabytes(size)} MB. ${machine()}.\n\n${table}`;
  console.log(text);
  if (process.argv.includes('--write')) writeResults('edit-memory', text);
} finally {
  rmSync(folder, { recursive: true });
}

/** The command line in a process of its own, which says at the end how much memory it had at most. */
function run(args: readonly string[]): { peak: number; seconds: number } {
  const main = fileURLToPath(new URL('../cli/main.js', import.meta.url));
  const told = `process.on('exit', () => process.stderr.write('\\npeak ' + process.resourceUsage().maxRSS));`;
  const started = performance.now();
  const hook = `data:text/javascript,${encodeURIComponent(told)}`;
  const { status, stderr } = spawnSync(process.execPath, ['--import', hook, main, ...args], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return { peak: 1024 * Number(/peak (\d+)/.exec(stderr)![1]), seconds: (performance.now() - started) / 1000 };
}

/** A long tube on a chain of joints that bends, and pictures that nothing could compress. */
function largeRig(): Promise<Uint8Array> {
  const pieces: Piece[] = [];
  const json = { accessors: [] as object[], bufferViews: [] as object[] };
  let length = 0;
  const view = (array: ArrayBufferView): number => {
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    pieces.push({ offset: length, bytes });
    const index = json.bufferViews.push({ buffer: 0, byteOffset: length, byteLength: bytes.length }) - 1;
    length += 4 * Math.ceil(bytes.length / 4);
    return index;
  };
  const add = (type: string, componentType: number, count: number, array: ArrayBufferView, more: object = {}): number =>
    json.accessors.push({ bufferView: view(array), componentType, count, type, ...more }) - 1;

  const n = RINGS * SIDES;
  const [positions, normals, uvs] = [new Float32Array(3 * n), new Float32Array(3 * n), new Float32Array(2 * n)];
  const [joints, weights] = [new Uint8Array(4 * n), new Float32Array(4 * n)];
  for (let i = 0; i < n; i++) {
    const [ring, side] = [Math.floor(i / SIDES), i % SIDES];
    const angle = (2 * Math.PI * side) / SIDES;
    const along = (ring / (RINGS - 1)) * (JOINTS - 1);
    const joint = Math.min(Math.floor(along), JOINTS - 2);
    positions.set([Math.cos(angle), along, Math.sin(angle)], 3 * i);
    normals.set([Math.cos(angle), 0, Math.sin(angle)], 3 * i);
    uvs.set([side / SIDES, ring / RINGS], 2 * i);
    joints.set([joint, joint + 1], 4 * i);
    weights.set([1 - (along - joint), along - joint], 4 * i);
  }
  const corners = new Uint32Array(6 * (RINGS - 1) * SIDES);
  for (let q = 0; q < corners.length / 6; q++) {
    const next = SIDES * Math.floor(q / SIDES) + ((q + 1) % SIDES);
    corners.set([q, q + SIDES, next, next, q + SIDES, next + SIDES], 6 * q);
  }
  const inverseBind = new Float32Array(16 * JOINTS);
  for (let j = 0; j < JOINTS; j++) inverseBind.set([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -j, 0, 1], 16 * j);
  const times = Float32Array.from({ length: KEYS }, (_, k) => k / 30);
  const turns = new Float32Array(4 * KEYS);
  times.forEach((t, k) => {
    turns.set([Math.sin(0.1 * Math.sin(t)), 0, 0, Math.cos(0.1 * Math.sin(t))], 4 * k);
  });

  const attributes = {
    POSITION: add('VEC3', 5126, n, positions, { min: [-1, 0, -1], max: [1, JOINTS - 1, 1] }),
    NORMAL: add('VEC3', 5126, n, normals),
    TEXCOORD_0: add('VEC2', 5126, n, uvs),
    JOINTS_0: add('VEC4', 5121, n, joints),
    WEIGHTS_0: add('VEC4', 5126, n, weights),
  };
  const indices = add('SCALAR', 5125, corners.length, corners);
  const inverseBindMatrices = add('MAT4', 5126, JOINTS, inverseBind);
  const input = add('SCALAR', 5126, KEYS, times, { min: [0], max: [times[KEYS - 1]] });
  const output = add('VEC4', 5126, KEYS, turns);
  const images = Array.from({ length: PICTURES }, () => {
    const bytes = new Uint8Array(PICTURE_BYTES);
    for (let o = 0; o < bytes.length; o += 65536) crypto.getRandomValues(bytes.subarray(o, o + 65536));
    bytes.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
    return { mimeType: 'image/png', bufferView: view(bytes) };
  });
  const chain = Array.from({ length: JOINTS }, (_, j) => ({
    name: `joint ${j}`,
    ...(j > 0 && { translation: [0, 1, 0] }),
    ...(j + 1 < JOINTS && { children: [j + 1] }),
  }));
  const scene = {
    asset: { version: '2.0' },
    scene: 0,
    scenes: [{ nodes: [0, JOINTS] }],
    nodes: [...chain, { name: 'tube', mesh: 0, skin: 0 }],
    skins: [{ joints: chain.map((_, j) => j), inverseBindMatrices }],
    meshes: [{ primitives: [{ attributes, indices, material: 0 }] }],
    materials: images.map((_, index) => ({ pbrMetallicRoughness: { baseColorTexture: { index } } })),
    textures: images.map((_, source) => ({ source })),
    images,
    animations: [
      {
        name: 'bend',
        samplers: [{ input, output }],
        channels: chain.map((_, node) => ({ sampler: 0, target: { node, path: 'rotation' } })),
      },
    ],
    buffers: [{ byteLength: length }],
  };
  return joined(glbParts({ ...scene, ...json }, pieces, 'bench'));
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(0);
}
