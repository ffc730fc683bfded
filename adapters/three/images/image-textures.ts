import { DataTexture, NearestFilter, RGBAIntegerFormat, UnsignedShortType, Vector4 } from 'three';
import { type GeometryImages, type ImageLevel, MAX_IMAGE_LEVEL } from '../../../src/model/geometry-images.ts';
import type { ImageUniforms } from './image-shader.ts';

/** Geometry images on the GPU: all levels below each other, in textures of four 16-bit numbers per texel. */
export class ImageTextures {
  readonly uniforms: ImageUniforms;
  readonly byteLength: number;
  readonly #textures: DataTexture[] = [];

  constructor({ levels, origin, step, uvs }: GeometryImages) {
    const width = levels.reduce((most, level) => Math.max(most, level.width), 1);
    const height = levels.reduce((sum, level) => sum + level.height, 0);
    const surface = new Uint16Array(4 * width * height);
    const values = new Uint16Array(4 * width * height);
    const skinned = levels[0].joints !== undefined;
    const skin = new Uint16Array(skinned ? 8 * width * height : 4);
    const places = new Int32Array(2 * (MAX_IMAGE_LEVEL + 1)).fill(1);
    let row = 0;
    for (const [d, level] of levels.entries()) {
      places.set([level.columns, row], 2 * d);
      copyLevel(level, row * width, width, { surface, values, skin });
      row += level.height;
    }
    this.byteLength = surface.byteLength + values.byteLength + skin.byteLength;
    this.uniforms = {
      pliantSurface: { value: this.#texture(surface, width, height) },
      pliantValues: { value: this.#texture(values, width, height) },
      pliantSkin: { value: this.#texture(skin, skinned ? 2 * width : 1, skinned ? height : 1) },
      pliantLevels: { value: places },
      pliantScale: { value: new Vector4(...origin, step) },
      // three.js has v down, as glTF.
      pliantUvScale: {
        value: uvs ? new Vector4(uvs.origin[0], 1 - uvs.origin[1], uvs.step[0], -uvs.step[1]) : new Vector4(0, 0, 0, 0),
      },
    };
  }

  dispose(): void {
    for (const texture of this.#textures) texture.dispose();
  }

  #texture(data: Uint16Array, width: number, height: number): DataTexture {
    const texture = new DataTexture(data, width, height, RGBAIntegerFormat, UnsignedShortType);
    texture.internalFormat = 'RGBA16UI';
    texture.magFilter = NearestFilter;
    texture.minFilter = NearestFilter;
    texture.generateMipmaps = false;
    texture.needsUpdate = true;
    this.#textures.push(texture);
    return texture;
  }
}

/** Copies the images of a level to rows of `stride` texels that begin at texel `start`. */
function copyLevel(
  { width, height, positions, normals, uvs, joints, weights }: ImageLevel,
  start: number,
  stride: number,
  to: { surface: Uint16Array; values: Uint16Array; skin: Uint16Array },
): void {
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const from = y * width + x;
      const at = 4 * (start + y * stride + x);
      to.surface.set(positions.subarray(3 * from, 3 * from + 3), at);
      to.surface[at + 3] = normals[2 * from];
      to.values[at] = normals[2 * from + 1];
      if (uvs) to.values.set(uvs.subarray(2 * from, 2 * from + 2), at + 1);
      if (!joints || !weights) continue;
      to.skin.set(joints.subarray(4 * from, 4 * from + 4), 2 * at);
      to.skin.set(weights.subarray(4 * from, 4 * from + 4), 2 * at + 4);
    }
  }
}
