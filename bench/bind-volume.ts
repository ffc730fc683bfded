import { bind, trimInfluences } from '../src/doors/skin.ts';
import type { Clip, Mesh, Skeleton, SkinnedModel, SkinWeights } from '../src/index.ts';
import { multiplyQuaternions, quaternionFromAxisAngle } from '../src/math/quaternion.ts';
import { skinTransforms } from '../src/math/trs.ts';
import { LOCAL_STRIDE } from '../src/model/skeleton.ts';
import { BIND_METHODS } from '../src/rig/bind/bind-options.ts';
import { posedSequence } from '../src/skin/posed-sequence.ts';
import { deformingBones } from '../src/verbs/other-motions.ts';
import { artistRigs, posedErrors, turnedPoses } from './bind-artists.ts';
import { markdownTable } from './tables.ts';
import { fastest } from './timing.ts';

/** The methods against artists' weights, and heat in the solid over grids. Four influences, as files have. */

/** Seeds of turned poses. Settings were chosen with others. */
const SEEDS = [101, 102, 103, 104, 105, 106];
const GRIDS = [96, 112, 128, 144, 160];

const digits = (x: number): string => x.toFixed(x < 10 ? 2 : 1);

/** The share of weight that is two or more joints away from every bone that the artist gave the vertex to, in %. */
function farWeight({ skeleton, weights: own }: SkinnedModel, weights: SkinWeights): number {
  const { parents } = skeleton;
  const near = (j: number, others: ReadonlySet<number>): boolean =>
    others.has(j) || others.has(parents[j]) || [...others].some((other) => parents[other] === j);
  const n = own.weights.length / own.influences;
  let far = 0;
  for (let i = 0; i < n; i++) {
    const used = new Set<number>();
    for (let s = 0; s < own.influences; s++) {
      if (own.weights[i * own.influences + s] > 0) used.add(own.joints[i * own.influences + s]);
    }
    for (let s = i * weights.influences; s < (i + 1) * weights.influences; s++) {
      if (weights.weights[s] > 0 && !near(weights.joints[s], used)) far += weights.weights[s];
    }
  }
  return (100 * far) / n;
}

/** Joints that bend like elbows and knees, by name. */
const HINGE =
  /(?:fore|lower)_?arm|elbow|shin|calf|knee|(?:left|right)leg$|arm_joint_[LR]_(?:_[23]_|2)$|leg_joint_[LR]_2$/i;

/** Poses in which one hinge each is bent by 90°, about the axis across its bone that loses most volume with the artist's weights. */
function bentHinges({ names, parents, restLocals, inverseBind }: Skeleton): Clip[] {
  return names.flatMap((name, j) => {
    if (!HINGE.test(name) || !parents.includes(j)) return [];
    const clips = [0, 1, 2].map((axis) => {
      const locals = restLocals.slice();
      const turn = new Float64Array(4);
      const at = LOCAL_STRIDE * j + 3;
      quaternionFromAxisAngle(turn, 0, axis === 0 ? 1 : 0, axis === 1 ? 1 : 0, axis === 2 ? 1 : 0, Math.PI / 2);
      multiplyQuaternions(locals, at, Array.from(locals.subarray(at, at + 4)), 0, turn, 0);
      return { name, times: Float64Array.of(0), transforms: skinTransforms(parents, inverseBind, locals), locals };
    });
    return clips;
  });
}

/** The signed volume of a surface around its middle. */
function volumeOf(positions: ArrayLike<number>, triangles: Uint32Array): number {
  let sum = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]];
    sum +=
      positions[a] * (positions[b + 1] * positions[c + 2] - positions[b + 2] * positions[c + 1]) +
      positions[a + 1] * (positions[b + 2] * positions[c] - positions[b] * positions[c + 2]) +
      positions[a + 2] * (positions[b] * positions[c + 1] - positions[b + 1] * positions[c]);
  }
  return sum / 6;
}

