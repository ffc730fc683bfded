import {
  type Accessor,
  type Animation,
  Document,
  type GLTF,
  type Mesh,
  type Node,
  NodeIO,
  type Primitive,
  type Skin,
  type TypedArray,
} from '@gltf-transform/core';
import { EXTMeshoptCompression, KHRLightsPunctual, KHRMeshQuantization } from '@gltf-transform/extensions';
import { MeshoptEncoder } from 'meshoptimizer/encoder';
import { Matrix4 } from 'three';
import { seededRandom } from '../../../src/math/rng.ts';
import { binOf, glbOf, jsonOf } from './fixtures.ts';

/** A file of a kind that exporters write, made by glTF-Transform. */

type Triple = [number, number, number];
export type Turn = [number, number, number, number];
type Interpolation = GLTF.AnimationSamplerInterpolation;

interface Placement {
  translation?: Triple;
  rotation?: Turn;
  scale?: Triple;
}

export interface MeshShape {
  /** Slots of influences: 0, 4 or 8. */
  influences?: number;
  joints?: number;
  targets?: number;
  sparse?: boolean;
  mode?: 'list' | 'soup' | 'strip' | 'fan';
  /** How positions are stored. */
  positions?: 'float' | 'i16' | 'normalized';
  primitives?: number;
}

export class Wild {
  readonly document = new Document();
  readonly random = seededRandom(11);
  readonly #buffer = this.document.createBuffer();
  readonly scene = this.document.createScene('scene');

