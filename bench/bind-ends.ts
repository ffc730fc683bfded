import { measureSequences } from '../src/doors/measure.ts';
import { boundsOf } from '../src/doors/mesh.ts';
import { bind, posedSequence } from '../src/doors/skin.ts';
import { readAsset, type Skeleton, type SkinnedModel, type SkinWeights } from '../src/index.ts';
import { invert34, transformPoint34 } from '../src/math/matrix34.ts';
import { gatherRows } from '../src/math/rows.ts';
import { followedBones } from '../src/model/influences.ts';
import { nodeFiles } from '../src/platform/node/index.ts';
import { BIND_METHODS } from '../src/rig/bind/bind-options.ts';
import { isEndMarker } from '../src/rig/bind/bone-segments.ts';
import { makeSample } from '../src/samples.ts';
import { realData } from './data.ts';
import { markdownTable } from './tables.ts';

/** What leaves that end a chain (`HeadTop_End`) are worth to the vertices of the bones that they end. */

interface EndCase {
  name: string;
  rig: SkinnedModel;
  /** The rig's skeleton with its ends. */
  skeleton: Skeleton;
  /** Which bones' vertices are looked at. */
  bones: RegExp;
}

const isEnd = (skeleton: Skeleton, j: number): boolean =>
  isEndMarker(skeleton, j) || /Hand\w+4$/.test(skeleton.names[j]);

async function endCases(): Promise<EndCase[]> {
  const cases: EndCase[] = [];
  const add = async (path: string, name: string, mesh: RegExp, parts: Record<string, RegExp>) => {
    const file = realData(path);
    if (!file) return;
    for (const rig of (await readAsset(nodeFiles, [file])).models.filter((model) => mesh.test(model.name))) {
      for (const [part, bones] of Object.entries(parts)) {
        cases.push({ name: `${name}, ${part}`, rig, skeleton: rig.skeleton, bones });
      }
    }
  };
  await add('collada/stormtrooper.dae', 'stormtrooper', /./, {
    head: /:Head$/,
    toes: /ToeBase$/,
    fingers: /Hand\w+3$/,
  });
  await add('gltf/RobotExpressive.glb', 'RobotExpressive', /^Hand\.L$/, { fingers: /2\.L$/ });
  const figure = (await makeSample('figure')).model!;
  for (const rig of [figure, withLargeHead(figure)]) {
    cases.push({ name: `${rig.name}, head`, rig, skeleton: withHeadEnd(rig), bones: /^head$/ });
  }
  return cases;
}

/** The figure with a head 2½ times as large, as toys and cartoons have: its crown is as near to the shoulders as to its own joint. */
function withLargeHead(figure: SkinnedModel): SkinnedModel {
  const { mesh, skeleton, weights } = figure;
  const head = skeleton.names.indexOf('head');
  const bind = new Float64Array(12);
  invert34(bind, 0, skeleton.inverseBind, 12 * head);
  const positions = mesh.positions.map((at, c) => {
    const joint = bind[4 * (c % 3) + 3];
    const first = Math.floor(c / 3) * weights.influences;
    let weight = 0;
    for (let s = first; s < first + weights.influences; s++) {
      if (weights.joints[s] === head) weight += weights.weights[s];
    }
    return joint + (1 + 1.5 * weight) * (at - joint);
  });
  return { ...figure, name: `${figure.name} with a large head`, mesh: { ...mesh, positions } };
}

/** The skeleton of the sample figure with an end at the crown, right above the head's joint, as Mixamo's have. */
function withHeadEnd({ mesh, skeleton }: SkinnedModel): Skeleton {
  const head = skeleton.names.indexOf('head');
  const bind = new Float64Array(12);
  invert34(bind, 0, skeleton.inverseBind, 12 * head);
  const crown = [bind[3], boundsOf(mesh.positions).max[1], bind[11]];
  const local = new Float64Array(3);
  transformPoint34(local, 0, skeleton.inverseBind, 12 * head, crown, 0);
  const inverse = skeleton.inverseBind.slice(12 * head, 12 * head + 12);
  for (let c = 0; c < 3; c++) inverse[4 * c + 3] -= local[c];
  return {
    names: [...skeleton.names, 'HeadTop_End'],
    parents: Int32Array.from([...skeleton.parents, head]),
    restLocals: Float32Array.from([...skeleton.restLocals, ...local, 0, 0, 0, 1, 1, 1, 1]),
    inverseBind: Float32Array.from([...skeleton.inverseBind, ...inverse]),
  };
}

/** The skeleton without its ends; `kept`: bone → bone of the given one. */
function withoutEnds(skeleton: Skeleton): { skeleton: Skeleton; kept: number[] } {
  const kept = skeleton.names.flatMap((_, j) => (isEnd(skeleton, j) ? [] : [j]));
  return {
    skeleton: {
      names: kept.map((j) => skeleton.names[j]),
      parents: Int32Array.from(kept, (j) => kept.indexOf(skeleton.parents[j])),
      restLocals: gatherRows(skeleton.restLocals, 10, kept),
      inverseBind: gatherRows(skeleton.inverseBind, 12, kept),
    },
    kept,
  };
}

/** Vertices that follow one of the bones most in the artist's weights. */
const verticesOf = ({ skeleton, weights: { influences, joints } }: SkinnedModel, bones: RegExp): number[] =>
  Array.from({ length: joints.length / influences }, (_, i) => i).filter((i) =>
    bones.test(skeleton.names[joints[i * influences]]),
  );

/** RMS and largest distance of some vertices from where the artist's weights have them, over all clips, in %. */
async function errorsOf(rig: SkinnedModel, weights: SkinWeights, vertices: readonly number[]): Promise<string> {
  let [sum, largest] = [0, 0];
  for (const { name } of rig.clips) {
    const bound = posedSequence({ ...rig, weights }, name);
    const { perVertex } = await measureSequences(posedSequence(rig, name), bound, { surfaceDistance: false });
    const errors = vertices.map((i) => perVertex!.rmsePercent[i]);
    sum += errors.reduce((all, error) => all + error ** 2, 0) / errors.length / rig.clips.length;
    largest = Math.max(largest, ...errors);
  }
  return `${Math.sqrt(sum).toPrecision(2)} / ${largest.toPrecision(2)}`;
}

export async function endsTable(): Promise<string> {
  const rows: string[][] = [];
  for (const { name, rig, skeleton, bones } of await endCases()) {
    const vertices = verticesOf(rig, bones);
    const followed = followedBones(rig.weights);
    const bare = withoutEnds(skeleton);
    for (const method of BIND_METHODS) {
      const full = await bind(rig.mesh, skeleton, { method, deforms: (j) => followed.has(j) });
      const { weights } = await bind(rig.mesh, bare.skeleton, { method, deforms: (j) => followed.has(bare.kept[j]) });
      const joints = weights.joints.map((j) => bare.kept[j]);
      const errors = [
        await errorsOf(rig, { ...weights, joints }, vertices),
        await errorsOf(rig, full.weights, vertices),
      ];
      rows.push([name, String(vertices.length), method, ...errors]);
    }
  }
  return markdownTable(['rig', 'vertices', 'method', 'without ends: RMSE / worst vertex, %', 'with ends'], rows);
}
