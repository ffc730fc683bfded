import { gatherCandidates } from '../src/lod/candidates.ts';
import { FIT_SETTINGS, sampleCount } from '../src/lod/fit-level.ts';
import { SkinFit } from '../src/lod/fit-skin.ts';
import type { LevelMesh } from '../src/lod/level-mesh.ts';
import { gatherMoments, type PosePair } from '../src/lod/moments.ts';
import { ChartSurface, nearestSamples } from '../src/lod/nearest-samples.ts';
import { posedBy, trimmedWeights } from '../src/lod/pose.ts';
import type { Samples } from '../src/lod/samples.ts';
import type { PosedSurface } from '../src/lod/surface.ts';
import { gatherRows } from '../src/math/rows.ts';
import { meshEdges } from '../src/mesh/adjacency.ts';
import { weldVertices } from '../src/mesh/seams.ts';
import type { Mesh } from '../src/model/mesh.ts';
import type { Morph, SkinWeights } from '../src/model/skinned-model.ts';

/** Our fit of positions and weights on the meshes of other simplifiers. They have no records: only nearest points serve. */

/** A simplified surface, posed by the bones of the given one. */
export interface Simplified {
  /** `triangles`, positions, uvs, normals; no seams: rivals know split vertices only. */
  mesh: Mesh;
  weights: SkinWeights;
  morphs: Morph[];
  /** F: the piece of surface without seams that a triangle was cut from. */
  chartOf: Uint32Array;
}

/** The surface that rivals were given, ready to be fitted to. */
export class Refitter {
  readonly #surface: PosedSurface;
  readonly #original: ChartSurface;

  /** `triangles` (3F, in split vertices) and `chartOf` (F): as rivals see the surface. */
  constructor(surface: PosedSurface, triangles: Uint32Array, chartOf: Uint32Array) {
    this.#surface = surface;
    this.#original = new ChartSurface(surface.mesh.triangles, surface.poses[0], chartOf, openSides(triangles));
  }

  fit({ mesh, weights, morphs, chartOf }: Simplified): Simplified {
    const surface = this.#surface;
    const skin = surface.skin!;
    const { mesh: whole, vertexOf } = weldVertices({ positions: mesh.positions, triangles: mesh.triangles });
    const { triangles, positions } = whole;
    const n = positions.length / 3;
    const first = new Uint32Array(n);
    for (let w = vertexOf.length - 1; w >= 0; w--) first[vertexOf[w]] = w;
    const edges = meshEdges(triangles, n);
    const own = trimmedWeights(weights, first);
    const ownMorphs = morphs.map((morph) => ({ ...morph, positions: gatherRows(morph.positions, 3, first) }));
    const morphed = surface.poses.map((_, p) => {
      const out = new Float64Array(3 * n);
      for (const [m, morph] of ownMorphs.entries()) {
        const share = surface.morphWeights?.[p][m] ?? 0;
        if (share !== 0) for (let c = 0; c < out.length; c++) out[c] += share * morph.positions[c];
      }
      return out;
    });
    const level = { faces: chartOf } as LevelMesh; // only their number counts
    const posed = (p: number, rest: ArrayLike<number>) => posedBy(surface, p, rest, own, ownMorphs);
    const coarse = new ChartSurface(
      triangles,
      Float32Array.from(posed(0, positions)),
      chartOf,
      openSides(mesh.triangles),
    );
    const points = sampleCount(surface.mesh.triangles.length / 3, FIT_SETTINGS);
    const nearest = (rest: ArrayLike<number>): Samples => {
      coarse.move(Float32Array.from(posed(0, rest)));
      return nearestSamples(level, coarse, this.#original, points);
    };
    let samples = nearest(positions);
    const candidates = gatherCandidates(samples, triangles, n, surface.mesh.triangles, skin.weights, own);
    const fit = new SkinFit(positions, own, edges, { skin, candidates, morphed }, FIT_SETTINGS);
    for (let round = 0; round <= FIT_SETTINGS.nearestFits; round++) {
      const start = surface.poses.map((_, p) => posed(p, fit.x));
      const pairs = start.map((pose, p): PosePair => ({ level: pose, original: surface.poses[p] }));
      const epsilon = round === 0 ? FIT_SETTINGS.epsilon : FIT_SETTINGS.nearestEpsilon;
      fit.fit(gatherMoments(samples, triangles, edges, surface.mesh.triangles, pairs, epsilon), start);
      samples = nearest(fit.x);
    }
    return {
      mesh: { ...mesh, positions: gatherRows(Float32Array.from(fit.x), 3, vertexOf) },
      weights: {
        influences: own.influences,
        joints: gatherRows(own.joints, own.influences, vertexOf),
        weights: gatherRows(own.weights, own.influences, vertexOf),
      },
      morphs,
      chartOf,
    };
  }
}

/** 3F: 1 for sides that no other face has. */
function openSides(triangles: Uint32Array): Uint8Array {
  const { edgeOf, corners } = meshEdges(
    triangles,
    triangles.reduce((most, v) => Math.max(most, v + 1), 0),
  );
  return Uint8Array.from(edgeOf, (e) => (corners.offsets[e + 1] - corners.offsets[e] === 2 ? 0 : 1));
}
