import { DataTexture, FloatType, NearestFilter, RGBAFormat } from 'three';
import { poseSpheres } from '../../../src/light/pose-spheres.ts';
import type { SphereSurface } from '../../../src/light/sphere-surface.ts';
import { makeSpheres } from '../../../src/light/spheres.ts';
import { invert34, MATRIX_STRIDE, multiply34 } from '../../../src/math/matrix34.ts';
import type { LightSpheres } from '../../../src/model/light.ts';
import type { CrowdBones } from '../crowd/crowd-bones.ts';
import type { CrowdDrawing } from '../crowd/skinned-crowd.ts';
import { INFLUENCES, readInfluences, requireAttribute, trianglesOf, vectorsOf } from '../mesh-model.ts';

/** Texels of a row, at most: every WebGL 2 has textures of this width. */
const MOST_WIDE = 2048;

/**
 * The spheres of a crowd's character in all poses that the crowd stores, where its root has them, as a texture that shaders
 * blend as they blend bones (crowd-spheres-shader.ts). Made of the finest level, as it stood when the crowd was made.
 */
export class CrowdSpheres {
  readonly spheres: LightSpheres;
  readonly #bones: CrowdBones;
  /** Takes each bone's matrix to one that starts at the crowd's first pose. */
  readonly #fromFirst: Float64Array;
  readonly #moved: Float64Array;
  readonly #inRow: number;
  #texture: DataTexture | undefined;
  #data = new Float32Array(0);
  #capacity = 0;

  constructor({ parts, bones }: CrowdDrawing, wanted: number) {
    const first = bones.matricesOf(0);
    this.#bones = bones;
    this.#fromFirst = new Float64Array(first.length);
    this.#moved = new Float64Array(first.length);
    for (let o = 0; o < first.length; o += MATRIX_STRIDE) {
      // A bone without extent carries nothing.
      if (!invert34(this.#fromFirst, o, first, o)) this.#fromFirst.fill(0, o, o + MATRIX_STRIDE);
    }
    const surfaces = parts.map(({ geometries }) => surfaceOf(geometries[0], first));
    this.spheres = makeSpheres(surfaces, { spheres: wanted }).spheres;
    this.#inRow = Math.max(1, Math.floor(MOST_WIDE / this.spheres.count));
    bones.onLive = (pose) => this.#write(pose);
  }

  /** The texture of all poses; another one when the crowd has made room for more. */
  get texture(): DataTexture {
    const { capacity } = this.#bones;
    if (this.#texture && capacity === this.#capacity) return this.#texture;
    this.#texture?.dispose();
    this.#capacity = capacity;
    const width = this.#inRow * this.spheres.count;
    const height = Math.ceil(capacity / this.#inRow);
    this.#data = new Float32Array(4 * width * height);
    const texture = new DataTexture(this.#data, width, height, RGBAFormat, FloatType);
    texture.magFilter = NearestFilter;
    texture.minFilter = NearestFilter;
    this.#texture = texture;
    for (let pose = 0; pose < capacity; pose++) this.#write(pose);
    return texture;
  }

  /** 4S: x y z and radius of the spheres in a stored pose. */
  ballsOf(pose: number): Float32Array {
    const stride = 4 * this.spheres.count;
    return this.#data.subarray(stride * pose, stride * (pose + 1));
  }

  #write(pose: number): void {
    if (!this.#texture || pose >= this.#capacity) return;
    const matrices = this.#bones.matricesOf(pose);
    for (let o = 0; o < matrices.length; o += MATRIX_STRIDE) {
      multiply34(this.#moved, o, matrices, o, this.#fromFirst, o);
    }
    poseSpheres(this.spheres, this.#moved, undefined, this.ballsOf(pose));
    this.#texture.needsUpdate = true;
  }

  dispose(): void {
    this.#bones.onLive = undefined;
    this.#texture?.dispose();
    this.#texture = undefined;
  }
}

/** A part of the character as the first pose has it. */
function surfaceOf(geometry: CrowdDrawing['parts'][number]['geometries'][number], first: Float32Array): SphereSurface {
  const rest = vectorsOf(requireAttribute(geometry, 'position', 'useLight'));
  const [skinIndex, skinWeight] = ['skinIndex', 'skinWeight'].map((name) =>
    requireAttribute(geometry, name, 'useLight'),
  );
  const n = rest.length / 3;
  const joints = new Uint16Array(INFLUENCES * n);
  const weights = new Float32Array(INFLUENCES * n);
  const positions = new Float32Array(3 * n);
  for (let i = 0; i < n; i++) {
    readInfluences(joints, weights, INFLUENCES * i, skinIndex, skinWeight, i);
    const [x, y, z] = rest.subarray(3 * i, 3 * i + 3);
    for (let s = INFLUENCES * i; s < INFLUENCES * (i + 1); s++) {
      for (let c = 0, m = MATRIX_STRIDE * joints[s]; c < 3; c++, m += 4) {
        positions[3 * i + c] += weights[s] * (first[m] * x + first[m + 1] * y + first[m + 2] * z + first[m + 3]);
      }
    }
  }
  return { positions, triangles: trianglesOf(geometry), weights: { influences: INFLUENCES, joints, weights } };
}
