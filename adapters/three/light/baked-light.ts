import {
  BufferAttribute,
  type BufferGeometry,
  ByteType,
  DataTexture,
  Matrix4,
  RGBAIntegerFormat,
  type Texture,
  Vector3,
} from 'three';
import { PliantError } from '../../../src/error.ts';
import { type LightModel, type LightResidual, validateLight } from '../../../src/model/light.ts';

/**
 * Light that `pliant light bake` wrote, on the geometries of one mesh. Shaders read its modes from a texture: per row of the
 * file the mean and r modes, each as 7 texels of 4 coefficients, the last of the mean with the group of the row; then, where
 * visibility was baked, its mean and modes as 3 texels each: bands 0 to 2, which gloss needs.
 */

/** Names the row of each vertex. */
export const ROW_ATTRIBUTE = 'pliantRow';
/** Texels of 25 coefficients. */
export const MODE_TEXELS = 7;
/** Coefficients that shaders know: order 5. */
export const MODE_SIZE = 25;
/** The same of visibility: bands 0 to 2. */
export const GLOSS_TEXELS = 3;
export const GLOSS_SIZE = 9;
/** Every WebGL 2 has textures of this width. */
const MOST_WIDE = 2048;

const ofGeometry = new WeakMap<BufferGeometry, BakedLight>();

/** The light that a geometry was loaded with. */
export const bakedLightOf = (geometry: BufferGeometry): BakedLight | undefined => ofGeometry.get(geometry);

/** What of a mesh is not as it was when its light was baked. */
export type LightChange = 'mesh' | 'weights';

export class BakedLight {
  /** Rows for vertices, joints of the skin for bones. */
  readonly light: LightModel;
  /** Takes the space of the light, where the mesh stands at rest, to that of its geometry. */
  readonly fromRest: Matrix4;
  /** Empty where the light is of this mesh. */
  readonly changed: readonly LightChange[];
  #texture: DataTexture | undefined;
  #users = 0;

  /**
   * Lights `geometries` of a mesh with `bones`; `rows` of each say which row a vertex has, absent where vertex i has row i.
   * `place` (12 numbers) takes the geometry to where the mesh stands at rest.
   */
  constructor(
    light: LightModel,
    parts: readonly { geometry: BufferGeometry; rows?: ArrayLike<number> }[],
    bones: number,
    place?: ArrayLike<number>,
  ) {
    validateLight(light, light.residual?.groupOf.length ?? 0, bones, 'LightLoaderPlugin');
    this.light = light;
    this.fromRest = new Matrix4();
    if (place) {
      const [a, b, c, d, e, f, g, h, i, j, k, l] = Array.from(place);
      this.fromRest.set(a, b, c, d, e, f, g, h, i, j, k, l, 0, 0, 0, 1).invert();
    }
    const { residual } = light;
    const rowsOf = parts.map(({ geometry, rows }) => checkedRows(geometry, rows, residual?.groupOf.length));
    this.changed = residual ? changesOf(parts, rowsOf, light, this.fromRest) : [];
    parts.forEach(({ geometry }, p) => {
      if (residual) geometry.setAttribute(ROW_ATTRIBUTE, new BufferAttribute(rowsOf[p], 1));
      ofGeometry.set(geometry, this);
    });
  }

  /** The modes as shaders read them; to be given back by `release`. */
  take(): Texture | null {
    const { residual } = this.light;
    if (!residual) return null;
    this.#users++;
    this.#texture ??= modesTexture(residual);
    return this.#texture;
  }

