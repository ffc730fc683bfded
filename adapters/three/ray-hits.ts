import {
  BackSide,
  type BufferGeometry,
  FrontSide,
  type Intersection,
  type Material,
  Matrix4,
  type Object3D,
  Ray,
  type Raycaster,
  Triangle,
  Vector2,
  Vector3,
} from 'three';
import type { Attribute } from './mesh-model.ts';

/** What a ray is cast at. */
export interface RayTarget {
  /** What a hit names. */
  object: Object3D;
  geometry: BufferGeometry;
  material: Material | Material[];
  /** From the space of the posed vertices to the world. */
  matrixWorld: Matrix4;
}

const inverse = new Matrix4();
const ray = new Ray();
const point = new Vector3();
const corners = [new Vector3(), new Vector3(), new Vector3()];

/** The ray as the posed vertices see it. The same object every time. */
export const localRay = (raycaster: Raycaster, { matrixWorld }: RayTarget): Ray =>
  ray.copy(raycaster.ray).applyMatrix4(inverse.copy(matrixWorld).invert());

/**
 * Adds the hits among some faces of posed vertices (`positions` 3N, `triangles` 3F) as three.js reports them: in the order
 * of faces, with points and distances of the world; sides of materials, groups and the draw range count.
 */
export function addHits(
  target: RayTarget,
  positions: Float32Array,
  triangles: Uint32Array,
  faces: number[],
  raycaster: Raycaster,
  intersects: Intersection[],
): void {
  localRay(raycaster, target);
  // In the order of three.js, for hits at the same distance.
  faces.sort((a, b) => a - b);
  for (const face of faces) {
    for (let c = 0; c < 3; c++) corners[c].fromArray(positions, 3 * triangles[3 * face + c]);
    for (const { material, materialIndex } of materialsOf(target, 3 * face)) {
      const hit = hitOf(target, raycaster, material);
      if (hit) intersects.push(withDetails(hit, target, triangles, face, materialIndex));
    }
  }
}

/** What the triangle whose corners begin at place `first` is drawn with: nothing outside the draw range and all groups. */
function materialsOf(
  { material, geometry }: RayTarget,
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
function hitOf({ object, matrixWorld }: RayTarget, raycaster: Raycaster, { side }: Material): Intersection | undefined {
  const [a, b, c] = corners;
  const met =
    side === BackSide
      ? ray.intersectTriangle(c, b, a, true, point)
      : ray.intersectTriangle(a, b, c, side === FrontSide, point);
  if (!met) return undefined;
  const world = point.clone().applyMatrix4(matrixWorld);
  const distance = raycaster.ray.origin.distanceTo(world);
  if (distance < raycaster.near || distance > raycaster.far) return undefined;
  return { distance, point: world, object };
}

/** Adds what three.js tells about the triangle and the place in it. */
function withDetails(
  hit: Intersection,
  { geometry }: RayTarget,
  triangles: Uint32Array,
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
