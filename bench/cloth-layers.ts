// Layers of cloth that pass through each other: how often, in the truth and in ours, with and without self-collision. On the
// motions to choose on.
//
//   node dist/bench/cloth-layers.js [--write] [--vertices <n>] [--coarse <n>] [--scenes a,b]

import { parseArgs } from 'node:util';
import { coarseMesh } from '../src/cloth/coarse-mesh.ts';
import { type ClothPair, simulatePair } from '../src/cloth/pairs.ts';
import { PAIR_SCENE_NAMES, type PairSceneName } from '../src/cloth/scene.ts';
import { type Mesh, vertexCount } from '../src/index.ts';
import { meshEdges } from '../src/mesh/adjacency.ts';
import { buildBvh, refitBvh } from '../src/mesh/bvh.ts';
import { segmentHitsSurface } from '../src/mesh/segment-hit.ts';
import { pairScene, sceneMotion } from '../src/pair-scenes.ts';
import { judge, timed } from './cloth-ways.ts';
import { machine, markdownTable, writeResults } from './tables.ts';

const { values: flags } = parseArgs({
  options: {
    write: { type: 'boolean', default: false },
    vertices: { type: 'string', default: '4000' },
    coarse: { type: 'string', default: '150' },
    scenes: { type: 'string', default: PAIR_SCENE_NAMES.join(',') },
  },
});

/** Share of edges that pass through a triangle apart from them, mean over frames; and of frames that have any. In %. */
function crossings(
  { positions, triangles }: Mesh,
  frames: readonly Float32Array[],
): { edges: number; touched: number } {
  const ends = meshEdges(triangles, positions.length / 3).vertices;
  const bvh = buildBvh(frames[0], triangles);
  let [crossing, touched] = [0, 0];
  for (const x of frames) {
    refitBvh(bvh, x);
    let found = 0;
    for (let e = 0; e < ends.length; e += 2) {
      const [a, b] = [ends[e], ends[e + 1]];
      const apart = (face: number) => {
        for (let c = 3 * face; c < 3 * face + 3; c++) if (triangles[c] === a || triangles[c] === b) return false;
        return true;
      };
      if (segmentHitsSurface(bvh, x.subarray(3 * a, 3 * a + 3), x.subarray(3 * b, 3 * b + 3), apart)) found++;
    }
    crossing += found;
    if (found > 0) touched++;
  }
  return { edges: (200 * crossing) / (ends.length * frames.length), touched: (100 * touched) / frames.length };
}

async function framesOf(sequence: ClothPair['fine']): Promise<Float32Array[]> {
  const frames: Float32Array[] = [];
  for (let k = 0; k < sequence.frameCount; k++) frames.push(await sequence.readFrame(k));
  return frames;
}

const n = (x: number, digits = 2) => x.toFixed(digits);
/** Of a sequence: edges that cross, frames. */
const crossed = (rest: Mesh, frames: readonly Float32Array[]) => {
  const { edges, touched } = crossings(rest, frames);
  return [n(edges), n(touched, 0)];
};
const HEAD = ['', 'E %', 'W %', 'N °', 'V', 'J', 'ms a frame', 'edges that cross, %', 'frames with any, %'];
const text: string[] = [];
for (const name of flags.scenes.split(',') as PairSceneName[]) {
  const scene = pairScene(name, { vertices: Number(flags.vertices), framesPerSecond: 30 });
  const motion = scene.motions.find(({ use }) => use === 'choose')!;
  const coarse = await coarseMesh(scene.garment.mesh, scene.garment.pinned, Number(flags.coarse));
  const rows: string[][] = [];
  for (const selfCollision of [false, true]) {
    const { result, seconds } = await timed(() =>
      simulatePair({ ...scene.garment, wind: motion.wind }, sceneMotion(scene, motion.name), {
        seconds: motion.seconds,
        selfCollision,
        given: { coarse },
      }),
    );
    const { pair } = result;
    const { rest } = pair.fine;
    const truth = await framesOf(pair.fine);
    const blank = ['', '', '', '', ''];
    const label = (what: string) => (selfCollision ? `${what}, with` : what);
    rows.push([label('coarse cloth'), ...blank, '', ...crossed(coarse.mesh, await framesOf(pair.coarse))]);
    rows.push([label('truth'), ...blank, n((1000 * seconds) / truth.length, 0), ...crossed(rest, truth)]);
    for (const apart of [false, true]) {
      const way = { name: 'alone', physics: 'alone', selfCollision: apart } as const;
      const { E, W, N, V, J, milliseconds, frames } = await judge(pair, way);
      rows.push([
        `${label('alone')}${apart ? ', detail with' : ''}`,
        ...[n(E, 3), n(W, 0), n(N, 1), n(V), n(J), n(milliseconds)],
        ...crossed(rest, frames),
      ]);
    }
  }
  text.push(
    `## ${name}: ${vertexCount(scene.garment.mesh)} vertices on ${vertexCount(coarse.mesh)}, motion "${motion.name}"`,
    '',
    markdownTable(HEAD, rows),
    '',
  );
  console.log(text.slice(-4).join('\n'));
}
if (flags.write) {
  const head = `# Cloth: layers that pass through each other

On the motions to choose on, with physics alone. An edge crosses where it passes through a triangle that it shares no vertex with.
with: coarse cloth and truth keep their layers apart (\`--self-collision\`); detail with: the physics of the detail too. Every truth
is that of its own coarse cloth, so that E and W are to be compared within each group of four rows. Other figures: as in
[cloth.md](cloth.md). ms: processor time; of the truth for coarse and fine cloth, of the others without the coarse cloth.

${machine()}. \`node dist/bench/cloth-layers.js --write\`
`;
  writeResults('cloth-layers', [head, ...text].join('\n'));
}
