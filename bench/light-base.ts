// Light without a bake against traced light: characters in clips, % of shading and of transfer; the floor below them. And the
// factors of bounces that the library ships, from figures that Pliant makes.
//
//   node dist/bench/light-base.js [--poses 16] [--rays 1024] [--write]
//   node dist/bench/light-base.js --factors

import { parseArgs } from 'node:util';
import { BOUNCE_FACTORS } from '../src/light/bounces.ts';
import { floorPoints, floorTransfer } from '../src/light/floor.ts';
import { tracePoints } from '../src/light/transfer.ts';
import { choleskyFactor, choleskySolve } from '../src/math/cholesky.ts';
import { boundsOf, diagonalOf } from '../src/mesh/bounds.ts';
import { sampleFigure } from '../src/rig/samples/figure.ts';
import { clipPoses } from '../src/skin/choose-poses.ts';
import { fileModel, LightError, LitCharacter, posesOf, subdivided, testLights, unshadowed } from './light-cases.ts';
import { machine, markdownTable, writeResults } from './tables.ts';

const { values: flags } = parseArgs({
  options: {
    factors: { type: 'boolean', default: false },
    poses: { type: 'string', default: '16' },
    rays: { type: 'string', default: '1024' },
    write: { type: 'boolean', default: false },
  },
});
/** Of a band; a fifth follows from them. */
const TERMS = 4;
const SIZE = 25;

/** β by bands, least squares over a generated figure that moves; a coarser one shades itself by its facets. */
function fitFactors(): Float64Array {
  const figure = sampleFigure(5000, 24, 24);
  const { positions, triangles } = figure.mesh;
  const character = new LitCharacter({ ...figure, mesh: { positions, triangles } });
  const gram = Array.from({ length: 5 }, () => new Float64Array(TERMS * TERMS));
  const right = Array.from({ length: 5 }, () => new Float64Array(TERMS));
  for (const clip of figure.clips) {
    posesOf(clip, 3).forEach((transforms, p) => {
      const pose = character.posed(transforms);
      const direct = character.light(pose, undefined);
      const { transfer, inside } = character.trace(pose, 512, 2, p + 1);
      const free = unshadowed(pose.normals);
      const terms = new Float64Array(TERMS);
      for (let i = 0; i < inside.length; i++) {
        if (inside[i]) continue;
        const o = (free[SIZE * i] - direct[SIZE * i]) * Math.sqrt(4 * Math.PI);
        for (let c = 0; c < SIZE; c++) {
          const band = Math.floor(Math.sqrt(c));
          const t = direct[SIZE * i + c];
          const blocked = free[SIZE * i + c] - t;
          // β₄ = −β₀ − β₂: what is blocked all around stays black.
          terms.set([blocked * (1 - o * o), o * t, o * blocked * (1 - o), o * o * t]);
          const missing = transfer[SIZE * i + c] - t;
          for (let a = 0; a < TERMS; a++) {
            right[band][a] += terms[a] * missing;
            for (let b = 0; b < TERMS; b++) gram[band][TERMS * a + b] += terms[a] * terms[b];
          }
        }
      }
    });
  }
  const out = new Float64Array((TERMS + 1) * 5);
  gram.forEach((g, band) => {
    let trace = 0;
    for (let a = 0; a < TERMS; a++) trace += g[(TERMS + 1) * a];
    for (let a = 0; a < TERMS; a++) g[(TERMS + 1) * a] += 1e-3 * (trace / TERMS);
    choleskyFactor(g, TERMS);
    choleskySolve(g, TERMS, right[band], 1);
    const [a, b, c, d] = right[band];
    out.set([a, b, c, d, -a - c], (TERMS + 1) * band);
  });
  return out;
}

if (flags.factors) {
  const factors = fitFactors();
  for (let l = 0; l < 5; l++) {
    console.log(
      `  ...[${Array.from(factors.subarray((TERMS + 1) * l, (TERMS + 1) * (l + 1)), (x) => x.toFixed(4)).join(', ')}],`,
    );
  }
  process.exit(0);
}

