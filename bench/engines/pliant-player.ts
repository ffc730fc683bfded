import type { GLTF } from '@gltf-transform/core';
import {
  type FileAccess,
  type Mesh,
  type MeshSequence,
  memorySource,
  readGltf,
  type SkinnedModel,
} from '../../src/index.ts';
import { expandToSplit } from '../../src/mesh/seams.ts';
import { skinPlain } from '../../src/skin/plain.ts';
import { morphWeightsAt, poseAt, restClip } from '../../src/skin/poses.ts';
import { jsonOf } from './glb-file.ts';
import { fileForPlayers, nodeIndex, type Player } from './player.ts';

/** What the library reads from a file, blended linearly as all players do. */
export async function pliantPlayer(glb: Uint8Array): Promise<Player> {
  const file = fileForPlayers(glb);
  const { models, meshes, sequences } = await readGltf(memorySource('file.glb', file), {} as FileAccess, 'file.glb');
  const json = jsonOf(glb);
  return {
    async positions(clip, time = 0) {
      const found = new Map<number, Float32Array>();
      const show = (mesh: Mesh, positions: ArrayLike<number>, name: string) => {
        const all = new Float32Array(positions);
        const split = mesh.seams ? expandToSplit(all, 3, mesh.seams) : all;
        found.set(nodeIndex(name), perPrimitive(json, nodeIndex(name), split));
      };
      for (const mesh of meshes) show(mesh, mesh.positions, mesh.name!);
      for (const model of models) show(model.mesh, posed(model, `clip${clip}`, time), model.name);
      for (const { rest } of sequences) show(rest, rest.positions, rest.name!);
      for (const sequence of sequences) {
        if (clip === undefined || !plays(sequence, sequences, clip)) continue;
        show(sequence.rest, await frameAt(sequence, time), sequence.rest.name!);
      }
      return found;
    },
  };
}

/** Primitives that share their vertices have them once in our meshes, and once each in players. */
function perPrimitive({ nodes, meshes, accessors }: GLTF.IGLTF, node: number, positions: Float32Array): Float32Array {
  const { primitives } = meshes![nodes![node].mesh!];
  const counts = primitives.map(({ attributes }) => accessors![attributes.POSITION].count);
  if (3 * counts.reduce((a, b) => a + b) === positions.length) return positions;
  const starts = new Map<number, number>();
  let next = 0;
  const parts = primitives.map(({ attributes: { POSITION } }, p) => {
    if (!starts.has(POSITION)) {
      starts.set(POSITION, next);
      next += 3 * counts[p];
    }
    const start = starts.get(POSITION)!;
    return [...positions.subarray(start, start + 3 * counts[p])];
  });
  return Float32Array.from(parts.flat());
}

function posed(model: SkinnedModel, name: string, time: number): ArrayLike<number> {
  const clip = model.clips.find((each) => each.name === name) ?? restClip(model.skeleton, name);
  const operator = model.operator === 'rigid' ? 'rigid' : 'lbs';
  return skinPlain(model, poseAt(model.skeleton, clip, time), { operator, morphWeights: morphWeightsAt(clip, time) })
    .positions;
}

/** Where a single clip moves sequences, they have the names of their nodes alone. */
const plays = ({ name, rest }: MeshSequence, all: readonly MeshSequence[], clip: number): boolean =>
  name === `${rest.name} clip${clip}` || (name === rest.name && all.every((each) => each.name === each.rest.name));

/** Straight between frames. */
async function frameAt({ times, frameCount, readFrame }: MeshSequence, t: number): Promise<Float32Array> {
  const later = times.findIndex((time) => time > t);
  if (later <= 0) return readFrame(later === 0 ? 0 : frameCount - 1);
  const [a, b] = [await readFrame(later - 1), await readFrame(later)];
  const s = (t - times[later - 1]) / (times[later] - times[later - 1]);
  return a.map((x, c) => x + s * (b[c] - x));
}
