import { takeTurn } from '../../../src/cloth/live-turn.ts';
import { EDDIES, LiveCloth } from '../../../src/doors/cloth.ts';
import { type RunOptions, vertexCount } from '../../../src/index.ts';
import { inClothColour } from '../core/cloth/cloth-colour.ts';
import { type Breeze, windVelocity } from '../core/cloth/dress.ts';
import type { ClothPose, ClothStep, Wearing, WornCloth } from './cloth-protocol.ts';
import { dressed } from './garment.ts';
import { SpaceChange } from './space-change.ts';

/** Steps for one answer at most: a slow machine shows fewer, not longer ones. */
const MOST_STEPS = 8;

const windOf = (breeze: Breeze) => ({ velocity: windVelocity(breeze), ...EDDIES });

/** A garment that is worn, stepped by messages of plain data. */
export class WornGarment {
  readonly #cloth: LiveCloth;
  readonly #change: SpaceChange;
  readonly #embedded: Float64Array;

  static async wear(
    { dress, model, transforms, breeze, bending }: Wearing,
    run: RunOptions,
  ): Promise<[WornGarment, WornCloth]> {
    const { body, capsules, garment, trained } = dressed(dress, model);
    const change = new SpaceChange(model.mesh.space);
    const { coarseVertices, collider, thickness, settle } = dress.options;
    const cloth = await LiveCloth.wear(trained ?? { ...garment, wind: windOf(breeze) }, body, {
      ...{ coarseVertices, collider, thickness, settle, bending },
      transforms: change.transforms(transforms),
      given: { capsules },
      maxSteps: MOST_STEPS,
      ...run,
    });
    const worn = new WornGarment(cloth, change);
    const { space } = model.mesh;
    const { mesh, pinned } = garment;
    const coarse = inClothColour({
      positions: change.back(cloth.coarsePositions),
      triangles: cloth.coarseTriangles.slice(),
      space,
    });
    const facts = {
      vertices: vertexCount(mesh),
      coarseVertices: vertexCount(coarse),
      pinned: pinned.length,
      notes: [...cloth.notes],
    };
    const { normals: _, ...shown } = mesh;
    const pose = worn.#pose({ embedding: true, coarse: true }, 0, 0);
    return [worn, { mesh: { ...shown, positions: pose.folds.slice(), space }, coarse, facts, pose }];
  }

  private constructor(cloth: LiveCloth, change: SpaceChange) {
    this.#cloth = cloth;
    this.#change = change;
    this.#embedded = new Float64Array(cloth.positions.length);
  }

  step({ transforms, seconds, breeze, bending, grip, reset, shows }: ClothStep): ClothPose {
    const [x, y, z] = grip ? this.#change.place(grip.place) : [];
    const before = this.#spent;
    const steps = takeTurn(this.#cloth, {
      transforms: this.#change.transforms(transforms),
      seconds: reset ? 0 : seconds,
      wind: windOf(breeze),
      bending,
      grabbed: grip && { vertex: grip.vertex, x, y, z },
      reset,
    });
    return this.#pose(shows, steps, this.#spent - before);
  }

  /** Milliseconds so far. */
  get #spent(): number {
    const { coarse, detail, normals } = this.#cloth.spent;
    return coarse + detail + normals;
  }

  #pose(shows: ClothStep['shows'], steps: number, milliseconds: number): ClothPose {
    const cloth = this.#cloth;
    if (shows.embedding) cloth.embed(this.#embedded);
    return {
      folds: this.#change.back(cloth.positions),
      ...(shows.embedding && { embedding: this.#change.back(this.#embedded) }),
      ...(shows.coarse && { coarse: this.#change.back(cloth.coarsePositions) }),
      steps,
      milliseconds,
    };
  }
}
