import { Bone, BufferAttribute, Group, Matrix4, Skeleton, SkinnedMesh } from 'three';
import { THREE_OPERATORS, type ThreeOperator } from '../../../adapters/three/index.ts';
import { MeshSkinning } from '../../../adapters/three/mesh-skinning.ts';
import {
  boneCount,
  MATRIX_STRIDE,
  type SkinnedModel,
  Skinner,
  type SkinOperator,
  splitVertexCount,
} from '../../../src/index.ts';
import { columnMajor44From34 } from '../../../src/math/matrix34.ts';
import { SurfaceMaterials } from './materials.ts';
import { MovingSurface, PaintLayers, perSplit, restGeometry, type Surface } from './surface.ts';

/** Limits of the shaders of three.js. */
const MOST_INFLUENCES = 4;
const MOST_MORPHS = 64;

/**
 * A skinned model on the stage. The graphics card blends the bones where it knows the operator; the library's own code
 * does elsewhere (`dib`, `rigid`, more than four influences).
 */
export class SkinnedSurface implements Surface {
  readonly object = new Group();
  readonly materials: SurfaceMaterials;
  readonly #model: SkinnedModel;
  #drawn: GpuSurface | CpuSurface;
  #operator: SkinOperator;

  constructor(model: SkinnedModel, operator: SkinOperator = model.operator) {
    this.#model = model;
    this.#operator = operator;
    this.materials = new SurfaceMaterials(model.mesh);
    this.#drawn = this.#make();
  }

  /** Whether CPU or GPU blends the bones. */
  get processor(): 'GPU' | 'CPU' {
    return this.#drawn instanceof GpuSurface ? 'GPU' : 'CPU';
  }

  setOperator(operator: SkinOperator): void {
    if (operator === this.#operator) return;
    this.#operator = operator;
    this.#drawn.dispose();
    this.#drawn = this.#make();
  }

  /** @param transforms 12B, rest → pose. @param morphWeights M. */
  pose(transforms: Float32Array, morphWeights?: Float32Array): void {
    this.#drawn.pose(transforms, morphWeights);
  }

  get layers(): PaintLayers {
    return this.#drawn.layers;
  }

  dispose(): void {
    this.#drawn.dispose();
    this.materials.dispose();
  }

  #make(): GpuSurface | CpuSurface {
    const { weights, morphs = [] } = this.#model;
    const fits = weights.influences <= MOST_INFLUENCES && morphs.length <= MOST_MORPHS;
    const onGpu = fits && (THREE_OPERATORS as readonly string[]).includes(this.#operator);
    const drawn = onGpu
      ? new GpuSurface(this.#model, this.#operator as ThreeOperator, this.materials)
      : new CpuSurface(this.#model, this.#operator, this.materials);
    this.object.clear();
    this.object.add(drawn.object);
    return drawn;
  }
}

class GpuSurface {
  readonly object: SkinnedMesh;
  readonly layers: PaintLayers;
  readonly #model: SkinnedModel;
  readonly #skinning?: MeshSkinning;

  constructor(model: SkinnedModel, operator: ThreeOperator, materials: SurfaceMaterials) {
    this.#model = model;
    const { mesh, morphs = [] } = model;
    const geometry = restGeometry(mesh);
    geometry.setAttribute('skinIndex', new BufferAttribute(this.#slots('joints'), 4));
    geometry.setAttribute('skinWeight', new BufferAttribute(this.#slots('weights'), 4));
    if (model.mixWeights) geometry.setAttribute('_mix', new BufferAttribute(perSplit(model.mixWeights, 1, mesh), 1));
    if (morphs.length > 0) {
      geometry.morphTargetsRelative = true;
      geometry.morphAttributes.position = morphs.map(
        ({ positions }) => new BufferAttribute(perSplit(positions, 3, mesh), 3),
      );
    }
    this.object = new SkinnedMesh(geometry, materials.plain);
    this.layers = new PaintLayers(this.object, mesh, materials);
    this.object.frustumCulled = false;
    // Transparent objects are sorted by their centre; three.js would pose all vertices to find it.
    geometry.computeBoundingSphere();
    this.object.boundingSphere = geometry.boundingSphere!.clone();
    this.object.castShadow = true;
    this.object.receiveShadow = true;
    // Bones have no parents: their world matrices are the transforms from rest to pose, their rest is the identity.
    const bones = Array.from({ length: boneCount(model.skeleton) }, () => new Bone());
    for (const bone of bones) bone.matrixWorldAutoUpdate = false;
    this.object.bindMode = 'detached';
    const inverses = bones.map(() => new Matrix4());
    this.object.bind(new Skeleton(bones, inverses), new Matrix4());
    // No raycasts and no culling: the CPU never needs its pose.
    if (operator !== 'lbs') this.#skinning = new MeshSkinning(this.object, operator);
  }

  pose(transforms: Float32Array, morphWeights?: Float32Array): void {
    this.object.skeleton.bones.forEach(({ matrixWorld }, j) => {
      columnMajor44From34(matrixWorld.elements, 0, transforms, MATRIX_STRIDE * j);
    });
    if (morphWeights && this.object.morphTargetInfluences) this.object.morphTargetInfluences = [...morphWeights];
  }

  dispose(): void {
    this.#skinning?.dispose();
    this.object.geometry.dispose();
    this.object.skeleton.dispose();
  }

  /** 4W joints or weights. */
  #slots<K extends 'joints' | 'weights'>(what: K): SkinnedModel['weights'][K] {
    const { weights, mesh } = this.#model;
    const k = weights.influences;
    const w = splitVertexCount(mesh);
    const values = weights[what];
    const out = (what === 'joints' ? new Uint16Array(4 * w) : new Float32Array(4 * w)) as SkinnedModel['weights'][K];
    for (let v = 0; v < w; v++) {
      const i = mesh.seams ? mesh.seams.vertexOf[v] : v;
      for (let s = 0; s < k; s++) out[4 * v + s] = values[k * i + s];
    }
    return out;
  }
}

class CpuSurface extends MovingSurface {
  readonly #skinner: Skinner;

  constructor(model: SkinnedModel, operator: SkinOperator, materials: SurfaceMaterials) {
    super(model.mesh, materials);
    this.#skinner = new Skinner(model, { operator, normals: false });
  }

  pose(transforms: Float32Array, morphWeights?: Float32Array): void {
    this.move(this.#skinner.pose(transforms, undefined, morphWeights).positions);
  }

  /** The materials belong to the `SkinnedSurface`. */
  override dispose(): void {
    this.#skinner.dispose();
    this.object.geometry.dispose();
  }
}
