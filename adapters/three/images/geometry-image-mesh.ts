import {
  Box3,
  BufferAttribute,
  type Camera,
  DynamicDrawUsage,
  InstancedBufferAttribute,
  InstancedBufferGeometry,
  type Material,
  Matrix4,
  Mesh,
  Object3D,
  type Skeleton,
  SkinnedMesh,
  Sphere,
  Vector3,
} from 'three';
import { PliantError } from '../../../src/error.ts';
import { gridTriangles, samplesPerPatch } from '../../../src/lod/images/base-complex.ts';
import { PatchSelector, type SelectOptions } from '../../../src/lod/images/select.ts';
import { type GeometryImages, patchesOfLevel, stepsOf } from '../../../src/model/geometry-images.ts';
import { pixelsAtOne } from '../level-choice.ts';
import { ViewHeights } from '../view-heights.ts';
import { imageDepthMaterial, imageDistanceMaterial, imageMaterial, PATCH_ATTRIBUTE } from './image-shader.ts';
import { ImageTextures } from './image-textures.ts';

/** How a `GeometryImageMesh` is made. */
export interface GeometryImageOptions extends Partial<SelectOptions> {
  /** Of images with joints: the bones, and what binds the mesh to them (as `SkinnedMesh.bind`). */
  skeleton?: Skeleton;
  bindMatrix?: Matrix4;
}

/**
 * A mesh that is drawn from triangular geometry images: vertices are fetched from textures, and every patch has a level of
 * its own, the coarsest whose error is too small to see, sewn to its neighbours without cracks. One draw per level, and per
 * material where there are several.
 *
 *     const hero = new GeometryImageMesh(images, material, { skeleton });
 *
 * Materials are copied: change those of `materials`. For WebGLRenderer (WebGL 2). Rays do not hit it.
 */
export class GeometryImageMesh extends Object3D {
  override readonly type = 'GeometryImageMesh';
  /** Tells three.js to call `update` before it draws. */
  readonly isLOD = true;
  /** Whether three.js chooses the levels, with the camera that looks. */
  autoUpdate = true;
  /** Height of the picture in pixels, if it is not to be that of the renderer's viewport. */
  viewportHeight: number | undefined;
  /** What it is drawn with, by group. */
  readonly materials: readonly Material[];
  readonly images: GeometryImages;
  readonly #selector: PatchSelector;
  readonly #textures: ImageTextures;
  readonly #draws: LevelDraw[] = [];
  readonly #shadows: Material[];
  readonly #heights = new ViewHeights();
  readonly #skeleton: Skeleton | undefined;
  readonly #bindMatrix: Matrix4;
  readonly #bones: Float64Array;

