import {
  Box3,
  BufferAttribute,
  DynamicDrawUsage,
  InstancedBufferAttribute,
  InstancedBufferGeometry,
  type Material,
  type Matrix4,
  Mesh,
  type Skeleton,
  SkinnedMesh,
  Sphere,
  Vector3,
} from 'three';
import { gridTriangles, samplesPerPatch } from '../../../src/lod/images/base-complex.ts';
import { type GeometryImages, patchesOfLevel, stepsOf } from '../../../src/model/geometry-images.ts';
import { PATCH_ATTRIBUTE } from './image-shader.ts';

/** The patches of one level and group in one instanced draw. */
export class LevelDraw {
  readonly geometry = new InstancedBufferGeometry();
  readonly mesh: Mesh | SkinnedMesh;
  readonly #patches: InstancedBufferAttribute;
  readonly #points: Vector3[];
  #count = 0;

  /** `groups`: how many there are; with one, it has the patches of all. */
  constructor(
    images: GeometryImages,
    { level, group, groups }: { level: number; group: number; groups: number },
    { material, skeleton, bindMatrix }: { material: Material; skeleton?: Skeleton; bindMatrix: Matrix4 },
  ) {
    const n = stepsOf(level);
    const places = new Float32Array(3 * samplesPerPatch(level));
    for (let j = 0, at = 0; j <= n; j++) {
      for (let i = 0; i <= n - j; i++, at += 3) {
        places[at] = i;
        places[at + 1] = j;
      }
    }
    let most = patchesOfLevel(images, level);
    if (groups > 1) {
      const { groupOf } = images;
      let own = 0;
      for (let p = 0; p < most; p++) if ((groupOf?.[p] ?? 0) === group) own++;
      most = own;
    }
    this.#patches = new InstancedBufferAttribute(new Uint32Array(2 * Math.max(1, most)), 2).setUsage(DynamicDrawUsage);
    this.#points = boxPoints(images);
    this.geometry.boundingSphere = new Sphere().setFromPoints(this.#points);
    this.geometry.boundingBox = new Box3().setFromPoints(this.#points);
    this.geometry.setAttribute('position', new BufferAttribute(places, 3));
    this.geometry.setAttribute(PATCH_ATTRIBUTE, this.#patches);
    const triangles = gridTriangles(level);
    this.geometry.setIndex(
      new BufferAttribute(places.length < 3 * 65_536 ? Uint16Array.from(triangles) : triangles, 1),
    );
    // Materials decide by its attributes what to compile; the shader does not read these.
    for (const [name, size] of Object.entries(STAND_INS)) {
      if (name.startsWith('skin') && !images.levels[0].joints) continue;
      if (name === 'uv' && !images.uvs) continue;
      this.geometry.setAttribute(name, new InstancedBufferAttribute(new Float32Array(size), size, false, 1_000_000));
    }
    this.mesh = this.#makeMesh(material, skeleton, bindMatrix);
  }

  #makeMesh(material: Material, skeleton: Skeleton | undefined, bindMatrix: Matrix4): Mesh | SkinnedMesh {
    const mesh = skeleton ? new SkinnedMesh(this.geometry, material) : new Mesh(this.geometry, material);
    // three.js sorts by the middle, and would look for it, and for bounds, in attributes that are none: boxes at rest instead.
    if (mesh instanceof SkinnedMesh) {
      mesh.bind(skeleton!, bindMatrix);
      mesh.boundingSphere = this.geometry.boundingSphere!;
      mesh.boundingBox = this.geometry.boundingBox!;
    }
    const points = this.#points;
    mesh.getVertexPosition = (index, target) => target.copy(points[index % points.length]);
    mesh.frustumCulled = false;
    mesh.raycast = () => {};
    return mesh;
  }

  begin(): void {
    this.#count = 0;
  }

  add(patch: number, word: number): void {
    const { array } = this.#patches;
    array[2 * this.#count] = patch;
    array[2 * this.#count + 1] = word;
    this.#count++;
  }

  end(): void {
    this.geometry.instanceCount = this.#count;
    this.#patches.needsUpdate = true;
    this.mesh.visible = this.#count > 0;
  }
}

/** Corners of all boxes at rest. */
const boxPoints = ({ boxes: { points } }: GeometryImages): Vector3[] =>
  Array.from({ length: points.length / 3 }, (_, p) => new Vector3().fromArray(points, 3 * p));

const STAND_INS = { normal: 3, uv: 2, skinIndex: 4, skinWeight: 4 };
