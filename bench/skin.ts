// Speed of skinning: 100,000 vertices, 60 bones, 4 influences, positions and normals. All contenders take turns in one
// process, and the fastest round of each counts, because other work on the machine only ever adds time.
//
//   node dist/bench/skin.js [--json] [--write] [--rounds <n>]

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  Bone,
  BufferAttribute,
  BufferGeometry,
  Matrix4,
  MeshBasicMaterial,
  Skeleton,
  SkinnedMesh,
  Vector3,
} from 'three';
import { type SkinnedModel, Skinner, type SkinOperator, type SkinOptions } from '../src/index.ts';
import { columnMajor44From34 } from '../src/math/matrix34.ts';
import { seededRandom } from '../src/math/rng.ts';
import { composeTrs } from '../src/math/trs.ts';
import { nodePool } from '../src/platform/node/index.ts';
import { machine, markdownTable, ROOT, writeResults } from './tables.ts';
import { bytesPerCall } from './timing.ts';

const VERTICES = 100_000;
/** Slow contenders pose fewer: a turn of milliseconds is more often undisturbed than one of a tenth of a second. */
const FEW = 5_000;
const BONES = 60;

const { values: flags } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '60' },
  },
});

/** Random points, normals, joints and weights; each bone turned and shifted at random. */
function makeRig(vertices: number): { model: SkinnedModel; transforms: Float32Array } {
  const random = seededRandom(1);
  const unitVectors = (count: number) => {
    const out = new Float32Array(3 * count);
    for (let i = 0; i < count; i++) {
      const v = [random() - 0.5, random() - 0.5, random() - 0.5];
      const length = Math.hypot(...v);
      for (let c = 0; c < 3; c++) out[3 * i + c] = v[c] / length;
    }
    return out;
  };
  const weights = new Float32Array(4 * vertices);
  for (let i = 0; i < vertices; i++) {
    const raw = [random(), random(), random(), random()].sort((a, b) => b - a);
    const sum = raw.reduce((a, b) => a + b);
    for (let s = 0; s < 4; s++) weights[4 * i + s] = raw[s] / sum;
  }
  const transforms = new Float32Array(12 * BONES);
  const inverseBind = new Float32Array(12 * BONES);
  for (let j = 0; j < BONES; j++) {
    const q = [random() - 0.5, random() - 0.5, random() - 0.5, 1].map((x, _, all) => x / Math.hypot(...all));
    composeTrs(transforms, 12 * j, [random(), random(), random(), ...q, 1 + 0.2 * random(), 1, 1], 0);
    inverseBind.set([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0], 12 * j);
  }
  const model: SkinnedModel = {
    name: 'bench',
    mesh: {
      positions: Float32Array.from({ length: 3 * vertices }, random),
      triangles: new Uint32Array(0),
      normals: unitVectors(vertices),
    },
    weights: { influences: 4, joints: Uint16Array.from({ length: 4 * vertices }, () => random() * BONES), weights },
    skeleton: {
      names: Array.from({ length: BONES }, (_, j) => `${j}`),
      parents: new Int32Array(BONES).fill(-1),
      restLocals: new Float32Array(10 * BONES),
      inverseBind,
    },
    clips: [],
    operator: 'lbs',
    mixWeights: Float32Array.from({ length: vertices }, random),
  };
  return { model, transforms };
}

/** three.js's CPU skinning of the same vertices; it has positions only. */
function threeContender(model: SkinnedModel, transforms: Float32Array): () => void {
  const geometry = new BufferGeometry();
  const position = new BufferAttribute(model.mesh.positions, 3);
  geometry.setAttribute('position', position);
  geometry.setAttribute('skinIndex', new BufferAttribute(model.weights.joints, 4));
  geometry.setAttribute('skinWeight', new BufferAttribute(model.weights.weights, 4));
  const bones = Array.from({ length: BONES }, () => new Bone());
  const mesh = new SkinnedMesh(geometry, new MeshBasicMaterial());
  mesh.bind(
    new Skeleton(
      bones,
      bones.map(() => new Matrix4()),
    ),
    new Matrix4(),
  );
  bones.forEach((bone, j) => {
    columnMajor44From34(bone.matrixWorld.elements, 0, transforms, 12 * j);
  });
  const vector = new Vector3();
  const vertices = position.count;
  const out = new Float32Array(3 * vertices);
  return () => {
    for (let i = 0; i < vertices; i++) {
      vector.fromBufferAttribute(position, i);
      mesh.applyBoneTransform(i, vector);
      vector.toArray(out, 3 * i);
    }
  };
}

/** Compiles the C++ loop into a temporary folder. Undefined without g++. */
function nativeContender(folder: string): (() => number) | undefined {
  const program = join(folder, 'lbs');
  try {
    execFileSync('g++', ['-O3', '-march=native', join(ROOT, 'bench/native/lbs.cpp'), '-o', program], {
      stdio: 'ignore',
    });
  } catch {
    return undefined;
  }
  // The child keeps its own time; a few frames per turn, so that it shares the machine's good and bad moments.
  return () =>
    Number(
      execFileSync(program, [`${VERTICES}`, `${BONES}`, '20'])
        .toString()
        .split(' ')[0],
    ) / VERTICES;
}

