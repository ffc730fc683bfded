import { PliantError } from '../error.ts';
import { type FittedFrames, fittedSequence } from '../fit/clips.ts';
import { memorySource, NO_FILES } from '../io/files.ts';
import type { ModelGlbOptions } from '../io/glb/options.ts';
import { pointInGltfSpace } from '../io/glb/space.ts';
import { readGltf } from '../io/read-gltf.ts';
import { writeModelGlb } from '../io/write-glb.ts';
import { type Mesh, splitVertexCount, vertexCount } from '../model/mesh.ts';
import type { MeshSequence } from '../model/sequence.ts';
import type { SkinnedModel } from '../model/skinned-model.ts';

/**
 * What the file of a fitted model plays: weights and tracks as they are stored, written and read back, at the fitted frames
 * and for the vertices that were fitted.
 *
 * @param split the merged model as one model per part of the scene, in the order of its vertices.
 */
export async function playedAsWritten(
  model: SkinnedModel,
  fitted: FittedFrames,
  split: (model: SkinnedModel) => SkinnedModel[],
  options: Partial<ModelGlbOptions>,
): Promise<MeshSequence> {
  const parts = split(model);
  const { bytes, orders } = await writeModelGlb(parts, { ...options, influences: model.weights.influences });
  const read = await readGltf(memorySource(model.name, bytes), NO_FILES, 'written.glb');
  const fromGltf = inverseConversion(model.mesh);
  const own = fittedSequence(model, fitted);
  const played = parts.map((part, p) => ({
    vertices: vertexCount(part.mesh),
    storedAs: verticesAsStored(part, read.models[p], orders[p]),
    sequence: fittedSequence(read.models[p], fitted),
  }));
  return {
    ...own,
    async readFrame(k, out) {
      const frame = await own.readFrame(k, out); // for vertices of no triangle, which a file need not have
      let first = 0;
      for (const { vertices, storedAs, sequence } of played) {
        const pose = await sequence.readFrame(k);
        for (let i = 0; i < vertices; i++) {
          if (storedAs[i] >= 0) fromGltf(pose, 3 * storedAs[i], frame, 3 * (first + i));
        }
        first += vertices;
      }
      return frame;
    },
    async close() {
      await own.close?.();
      for (const { sequence } of played) await sequence.close?.();
    },
  };
}

/** N: vertex → the same one of the model that was read; −1 where it was not stored. */
function verticesAsStored(part: SkinnedModel, read: SkinnedModel, order: Uint32Array | undefined): Int32Array {
  const { seams } = part.mesh;
  const count = order?.length ?? splitVertexCount(part.mesh);
  if (splitVertexCount(read.mesh) !== count) {
    const cause = `${splitVertexCount(read.mesh)} vertices were read back (expected ${count})`;
    throw new PliantError('internal', 'fit', cause);
  }
  const out = new Int32Array(vertexCount(part.mesh)).fill(-1);
  for (let w = 0; w < count; w++) {
    const split = order ? order[w] : w;
    out[seams ? seams.vertexOf[split] : split] = read.mesh.seams ? read.mesh.seams.vertexOf[w] : w;
  }
  return out;
}

/** Takes points from glTF's space, y up and in metres, back to that of a mesh. */
function inverseConversion({ space }: Mesh) {
  const [x, y, z] = [
    pointInGltfSpace([1, 0, 0], space),
    pointInGltfSpace([0, 1, 0], space),
    pointInGltfSpace([0, 0, 1], space),
  ];
  // A rotation times s: its inverse is its transpose over s².
  const s2 = x[0] ** 2 + x[1] ** 2 + x[2] ** 2;
  const along = (axis: readonly number[], from: Float32Array, at: number): number =>
    (axis[0] * from[at] + axis[1] * from[at + 1] + axis[2] * from[at + 2]) / s2;
  return (from: Float32Array, at: number, to: Float32Array, o: number): void => {
    to[o] = along(x, from, at);
    to[o + 1] = along(y, from, at);
    to[o + 2] = along(z, from, at);
  };
}
