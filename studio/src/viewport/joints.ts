import {
  BufferAttribute,
  BufferGeometry,
  CanvasTexture,
  Group,
  LineBasicMaterial,
  LineSegments,
  Points,
  PointsMaterial,
  SRGBColorSpace,
} from 'three';

/** A disc or square with a rim, visible on light and dark. */
function spot(fill: string, square: boolean): CanvasTexture {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 64;
  const context = canvas.getContext('2d')!;
  context.beginPath();
  if (square) context.rect(10, 10, 44, 44);
  else context.arc(32, 32, 25, 0, 2 * Math.PI);
  context.fillStyle = fill;
  context.fill();
  context.lineWidth = 9;
  context.strokeStyle = '#10141b';
  context.stroke();
  const texture = new CanvasTexture(canvas);
  texture.colorSpace = SRGBColorSpace;
  return texture;
}

/** Canvas pixels per CSS pixel of the current frame, for all dots. */
export const dotScale = { value: 1 };

/** Dots in front of everything, all of one size on the screen. */
export class Dots {
  readonly object: Points;

  /** @param sizes Factor on `pixels` per dot [default 1]. */
  constructor(count: number, pixels: number, fill = '#ffffff', sizes?: Float32Array, square = false) {
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(new Float32Array(3 * count), 3));
    const material = new PointsMaterial({
      map: spot(fill, square),
      size: pixels,
      sizeAttenuation: false,
      transparent: true,
      depthTest: false,
      fog: false,
    });
    geometry.setAttribute('larger', new BufferAttribute(sizes ?? new Float32Array(count).fill(1), 1));
    material.onBeforeCompile = (shader) => {
      shader.uniforms.dotScale = dotScale;
      shader.vertexShader = `attribute float larger;\nuniform float dotScale;\n${shader.vertexShader}`.replace(
        'gl_PointSize = size',
        'gl_PointSize = size * larger * dotScale',
      );
    };
    this.object = new Points(geometry, material);
    this.object.frustumCulled = false;
    this.object.renderOrder = 10;
  }

  /** @param positions 3 per dot; at most as many as at creation. */
  show(positions: ArrayLike<number>): void {
    const { position } = this.object.geometry.attributes;
    this.object.geometry.setDrawRange(0, positions.length / 3);
    (position.array as Float32Array).set(positions);
    position.needsUpdate = true;
  }

  dispose(): void {
    this.object.geometry.dispose();
    const material = this.object.material as PointsMaterial;
    material.map?.dispose();
    material.dispose();
  }
}

/** The joints of a skeleton, with lines from parents to children. */
export class JointsView {
  readonly object = new Group();
  readonly #dots: Dots;
  readonly #lines: LineSegments;
  readonly #pairs: [number, number][];
  readonly #blends: readonly number[];
  readonly #blendDots: Dots;
  readonly #mark = new Dots(1, 13, '#ffb454');

  /**
   * @param vertices B: how many follow each joint, which its size says; all the same when nothing follows any.
   * @param blends Joints that are blend bones, of another colour.
   */
  constructor(parents: Int32Array, vertices: Uint32Array, blends: readonly number[] = []) {
    const most = Math.max(...vertices);
    const sizes = Float32Array.from(vertices, (count) => (most > 0 ? 0.7 + Math.sqrt(count / most) : 1));
    this.#dots = new Dots(parents.length, parents.length > 60 ? 6 : 9, undefined, sizes);
    this.#mark.object.renderOrder = 11;
    this.#blends = blends;
    this.#blendDots = new Dots(blends.length, 9, '#f472b6');
    this.#blendDots.object.renderOrder = 11;
    this.#pairs = Array.from(parents, (parent, j): [number, number] => [parent, j]).filter(([parent]) => parent >= 0);
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(new Float32Array(6 * this.#pairs.length), 3));
    const material = new LineBasicMaterial({ color: 0x2f7fd6, depthTest: false, transparent: true, fog: false });
    this.#lines = new LineSegments(geometry, material);
    this.#lines.frustumCulled = false;
    this.#lines.renderOrder = 9;
    this.object.add(this.#lines, this.#dots.object, this.#blendDots.object, this.#mark.object);
  }

  /** @param positions 3B. @param marked A highlighted joint. */
  show(positions: Float32Array, marked?: number): void {
    this.#dots.show(positions);
    this.#blendDots.show(this.#blends.flatMap((j) => [...positions.subarray(3 * j, 3 * j + 3)]));
    this.#mark.object.visible = marked !== undefined;
    if (marked !== undefined) this.#mark.show(positions.subarray(3 * marked, 3 * marked + 3));
    const { position } = this.#lines.geometry.attributes;
    this.#pairs.forEach((pair, l) => {
      pair.forEach((j, end) => {
        for (let c = 0; c < 3; c++) position.array[6 * l + 3 * end + c] = positions[3 * j + c];
      });
    });
    position.needsUpdate = true;
  }

  dispose(): void {
    this.#dots.dispose();
    this.#blendDots.dispose();
    this.#mark.dispose();
    this.#lines.geometry.dispose();
    (this.#lines.material as LineBasicMaterial).dispose();
  }
}