interface Must {
  what: string;
  ratio: number;
  must: string;
  passed: boolean | undefined;
}

async function main(): Promise<void> {
  const many = makeRig(VERTICES);
  const few = makeRig(FEW);
  const pool = await nodePool(2);
  const folder = mkdtempSync(join(tmpdir(), 'pliant-bench-'));
  try {
    // (1) The contenders: a name and a turn, which tells its ns per vertex.
    const timed = (vertices: number, frame: () => void) => () => {
      const start = performance.now();
      frame();
      return (1e6 * (performance.now() - start)) / vertices;
    };
    const fast = (operator: SkinOperator, options: Partial<SkinOptions> = {}, threads = 1) => {
      const skinner = new Skinner(many.model, { operator, ...options }, threads > 1 ? pool : undefined);
      return timed(VERTICES, () => skinner.pose(many.transforms));
    };
    const slow = (operator: SkinOperator) => {
      const skinner = new Skinner(few.model, { operator, kernel: 'typescript' });
      return timed(FEW, () => skinner.pose(few.transforms));
    };
    const native = nativeContender(folder);
    const contenders: Record<string, () => number> = {
      LBS: fast('lbs'),
      'LBS, two threads': fast('lbs', {}, 2),
      DQS: fast('dqs'),
      'DQS, two threads': fast('dqs', {}, 2),
      SDQS: fast('sdqs'),
      mix: fast('mix'),
      'LBS, positions only': fast('lbs', { normals: false }),
      'three.js applyBoneTransform, positions only': timed(FEW, threeContender(few.model, few.transforms)),
      ...(native && { 'C++ -O3 -march=native': native }),
      'LBS, TypeScript twin': slow('lbs'),
      'DQS, TypeScript twin': slow('dqs'),
      'DIB, TypeScript': slow('dib'),
    };

    // (2) Rounds.
    const best: Record<string, number> = {};
    for (let round = 0; round < Number(flags.rounds); round++) {
      for (const [name, turn] of Object.entries(contenders)) {
        for (let again = 0; again < 5; again++) best[name] = Math.min(best[name] ?? Infinity, turn());
      }
    }

    // (3) Allocation.
    const frugal = new Skinner(few.model, { operator: 'sdqs' });
    const allocated = bytesPerCall(() => frugal.pose(few.transforms), 1000);

    // (4) The claims.
    const ratio = (a: string, b: string) => best[a] / best[b];
    const atLeast = (what: string, value: number, must: number): Must => ({
      what,
      ratio: value,
      must: `≥ ${must}`,
      passed: Number.isNaN(value) ? undefined : value >= must,
    });
    const atMost = (what: string, value: number, must: number): Must => ({
      what,
      ratio: value,
      must: `≤ ${must}`,
      passed: Number.isNaN(value) ? undefined : value <= must,
    });
    const musts = [
      atLeast('three.js (positions only) / LBS', ratio('three.js applyBoneTransform, positions only', 'LBS'), 15),
      atMost('LBS / C++', native ? ratio('LBS', 'C++ -O3 -march=native') : Number.NaN, 1.5),
      atMost('DQS / LBS', ratio('DQS', 'LBS'), 1.8),
      atMost('SDQS / LBS', ratio('SDQS', 'LBS'), 2.3),
      atLeast('LBS one thread / two threads', ratio('LBS', 'LBS, two threads'), 1.5),
      atLeast('DQS one thread / two threads', ratio('DQS', 'DQS, two threads'), 1.5),
      atMost('bytes allocated per frame', allocated, 8),
    ];
    if (flags.json) console.log(JSON.stringify({ nsPerVertex: best, musts }, null, 2));
    else console.log(table(best, musts));
    if (flags.write) writeResults('skin', `${heading()}\n\n${table(best, musts)}`);
    if (musts.some(({ passed }) => passed === false)) process.exitCode = 1;
  } finally {
    rmSync(folder, { recursive: true });
    await pool.close();
  }
}

function heading(): string {
  return [
    '# Skinning',
    '',
    `${VERTICES} vertices, ${BONES} bones, 4 influences, positions and normals; best of many alternating`,
    `runs. ${machine()}. Written by`,
    '`node dist/bench/skin.js --write`.',
  ].join('\n');
}

function table(nsPerVertex: Record<string, number>, musts: readonly Must[]): string {
  const verdict = { true: 'PASS', false: 'FAIL', undefined: 'not measured: no g++' };
  const times = Object.entries(nsPerVertex).map(([name, ns]) => [
    name,
    ns.toFixed(2),
    (ns / nsPerVertex.LBS).toFixed(2),
  ]);
  const claims = musts.map(({ what, ratio, must, passed }) => [what, ratio.toFixed(2), must, verdict[`${passed}`]]);
  return [
    markdownTable(['', 'ns per vertex', 'times LBS'], times),
    markdownTable(['ratio', 'measured', 'must be', ''], claims),
  ].join('\n\n');
}

await main();
