import { MATRIX_STRIDE, transformPoint34 } from '../../math/matrix34.ts';
import { symmetricEigen } from '../../math/symmetric-eigen.ts';
import type { Mesh } from '../../model/mesh.ts';
import type { SkinWeights } from '../../model/skinned-model.ts';
import type { Pushed } from '../contact.ts';
import type { Stage } from '../stage.ts';

/**
 * Collisions with two levels of bounding volumes. Feng 2010 refers to a section that is not there: of §3.5 we know that bones
 * transform first-level volumes, lozenges, and that how deep they are inside the capsules of the body moves the bones. So:
 *
 *   1. A lozenge is a rectangle along the two longer principal axes of a patch. Its centre and the middles of its sides move
 *      with the patch; the deepest of them, pushed out, takes the patch along. Its vertices may be below it by its height.
 *   2. A sphere around each patch says whether its vertices, once skinned, can be near the body. Those that can are pushed out.
 */

/** Points of a lozenge. */
const POINTS = 5;
/** What the spheres are larger than their patches, for what skinning and detail add. */
const ROOM = 2;

export class PatchCollisions {
  readonly #stage: Stage;
  readonly #patchOf: Uint16Array;
  /** 15B at rest, and 15B: where they are, before and after the push. */
  readonly #rest: Float64Array;
  readonly #before: Float64Array;
  readonly #points: Pushed;
  /** 3B each: centres of the spheres. */
  readonly #centres: Float64Array;
  readonly #spheres: Pushed;
  /** Of the vertices last pushed. */
  readonly #vertices: Pushed;

  constructor(fine: Mesh, skin: SkinWeights, bones: number, stage: Stage) {
    this.#stage = stage;
    this.#patchOf = Uint16Array.from(stage.margin, (_, i) => skin.joints[i * skin.influences]);
    this.#rest = new Float64Array(3 * POINTS * bones);
    this.#before = new Float64Array(3 * POINTS * bones);
    this.#centres = new Float64Array(3 * bones);
    this.#points = pushed(POINTS * bones);
    this.#spheres = pushed(bones);
    this.#vertices = { ...pushed(stage.margin.length), margin: stage.margin };
    const members: number[][] = Array.from({ length: bones }, () => []);
    this.#patchOf.forEach((b, i) => {
      members[b].push(i);
    });
    members.forEach((vertices, b) => {
      if (vertices.length === 0) return;
      const { points, height, radius } = lozengeOf(fine.positions, vertices);
      this.#rest.set(points, 3 * POINTS * b);
      const margins = vertices.map((i) => stage.margin[i]);
      this.#points.margin.fill(Math.min(...margins) - height, POINTS * b, POINTS * (b + 1));
      this.#points.inverseMass.fill(1, POINTS * b, POINTS * (b + 1));
      this.#spheres.margin[b] = ROOM * radius + Math.max(...margins);
      this.#spheres.inverseMass[b] = 1;
    });
  }

  /** Moves the patches (12B) whose lozenges are inside the body. */
  pushPatches(transforms: Float64Array): void {
    const { x } = this.#points;
    for (let p = 0; p < this.#points.inverseMass.length; p++) {
      transformPoint34(x, 3 * p, transforms, MATRIX_STRIDE * Math.floor(p / POINTS), this.#rest, 3 * p);
    }
    this.#before.set(x);
    for (const obstacle of this.#stage.obstacles) obstacle.push(this.#points);
    for (let p = 0; p < this.#points.inverseMass.length; p += POINTS) {
      let deepest = 0;
      let at = -1;
      for (let o = 3 * p; o < 3 * (p + POINTS); o += 3) {
        const depth = squaredWay(this.#before, x, o);
        if (depth <= deepest) continue;
        deepest = depth;
        at = o;
      }
      if (at < 0) continue;
      const m = (MATRIX_STRIDE * p) / POINTS;
      for (let c = 0; c < 3; c++) transforms[m + 4 * c + 3] += x[at + c] - this.#before[at + c];
    }
  }

  /** Moves the vertices (3N) of patches near the body out of it. */
  pushVertices(transforms: Float64Array, x: Float64Array): void {
    const spheres = this.#spheres;
    for (let b = 0; b < spheres.inverseMass.length; b++) {
      transformPoint34(spheres.x, 3 * b, transforms, MATRIX_STRIDE * b, this.#rest, 3 * POINTS * b);
    }
    this.#centres.set(spheres.x);
    for (const obstacle of this.#stage.obstacles) obstacle.push(spheres);
    const { inverseMass } = this.#vertices;
    this.#vertices.x = x;
    for (let i = 0; i < inverseMass.length; i++) {
      inverseMass[i] = squaredWay(this.#centres, spheres.x, 3 * this.#patchOf[i]) > 0 ? 1 : 0;
    }
    for (const obstacle of this.#stage.obstacles) obstacle.push(this.#vertices);
  }
}

const pushed = (count: number): Pushed => ({
  x: new Float64Array(3 * count),
  inverseMass: new Float64Array(count),
  margin: new Float64Array(count),
  friction: 0,
});

const squaredWay = (a: Float64Array, b: Float64Array, o: number): number =>
  (b[o] - a[o]) ** 2 + (b[o + 1] - a[o + 1]) ** 2 + (b[o + 2] - a[o + 2]) ** 2;

/** Centre and middles of the sides (15), how far vertices are from its plane, and the radius of the sphere around them. */
function lozengeOf(
  positions: Float32Array,
  vertices: readonly number[],
): { points: number[]; height: number; radius: number } {
  const centre = [0, 1, 2].map((c) => vertices.reduce((sum, i) => sum + positions[3 * i + c], 0) / vertices.length);
  const covariance = new Float64Array(9);
  const at = (i: number, c: number): number => positions[3 * i + c] - centre[c];
  for (const i of vertices) {
    for (let r = 0; r < 3; r++) for (let c = 0; c < 3; c++) covariance[3 * r + c] += at(i, r) * at(i, c);
  }
  const { vectors } = symmetricEigen(covariance, 3);
  const points = [...centre];
  const along = (axis: number): number[] =>
    vertices.map((i) => [0, 1, 2].reduce((sum, c) => sum + at(i, c) * vectors[3 * axis + c], 0));
  for (const axis of [0, 1]) {
    for (const end of [Math.min(...along(axis)), Math.max(...along(axis))]) {
      points.push(...centre.map((x, c) => x + end * vectors[3 * axis + c]));
    }
  }
  const squares = vertices.map((i) => at(i, 0) ** 2 + at(i, 1) ** 2 + at(i, 2) ** 2);
  return { points, height: Math.max(...along(2).map(Math.abs)), radius: Math.sqrt(Math.max(...squares)) };
}
