import {
  type BufferGeometry,
  type InstancedBufferGeometry,
  type Material,
  Matrix4,
  type Mesh,
  type Object3D,
  type Skeleton,
  type SkinnedMesh,
} from 'three';
import { PliantError } from '../../../src/error.ts';
import { matrix34FromColumnMajor44 } from '../../../src/math/matrix34.ts';
import { MATRIX_STRIDE } from '../../../src/model/skeleton.ts';
import { LodMesh } from '../lod-mesh.ts';
import { crowdGeometry, drawnAttributes, type Piece } from './crowd-geometry.ts';

/** What is drawn of a character with one material, or with a list of them. */
export interface CrowdPart {
  material: Material | Material[];
  /** One per level of the crowd, finest first. */
  geometries: InstancedBufferGeometry[];
  /** The mesh that it was made of, the first one where several were joined. */
  mesh: Mesh;
}

/** Meshes that the same matrices move. */
interface Skin {
  mesh: Mesh;
  /** Absent for a mesh that moves with its node. */
  skeleton?: Skeleton;
  joint: number;
}

/**
 * A character to be drawn many times: all meshes below `root`, skinned or hanging on nodes, as one set of bones. A bone's matrix
 * takes vertices as their geometry has them to the space of `root`. Meshes that share a material, and have the same
 * attributes, are joined: each draw is one call per level.
 */
export class CrowdRig {
  readonly root: Object3D;
  readonly parts: CrowdPart[];
  /** How many bones a pose has. */
  readonly jointCount: number;
  /** Per level, in the space of `root`. */
  readonly errors: number[];
  readonly #skins: Skin[] = [];

  constructor(root: Object3D) {
    this.root = root;
    const meshes = meshesBelow(root);
    root.updateWorldMatrix(true, true);
    const skins = meshes.map((mesh) => this.#skinOf(mesh));
    const last = this.#skins[this.#skins.length - 1];
    this.jointCount = last.joint + widthOf(last);

    const lods = meshes.map(lodOf);
    const count = Math.max(...lods.map((lod) => lod?.levels.length ?? 1));
    const toRoot = new Matrix4().copy(root.matrixWorld).invert();
    const scales = lods.map((lod) => lod && product.multiplyMatrices(toRoot, lod.matrixWorld).getMaxScaleOnAxis());
    this.errors = Array.from({ length: count }, (_, l) =>
      Math.max(0, ...lods.map((lod, m) => (lod ? levelOf(lod, l).error * scales[m]! : 0))),
    );
    const geometryOf = (m: number, l: number): BufferGeometry => {
      const lod = lods[m];
      return lod ? levelOf(lod, l).geometry : meshes[m].geometry;
    };
    this.parts = togetherDrawn(meshes).map((group) => ({
      mesh: meshes[group[0]],
      material: meshes[group[0]].material,
      // A part with fewer levels than others keeps its last.
      geometries: Array.from({ length: count }, (_, l) =>
        crowdGeometry(group.map((m) => pieceOf(geometryOf(m, l), skins[m], meshes[m], root))),
      ),
    }));
  }

  /** Writes the matrices (12B, rows of 3 × 4) that all bones have now at `o`. World matrices must be up to date. */
  writePose(out: Float32Array, o: number): void {
    toRoot.copy(this.root.matrixWorld).invert();
    for (const { mesh, skeleton, joint } of this.#skins) {
      let at = o + MATRIX_STRIDE * joint;
      if (!skeleton) {
        matrix34FromColumnMajor44(out, at, product.multiplyMatrices(toRoot, mesh.matrixWorld).elements);
        continue;
      }
      const { bindMatrix, bindMode } = mesh as SkinnedMesh;
      place.copy(toRoot);
      // Attached meshes are where their bones are, wherever the node is.
      if (bindMode === 'detached') place.multiply(mesh.matrixWorld).multiply(product.copy(bindMatrix).invert());
      for (let j = 0; j < skeleton.bones.length; j++, at += MATRIX_STRIDE) {
        product.copy(place);
        const bone = skeleton.bones[j];
        if (bone) product.multiply(bone.matrixWorld);
        product.multiply(skeleton.boneInverses[j]).multiply(bindMatrix);
        matrix34FromColumnMajor44(out, at, product.elements);
      }
    }
  }

  /** The skin of a mesh: that of another one with the same bones, bound alike, or a new one. */
  #skinOf(mesh: Mesh): Skin {
    const { skeleton, bindMatrix, bindMode } = mesh as SkinnedMesh;
    const known = this.#skins.find((skin) => {
      if (!skeleton || skin.skeleton !== skeleton) return false;
      const other = skin.mesh as SkinnedMesh;
      const alike = other.bindMode === bindMode && other.bindMatrix.equals(bindMatrix);
      return alike && (bindMode !== 'detached' || other.matrixWorld.equals(mesh.matrixWorld));
    });
    if (known) return known;
    const last = this.#skins[this.#skins.length - 1];
    const skin: Skin = { mesh, skeleton, joint: last ? last.joint + widthOf(last) : 0 };
    this.#skins.push(skin);
    return skin;
  }
}

const toRoot = new Matrix4();
const place = new Matrix4();
const product = new Matrix4();

const widthOf = ({ skeleton }: Skin): number => skeleton?.bones.length ?? 1;

const pieceOf = (geometry: BufferGeometry, { skeleton, joint }: Skin, mesh: Mesh, root: Object3D): Piece => ({
  geometry,
  joint,
  joints: skeleton?.bones.length ?? 0,
  morphs: mesh.morphTargetInfluences ?? [],
  isMirrored: mesh.matrixWorld.determinant() < 0 !== root.matrixWorld.determinant() < 0,
});

const lodOf = (mesh: Mesh): LodMesh | undefined =>
  mesh.parent instanceof LodMesh && mesh.parent.mesh === mesh ? mesh.parent : undefined;

const levelOf = ({ levels }: LodMesh, l: number) => levels[Math.min(l, levels.length - 1)];

function meshesBelow(root: Object3D): Mesh[] {
  const found: Mesh[] = [];
  root.traverseVisible((object) => {
    const mesh = object as Mesh;
    if (!mesh.isMesh) return;
    if ('isInstancedMesh' in mesh || 'isBatchedMesh' in mesh) {
      const cause = `"${mesh.name}" draws many meshes by itself (got an InstancedMesh or BatchedMesh, expected a Mesh)`;
      throw new PliantError('unsupported', 'SkinnedCrowd', cause);
    }
    found.push(mesh);
  });
  if (found.length > 0) return found;
  throw new PliantError('bad-input', 'SkinnedCrowd', `"${root.name}" has no visible mesh in it`);
}

/** Numbers of meshes, those together that one call can draw. */
function togetherDrawn(meshes: readonly Mesh[]): number[][] {
  const groups = new Map<string, number[]>();
  meshes.forEach((mesh, m) => {
    const { geometry, material, castShadow, receiveShadow, renderOrder } = mesh;
    const own = Array.isArray(material) || mesh.customDepthMaterial || mesh.customDistanceMaterial;
    const sizes = drawnAttributes(geometry)
      .map((name) => `${name} ${geometry.getAttribute(name).itemSize}`)
      .sort();
    const key = own ? `mesh ${m}` : [material.uuid, castShadow, receiveShadow, renderOrder, ...sizes].join();
    groups.set(key, [...(groups.get(key) ?? []), m]);
  });
  return [...groups.values()];
}
