import { DataTexture, FloatType, NearestFilter, RGBAFormat } from 'three';
import type { CharacterSpheres } from './character-spheres.ts';

/** A neighbour's sphere that covers less of the sky than this, seen from the nearest point of the character, is left out. */
const LEAST_SHARE = 2e-4;

/** The spheres that shade a character: its own, and the largest of those around, as shaders read them. */
export class SphereTexture {
  readonly texture: DataTexture;
  count = 0;
  readonly #data: Float32Array;
  readonly #most: number;
  readonly #seen: { size: number; from: CharacterSpheres; sphere: number }[] = [];

  /** @param most Room for so many. */
  constructor(most: number) {
    this.#most = most;
    this.#data = new Float32Array(8 * most);
    this.texture = new DataTexture(this.#data, most, 2, RGBAFormat, FloatType);
    this.texture.magFilter = NearestFilter;
    this.texture.minFilter = NearestFilter;
  }

  update(own: CharacterSpheres | undefined, all: Iterable<CharacterSpheres>): void {
    const seen = this.#seen;
    seen.length = 0;
    this.count = 0;
    if (own) for (let s = 0; s < own.posed.count; s++) this.#add(own, s);
    for (const other of all) {
      if (other === own) continue;
      for (let s = 0; s < other.posed.count; s++) {
        const { balls } = other.posed;
        const radius = balls[4 * s + 3];
        let gap = 0;
        if (own) {
          const { x, y, z } = own.centre;
          const way = Math.hypot(balls[4 * s] - x, balls[4 * s + 1] - y, balls[4 * s + 2] - z);
          gap = Math.max(way - own.radius, radius);
        }
        const size = gap > 0 ? (radius / gap) ** 2 / 4 : 1;
        if (size > LEAST_SHARE) seen.push({ size, from: other, sphere: s });
      }
    }
    seen.sort((a, b) => b.size - a.size);
    for (let q = 0; q < seen.length && this.count < this.#most; q++) this.#add(seen[q].from, seen[q].sphere);
    this.texture.needsUpdate = true;
  }

  #add({ posed }: CharacterSpheres, s: number): void {
    if (this.count >= this.#most) return;
    for (let c = 0; c < 4; c++) this.#data[4 * this.count + c] = posed.balls[4 * s + c];
    this.#data[4 * (this.#most + this.count)] = posed.opacities[s];
    this.count++;
  }

  dispose(): void {
    this.texture.dispose();
  }
}
