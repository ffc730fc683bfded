// Speed of rays, one thread: Pliant's kernel and its twin, three-mesh-bvh, and Embree where it is installed (libembree-dev).
// Rays start on the surface and go anywhere above it, as those of light do. Contenders take turns; the fastest turn of each
// counts, in seconds of the processor.
//
//   node dist/bench/rays.js [--json] [--write] [--rounds <n>]

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { BufferAttribute, BufferGeometry, DoubleSide, Ray } from 'three';
import { MeshBVH } from 'three-mesh-bvh';
import { type RayHits, RayTracer, vertexNormals } from '../src/doors/mesh.ts';
import { concatBytes } from '../src/math/bytes.ts';
import { randomNormal, seededRandom } from '../src/math/rng.ts';
import { machine, markdownTable, ROOT, writeResults } from './tables.ts';
import { stopwatch } from './timing.ts';

const { values: flags } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '12' },
  },
});

/** 160 × 160 quads on a torus with dents, so that a part of the rays meets the surface again: 51,200 triangles. */
const SIDES = 160;
const ORIGINS = 512;
const RAYS_PER_ORIGIN = 64;
const RAYS = ORIGINS * RAYS_PER_ORIGIN;

interface Scene {
  positions: Float32Array;
  triangles: Uint32Array;
  origins: Float32Array;
  directions: Float32Array;
}

function makeScene(): Scene {
  const positions: number[] = [];
  const triangles: number[] = [];
  const at = (a: number, b: number) => (a % SIDES) * SIDES + (b % SIDES);
  for (let a = 0; a < SIDES; a++) {
    for (let b = 0; b < SIDES; b++) {
      const [u, v] = [(2 * Math.PI * a) / SIDES, (2 * Math.PI * b) / SIDES];
      const radius = 1 + 0.25 * Math.sin(9 * u) * Math.sin(5 * v);
      const out = 2.2 + radius * Math.cos(v);
      positions.push(out * Math.cos(u), radius * Math.sin(v), out * Math.sin(u));
      triangles.push(at(a, b), at(a, b + 1), at(a + 1, b + 1), at(a, b), at(a + 1, b + 1), at(a + 1, b));
    }
  }
  const mesh = { positions: Float32Array.from(positions), triangles: Uint32Array.from(triangles) };
  const normals = vertexNormals(mesh);
  const random = seededRandom(1);
  const origins = new Float32Array(3 * RAYS);
  const directions = new Float32Array(3 * RAYS);
  for (let i = 0; i < RAYS; i++) {
    if (i % RAYS_PER_ORIGIN > 0) origins.copyWithin(3 * i, 3 * i - 3, 3 * i);
    else {
      const vertex = 3 * Math.floor(random() * SIDES * SIDES);
      for (let c = 0; c < 3; c++) origins[3 * i + c] = mesh.positions[vertex + c] + 1e-3 * normals[vertex + c];
    }
    for (let c = 0; c < 3; c++) directions[3 * i + c] = randomNormal(random);
    const length = Math.hypot(...directions.subarray(3 * i, 3 * i + 3));
    for (let c = 0; c < 3; c++) directions[3 * i + c] /= length;
  }
  return { ...mesh, origins, directions };
}

/** Seconds of a turn: building, closest hits, any hits; and how many rays met something. */
type Turn = [build: number, closest: number, any: number, met: number];

function pliant({ positions, triangles, origins, directions }: Scene, simd: boolean): () => Turn {
  const tracer = new RayTracer(triangles, { simd });
  const hits: RayHits = {
    distances: new Float32Array(RAYS),
    faces: new Int32Array(RAYS),
    us: new Float32Array(RAYS),
    vs: new Float32Array(RAYS),
  };
  const blocked = new Uint8Array(RAYS);
  return () => {
    const build = seconds(() => tracer.build(positions));
    const closest = seconds(() => tracer.closest(origins, directions, RAYS, hits));
    const any = seconds(() => tracer.any(origins, directions, RAYS, blocked));
    return [build, closest, any, hits.faces.reduce((sum, face) => sum + (face >= 0 ? 1 : 0), 0)];
  };
}