  /** `materials`: one, or one per group of the images. */
  constructor(images: GeometryImages, materials: Material | readonly Material[], options: GeometryImageOptions = {}) {
    super();
    const { skeleton, bindMatrix, ...selection } = options;
    requireBones(images, skeleton);
    this.images = images;
    this.#selector = new PatchSelector(images, selection);
    this.#textures = new ImageTextures(images);
    this.#skeleton = images.levels[0].joints ? skeleton : undefined;
    this.#bindMatrix = bindMatrix?.clone() ?? new Matrix4();
    this.#bones = new Float64Array(12 * (this.#skeleton?.bones.length ?? 0));
    const { uniforms } = this.#textures;
    const given: readonly Material[] = Array.isArray(materials) ? materials : [materials as Material];
    this.materials = given.map((material) => imageMaterial(material, uniforms));
    const [depth, distance] = [imageDepthMaterial(uniforms), imageDistanceMaterial(uniforms)];
    this.#shadows = [depth, distance];
    images.levels.forEach((_, level) => {
      this.materials.forEach((material, group) => {
        const draw = new LevelDraw(images, level, group, this.materials.length);
        const mesh = draw.mesh(material, this.#skeleton, this.#bindMatrix);
        mesh.customDepthMaterial = depth;
        mesh.customDistanceMaterial = distance;
        mesh.onBeforeRender = (renderer, __, camera) => this.#heights.remember(renderer, camera);
        this.#draws.push(draw);
        this.add(mesh);
      });
    });
    if (images.name !== undefined) this.name = images.name;
    this.#show();
  }

  /** P: the level of each patch, 0 is the coarsest. */
  get levels(): Readonly<Uint8Array> {
    return this.#selector.levels;
  }

  /** Triangles that are drawn, those that stitching leaves without an area included. */
  get triangles(): number {
    return this.levels.reduce((sum, level) => sum + 4 ** level, 0);
  }

  /** Bytes of textures. */
  get textureBytes(): number {
    return this.#textures.byteLength;
  }

  /** Chooses the levels for a camera. three.js calls this, unless `autoUpdate` is off. */
  update(camera: Camera): void {
    for (const draw of this.#draws) draw.shadow(this);
    const height = this.viewportHeight ?? this.#heights.of(camera);
    view.multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
    const size = this.matrixWorld.getMaxScaleOnAxis() * pixelsAtOne(camera, height);
    if (this.#skeleton) this.#poseBones(this.#skeleton);
    else view.multiply(this.matrixWorld);
    const { elements: m } = view;
    depth[0] = m[3];
    depth[1] = m[7];
    depth[2] = m[11];
    depth[3] = m[15];
    if (this.#selector.select(depth, size, this.#skeleton ? this.#bones : undefined)) this.#show();
  }

  /** Frees textures, geometries and its copies of materials. */
  override dispose(): void {
    super.dispose?.(); // of three.js since r181
    this.#textures.dispose();
    for (const draw of this.#draws) draw.geometry.dispose();
    for (const material of [...this.materials, ...this.#shadows]) material.dispose();
  }

  /** Rest → world of every bone, as rows. */
  #poseBones({ bones, boneInverses }: Skeleton): void {
    for (let b = 0; b < bones.length; b++) {
      bone.multiplyMatrices(bones[b].matrixWorld, boneInverses[b]).multiply(this.#bindMatrix);
      const { elements: m } = bone;
      const o = 12 * b;
      for (let row = 0; row < 3; row++) {
        for (let column = 0; column < 4; column++) this.#bones[o + 4 * row + column] = m[4 * column + row];
      }
    }
  }

  #show(): void {
    const { levels, words } = this.#selector;
    for (const draw of this.#draws) draw.begin();
    const { groupOf } = this.images;
    const groups = this.materials.length;
    for (let p = 0; p < levels.length; p++) {
      const group = groups > 1 ? (groupOf?.[p] ?? 0) : 0;
      this.#draws[levels[p] * groups + group].add(p, words[p]);
    }
    for (const draw of this.#draws) draw.end();
  }
}

const view = new Matrix4();
const bone = new Matrix4();
const depth = new Float64Array(4);

/** The patches of one level and group in one instanced draw. */
class LevelDraw {
  readonly geometry = new InstancedBufferGeometry();
  readonly #patches: InstancedBufferAttribute;
  readonly #points: Vector3[];
  #mesh: Mesh | undefined;
  #count = 0;

  constructor(images: GeometryImages, level: number, group: number, groups: number) {
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
  }

  mesh(material: Material, skeleton: Skeleton | undefined, bindMatrix: Matrix4): Mesh {
    const skinned = skeleton && new SkinnedMesh(this.geometry, material);
    skinned?.bind(skeleton!, bindMatrix);
    const mesh: Mesh = skinned ?? new Mesh(this.geometry, material);
    // three.js sorts by the middle, and would look for it, and for bounds, in attributes that are none: boxes at rest instead.
    if (skinned) {
      skinned.boundingSphere = this.geometry.boundingSphere!;
      skinned.boundingBox = this.geometry.boundingBox!;
    }
    const points = this.#points;
    mesh.getVertexPosition = (index, target) => target.copy(points[index % points.length]);
    mesh.frustumCulled = false;
    mesh.raycast = () => {};
    this.#mesh = mesh;
    return mesh;
  }

  /** Shadows are asked for as of any object, of the one that holds the draws. */
  shadow({ castShadow, receiveShadow }: Object3D): void {
    this.#mesh!.castShadow = castShadow;
    this.#mesh!.receiveShadow = receiveShadow;
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
    this.#mesh!.visible = this.#count > 0;
  }
}

/** Corners of all boxes at rest. */
const boxPoints = ({ boxes: { points } }: GeometryImages): Vector3[] =>
  Array.from({ length: points.length / 3 }, (_, p) => new Vector3().fromArray(points, 3 * p));

const STAND_INS = { normal: 3, uv: 2, skinIndex: 4, skinWeight: 4 };

function requireBones({ levels }: GeometryImages, skeleton: Skeleton | undefined): void {
  const joints = levels[0].joints;
  if (!joints) return;
  let most = 0;
  for (const joint of joints) most = Math.max(most, joint);
  if (skeleton && most < skeleton.bones.length) return;
  const cause = skeleton
    ? `images have joints up to ${most} (got a skeleton of ${skeleton.bones.length} bones)`
    : 'images with joints need a skeleton';
  throw new PliantError('bad-input', 'GeometryImageMesh', cause);
}
