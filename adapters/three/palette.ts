import { DataTexture, FloatType, RGBAFormat, type Skeleton, type SkinnedMesh } from 'three';
import { matrix34FromColumnMajor44 } from '../../src/math/matrix34.ts';
import { boneLayout } from '../../src/skin/bone-layout.ts';
import { SkinSpace } from './skin-space.ts';
import { updateWorld } from './world.ts';

/**
 * The bone texture of a skeleton, with more in it. three.js hands `skeleton.boneTexture` to the shaders for every mesh it
 * draws, whichever material they share, so that is where per-skeleton data belongs. By texels of four floats:
 *
 *   4B   three.js's own matrices, for materials that know nothing of us
 *   5B   per bone the stretch (3, rows of a 3 × 4 matrix) and the dual quaternion of the rigid part (real, dual)
 *   3    the frame F, 3 × 4
 *   3    E⁻¹, 3 × 4
 *   …
 *   1    the header, last of all: where the 5B begin, where F begins, 0, a mark. In a texture of three.js's own the
 *        fourth number of every texel is 0 or 1.
 */
export const HEADER_MARK = 2;

/** Texels per bone of three.js, and of ours. */
const MATRIX_TEXELS = 4;
const PALETTE_TEXELS = 5;
const PLACE_TEXELS = 6;

const layout = boneLayout('sdqs');
const ORIGIN = new Float64Array(3);

/** Present from r150 to r155: shaders of that time want it. */
type SizedSkeleton = Skeleton & { boneTextureSize?: number };

class BonePalette {
  readonly skeleton: SizedSkeleton;
  readonly users: SkinnedMesh[] = [];
  #space: SkinSpace;
  #data = new Float32Array(0);

  constructor(mesh: SkinnedMesh) {
    this.skeleton = mesh.skeleton;
    updateWorld([mesh, ...mesh.skeleton.bones]);
    this.#space = new SkinSpace(mesh).withoutScale();
    // Methods of the instance stand before those of its class, whose work they begin with.
    const { skeleton } = this;
    const { update } = skeleton;
    skeleton.update = () => {
      update.call(skeleton);
      this.#write();
    };
    skeleton.computeBoneTexture = () => this.#makeTexture();
    skeleton.dispose();
    skeleton.computeBoneTexture();
    skeleton.update();
  }

  get space(): SkinSpace {
    return this.#space;
  }

  /** Lets go of a mesh; the last one gives three.js its skeleton back. */
  release(mesh: SkinnedMesh): void {
    this.users.splice(this.users.indexOf(mesh), 1);
    if (this.users.length > 0) {
      if (this.#space.mesh === mesh) this.#space = this.#space.handOver(this.users[0]);
      return;
    }
    const own = this.skeleton as Partial<Pick<Skeleton, 'update' | 'computeBoneTexture'>>;
    delete own.update;
    delete own.computeBoneTexture;
    this.skeleton.dispose();
    this.skeleton.boneMatrices = this.#data.slice(0, 16 * this.skeleton.bones.length);
    palettes.delete(this.skeleton);
  }

  #makeTexture(): Skeleton {
    const { skeleton } = this;
    const b = skeleton.bones.length;
    const texels = (MATRIX_TEXELS + PALETTE_TEXELS) * b + PLACE_TEXELS + 1;
    const size = 4 * Math.ceil(Math.sqrt(texels) / 4);
    this.#data = new Float32Array(4 * size * size);
    this.#data.set(skeleton.boneMatrices!.subarray(0, 16 * b));
    this.#data.set([MATRIX_TEXELS * b, (MATRIX_TEXELS + PALETTE_TEXELS) * b, 0, HEADER_MARK], this.#data.length - 4);
    skeleton.boneMatrices = this.#data;
    skeleton.boneTexture = new DataTexture(this.#data, size, size, RGBAFormat, FloatType);
    skeleton.boneTexture.needsUpdate = true;
    skeleton.boneTextureSize = size;
    this.#write();
    return skeleton;
  }

  #write(): void {
    const space = this.#space;
    space.refresh();
    const b = this.skeleton.bones.length;
    const begin = 16 * b;
    const end = begin + layout.stride * b;
    layout.write(this.#data.subarray(begin, end), space.bones, ORIGIN);
    matrix34FromColumnMajor44(this.#data, end, space.frame.elements);
    matrix34FromColumnMajor44(this.#data, end + 12, space.bindInverse.elements);
  }
}

const palettes = new WeakMap<Skeleton, BonePalette>();

/** The palette of a mesh's skeleton, made when there is none yet. `release` it in the end. */
export function acquirePalette(mesh: SkinnedMesh): BonePalette {
  const palette = palettes.get(mesh.skeleton) ?? new BonePalette(mesh);
  palettes.set(mesh.skeleton, palette);
  palette.users.push(mesh);
  return palette;
}

export type { BonePalette };