  accessor(type: GLTF.AccessorType, array: TypedArray, normalized = false): Accessor {
    return this.document
      .createAccessor()
      .setType(type)
      .setArray(array as TypedArray)
      .setNormalized(normalized)
      .setBuffer(this.#buffer);
  }

  /** Below the scene, or below another node. */
  node(name: string, placement: Placement = {}, parent?: Node): Node {
    const node = this.document.createNode(name);
    if (placement.translation) node.setTranslation(placement.translation);
    if (placement.rotation) node.setRotation(placement.rotation);
    if (placement.scale) node.setScale(placement.scale);
    if (parent) parent.addChild(node);
    else this.scene.addChild(node);
    return node;
  }

  /** `count` joints along y, a unit apart. */
  chain(prefix: string, count: number, parent?: Node): Node[] {
    const joints: Node[] = [];
    for (let j = 0; j < count; j++) {
      const placement: Placement = { translation: [0, j === 0 ? 0 : 1, 0] };
      joints.push(this.node(`${prefix}${j}`, placement, joints[j - 1] ?? parent));
    }
    return joints;
  }

  /** Bound where the joints stand now; the mesh is kept in the space that `fromMesh` takes to the scene's. */
  skin(joints: readonly Node[], fromMesh: Matrix4 = new Matrix4()): Skin {
    const matrices = joints.flatMap((joint) =>
      new Matrix4().fromArray(joint.getWorldMatrix()).invert().multiply(fromMesh).toArray(),
    );
    const skin = this.document.createSkin().setInverseBindMatrices(this.accessor('MAT4', Float32Array.from(matrices)));
    for (const joint of joints) skin.addJoint(joint);
    return skin;
  }

  /** A ribbon along y from 0 to 3, or a disc of its points. */
  mesh(name: string, shape: MeshShape = {}): Mesh {
    const mesh = this.document.createMesh(`${name} shape`);
    for (let p = 0; p < (shape.primitives ?? 1); p++) mesh.addPrimitive(this.#primitive(shape, 0.7 * p));
    return mesh;
  }

  #primitive(shape: MeshShape, offset: number): Primitive {
    const { influences = 0, joints = 3, targets = 0, sparse = false, mode = 'list', positions = 'float' } = shape;
    const rows = 7;
    const ribbon = Array.from({ length: 2 * rows }, (_, i): Triple => {
      const row = i >> 1;
      return [(i % 2 ? 0.4 : -0.4) + offset, row / 2, 0.2 * Math.sin(row)];
    });
    const corners = Array.from({ length: 2 * rows - 2 }, (_, t) =>
      mode === 'fan' ? [0, t + 1, t + 2] : t % 2 ? [t, t + 2, t + 1] : [t, t + 1, t + 2],
    ).flat();
    const points = mode === 'soup' ? corners.map((i) => ribbon[i]) : ribbon;
    const flat = points.flat();
    const primitive = this.document.createPrimitive().setAttribute('POSITION', this.#positions(flat, positions));
    if (mode === 'list') primitive.setIndices(this.accessor('SCALAR', Uint16Array.from(corners)));
    if (mode === 'strip') primitive.setMode(5);
    if (mode === 'fan') primitive.setMode(6);

    for (let set = 0; set < influences / 4; set++) {
      const slots = { joints: [] as number[], weights: [] as number[] };
      for (const [, y] of points) {
        const row = Array.from({ length: influences }, (_, s) => ({ j: s % joints, w: s < joints ? 1 : 0.3 }));
        const reach = row.map(({ j, w }) => w / (0.2 + Math.abs(y - j - 0.4)) ** 2);
        const sum = reach.reduce((a, b) => a + b, 0);
        for (let s = 4 * set; s < 4 * set + 4; s++) {
          slots.joints.push(row[s].j);
          slots.weights.push(reach[s] / sum);
        }
      }
      primitive
        .setAttribute(`JOINTS_${set}`, this.accessor('VEC4', Uint8Array.from(slots.joints)))
        .setAttribute(`WEIGHTS_${set}`, this.accessor('VEC4', Float32Array.from(slots.weights)));
    }
    for (let m = 0; m < targets; m++) {
      const moved = flat.map((_, c) => (sparse && c % 9 > 2 ? 0 : this.random() - 0.5));
      const accessor = this.accessor('VEC3', Float32Array.from(moved)).setSparse(sparse);
      primitive.addTarget(this.document.createPrimitiveTarget(`target ${m}`).setAttribute('POSITION', accessor));
    }
    return primitive;
  }

  /** Stored numbers times 10, in whole numbers, or as a fraction of 10: the node or the skin must undo it. */
  #positions(flat: readonly number[], kind: MeshShape['positions']): Accessor {
    if (kind === 'float') return this.accessor('VEC3', Float32Array.from(flat));
    this.document.createExtension(KHRMeshQuantization).setRequired(true);
    if (kind === 'i16')
      return this.accessor(
        'VEC3',
        Int16Array.from(flat, (x) => Math.round(1000 * x)),
      );
    return this.accessor(
      'VEC3',
      Int16Array.from(flat, (x) => Math.round((x / 10) * 32767)),
      true,
    );
  }

  animation(name: string): Animation {
    return this.document.createAnimation(name);
  }

  track(
    animation: Animation,
    node: Node,
    path: GLTF.AnimationChannelTargetPath,
    times: readonly number[],
    values: TypedArray,
    { interpolation = 'LINEAR', normalized = false }: { interpolation?: Interpolation; normalized?: boolean } = {},
  ): void {
    const type = path === 'rotation' ? 'VEC4' : path === 'weights' ? 'SCALAR' : 'VEC3';
    const sampler = this.document
      .createAnimationSampler()
      .setInput(this.accessor('SCALAR', Float32Array.from(times)))
      .setOutput(this.accessor(type, values, normalized))
      .setInterpolation(interpolation);
    const channel = this.document.createAnimationChannel().setTargetNode(node).setTargetPath(path).setSampler(sampler);
    animation.addSampler(sampler).addChannel(channel);
  }

  /** P random unit quaternions, or P times in-tangent, quaternion, out-tangent. */
  turns(keys: number, cubic = false): Float32Array {
    return Float32Array.from(
      Array.from({ length: keys }, () => {
        const q = Array.from({ length: 4 }, (_, c) => this.random() - 0.5 + (c === 3 ? 1 : 0));
        const length = Math.hypot(...q);
        const unit = q.map((x) => x / length);
        return cubic ? [...this.numbers(4, 0.8), ...unit, ...this.numbers(4, 0.8)] : unit;
      }).flat(),
    );
  }

  /** Random numbers within ±size. */
  numbers(count: number, size: number, around = 0): Float32Array {
    return Float32Array.from({ length: count }, () => around + size * (2 * this.random() - 1));
  }

  /** Joints turn at the same keys, the first one moves too. */
  dance(
    name: string,
    joints: readonly Node[],
    times: readonly number[],
    interpolation: Interpolation = 'LINEAR',
  ): void {
    const animation = this.animation(name);
    const cubic = interpolation === 'CUBICSPLINE';
    for (const joint of joints) {
      this.track(animation, joint, 'rotation', times, this.turns(times.length, cubic), { interpolation });
    }
    const numbers = this.numbers(times.length * (cubic ? 9 : 3), 1);
    this.track(animation, joints[0], 'translation', times, numbers, { interpolation });
  }

  async bytes(edit?: (json: GLTF.IGLTF) => void): Promise<Uint8Array> {
    await MeshoptEncoder.ready;
    const io = new NodeIO()
      .registerExtensions([EXTMeshoptCompression, KHRLightsPunctual, KHRMeshQuantization])
      .registerDependencies({ 'meshopt.encoder': MeshoptEncoder });
    const glb = await io.writeBinary(this.document);
    if (!edit) return glb;
    const json = jsonOf(glb);
    edit(json);
    return glbOf(json, binOf(glb));
  }
}
