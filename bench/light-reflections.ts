// Reflections with baked visibility against rays into the map, beside those with visibility that was traced in the pose.
//
//   node dist/bench/light-reflections.js [--write]

import { parseArgs } from 'node:util';
import { glossVisibility, phongLobe, traceGloss, turnVectors } from '../src/doors/light.ts';
import { lightBytes } from '../src/light/light-bytes.ts';
import { LitScene } from '../src/light/lit-scene.ts';
import { LightScene } from '../src/light/scene.ts';
import { SceneBase } from '../src/light/scene-base.ts';
import { sceneSpheres } from '../src/light/scene-spheres.ts';
import { tracePose } from '../src/light/traced-pose.ts';
import { randomNormal, seededRandom } from '../src/math/rng.ts';
import type { EnvironmentMap } from '../src/model/environment.ts';
import { vertexCount } from '../src/model/mesh.ts';
import type { SkinnedModel } from '../src/model/skinned-model.ts';
import { clipPoses } from '../src/skin/choose-poses.ts';
import { baked, cases, maps, ORDER, percent, TRACING } from './light-bakes.ts';
import { machine, markdownTable, writeResults } from './tables.ts';

const { values: flags } = parseArgs({ options: { write: { type: 'boolean', default: false } } });
const POSES = 48;
/** In each clip. Fewer leave the ratio to chance: 3 poses of 100 vertices gave 1.39 where these give 1.18. */
const REFLECTIONS = { poses: 8, vertices: 300 };

const relative = (found: readonly number[], truth: readonly number[]): number => {
  let [wrong, all] = [0, 0];
  truth.forEach((x, c) => {
    wrong += (found[c] - x) ** 2;
    all += x ** 2;
  });
  return 100 * Math.sqrt(wrong / all);
};

/** Reflections of exponent 32: errors with the visibility that is traced, of spheres, and baked. */
function glossRows(name: string, lit: SkinnedModel, map: EnvironmentMap): string[][] {
  const scene = new LightScene([lit]);
  const base = new SceneBase(scene, sceneSpheres(scene, 64), { order: ORDER });
  const own = new LitScene(scene);
  const lobe = phongLobe(ORDER, 32);
  const random = seededRandom(11);
  return lit.clips.map(({ name: clip }) => {
    const truth: number[] = [];
    const found: number[][] = [[], [], []];
    clipPoses([lit], clip, REFLECTIONS.poses).forEach(({ parts }, p) => {
      const traced = tracePose(scene, parts, { ...TRACING, rays: 1024, bounces: 0, gloss: true }, p);
      const ways = [traced.visibility!, base.run(parts, true).visibility!, own.run(parts).visibility!];
      const { positions, normals, frames } = scene.pose(parts);
      const turned = ways.map((way) => turnVectors(ORDER, way, scene.groupOf, frames));
      const vertices: number[] = [];
      const directions: number[] = [];
      while (vertices.length < REFLECTIONS.vertices) {
        const i = Math.floor(random() * scene.vertices);
        const v = [0, 1, 2].map(() => randomNormal(random));
        const cosine = v.reduce((sum, x, c) => sum + x * normals[3 * i + c], 0);
        if (traced.inside[i] || cosine <= 0) continue;
        vertices.push(i);
        directions.push(...v.map((x) => x / Math.hypot(...v)));
      }
      const at = { vertices, directions: Float32Array.from(directions) };
      const surface = { positions, normals, triangles: scene.triangles, albedo: 0.6 };
      const { seen, open } = traceGloss(surface, map, at, lobe);
      truth.push(...seen);
      turned.forEach((h, way) => {
        const parts = vertices.map((i, m) =>
          glossVisibility(
            h,
            25 * i,
            normals.subarray(3 * i, 3 * i + 3),
            at.directions.subarray(3 * m, 3 * m + 3),
            lobe,
          ),
        );
        found[way].push(...open.map((x, c) => x * parts[Math.floor(c / 3)]));
      });
    });
    const errors = found.map((each) => relative(each, truth));
    return [name, clip, ...errors.map(percent), (errors[2] / errors[0]).toFixed(2)];
  });
}

const [{ map }] = await maps();
const rows: string[][] = [];
const bytes: string[] = [];
for (const each of await cases()) {
  const { lit } = await baked(each, { poses: POSES, gloss: true });
  rows.push(...glossRows(each.name, lit, map));
  for (const row of rows) console.error(row.join(' | '));
  const { diffuse, visibility } = lit.light!.residual!;
  const whole = lightBytes(lit.light!) / vertexCount(each.model.mesh);
  bytes.push(
    `${each.name} takes ${whole.toFixed(0)} bytes per vertex with ${diffuse.modes} and ${visibility!.modes} modes`,
  );
}
const text = `Phong exponent 32, venice, ${REFLECTIONS.poses} poses × ${REFLECTIONS.vertices} vertices of each clip, error in % against rays into the map; by visibility that was
traced (1,024 rays), of the spheres, and baked. ${POSES} poses traced, all defaults.

${markdownTable(['', 'clip', 'traced', 'base', '**baked**', 'baked over traced'], rows)}

With visibility, ${bytes.join('; ')} (of light, of visibility).
`;
console.log(text);
if (flags.write) {
  const about = `Made by \`node dist/bench/light-reflections.js --write\` on ${machine()}.`;
  writeResults('light-reflections', `# Reflections with baked light\n\n${about}\n\n${text}`);
}
