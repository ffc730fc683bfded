import type { Object3D } from 'three';

const FLAGS = ['castShadow', 'receiveShadow'] as const;

/**
 * Shadows of an object that is drawn as several meshes. They are asked for as of any object, of the one that holds the
 * meshes; what is set on a mesh itself stays until the holder's flag changes. Where only some parts of a character throw
 * shadows, only those do.
 */
export class ShadowFlags {
  readonly #holder: Object3D;
  readonly #draws: readonly Object3D[];
  /** What each mesh had at first, and the holder's flags that were seen last. */
  readonly #own: Record<(typeof FLAGS)[number], boolean[]>;
  readonly #seen = { castShadow: false, receiveShadow: false };

  constructor(holder: Object3D, draws: readonly Object3D[]) {
    this.#holder = holder;
    this.#draws = draws;
    this.#own = {
      castShadow: draws.map(({ castShadow }) => castShadow),
      receiveShadow: draws.map(({ receiveShadow }) => receiveShadow),
    };
    for (const flag of FLAGS) holder[flag] = this.#seen[flag] = this.#own[flag].includes(true);
  }

  /** Whether anything is to throw shadows now. */
  get casts(): boolean {
    return this.#draws.some(({ castShadow }) => castShadow);
  }

  /** Hands on what was changed. */
  follow(): void {
    for (const flag of FLAGS) {
      const wanted = this.#holder[flag];
      if (wanted === this.#seen[flag]) continue;
      this.#seen[flag] = wanted;
      const own = this.#own[flag];
      const differ = own.includes(true);
      this.#draws.forEach((draw, d) => {
        draw[flag] = wanted && (own[d] || !differ);
      });
    }
  }
}
