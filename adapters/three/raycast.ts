import {
  BackSide,
  FrontSide,
  type Intersection,
  type Material,
  Matrix4,
  Ray,
  type Raycaster,
  type SkinnedMesh,
  Triangle,
  Vector2,
  Vector3,
} from 'three';
import { type Bvh, buildBvh, refitBvh } from '../../src/mesh/bvh.ts';
import { facesAlongRay } from './bvh-ray.ts';
import type { Attribute } from './mesh-model.ts';
import { type PosedVertices, posedVertices } from './posed-vertices.ts';
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
  ray.copy(raycaster.ray).applyMatrix4(inverse.copy(this.matrixWorld).invert());
  const { origin: o, direction: d } = ray;
  const faces = facesNear(posed, [o.x, o.y, o.z], [d.x, d.y, d.z]);
  // In the order of three.js, for hits at the same distance.
  faces.sort((a, b) => a - b);
  for (const face of faces) {
    for (let c = 0; c < 3; c++) corners[c].fromArray(positions, 3 * bvh.triangles[3 * face + c]);
    for (const { material, materialIndex } of materialsOf(this, 3 * face)) {
      const hit = hitOf(this, raycaster, material);
      if (hit) intersects.push(withDetails(hit, this, bvh, face, materialIndex));
    }
  }
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

const inverse = new Matrix4();
const ray = new Ray();
const point = new Vector3();
const corners = [new Vector3(), new Vector3(), new Vector3()];

/** What the triangle whose corners begin at place `first` is drawn with: nothing outside the draw range and all groups. */
function materialsOf(
  { material, geometry }: SkinnedMesh,
  first: number,
): { material: Material; materialIndex: number }[] {
  const { start, count } = geometry.drawRange;
  if (first < start || first >= start + count) return [];
  if (!Array.isArray(material)) return [{ material, materialIndex: 0 }];
  return geometry.groups
    .filter((group) => first >= group.start && first < group.start + group.count)
    .map(({ materialIndex = 0 }) => ({ material: material[materialIndex], materialIndex }));
}

/** Where the local ray meets the triangle of `corners`, seen from a side that the material shows. */
function hitOf(mesh: SkinnedMesh, raycaster: Raycaster, { side }: Material): Intersection | undefined {
  const [a, b, c] = corners;
  const met =
    side === BackSide
      ? ray.intersectTriangle(c, b, a, true, point)
      : ray.intersectTriangle(a, b, c, side === FrontSide, point);
  if (!met) return undefined;
  const world = point.clone().applyMatrix4(mesh.matrixWorld);
  const distance = raycaster.ray.origin.distanceTo(world);
  if (distance < raycaster.near || distance > raycaster.far) return undefined;
  return { distance, point: world, object: mesh };
}

/** Adds what three.js tells about the triangle and the place in it. */
function withDetails(
  hit: Intersection,
  { geometry }: SkinnedMesh,
  { triangles }: Bvh,
  face: number,
  materialIndex: number,
): Intersection {
  const [a, b, c] = triangles.subarray(3 * face, 3 * face + 3);
  const barycoord = new Vector3();
  Triangle.getBarycoord(point, corners[0], corners[1], corners[2], barycoord);
  const at = (name: string): [number, number, number] | undefined => {
    const attribute = geometry.getAttribute(name) as Attribute | undefined;
    return attribute && interpolated(attribute, [a, b, c], barycoord);
  };
  const [uv, uv1, normal] = [at('uv'), at('uv1'), at('normal')];
  if (uv) hit.uv = new Vector2(uv[0], uv[1]);
  if (uv1) hit.uv1 = new Vector2(uv1[0], uv1[1]);
  if (normal) {
    hit.normal = new Vector3(...normal);
    if (hit.normal.dot(ray.direction) > 0) hit.normal.negate();
  }
  hit.face = { a, b, c, normal: Triangle.getNormal(corners[0], corners[1], corners[2], new Vector3()), materialIndex };
  hit.faceIndex = face;
  return Object.assign(hit, { barycoord });
}

/** An attribute's value amid three vertices; 0 for a component that it does not have. */
function interpolated(attribute: Attribute, [a, b, c]: number[], { x, y, z }: Vector3): [number, number, number] {
  const mean = (of: (i: number) => number): number => x * of(a) + y * of(b) + z * of(c);
  return [
    mean((i) => attribute.getX(i)),
    mean((i) => attribute.getY(i)),
    attribute.itemSize > 2 ? mean((i) => attribute.getZ(i)) : 0,
  ];
}
