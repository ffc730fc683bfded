import { boneCentroids } from '../../decompose/bones/bone-centroids.ts';
import { Translator } from '../../decompose/translations/translator.ts';
import { MATRIX_STRIDE } from '../../math/matrix34.ts';
import { nearestPoints } from '../../mesh/nearest.ts';
import type { Mesh } from '../../model/mesh.ts';
import type { TranslationSolve } from '../../model/predictor.ts';
import type { SkinWeights } from '../../model/skinned-model.ts';
import { CoarsePoints } from './coarse-points.ts';

/**
 * Translations of patches from their rotations by the Poisson equation (2.11) of Feng 2010. It needs points whose place is
 * known, and §3.4.1 does not say which; here they are fine vertices, one next to every coarse vertex, carried by the
 * coarse mesh. Where no edge leads to any of them, a patch stays where the coarse mesh carries its centroid.
 */
export class PatchTranslations {
  readonly #centroids: Float64Array;
  readonly #carried: CoarsePoints;
  readonly #anchors: CoarsePoints;
  readonly #translator: Translator;
  readonly #places: Float64Array;
  readonly #goals: Float64Array;

  /** @param anchors vertices of the fine mesh. */
  constructor(
    coarse: Mesh,
    fine: Mesh,
    skin: SkinWeights,
    anchors: Uint32Array,
    solve: TranslationSolve,
    bones: number,
  ) {
    this.#centroids = boneCentroids(fine.positions, skin, bones);
    this.#carried = new CoarsePoints(coarse, this.#centroids);
    this.#anchors = new CoarsePoints(coarse, pointsAt(fine.positions, anchors));
    this.#translator = new Translator(solve, bones);
    this.#places = new Float64Array(3 * bones);
    this.#goals = new Float64Array(3 * anchors.length);
  }

  /** Sets the translations of 12B rigid transforms for a coarse pose (3V) and its triangles' rotations (9T). */
  solve(transforms: Float64Array, pose: ArrayLike<number>, rotations: Float64Array): void {
    const c = this.#centroids;
    this.#carried.place(pose, rotations, this.#places);
    this.#anchors.place(pose, rotations, this.#goals);
    for (let b = 0, o = 0; o < transforms.length; b += 3, o += MATRIX_STRIDE) {
      for (let r = 0; r < 3; r++) {
        const row = o + 4 * r;
        const turned = transforms[row] * c[b] + transforms[row + 1] * c[b + 1] + transforms[row + 2] * c[b + 2];
        transforms[row + 3] = this.#places[b + r] - turned;
      }
    }
    this.#translator.solvePoisson(transforms, this.#goals);
  }
}

const pointsAt = (positions: Float32Array, vertices: Uint32Array): Float64Array =>
  Float64Array.from({ length: 3 * vertices.length }, (_, c) => positions[3 * vertices[Math.floor(c / 3)] + (c % 3)]);

/** The fine vertices next to coarse ones, all or some, each once, rising. */
export function anchorsOf(coarse: Mesh, fine: Mesh, vertices?: Uint32Array): Uint32Array {
  const points = vertices ? pointsAt(coarse.positions, vertices) : coarse.positions;
  return Uint32Array.from(new Set(nearestPoints(points, fine.positions))).sort();
}