/** The change of the whole volume when single elbows and knees bend by 90°, mean, in thousandths. */
async function volumeAtHinges(rig: SkinnedModel, weights: SkinWeights): Promise<number | undefined> {
  const clips = bentHinges(rig.skeleton);
  const rest = volumeOf(rig.mesh.positions, rig.mesh.triangles);
  if (clips.length === 0 || rest === 0) return undefined;
  let sum = 0;
  for (const clip of clips) {
    const posed = await posedSequence({ ...rig, weights, clips: [clip] }, 0).readFrame(0);
    sum += (1000 * (volumeOf(posed, rig.mesh.triangles) - rest)) / rest / clips.length;
  }
  return sum;
}

const four = async (rig: SkinnedModel, options: Parameters<typeof bind>[2]): Promise<SkinWeights> => {
  const deforms = deformingBones(rig.skeleton, [rig]);
  return trimInfluences((await bind(rig.mesh, rig.skeleton, { deforms, ...options })).weights, 4).weights;
};

export async function artistTables(): Promise<{ methods: string; grids: string }> {
  const methods: string[][] = [];
  const grids: string[][] = [];
  for (const rig of await artistRigs()) {
    const turned = SEEDS.map((seed) => turnedPoses(rig.skeleton, seed));
    const row = async (weights: SkinWeights): Promise<string[]> => {
      const [clips, poses] = [await posedErrors(rig, weights, rig.clips), await posedErrors(rig, weights, turned)];
      const volume = await volumeAtHinges(rig, weights);
      const rms = `${digits(clips.rms)} / ${digits(poses.rms)}`;
      const far = digits(farWeight(rig, weights));
      return [
        rms,
        `${digits(clips.largest)} / ${digits(poses.largest)}`,
        far,
        volume === undefined ? '–' : volume.toFixed(1),
      ];
    };
    methods.push([rig.name, 'the artist’s', ...(await row(rig.weights)), '']);
    const timed = Object.fromEntries(BIND_METHODS.map((method) => [method, () => four(rig, { method })]));
    const seconds = await fastest(timed, 2);
    for (const method of BIND_METHODS) {
      methods.push([rig.name, method, ...(await row(await four(rig, { method }))), digits(seconds[method])]);
    }
    for (const options of [{ rigidParts: false }, { eyes: false }]) {
      const name = `volume, no ${Object.keys(options)[0] === 'eyes' ? 'eyes' : 'rigid parts'}`;
      const weights = await four(rig, { method: 'volume', ...options });
      const usual = await four(rig, { method: 'volume' });
      if (weights.weights.every((w, s) => w === usual.weights[s])) continue;
      methods.push([rig.name, name, ...(await row(weights)), '']);
    }
    const cells: string[] = [];
    for (const resolution of GRIDS) {
      const weights = await four(rig, { method: 'volume', resolution });
      const [clips, poses] = [await posedErrors(rig, weights, rig.clips), await posedErrors(rig, weights, turned)];
      cells.push(`${clips.rms.toFixed(3)} / ${poses.rms.toFixed(3)}`);
    }
    grids.push([rig.name, ...cells]);
  }
  const head = ['rig', 'weights', 'RMS: clips / turned', 'largest', 'far weight, %', 'volume, ‰', 'seconds'];
  return {
    methods: markdownTable(head, methods),
    grids: markdownTable(['rig', ...GRIDS.map((resolution) => `N = ${resolution}`)], grids),
  };
}

/** A mesh with four triangles for each: what a method costs on a larger one. */
export function refined({ positions, triangles }: Mesh): Mesh {
  const points = Array.from(positions);
  const middles = new Map<string, number>();
  const middle = (a: number, b: number): number => {
    const key = a < b ? `${a} ${b}` : `${b} ${a}`;
    const known = middles.get(key);
    if (known !== undefined) return known;
    const made = points.length / 3;
    for (let c = 0; c < 3; c++) points.push((points[3 * a + c] + points[3 * b + c]) / 2);
    middles.set(key, made);
    return made;
  };
  const out: number[] = [];
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = triangles.subarray(t, t + 3);
    const [ab, bc, ca] = [middle(a, b), middle(b, c), middle(c, a)];
    out.push(a, ab, ca, ab, b, bc, ca, bc, c, ab, bc, ca);
  }
  return { positions: Float32Array.from(points), triangles: Uint32Array.from(out) };
}
