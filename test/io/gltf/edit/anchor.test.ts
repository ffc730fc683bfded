import type { GLTF } from '@gltf-transform/core';
import { Matrix4, Quaternion, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import { binOf, jsonOf } from '../../../../bench/engines/glb-file.ts';
import { RIG_FILES } from '../../../../bench/engines/rig-files.ts';
import { EDITING_VERBS, openGlb } from '../../../../bench/engines/verbs.ts';

const rigidOf = ({ translation = [0, 0, 0], rotation = [0, 0, 0, 1] }: GLTF.INode): Matrix4 =>
  new Matrix4().compose(new Vector3(...translation), new Quaternion(...rotation), new Vector3(1, 1, 1));

function withoutScale(matrix: Matrix4): Matrix4 {
  const [t, r, s] = [new Vector3(), new Quaternion(), new Vector3()];
  matrix.decompose(t, r, s);
  return new Matrix4().compose(t, r, new Vector3(1, 1, 1));
}

/** Where Blender's importer moves the mesh by each joint, as it binds it anew. */
function bindings(glb: Uint8Array): Matrix4[] {
  const { nodes = [], skins = [], accessors = [], bufferViews = [] } = jsonOf(glb);
  const [{ joints, inverseBindMatrices }] = skins;
  const { byteOffset = 0, byteLength } = bufferViews[accessors[inverseBindMatrices!].bufferView!];
  const numbers = new Float32Array(binOf(glb).slice(byteOffset, byteOffset + byteLength).buffer);
  const inverseBind = (node: number) => new Matrix4().fromArray(numbers, 16 * joints.indexOf(node));
  const parentOf = (node: number) => nodes.findIndex(({ children }) => children?.includes(node));
  const boundAt = (node: number): Matrix4 => {
    const parent = parentOf(node);
    if (joints.includes(parent)) {
      return boundAt(parent).multiply(withoutScale(inverseBind(parent).multiply(inverseBind(node).invert())));
    }
    return rigidOf(nodes[node]);
  };
  return joints.map((node) => boundAt(node).multiply(inverseBind(node)));
}

const FILES = RIG_FILES.filter(({ name }) => /^armature of scale|at rest|bind pose|the same below/.test(name));

describe('bones that are added to a file', () => {
  it.each(FILES)('are bound by Blender as the others: $name', async ({ name, make }) => {
    const given = make();
    const asset = await openGlb(given);
    const glb = await EDITING_VERBS.linearize(asset);
    const [first, ...others] = bindings(glb);
    const size = Math.max(...first.elements.map(Math.abs));
    for (const other of others) {
      expect(Math.max(...other.elements.map((x, c) => Math.abs(x - first.elements[c])))).toBeLessThan(1e-4 * size);
    }
    const names = jsonOf(glb).nodes!.map((node) => node.name);
    // Blend bones hang from joints, except where these stretch.
    expect(names.includes('blend bones')).toBe(name.startsWith('joints scaled'));
  });
});
