import type { GLTF } from '@gltf-transform/core';
import { Euler, Matrix4, Quaternion, Vector3 } from 'three';
import { Bin } from './glb-file.ts';

/**
 * A limb of four joints with a closed tube as its skin, in a file as exporters write it: an armature node above, a leaf node
 * at the end, two clips. Built from raw JSON, so that a file may hold what no library would write.
 */

type Json = GLTF.IGLTF;

export interface RigOptions {
  /** Of the armature; its joints are that much larger. */
  scale?: number;
  /** Whether the armature is z up and turned upright by its node. */
  zUp?: boolean;
  /** Whether the mesh has the units of the armature rather than those of the scene. */
  inArmature?: boolean;
  /** Whether the last bone ends in a node that is no joint [default true]. */
  leaf?: boolean;
}

const JOINTS = ['Hips', 'Spine', 'Arm', 'Hand'];
const LENGTH = 0.5;
const RINGS = 20;
const SIDES = 12;
const RADIUS = 0.22;

export class RigBuilder {
  readonly bin = new Bin();
  readonly json: Json & { nodes: GLTF.INode[]; meshes: GLTF.IMesh[]; skins: GLTF.ISkin[]; scenes: GLTF.IScene[] };
  /** Node indices. */
  readonly armature: number;
  readonly joints: number[];
  readonly body: number;
  /** From the mesh of the body to the scene, at rest. */
  readonly toScene: Matrix4;

  constructor({ scale = 1, zUp = false, inArmature = false, leaf = true }: RigOptions = {}) {
    this.json = {
      asset: { version: '2.0' },
      nodes: [],
      meshes: [],
      skins: [],
      animations: [],
      scenes: [{ nodes: [] }],
    };
    this.json.scene = 0;
    const turn = new Quaternion().setFromEuler(new Euler(zUp ? -Math.PI / 2 : 0, 0, 0));
    const placed = new Matrix4().compose(new Vector3(), turn, new Vector3(scale, scale, scale));
    this.armature = this.node('Armature', {
      ...(zUp && { rotation: turn.toArray() }),
      ...(scale !== 1 && { scale: [scale, scale, scale] }),
    });
    this.toScene = inArmature ? placed : new Matrix4();

    // Joints turned against each other at rest, the ends of bones as leaves that are no joints.
    const fromScene = placed.clone().invert();
    const worlds = JOINTS.map((_, j) =>
      new Matrix4().makeRotationFromEuler(new Euler(0.2 * j, 0.5 * j, -0.1 * j)).setPosition(0, LENGTH * j, 0),
    );
    const ends = leaf ? [...worlds, new Matrix4().setPosition(0, LENGTH * JOINTS.length, 0)] : worlds;
    const inRig = ends.map((world) => rigid(fromScene.clone().multiply(world)));
    let parent = this.armature;
    this.joints = [];
    for (const [j, matrix] of inRig.entries()) {
      const local = j === 0 ? matrix : inRig[j - 1].clone().invert().multiply(matrix);
      const name = JOINTS[j] ?? `${JOINTS.at(-1)}_End`;
      const at = new Vector3().setFromMatrixPosition(local);
      const rotation = new Quaternion().setFromRotationMatrix(local);
      parent = this.node(name, { translation: at.toArray(), rotation: rotation.toArray() }, parent);
      if (j < JOINTS.length) this.joints.push(parent);
    }
    this.json.skins.push({
      name: 'Armature',
      joints: this.joints,
      inverseBindMatrices: this.inverseBinds(this.joints),
    });
    this.json.meshes.push({ name: 'Body', primitives: [{ attributes: this.tube(), indices: this.tubeIndices() }] });
    this.body = this.node('Body', { mesh: 0, skin: 0 }, inArmature ? this.armature : undefined);
  }

  node(name: string, more: Partial<GLTF.INode> = {}, parent?: number): number {
    const index = this.json.nodes.push({ name, ...more }) - 1;
    if (parent === undefined) this.json.scenes[0].nodes!.push(index);
    else (this.json.nodes[parent].children ??= []).push(index);
    return index;
  }

