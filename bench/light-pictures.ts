// Draws docs/images/light.png: a generated figure in poses of clips that were not baked, under two environments, without
// shadows, with those of spheres, as baked, and traced.
//
//   node dist/bench/light-pictures.js [--output docs/images/light.png]

import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { bakeLight } from '../src/light/light.ts';
import { litCamera, litPicture } from '../src/report/light-pictures.ts';
import { encodePng } from '../src/report/png.ts';
import { sampleFigure } from '../src/rig/samples/figure.ts';
import { poseOfClip } from '../src/skin/choose-poses.ts';
import { lightsOf, traceWith } from '../src/verbs/light-parts.ts';
import { litPoses } from '../src/verbs/light-pictures.ts';

const { values: flags } = parseArgs({ options: { output: { type: 'string', default: 'docs/images/light.png' } } });
const BAKED = ['walk', 'exercise'];
const POSES: [clip: string, time: number][] = [
  ['dance', 1.4],
  ['run', 0.2],
  ['jumping-jacks', 0.5],
];
const [WIDTH, HEIGHT] = [150, 190];

const figure = sampleFigure(1800, 48, 24);
const own = { ...figure, clips: figure.clips.filter(({ name }) => BAKED.includes(name)) };
const { models } = await bakeLight([own], { poses: 24, rays: 128, fit: false }, traceWith());
const lit = models.map((model) => ({ ...model, clips: figure.clips }));
const poses = POSES.map(([clip, time]) => poseOfClip(lit, clip, time));

const rows: Uint8Array[][] = [];
for (const environment of [0, 1]) {
  const drawn = await litPoses(lit, poses, (order) => lightsOf([])(order)[environment], { rays: 256 });
  for (const pose of drawn) {
    const camera = litCamera(pose, WIDTH, HEIGHT);
    rows.push(pose.shown.map(({ colours }) => Uint8Array.from(litPicture(pose, colours, camera).pixels)));
    console.log(
      pose.name,
      pose.shown.map(({ by, errorPercent = 0 }) => `${by} ${errorPercent.toFixed(1)} %`).join(', '),
    );
  }
}
// Two environments side by side, a pose per row.
const columns = rows[0].length;
const [width, height] = [2 * columns * WIDTH, POSES.length * HEIGHT];
const pixels = new Uint8Array(4 * width * height);
rows.forEach((row, r) => {
  const [side, line] = [Math.floor(r / POSES.length), r % POSES.length];
  row.forEach((picture, c) => {
    for (let y = 0; y < HEIGHT; y++) {
      const to = (line * HEIGHT + y) * width + (side * columns + c) * WIDTH;
      pixels.set(picture.subarray(4 * y * WIDTH, 4 * (y + 1) * WIDTH), 4 * to);
    }
  });
});
writeFileSync(flags.output, await encodePng({ width, height, channels: 4, pixels }));
