import {
  deformationOfPose,
  type FacetDeformation,
  type FacetFrames,
  facetFrames,
} from '../../../../src/doors/measure.ts';
import { type Mesh, vertexCount } from '../../../../src/index.ts';
import { emptyFacetDeformation } from '../../../../src/measure/facet-deformation.ts';

/** The parts of a deformation (Antonopoulos 2010, §3.4.4) that can be painted. */
export const COMPONENTS = ['rotation', 'scale', 'shear'] as const;
export type Component = (typeof COMPONENTS)[number];

export const isComponent = (name: string): name is Component => (COMPONENTS as readonly string[]).includes(name);

/** Factor from the library's unit to the displayed one: degrees, or pure numbers. */
const UNITS: Record<Component, number> = { rotation: 180 / Math.PI, scale: 1, shear: 1 };

/** Deformation around each vertex from the rest pose to another: the area-weighted mean over its faces. */
export class VertexDeformation {
  readonly #frames: FacetFrames;
  /** N: area of the faces of each vertex. */
  readonly #areas: Float64Array;
  readonly #facets: FacetDeformation;

  constructor(rest: Mesh) {
    this.#frames = facetFrames(rest);
    this.#facets = emptyFacetDeformation(this.#frames.areas.length);
    this.#areas = new Float64Array(vertexCount(rest));
    rest.triangles.forEach((i, corner) => {
      this.#areas[i] += this.#frames.areas[Math.floor(corner / 3)];
    });
  }

  /** Sets the pose (3N) for `values`. */
  pose(positions: ArrayLike<number>): void {
    deformationOfPose(this.#frames, positions, this.#facets);
  }

  /** N, in degrees for rotation; 0 for vertices without faces of positive area. */
  values(component: Component): Float32Array {
    const { triangles, areas } = this.#frames;
    const facets = this.#facets[component];
    const out = new Float32Array(this.#areas.length);
    for (let f = 0; f < facets.length; f++) {
      const value = facets[f] * areas[f];
      for (let c = 3 * f; c < 3 * f + 3; c++) out[triangles[c]] += value;
    }
    const unit = UNITS[component];
    for (let i = 0; i < out.length; i++) if (this.#areas[i] > 0) out[i] *= unit / this.#areas[i];
    return out;
  }
}

/** Number of values sampled to find the end of a scale. */
const SAMPLES = 2000;
/** Share of the vertices that may lie beyond the end. */
const BEYOND = 0.02;

/** End of a colour scale: all but 2 % of the values lie below. */
export function scaleEnd(values: Float32Array): number {
  const step = Math.max(1, Math.floor(values.length / SAMPLES));
  const some = values.filter((_, i) => i % step === 0).sort();
  return some[Math.min(some.length - 1, Math.floor((1 - BEYOND) * some.length))] ?? 0;
}