  use(...extensions: string[]): void {
    this.json.extensionsUsed = [...new Set([...(this.json.extensionsUsed ?? []), ...extensions])];
  }

  /** The world matrix of a node at rest. */
  world(node: number): Matrix4 {
    const { translation = [0, 0, 0], rotation = [0, 0, 0, 1], scale = [1, 1, 1] } = this.json.nodes[node];
    const local = new Matrix4().compose(
      new Vector3().fromArray(translation),
      new Quaternion().fromArray(rotation),
      new Vector3().fromArray(scale),
    );
    const parent = this.json.nodes.findIndex(({ children }) => children?.includes(node));
    return parent < 0 ? local : local.premultiply(this.world(parent));
  }

  inverseBinds(joints: readonly number[]): number {
    const all = joints.flatMap((joint) => this.world(joint).invert().multiply(this.toScene).toArray());
    return this.bin.add('MAT4', Float32Array.from(all));
  }

  /** Points of the scene in the space of the body's mesh. */
  #place(points: readonly Vector3[]): Float32Array {
    const fromScene = this.toScene.clone().invert();
    return Float32Array.from(points.flatMap((point) => point.clone().applyMatrix4(fromScene).toArray()));
  }

  /** An accessor of vertices, or of indices. */
  attribute(type: string, array: Parameters<Bin['add']>[1], more: object = {}): number {
    const accessor = this.bin.add(type, array, more);
    this.bin.bufferViews.at(-1)!.target = type === 'SCALAR' && array instanceof Uint16Array ? 34963 : 34962;
    return accessor;
  }

  /** A position accessor with its bounds, as glTF asks for. */
  positions(points: readonly Vector3[]): number {
    const array = this.#place(points);
    const column = (c: number) => Array.from(array).filter((_, i) => i % 3 === c);
    const bounds = {
      min: [0, 1, 2].map((c) => Math.min(...column(c))),
      max: [0, 1, 2].map((c) => Math.max(...column(c))),
    };
    return this.attribute('VEC3', array, bounds);
  }

  /** Attributes of a ring of vertices every few centimetres, with a seam, pointed at both ends. */
  tube(radius = RADIUS, from = -0.1, to = LENGTH * JOINTS.length + 0.1): Record<string, number> {
    const points: Vector3[] = [];
    const normals: number[] = [];
    const uvs: number[] = [];
    const weights: number[] = [];
    const turn = new Quaternion().setFromRotationMatrix(this.toScene).invert();
    for (let r = 0; r <= RINGS; r++) {
      const y = from + ((to - from) * r) / RINGS;
      const round = Math.sin((Math.PI * Math.min(r, RINGS - r, 3)) / 6);
      for (let s = 0; s <= SIDES; s++) {
        const angle = (2 * Math.PI * (s % SIDES)) / SIDES;
        points.push(new Vector3(radius * round * Math.cos(angle), y, radius * round * Math.sin(angle)));
        normals.push(...new Vector3(Math.cos(angle), 0, Math.sin(angle)).applyQuaternion(turn).toArray());
        uvs.push(s / SIDES, r / RINGS);
        const near = JOINTS.map((_, j) => 1 / (0.02 + (y - (j + 0.5) * LENGTH) ** 2) ** 2);
        const sum = near.reduce((a, b) => a + b);
        weights.push(...near.map((w) => w / sum));
      }
    }
    return {
      POSITION: this.positions(points),
      NORMAL: this.attribute('VEC3', Float32Array.from(normals)),
      TEXCOORD_0: this.attribute('VEC2', Float32Array.from(uvs)),
      JOINTS_0: this.attribute(
        'VEC4',
        Uint8Array.from(weights, (_, w) => w % 4),
      ),
      WEIGHTS_0: this.attribute('VEC4', Float32Array.from(weights)),
    };
  }

  tubeIndices(): number {
    const out: number[] = [];
    for (let r = 0; r < RINGS; r++) {
      for (let s = 0; s < SIDES; s++) {
        const a = r * (SIDES + 1) + s;
        const b = a + SIDES + 1;
        if (r > 0) out.push(a, b, a + 1);
        if (r < RINGS - 1) out.push(a + 1, b, b + 1);
      }
    }
    return this.attribute('SCALAR', Uint16Array.from(out));
  }

  /** How many vertices a tube has. */
  static readonly VERTICES = (RINGS + 1) * (SIDES + 1);

  /** A box of 24 vertices on a node: rigid. */
  box(size: readonly [number, number, number]): GLTF.IMesh {
    const corners: number[] = [];
    const normals: number[] = [];
    const indices: number[] = [];
    for (let axis = 0; axis < 3; axis++) {
      for (const side of [1, -1]) {
        const [u, v] = side > 0 ? [(axis + 1) % 3, (axis + 2) % 3] : [(axis + 2) % 3, (axis + 1) % 3];
        const first = corners.length / 3;
        for (const [a, b] of [
          [-1, -1],
          [1, -1],
          [1, 1],
          [-1, 1],
        ]) {
          const corner = [0, 0, 0];
          corner[axis] = (side * size[axis]) / 2;
          corner[u] = (a * size[u]) / 2;
          corner[v] = (b * size[v]) / 2;
          corners.push(...corner);
          normals.push(...[0, 1, 2].map((c) => (c === axis ? side : 0)));
        }
        indices.push(first, first + 1, first + 2, first, first + 2, first + 3);
      }
    }
    const half = size.map((x) => x / 2);
    const bounds = { min: half.map((x) => -x).map(Math.fround), max: half.map(Math.fround) };
    return {
      primitives: [
        {
          attributes: {
            POSITION: this.attribute('VEC3', Float32Array.from(corners), bounds),
            NORMAL: this.attribute('VEC3', Float32Array.from(normals)),
          },
          indices: this.attribute('SCALAR', Uint16Array.from(indices)),
        },
      ],
    };
  }

  /** The limb bends, twists and walks: a key every 1/8 s from `start` on. */
  clip(name: string, { start = 0, keys = 9, amount = 1 } = {}): GLTF.IAnimation {
    const animation: GLTF.IAnimation = { name, samplers: [], channels: [] };
    const times = Float32Array.from({ length: keys }, (_, k) => start + k / 8);
    const input = this.times(times);
    const add = (node: number, path: 'rotation' | 'translation', type: string, values: number[]) => {
      const sampler = animation.samplers.push({ input, output: this.bin.add(type, Float32Array.from(values)) }) - 1;
      animation.channels.push({ sampler, target: { node, path } });
    };
    const bends = [0.2, 0.9, 1.4, 0.7];
    for (const [j, node] of this.joints.entries()) {
      const rest = new Quaternion().fromArray(this.json.nodes[node].rotation!);
      const axis = new Vector3(1, 0.8 * (j % 2), 0.3).normalize();
      const turns = Array.from(times, (_, k) => amount * bends[j] * Math.sin((Math.PI * k) / (keys - 1)));
      const turned = turns.flatMap((angle) =>
        rest.clone().multiply(new Quaternion().setFromAxisAngle(axis, angle)).toArray(),
      );
      add(node, 'rotation', 'VEC4', turned);
    }
    const [hips] = this.joints;
    const [x, y, z] = this.json.nodes[hips].translation!;
    const unit = 1 / this.world(this.armature).getMaxScaleOnAxis();
    add(hips, 'translation', 'VEC3', Array.from(times, (_, k) => [x + 0.05 * k * unit, y, z]).flat());
    this.json.animations!.push(animation);
    return animation;
  }

  /** Key times with the bounds that glTF asks for. */
  times(times: Float32Array): number {
    return this.bin.add('SCALAR', times, { min: [times[0]], max: [times[times.length - 1]] });
  }

  glb(): Uint8Array {
    return this.bin.glb(this.json as unknown as Record<string, unknown>);
  }
}

/** The same without its scale. */
function rigid(matrix: Matrix4): Matrix4 {
  const [at, turn] = [new Vector3(), new Quaternion()];
  matrix.decompose(at, turn, new Vector3());
  return new Matrix4().compose(at, turn, new Vector3(1, 1, 1));
}
