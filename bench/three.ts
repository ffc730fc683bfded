// The three.js adapter on the CPU: rays against a skinned figure, and its bounds, by our code and by three.js's own. What
// the shaders cost cannot be measured without a GPU.
//
//   node dist/bench/three.js [--write]

import { parseArgs } from 'node:util';
import { AnimationMixer, type Box3, type Intersection, type Mesh, Raycaster, SkinnedMesh, Vector3 } from 'three';
import { GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';
import {
  acceleratedRaycast,
  computeClipBounds,
  exactBounds,
  THREE_OPERATORS,
  useSkinning,
} from '../adapters/three/index.ts';
import { writeModelGlb } from '../src/index.ts';
import { seededRandom } from '../src/math/rng.ts';
import { makeSample } from '../src/samples.ts';
import { machine, markdownTable, writeResults } from './tables.ts';
import { fastest } from './timing.ts';

const { values: flags } = parseArgs({ options: { write: { type: 'boolean', default: false } } });

const TURNS = 4;
const RAYS = 200;
/** In a pose that stands still: enough that taking it up does not count. */
const MANY = 4000;
/** three.js is slow enough for fewer. */
const FEW = 2;
/** Seconds into the clip: bent and twisted arms. */
const TIME = 3;

const { model } = await makeSample('figure');
model!.mixWeights = new Float32Array(model!.mesh.positions.length / 3).fill(0.5);
const { bytes } = await writeModelGlb(model!);
const { scene, animations } = await new GLTFLoader().parseAsync(bytes.slice().buffer, '');
const clip = animations.find(({ name }) => name === 'exercise')!;
const mixer = new AnimationMixer(scene);
mixer.clipAction(clip).play();
let mesh!: SkinnedMesh;
scene.traverse((object) => {
  if (object instanceof SkinnedMesh) mesh = object;
});
const pose = (t: number): void => {
  mixer.setTime(t);
  scene.updateMatrixWorld(true);
};
pose(TIME);

/** Rays from all around at points within the figure's box: most of them hit. */
const random = seededRandom(1);
const { box } = exactBounds(mesh);
const rays = Array.from({ length: MANY }, () => {
  const target = new Vector3(random(), random(), random()).multiply(box.getSize(new Vector3())).add(box.min);
  const origin = new Vector3(random() - 0.5, random() - 0.5, random() - 0.5).normalize().multiplyScalar(5).add(target);
  return new Raycaster(origin, target.sub(origin).normalize());
});
const cast = (raycast: Mesh['raycast'], count: number, before?: (k: number) => void): Intersection[] => {
  const out: Intersection[] = [];
  for (let k = 0; k < count; k++) {
    before?.(k);
    raycast.call(mesh, rays[k], out);
  }
  return out;
};
const own = SkinnedMesh.prototype.raycast;
const poses = (k: number): void => pose(TIME + 0.001 * (k + 1));

const rayRows: string[][] = [];
let disagreement = 0;
for (const operator of THREE_OPERATORS) {
  console.error(`rays by ${operator} …`);
  const skinning = operator === 'lbs' ? undefined : useSkinning(mesh, operator);
  mesh.computeBoundingSphere();
  const [theirs, ours] = [cast(own, FEW), cast(acceleratedRaycast, FEW)];
  if (theirs.length !== ours.length) throw new Error(`${operator}: ${ours.length} hits, three.js has ${theirs.length}`);
  theirs.forEach((hit, h) => {
    disagreement = Math.max(disagreement, Math.abs(hit.distance - ours[h].distance));
  });
  const seconds = await fastest(
    {
      own: () => cast(own, FEW),
      standing: () => cast(acceleratedRaycast, MANY),
      posing: () => cast(() => {}, RAYS, poses),
      moving: () => cast(acceleratedRaycast, RAYS, poses),
    },
    TURNS,
  );
  pose(TIME);
  const slow = FEW / seconds.own;
  const standing = MANY / seconds.standing;
  const moving = RAYS / (seconds.moving - seconds.posing);
  // three.js knows linear blending only: for the others its loop calls our operators.
  const times = (fast: number, digits: number): string => (operator === 'lbs' ? (fast / slow).toFixed(digits) : '–');
  const theirRate = operator === 'lbs' ? slow.toFixed(0) : '–';
  rayRows.push([operator, theirRate, standing.toFixed(0), times(standing, 0), moving.toFixed(0), times(moving, 1)]);
  skinning?.dispose();
}

const boundRows: string[][] = [];
for (const operator of THREE_OPERATORS) {
  console.error(`bounds by ${operator} …`);
  const skinning = useSkinning(mesh, operator);
  const diagonal = (of: Box3): number => of.getSize(new Vector3()).length();
  const exact = computeClipBounds(mesh, clip, { method: 'exact' });
  const conservative = computeClipBounds(mesh, clip);
  if (!conservative.box.containsBox(exact.box)) throw new Error(`${operator}: the conservative box is too small`);
  const now = exactBounds(mesh);
  const seconds = await fastest(
    {
      exactClip: () => computeClipBounds(mesh, clip, { method: 'exact' }),
      clip: () => computeClipBounds(mesh, clip),
    },
    2,
  );
  boundRows.push([
    operator,
    (diagonal(conservative.box) / diagonal(exact.box)).toFixed(2),
    (conservative.sphere.radius / exact.sphere.radius).toFixed(2),
    (diagonal(now.box) / diagonal(exact.box)).toFixed(2),
    seconds.clip.toFixed(2),
    seconds.exactClip.toFixed(2),
  ]);
  skinning.dispose();
}

const triangles = mesh.geometry.index!.count / 3;
const text = `# The three.js adapter

The sample \`figure\`: ${triangles} triangles, ${mesh.skeleton.bones.length} bones; best of alternating runs of three.js's own code
and ours in one process. ${machine()}. Written by \`node dist/bench/three.js --write\`. The
cost of the shaders cannot be measured here, without a GPU.

Ray casting: three.js skins the vertices of every triangle for every ray. Largest difference in distance:
${disagreement.toExponential(1)} of a figure ${box.getSize(new Vector3()).y.toFixed(1)} high.

${markdownTable(
  ['operator', 'three.js, rays per s', 'ours, rays per s', 'times', 'ours, a new pose for each ray', 'times'],
  rayRows,
)}

Bounds of the clip \`${clip.name}\` (${clip.duration.toFixed(1)} s), against the exact box of every vertex at the same times.

${markdownTable(
  ['operator', 'box, diagonal', 'sphere, radius', 'box of one pose', 'seconds', 'seconds, exact'],
  boundRows,
)}
`;
console.log(text);
if (flags.write) writeResults('three', text);
