import { diagonalOf } from '../../mesh/bounds.ts';
import { type Bvh, buildBvh } from '../../mesh/bvh.ts';
import { vertexNormals } from '../../mesh/normals.ts';
import type { RunOptions } from '../../model/options.ts';
import { collapse, collapsedTo } from '../collapse.ts';
import { COLLAPSE_SETTINGS, type CollapseSettings } from '../collapser.ts';
import type { Features as Lines } from '../features/detect.ts';
import { type Features, findFeatures } from '../features.ts';
import { type LevelMesh, levelMesh } from '../level-mesh.ts';
import { posedBy } from '../pose.ts';
import type { CollapseRecords } from '../records.ts';
import type { PosedSurface } from '../surface.ts';
import { type FanMesh, fanMesh, weldSurface } from '../weld.ts';
import { type BaseComplex, baseComplex } from './base-complex.ts';

/**
 * Patches of a surface and the way from each to the surface, Feng 2010, §4.5.1: the surface is collapsed to a base complex,
 * whose faces are the patches. The records of the collapses, which are bijections, take the place of the vertices that
 * MAPS carries along, of the tracing of paths between them, and of the parameterisation of each patch (§4.5.2): any
 * point of a base face is carried to the surface, and feature lines lie on sides of patches.
 */
export interface Patches {
  /** Welded: N vertices. */
  surface: PosedSurface;
  /** K × 3N: the surface as linear blending poses it; at rest only, if it has no skin. */
  poses: readonly Float32Array[];
  features: Features;
  records: CollapseRecords;
  /** Face → patch, in this order. */
  level: LevelMesh;
  base: BaseComplex;
  /** P: patch → material group of the mesh. */
  groupOf: Uint32Array;
  /** 3W: of the mesh, or smooth ones. */
  normals: Float32Array;
  /** At rest. */
  bvh: Bvh;
}

/** Moving along the surface costs more than for a chain, so that patches are well shaped; and lines must stay. */
const PATCH_SETTINGS: CollapseSettings = {
  ...COLLAPSE_SETTINGS,
  pointWeight: 1e-4,
  fitShare: 0,
  normalWeight: 3e-6,
  normalGrowth: 1.5,
  mayHarm: false,
  mayDrop: false,
  seamCost: Infinity,
};

/** A surface that is ready to be collapsed, again and again. */
export interface Prepared {
  surface: PosedSurface;
  poses: Float32Array[];
  fans: FanMesh;
  features: Features;
  normals: Float32Array;
  bvh: Bvh;
  diagonal: number;
}

/** @param lines What patches keep to beside seams, materials and borders. */
export function prepareSurface(given: PosedSurface, crease: number, lines?: Lines): Prepared {
  const surface = weldSurface(given);
  const fans = fanMesh(surface.mesh.triangles, surface.poses[0]);
  const features = findFeatures(surface.mesh, fans, { crease, ...(lines && { lines: lines.lines }) });
  const { mesh } = surface;
  return {
    surface,
    poses: blendedPoses(surface),
    fans,
    features,
    normals: mesh.normals ?? vertexNormals(mesh),
    bvh: buildBvh(mesh.positions, mesh.triangles),
    diagonal: diagonalOf(surface.poses[0]) || 1,
  };
}

function blendedPoses(surface: PosedSurface): Float32Array[] {
  const { skin, mesh } = surface;
  if (!skin) return [mesh.positions];
  return skin.bones.map((_, p) => Float32Array.from(posedBy(surface, p, mesh.positions, skin.weights, [])));
}

/** Collapses to about `count` patches. `pins`: vertices of the surface that stay. */
export async function makePatches(
  { surface, poses, fans, features, normals, bvh }: Prepared,
  count: number,
  pins: Iterable<number>,
  run: RunOptions,
): Promise<Patches> {
  const pinned = new Set(pins);
  const kept = Uint8Array.from(fans.vertexOf, (v) => (pinned.has(v) ? 1 : 0));
  // More patches are better than bad ones.
  const collapses = await collapse(fans, features, poses, kept, count, run, PATCH_SETTINGS);
  const level = levelMesh(collapsedTo(fans, features, collapses, count), fans, features);
  return {
    surface,
    poses,
    features,
    records: collapses.records,
    level,
    base: baseComplex(level.triangles),
    groupOf: level.faces.map((f) => features.groupOf[f]),
    normals,
    bvh,
  };
}
