import {
  type Camera,
  type Intersection,
  type Material,
  Matrix4,
  Object3D,
  type Raycaster,
  type Skeleton,
  type SkinnedMesh,
} from 'three';
import { PliantError } from '../../../src/error.ts';
import { PatchSelector, type SelectOptions } from '../../../src/lod/images/select.ts';
import { matrix34FromColumnMajor44 } from '../../../src/math/matrix34.ts';
import type { GeometryImages } from '../../../src/model/geometry-images.ts';
import { MATRIX_STRIDE } from '../../../src/model/skeleton.ts';
import { largestStretch } from '../largest-stretch.ts';
import { pixelsAtOne } from '../level-choice.ts';
import { ShadowFlags } from '../shadow-flags.ts';
import { ViewHeights } from '../view-heights.ts';
import { requireWebGl } from '../webgl-only.ts';
import { imageDepthMaterial, imageDistanceMaterial, imageMaterial } from './image-shader.ts';
import { ImageTextures } from './image-textures.ts';
import { LevelDraw } from './level-draw.ts';

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
 * Materials are copied: change those of `materials`. For WebGLRenderer (WebGL 2). Rays do not hit it, but for one of a file:
 * they hit the mesh that it is drawn instead of.
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
  readonly #given: readonly Material[];
  readonly #selector: PatchSelector;
  readonly #textures: ImageTextures;
  readonly #draws: LevelDraw[] = [];
  readonly #depthMaterials: Material[];
  readonly #shadows: ShadowFlags;
  readonly #heights = new ViewHeights();
  readonly #options: GeometryImageOptions;
  readonly #isSkinned: boolean;
  /** 12B: rest → world. */
  readonly #bones: Float64Array;

  /** `materials`: one, or one per group of the images. */
  constructor(images: GeometryImages, materials: Material | readonly Material[], options: GeometryImageOptions = {}) {
    super();
    requireImages(images, materials);
    const { skeleton, bindMatrix = new Matrix4(), ...selection } = options;
    requireBones(images, skeleton);
    this.images = images;
    this.#options = options;
    this.#selector = new PatchSelector(images, selection);
    this.#textures = new ImageTextures(images);
    this.#isSkinned = images.levels[0].joints !== undefined;
    this.#bones = new Float64Array(this.#isSkinned ? MATRIX_STRIDE * skeleton!.bones.length : 0);
    const { uniforms } = this.#textures;
    this.#given = Array.isArray(materials) ? materials : [materials as Material];
    this.materials = this.#given.map((material) => imageMaterial(material, uniforms));
    const [depth, distance] = [imageDepthMaterial(uniforms), imageDistanceMaterial(uniforms)];
    this.#depthMaterials = [depth, distance];
    const bones = { ...(this.#isSkinned && { skeleton }), bindMatrix };
    images.levels.forEach((_, level) => {
      this.materials.forEach((material, group) => {
        const draw = new LevelDraw(images, { level, group, groups: this.materials.length }, { material, ...bones });
        const { mesh } = draw;
        mesh.customDepthMaterial = depth;
        mesh.customDistanceMaterial = distance;
        mesh.onBeforeRender = (renderer, __, camera) => {
          requireWebGl(renderer, 'GeometryImageMesh', 'levels of the mesh by `pliant lod`, as a LodMesh');
          this.#heights.remember(renderer, camera);
        };
        this.#draws.push(draw);
        this.add(mesh);
      });
    });
    this.#shadows = new ShadowFlags(
      this,
      this.#draws.map(({ mesh }) => mesh),
    );
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
    this.#shadows.follow();
    const height = this.viewportHeight ?? this.#heights.of(camera);
    view.multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
    // Skinned vertices are where their bones are, whatever the node has for a size.
    const scale = this.#isSkinned ? this.#poseBones() : this.matrixWorld.getMaxScaleOnAxis();
    const size = scale * pixelsAtOne(camera, height);
    if (!this.#isSkinned) view.multiply(this.matrixWorld);
    const { elements: m } = view;
    depth[0] = m[3];
    depth[1] = m[7];
    depth[2] = m[11];
    depth[3] = m[15];
    if (this.#selector.select(depth, size, this.#isSkinned ? this.#bones : undefined)) this.#show();
  }

  /** One of its own, with the same images. For images with joints: `SkeletonUtils.clone` of what holds the bones. */
  override clone(recursive = true): this {
    const { skeleton, bindMatrix } = this.#draws[0].mesh as Partial<SkinnedMesh>;
    const bones = { ...(skeleton && { skeleton }), ...(bindMatrix && { bindMatrix }) };
    const copy = new GeometryImageMesh(this.images, this.#given, { ...this.#options, ...bones });
    Object3D.prototype.copy.call(copy, this, false);
    copy.autoUpdate = this.autoUpdate;
    copy.viewportHeight = this.viewportHeight;
    const own = new Set<Object3D>(this.#draws.map(({ mesh }) => mesh));
    if (recursive) for (const child of this.children) if (!own.has(child)) copy.add(child.clone());
    return copy as this;
  }

  /** Called by three.js. Rays hit the meshes that it is drawn instead of. */
  override raycast(raycaster: Raycaster, intersects: Intersection[]): void {
    for (const mesh of this.#insteadOf()) mesh.raycast(raycaster, intersects);
  }

  /** Frees textures, geometries and its copies of materials. */
  override dispose(): void {
    super.dispose?.(); // of three.js since r181
    this.#textures.dispose();
    for (const draw of this.#draws) draw.geometry.dispose();
    for (const material of [...this.materials, ...this.#depthMaterials]) material.dispose();
  }

  /** Takes over the pose of the bones; returns how much they enlarge, at most. */
  #poseBones(): number {
    const { skeleton, bindMatrix } = this.#draws[0].mesh as SkinnedMesh;
    // SkeletonUtils.clone makes a skeleton of the same bones for each draw: one will do.
    for (const { mesh } of this.#draws) (mesh as SkinnedMesh).skeleton = skeleton;
    let scale = 0;
    for (let b = 0; b < skeleton.bones.length; b++) {
      const o = MATRIX_STRIDE * b;
      bone.multiplyMatrices(skeleton.bones[b].matrixWorld, skeleton.boneInverses[b]).multiply(bindMatrix);
      matrix34FromColumnMajor44(this.#bones, o, bone.elements);
      scale = Math.max(scale, largestStretch(this.#bones, o));
    }
    return scale;
  }

  /** The mesh above, or those beside, that are in no layer. */
  #insteadOf(): Object3D[] {
    const { parent } = this;
    if (!parent) return [];
    const hidden = (object: Object3D): boolean => 'isMesh' in object && object.layers.mask === 0;
    if (hidden(parent)) return [parent];
    return parent.children.filter((each) => hidden(each) && !each.children.some(isImages));
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

const isImages = (object: Object3D): boolean => object instanceof GeometryImageMesh;

const view = new Matrix4();
const bone = new Matrix4();
const depth = new Float64Array(4);

function requireImages(images: GeometryImages | undefined, materials: unknown): void {
  if (!images?.levels)
    throw new PliantError('bad-input', 'GeometryImageMesh', `images (got ${images}, expected GeometryImages)`);
  if (!materials)
    throw new PliantError('bad-input', 'GeometryImageMesh', `materials (got ${materials}, expected a Material)`);
}

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