/** It has no query for any hit: that of the closest one serves. */
function threeMeshBvh({ positions, triangles, origins, directions }: Scene): () => Turn {
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(positions, 3));
  geometry.setIndex(new BufferAttribute(triangles, 1));
  const ray = new Ray();
  return () => {
    let bvh!: MeshBVH;
    const build = seconds(() => {
      bvh = new MeshBVH(geometry.clone());
    });
    let met = 0;
    const closest = seconds(() => {
      for (let i = 0; i < RAYS; i++) {
        ray.origin.fromArray(origins, 3 * i);
        ray.direction.fromArray(directions, 3 * i);
        if (bvh.raycastFirst(ray, DoubleSide)) met++;
      }
    });
    return [build, closest, closest, met];
  };
}

/** Undefined without g++ or Embree. */
function embree({ positions, triangles, origins, directions }: Scene, folder: string): (() => Turn) | undefined {
  const program = join(folder, 'rays');
  try {
    const source = join(ROOT, 'bench/native/rays.cpp');
    execFileSync('g++', ['-O3', '-march=native', source, '-lembree3', '-o', program], { stdio: 'ignore' });
  } catch {
    return undefined;
  }
  const counts = Uint32Array.of(positions.length / 3, triangles.length / 3, RAYS);
  const arrays = [counts, positions, triangles, origins, directions];
  const bytes = arrays.map(({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength));
  writeFileSync(join(folder, 'scene'), concatBytes(bytes));
  return () =>
    execFileSync(program, [join(folder, 'scene'), '3'])
      .toString()
      .split(' ')
      .map(Number) as Turn;
}

function seconds(run: () => void): number {
  const elapsed = stopwatch();
  run();
  return elapsed();
}

const folder = mkdtempSync(join(tmpdir(), 'pliant-bench-'));
try {
  const scene = makeScene();
  const native = embree(scene, folder);
  const contenders: Record<string, () => Turn> = {
    Pliant: pliant(scene, true),
    ...(native && { Embree: native }),
    'three-mesh-bvh': threeMeshBvh(scene),
    'Pliant, TypeScript twin': pliant(scene, false),
  };
  const best: Record<string, Turn> = {};
  for (let round = 0; round < Number(flags.rounds); round++) {
    for (const [name, turn] of Object.entries(contenders)) {
      const [build, closest, any, met] = turn();
      const before = best[name] ?? [Infinity, Infinity, Infinity, met];
      best[name] = [Math.min(before[0], build), Math.min(before[1], closest), Math.min(before[2], any), met];
    }
  }

  const speed = (name: string, of: 1 | 2) => RAYS / best[name][of] / 1e6;
  const ratio = (other: string, of: 1 | 2) => (best[other] ? speed('Pliant', of) / speed(other, of) : Number.NaN);
  const musts = [
    { what: 'closest, times Embree', ratio: ratio('Embree', 1), must: 0.5 },
    { what: 'any, times Embree', ratio: ratio('Embree', 2), must: 0.5 },
    { what: 'closest, times three-mesh-bvh', ratio: ratio('three-mesh-bvh', 1), must: 5 },
    { what: 'any, times three-mesh-bvh', ratio: ratio('three-mesh-bvh', 2), must: 5 },
  ];
  const rows = Object.entries(best).map(([name, [build, , , met]]) => [
    name,
    speed(name, 1).toFixed(2),
    speed(name, 2).toFixed(2),
    (1000 * build).toFixed(1),
    `${met}`,
  ]);
  const verdicts = musts.map(({ what, ratio, must }) => [
    what,
    ratio.toFixed(2),
    `≥ ${must}`,
    Number.isNaN(ratio) ? 'not measured: no g++ or libembree-dev' : ratio >= must ? 'PASS' : 'FAIL',
  ]);
  const text = [
    markdownTable(['', 'closest, Mrays/s', 'any, Mrays/s', 'build, ms', 'rays that met'], rows),
    markdownTable(['ratio', 'measured', 'must be', ''], verdicts),
  ].join('\n\n');
  if (flags.json) console.log(JSON.stringify({ best, musts }, null, 2));
  else console.log(text);
  if (flags.write) {
    const about = `${scene.triangles.length / 3} triangles, ${RAYS} rays from ${ORIGINS} points of the surface, one thread; seconds of the processor,
best of ${flags.rounds} alternating rounds. ${machine()}. Written by \`node dist/bench/rays.js --write\`.`;
    writeResults('rays', `# Rays\n\n${about}\n\n${text}`);
  }
  if (musts.some(({ ratio, must }) => ratio < must)) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true });
}
