import {
  BufferAttribute,
  BufferGeometry,
  CustomBlending,
  DstColorFactor,
  Mesh,
  MeshBasicMaterial,
  OneFactor,
  ZeroFactor,
} from 'three';
import { LightBase, type PosedSpheres } from '../../../src/doors/light.ts';
import type { LightWay } from '../core/light/light-work.ts';
import type { Up } from './stage.ts';

/** Points along a side. */
const RESOLUTION = 44;
const DIRECTIONS = 128;
const COEFFICIENTS = 25;
/** Radii of what is shown that the sheet is wide. */
const WIDE = 3.2;
/** Radii above the ground: what is drawn there shows through. */
const LIFT = 2e-3;

/** Axes of the sheet: across, along. */
const SIDES: Record<Up, readonly [number, number]> = { x: [1, 2], y: [2, 0], z: [0, 1] };
const AXES: Record<Up, number> = { x: 0, y: 1, z: 2 };

/** A sheet on the ground that darkens it by what rigs take of its light, by each way of light. */
export class LightSheet {
  readonly mesh: Mesh<BufferGeometry, MeshBasicMaterial>;
  readonly #up: Up;
  readonly #ground: readonly number[];
  readonly #size: number;
  readonly #points = new Float32Array(3 * RESOLUTION * RESOLUTION);
  readonly #normals: Float32Array;
  readonly #colours: Partial<Record<LightWay, BufferAttribute>> = {};
  readonly #transfer = new Float32Array(COEFFICIENTS * RESOLUTION * RESOLUTION);
  #free?: Float32Array;
  #base?: { spheres: number; base: LightBase };

  /** `ground`: a point of it. `radius`: of what stands on it. */
  constructor(up: Up, ground: readonly number[], radius: number) {
    this.#up = up;
    this.#ground = ground;
    this.#size = WIDE * radius;
    this.#normals = Float32Array.from(this.#points, (_, c) => (c % 3 === AXES[up] ? 1 : 0));
    const geometry = new BufferGeometry();
    const index: number[] = [];
    for (let j = 0; j + 1 < RESOLUTION; j++) {
      for (let i = 0; i + 1 < RESOLUTION; i++) {
        const a = j * RESOLUTION + i;
        index.push(a, a + 1, a + RESOLUTION + 1, a, a + RESOLUTION + 1, a + RESOLUTION);
      }
    }
    geometry.setIndex(index);
    geometry.setAttribute('position', new BufferAttribute(new Float32Array(this.#points.length), 3));
    const material = new MeshBasicMaterial({
      vertexColors: true,
      fog: false,
      toneMapped: false,
      transparent: true,
      depthWrite: false,
      blending: CustomBlending,
      blendSrc: DstColorFactor,
      blendDst: ZeroFactor,
      blendSrcAlpha: ZeroFactor,
      blendDstAlpha: OneFactor,
      polygonOffset: true,
      polygonOffsetFactor: -1,
      polygonOffsetUnits: -1,
    });
    this.mesh = new Mesh(geometry, material);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = -1;
    this.#lay([0, 0, 0]);
  }

  /** Lays it below spheres. Returns its points. */
  placeUnder({ count, balls }: PosedSpheres): { points: Float32Array; normals: Float32Array } {
    const middle = [0, 0, 0];
    for (let s = 0; s < count; s++) for (let c = 0; c < 3; c++) middle[c] += balls[4 * s + c] / count;
    this.#lay(middle);
    return { points: this.#points, normals: this.#normals };
  }

  /** Darkens by what spheres leave of the light, 3 · 25 coefficients. */
  shadeBy(way: LightWay, spheres: PosedSpheres, sh: Float32Array): void {
    if (this.#base?.spheres !== spheres.count) {
      const layout = { groupOf: new Uint16Array(RESOLUTION * RESOLUTION), groups: 1, spheres: spheres.count };
      this.#base = { spheres: spheres.count, base: new LightBase(layout, { directions: DIRECTIONS }) };
      this.#base.base.bounceFactors = undefined;
    }
    this.#base.base.run(this.#points, this.#normals, spheres, IDENTITY, { transfer: this.#transfer });
    this.paint(way, this.#transfer, sh);
  }

  /** Darkens by the light of its points, 25 coefficients each. */
  paint(way: LightWay, transfer: Float32Array, sh: Float32Array): void {
    this.#free ??= this.#openTransfer();
    const n = RESOLUTION * RESOLUTION;
    const attribute = (this.#colours[way] ??= new BufferAttribute(new Float32Array(3 * n), 3));
    const colours = attribute.array as Float32Array;
    for (let p = 0; p < n; p++) {
      const far = Math.hypot((p % RESOLUTION) - MIDDLE, Math.floor(p / RESOLUTION) - MIDDLE) / MIDDLE;
      // Nothing to be seen of its border.
      const rim = Math.min(1, Math.max(0, (far - 0.65) / 0.35));
      for (let colour = 0; colour < 3; colour++) {
        let [light, open] = [0, 0];
        for (let q = 0; q < COEFFICIENTS; q++) {
          light += transfer[COEFFICIENTS * p + q] * sh[COEFFICIENTS * colour + q];
          open += this.#free[q] * sh[COEFFICIENTS * colour + q];
        }
        const left = open > 0 ? Math.min(1, Math.max(0, light / open)) : 1;
        colours[3 * p + colour] = left + (1 - left) * rim * rim * (3 - 2 * rim);
      }
    }
    attribute.needsUpdate = true;
  }

  /** Whether there is a shade by this way. */
  show(way: LightWay): boolean {
    const colours = this.#colours[way];
    if (colours) this.mesh.geometry.setAttribute('color', colours);
    return colours !== undefined;
  }

  dispose(): void {
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
  }

  /** 25: of a point that nothing shades. */
  #openTransfer(): Float32Array {
    const base = new LightBase({ groupOf: [0], groups: 1, spheres: 1 });
    const transfer = new Float32Array(COEFFICIENTS);
    const none = { count: 0, balls: new Float32Array(4), opacities: new Float32Array(1) };
    base.run([0, 0, 0], this.#normals.subarray(0, 3), none, IDENTITY, { transfer });
    return transfer;
  }

  #lay(middle: readonly number[]): void {
    const up = AXES[this.#up];
    const [across, along] = SIDES[this.#up];
    const { position } = this.mesh.geometry.attributes;
    const at = (q: number): number => (q / (RESOLUTION - 1) - 0.5) * this.#size;
    for (let p = 0; p < RESOLUTION * RESOLUTION; p++) {
      this.#points[3 * p + across] = middle[across] + at(p % RESOLUTION);
      this.#points[3 * p + along] = middle[along] + at(Math.floor(p / RESOLUTION));
      this.#points[3 * p + up] = this.#ground[up];
    }
    const shown = position.array as Float32Array;
    shown.set(this.#points);
    for (let c = up; c < shown.length; c += 3) shown[c] += (LIFT * this.#size) / WIDE;
    position.needsUpdate = true;
  }
}

const IDENTITY = [1, 0, 0, 0, 1, 0, 0, 0, 1];
const MIDDLE = (RESOLUTION - 1) / 2;
