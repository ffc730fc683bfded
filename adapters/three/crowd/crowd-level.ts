import {
  DynamicDrawUsage,
  type InstancedBufferGeometry,
  InstancedInterleavedBuffer,
  InterleavedBufferAttribute,
  type Material,
  SkinnedMesh,
  Sphere,
} from 'three';
import type { ViewHeights } from '../view-heights.ts';
import { requireWebGl } from '../webgl-only.ts';
import type { CrowdBones } from './crowd-bones.ts';
import type { CrowdInstances } from './crowd-instances.ts';
import type { CrowdPart } from './crowd-rig.ts';
import { INSTANCE_ATTRIBUTES, INSTANCE_STRIDE } from './crowd-shader.ts';

/**
 * One level of a crowd: the instances that are drawn with it, as numbers for the shader. Those in view come first; after
 * them those that only throw shadows into it.
 */
export class CrowdLevel {
  readonly meshes: CrowdLevelMesh[];
  /** Instances in view, and all. */
  seen = 0;
  count = 0;
  /** Triangles of one instance. */
  readonly triangles: number;
  #buffer: InstancedInterleavedBuffer;
  /** What three.js is to upload. Always the same object. */
  readonly #range = { start: 0, count: 0 };

  constructor(parts: readonly CrowdPart[], l: number, bones: CrowdBones, heights: ViewHeights) {
    this.meshes = parts.map((part) => new CrowdLevelMesh(part, part.geometries[l], bones, heights));
    this.triangles = this.meshes.reduce((sum, { geometry }) => sum + triangleCount(geometry), 0);
    this.#buffer = this.#makeBuffer(FIRST);
  }

  /** Bytes of the list. */
  get byteLength(): number {
    return this.#buffer.array.byteLength;
  }

  /** Starts the list anew. */
  clear(): void {
    this.seen = 0;
    this.count = 0;
  }

  add(instances: CrowdInstances, i: number): void {
    let out = this.#buffer.array as Float32Array;
    let o = INSTANCE_STRIDE * this.count++;
    if (o === out.length) {
      const before = out;
      for (const { geometry } of this.meshes) geometry.dispose(); // three.js makes the rest of it again
      this.#buffer = this.#makeBuffer(2 * this.#buffer.count);
      out = this.#buffer.array as Float32Array;
      out.set(before);
    }
    const { matrices } = instances;
    for (let m = 12 * i; m < 12 * i + 12; m++) out[o++] = matrices[m];
    instances.writePose(out, o, i);
  }

  /** Marks the end of those in view. */
  endSeen(): void {
    this.seen = this.count;
  }

  /** Hands the list to three.js. */
  finish(): void {
    for (const mesh of this.meshes) {
      mesh.visible = this.count > 0;
      mesh.geometry.instanceCount = this.seen;
      mesh.castCount = this.count;
      mesh.seenCount = this.seen;
    }
    if (this.count === 0) return;
    this.#range.count = INSTANCE_STRIDE * this.count;
    const { updateRange } = this.#buffer as { updateRange?: { count: number } };
    if (updateRange) updateRange.count = this.#range.count; // up to r158
    this.#buffer.needsUpdate = true;
  }

  dispose(): void {
    for (const { geometry } of this.meshes) geometry.dispose();
  }

  #makeBuffer(capacity: number): InstancedInterleavedBuffer {
    const buffer = new InstancedInterleavedBuffer(new Float32Array(INSTANCE_STRIDE * capacity), INSTANCE_STRIDE);
    buffer.setUsage(DynamicDrawUsage);
    // The list of ranges stays the same: to empty and fill it again would allocate.
    Object.assign(buffer, { updateRanges: [this.#range], clearUpdateRanges: () => {} });
    INSTANCE_ATTRIBUTES.forEach((name, a) => {
      for (const { geometry } of this.meshes)
        geometry.setAttribute(name, new InterleavedBufferAttribute(buffer, 4, 4 * a));
    });
    return buffer;
  }
}

const triangleCount = ({ index, attributes, drawRange }: InstancedBufferGeometry): number =>
  Math.max(0, Math.min((index ?? attributes.position).count - drawRange.start, drawRange.count)) / 3;

/** Instances that a list has room for at first. */
const FIRST = 16;

/** What three.js draws: a part of the character at one level, once for each instance of the list. */
export class CrowdLevelMesh extends SkinnedMesh<InstancedBufferGeometry, Material | Material[]> {
  seenCount = 0;
  castCount = 0;
  readonly #heights: ViewHeights;

  constructor(
    { material, mesh }: CrowdPart,
    geometry: InstancedBufferGeometry,
    bones: CrowdBones,
    heights: ViewHeights,
  ) {
    super(geometry, material);
    this.#heights = heights;
    this.skeleton = bones;
    this.frustumCulled = false;
    this.matrixAutoUpdate = false;
    this.boundingSphere = new Sphere();
    this.renderOrder = mesh.renderOrder;
    this.castShadow = mesh.castShadow;
    this.receiveShadow = mesh.receiveShadow;
    this.name = mesh.name;
  }

  override onBeforeRender: SkinnedMesh['onBeforeRender'] = (renderer, _scene, camera) => {
    requireWebGl(renderer, 'SkinnedCrowd', 'SkeletonUtils.clone of the character, with its LodMesh');
    this.#heights.remember(renderer, camera);
  };

  override onBeforeShadow = (): void => {
    this.geometry.instanceCount = this.castCount;
  };

  override onAfterShadow = (): void => {
    this.geometry.instanceCount = this.seenCount;
  };

  /** The crowd answers rays. */
  override raycast(): void {}
}