  release(): void {
    if (--this.#users > 0) return;
    this.#texture?.dispose();
    this.#texture = undefined;
  }
}

function checkedRows(geometry: BufferGeometry, rows: ArrayLike<number> | undefined, most = Infinity): Float32Array {
  const { count } = geometry.getAttribute('position');
  const out = Float32Array.from(rows ?? { length: count }, (row, v) => row ?? v);
  if (out.length === count && out.every((row) => row < most)) return out;
  throw new PliantError('bad-input', 'LightLoaderPlugin', 'the light is of another mesh');
}

/** Texels that a row has in the texture, and a group in the table: of light, and of gloss behind it. */
export const modeTexels = ({ diffuse, visibility }: LightResidual): { light: number; all: number } => {
  const light = MODE_TEXELS * (1 + diffuse.modes);
  return { light, all: light + (visibility ? GLOSS_TEXELS * (1 + visibility.modes) : 0) };
};

function modesTexture(residual: LightResidual): DataTexture {
  const { diffuse, visibility, groupOf } = residual;
  const rows = groupOf.length;
  const { light, all: texels } = modeTexels(residual);
  const perLine = Math.max(1, Math.floor(MOST_WIDE / texels));
  const height = Math.ceil(rows / perLine);
  const data = new Int8Array(4 * texels * perLine * height);
  const parts = [
    { ...diffuse, first: 0, each: MODE_TEXELS, known: MODE_SIZE },
    ...(visibility ? [{ ...visibility, first: light, each: GLOSS_TEXELS, known: GLOSS_SIZE }] : []),
  ];
  for (let i = 0; i < rows; i++) {
    const to = 4 * texels * i;
    for (const { modes, mean, basis, first, each, known } of parts) {
      const size = mean.length / rows;
      const used = Math.min(size, known);
      data.set(mean.subarray(i * size, i * size + used), to + 4 * first);
      for (let r = 0; r < modes; r++) {
        const from = (i * modes + r) * size;
        data.set(basis.subarray(from, from + used), to + 4 * (first + each * (r + 1)));
      }
    }
    data[to + MODE_SIZE] = groupOf[i];
    data[to + MODE_SIZE + 1] = groupOf[i] >> 8;
  }
  const texture = new DataTexture(data, texels * perLine, height, RGBAIntegerFormat, ByteType);
  texture.internalFormat = 'RGBA8I';
  texture.needsUpdate = true;
  return texture;
}

/** Of the diagonal: how far the middle of a bone's vertices may have moved. Quantized files round by less. */
const MOVED = 2e-3;
/** Weights that differ by less are as heavy. */
const AS_HEAVY = 0.02;
/** The part of vertices that may have another heaviest bone. */
const OTHERS = 0.01;

/** The stored bone of every vertex should be its heaviest, and the middles of their vertices where they were. */
function changesOf(
  parts: readonly { geometry: BufferGeometry }[],
  rowsOf: readonly Float32Array[],
  { residual }: LightModel,
  fromRest: Matrix4,
): LightChange[] {
  const { bones, groupOf, centroids, diagonal } = residual!;
  const toRest = fromRest.clone().invert();
  const sums = new Float64Array(4 * bones.length);
  const seen = new Uint8Array(groupOf.length);
  let others = 0;
  parts.forEach(({ geometry }, p) => {
    const position = geometry.getAttribute('position');
    const [skinIndex, skinWeight] = [geometry.getAttribute('skinIndex'), geometry.getAttribute('skinWeight')];
    for (let v = 0; v < position.count; v++) {
      const row = rowsOf[p][v];
      if (seen[row]) continue;
      seen[row] = 1;
      const group = groupOf[row];
      at.fromBufferAttribute(position, v).applyMatrix4(toRest);
      sums[4 * group] += at.x;
      sums[4 * group + 1] += at.y;
      sums[4 * group + 2] += at.z;
      sums[4 * group + 3]++;
      if (!skinIndex || !skinWeight) continue;
      let [own, most] = [0, 0];
      for (let c = 0; c < 4; c++) {
        const weight = skinWeight.getComponent(v, c);
        most = Math.max(most, weight);
        if (skinIndex.getComponent(v, c) === bones[group]) own += weight;
      }
      if (own < most - AS_HEAVY) others++;
    }
  });
  const moved = bones.some((_, g) => {
    const count = sums[4 * g + 3];
    const way = [0, 1, 2].map((c) => sums[4 * g + c] / count - centroids[3 * g + c]);
    return count === 0 || Math.hypot(...way) > MOVED * diagonal;
  });
  return [...(moved ? ['mesh' as const] : []), ...(others > OTHERS * groupOf.length ? ['weights' as const] : [])];
}

const at = new Vector3();
