import { DataTexture, FloatType, NearestFilter, RGBAFormat, type Vector3 } from 'three';
import { boneRotation } from '../../../src/light/pose-features.ts';
import { ResidualPose } from '../../../src/light/residual.ts';
import { MATRIX_STRIDE } from '../../../src/math/matrix34.ts';
import { ShRotation, shRotation } from '../../../src/math/spherical-harmonics.ts';
import type { LightModes, LightResidual } from '../../../src/model/light.ts';
import { GLOSS_SIZE, GLOSS_TEXELS, MODE_SIZE, MODE_TEXELS, modeTexels } from './baked-light.ts';
import { FRAME_TEXELS, LIGHT_TEXELS } from './residual-shader.ts';

const ORDER = 5;

/** Modes, how much of each there is in the pose, and where they stand in a group's row. */
interface BlendedModes extends LightModes {
  amounts: Float32Array;
  first: number;
  /** Of each mode. */
  texels: number;
  /** Coefficients that are stored, and those that shaders know. */
  size: number;
  used: number;
}

/** What shaders need of a pose to show baked light (residual-shader.ts): worked out once per picture. */
export class ResidualTable {
  readonly texture: DataTexture;
  readonly #residual: LightResidual;
  readonly #pose: ResidualPose;
  readonly #data: Float32Array;
  readonly #transforms: Float32Array;
  readonly #width: number;
  readonly #parts: readonly BlendedModes[];

  constructor(residual: LightResidual, bones: number) {
    const groups = residual.bones.length;
    const { light, all } = modeTexels(residual);
    this.#residual = residual;
    this.#pose = new ResidualPose(residual);
    this.#transforms = new Float32Array(MATRIX_STRIDE * bones);
    this.#width = all + LIGHT_TEXELS + FRAME_TEXELS;
    this.#data = new Float32Array(4 * this.#width * groups);
    const part = (own: LightModes, amounts: Float32Array, first: number, texels: number, known: number) => {
      const size = own.meanScales.length / groups;
      return { ...own, amounts, first, texels, size, used: Math.min(size, known) };
    };
    const { diffuse, visibility } = this.#pose;
    this.#parts = [part(residual.diffuse, diffuse, 0, MODE_TEXELS, MODE_SIZE)];
    if (residual.visibility) {
      this.#parts = [...this.#parts, part(residual.visibility, visibility!, light, GLOSS_TEXELS, GLOSS_SIZE)];
    }
    for (const { meanScales, first, size, used } of this.#parts) {
      for (let g = 0; g < groups; g++) {
        this.#data.set(meanScales.subarray(g * size, g * size + used), 4 * (this.#width * g + first));
      }
    }
    this.texture = new DataTexture(this.#data, this.#width, groups, RGBAFormat, FloatType);
    this.texture.magFilter = NearestFilter;
    this.texture.minFilter = NearestFilter;
  }

  /**
   * Takes over a pose and the light. `transforms` from `offset` on: rest → world of the bones, `scale` times as large as the
   * figure that was baked. Allocates nothing.
   */
  update(transforms: Float32Array, offset: number, scale: number, light: readonly Vector3[]): void {
    const own = this.#transforms;
    for (let c = 0; c < own.length; c++) own[c] = transforms[offset + c] / scale;
    this.#pose.set(own);
    const groups = this.#residual.bones.length;
    for (let g = 0; g < groups; g++) {
      for (const part of this.#parts) this.#blend(g, part);
      this.#turn(g, light);
    }
    this.texture.needsUpdate = true;
  }

  #blend(g: number, { modes, basisScales, amounts, first, texels, used }: BlendedModes): void {
    for (let r = 0; r < modes; r++) {
      const to = 4 * (this.#width * g + first + texels * (r + 1));
      const mode = g * modes + r;
      this.#data.fill(amounts[mode] * basisScales[mode], to, to + used);
    }
  }

  #turn(g: number, light: readonly Vector3[]): void {
    const data = this.#data;
    boneRotation(frame, 0, this.#transforms, this.#residual.bones[g]);
    shRotation(ORDER, frame, turning);
    const end = 4 * this.#width * (g + 1);
    const first = end - 4 * (LIGHT_TEXELS + FRAME_TEXELS);
    for (let colour = 0; colour < 3; colour++) {
      for (let q = 0; q < MODE_SIZE; q++) plane[q] = light[q].getComponent(colour);
      turning.applyInverse(plane, data, 0, first + 4 * MODE_TEXELS * colour);
    }
    for (let row = 0; row < 3; row++) {
      for (let column = 0; column < 3; column++)
        data[end - 4 * (FRAME_TEXELS - column) + row] = frame[3 * row + column];
    }
  }

  dispose(): void {
    this.texture.dispose();
  }
}

const frame = new Float64Array(9);
const turning = new ShRotation(ORDER);
const plane = new Float64Array(MODE_SIZE);