const MOTIONS = ['bvh/02_01.bvh', 'bvh/05_02.bvh', 'bvh/16_01.bvh', 'bvh/49_06.bvh'];
const lights = await testLights();
const man = await fileModel('gltf/CesiumMan.glb', MOTIONS);
const fox = await fileModel('gltf/Fox.glb');
const armour = await fileModel('collada/stormtrooper.dae');
const rows: string[][] = [];
for (const [name, model] of [
  ['Man', man] as const,
  ['Fox', fox && subdivided(fox)] as const,
  ['Stormtrooper', armour] as const,
]) {
  if (!model) continue;
  const character = new LitCharacter(model);
  for (const clip of model.clips) {
    const errors = [0, 1, 2, 3].map(() => new LightError(lights));
    const floors = [0, 1].map(() => new LightError(lights));
    const nearFloors = [0, 1].map(() => new LightError(lights));
    clipPoses([model], clip.name, Number(flags.poses)).forEach(({ parts: [{ transforms }] }, p) => {
      const pose = character.posed(transforms);
      const { transfer, inside } = character.trace(pose, Number(flags.rays), 2, 100 + p);
      const outside = (i: number) => inside[i] === 0;
      const found = character.light(pose, BOUNCE_FACTORS);
      errors[0].add(unshadowed(pose.normals), transfer, outside);
      errors[1].add(character.light(pose, undefined), transfer, outside);
      errors[2].add(found, transfer, outside);
      errors[3].add(found, transfer);

      const { min, max } = boundsOf(pose.positions);
      const diagonal = diagonalOf(pose.positions);
      const centre = [(min[0] + max[0]) / 2, min[1] - 1e-3 * diagonal, (min[2] + max[2]) / 2];
      const floor = { centre, size: 1.2 * diagonal, resolution: 28 };
      const points = floorPoints(floor);
      const normals = Float32Array.from(points, (_, c) => (c % 3 === 1 ? 1 : 0));
      const { triangles } = model.mesh;
      const surface = { positions: pose.positions, normals: pose.normals, triangles, albedo: 0.6 };
      const truth = tracePoints(surface, { points, normals }, { rays: 2048, seed: 7 + p });
      const shade = floorTransfer(floor, pose.spheres);
      const near = nearOutline(points, pose.positions, 0.08 * diagonal);
      floors[0].add(unshadowed(normals), truth);
      floors[1].add(shade, truth);
      nearFloors[0].add(unshadowed(normals), truth, (i) => near[i] === 1);
      nearFloors[1].add(shade, truth, (i) => near[i] === 1);
    });
    const both = (error: LightError) => `${error.transfer.toFixed(1)} / ${error.shading.toFixed(1)}`;
    const shades = (pair: LightError[]) => pair.map((error) => error.shading.toFixed(1)).join(' → ');
    rows.push([name, clip.name, ...errors.map(both), shades(floors), shades(nearFloors)]);
    console.error(rows.at(-1)!.join(' | '));
  }
}
const table = markdownTable(
  [
    'figure',
    'clip',
    'unshadowed',
    'base, no bounces',
    '**base**',
    'with vertices inside',
    'floor, all',
    'near the figure',
  ],
  rows,
);
console.log(table);
if (flags.write) {
  writeResults(
    'light-base',
    `# Light without a bake

Made by \`node dist/bench/light-base.js --write\` on ${machine()}.

Relative RMS error in % against traced light (${flags.rays} rays per vertex, two bounces, albedo 0.6), transfer / shading; shading is the
mean over two maps in four rotations, red, green and blue. ${flags.poses} poses per clip, 64 spheres, 64 directions. Nothing was traced
for the base; factors of bounces come from a generated figure. Vertices inside other limbs, which nobody sees, are left out but for
one column. Floor: direct light, shading, without → with the character's shade;
"near" is within 8 % of the diagonal of the figure seen from above.

${table}`,
  );
}

/** 1 for points of the floor within `reach` of a vertex, seen from above. */
function nearOutline(points: Float32Array, positions: Float32Array, reach: number): Uint8Array {
  return Uint8Array.from({ length: points.length / 3 }, (_, p) => {
    for (let i = 0; i < positions.length; i += 3) {
      const dx = positions[i] - points[3 * p];
      const dz = positions[i + 2] - points[3 * p + 2];
      if (dx * dx + dz * dz < reach * reach) return 1;
    }
    return 0;
  });
}
