import type { Intersection, Raycaster, SkinnedMesh } from 'three';
import { type Bvh, buildBvh, refitBvh } from '../../src/mesh/bvh.ts';
import { facesAlongRay } from './bvh-ray.ts';
import { type PosedVertices, posedVertices } from './posed-vertices.ts';
import { addHits, localRay, type RayTarget } from './ray-hits.ts';
import { facesAcrossLine } from './scan-ray.ts';

/**
 * Ray casting against a skinned mesh as its bones have it now. three.js skins three vertices for every triangle and ray;
 * here the mesh is posed once per pose, by the operator that `useSkinning` gave it, and after a few rays its bounding
 * volume hierarchy is refitted; all only when rays come. Assign it: `mesh.raycast = acceleratedRaycast`.
 *
 * Reports what three.js reports, with its conventions: distances and points are those of the world, sides of materials,
 * groups and the draw range count, and `normal` is that of the rest pose.
 */
export function acceleratedRaycast(this: SkinnedMesh, raycaster: Raycaster, intersects: Intersection[]): void {
  const posed = posedBvh(this);
  const { positions, bvh } = posed;
  const { geometry, material, matrixWorld } = this;
  const target: RayTarget = { object: this, geometry, material, matrixWorld };
  const { origin: o, direction: d } = localRay(raycaster, target);
  const faces = facesNear(posed, [o.x, o.y, o.z], [d.x, d.y, d.z]);
  addHits(target, positions, bvh.triangles, faces, raycaster, intersects);
}

/** The triangles of a mesh in its current pose. */
interface PosedBvh {
  of: PosedVertices;
  /** 3N. */
  positions: Float32Array;
  /** The pose of `positions`. */
  version: number;
  /** Rays since the mesh has this pose. */
  rays: number;
  /** Fits the positions from ray number `SCANS` on. */
  bvh: Bvh;
}

/** So many rays look at all triangles of a new pose, which together take as long as refitting the hierarchy. */
const SCANS = 6;

const hierarchies = new WeakMap<SkinnedMesh, PosedBvh>();

function posedBvh(mesh: SkinnedMesh): PosedBvh {
  const of = posedVertices(mesh);
  const positions = of.positions();
  let known = hierarchies.get(mesh);
  if (known?.of !== of) {
    const { mesh: rest } = of.model;
    known = { of, positions, version: -1, rays: 0, bvh: buildBvh(rest.positions, rest.triangles) };
    hierarchies.set(mesh, known);
  }
  if (known.version !== of.version) Object.assign(known, { positions, version: of.version, rays: 0 });
  return known;
}

/** Faces that a ray may hit. */
function facesNear(posed: PosedBvh, o: number[], d: number[]): number[] {
  const { bvh, positions } = posed;
  if (posed.rays++ < SCANS) return facesAcrossLine(positions, bvh.triangles, o, d);
  if (posed.rays === SCANS + 1) refitBvh(bvh, positions);
  return facesAlongRay(bvh, o, d);
}
