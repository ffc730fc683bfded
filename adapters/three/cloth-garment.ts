import {
  BufferAttribute,
  type BufferGeometry,
  Color,
  type ColorRepresentation,
  DynamicDrawUsage,
  Matrix4,
  type Mesh,
} from 'three';
import type { BoneCapsule } from '../../src/cloth/capsules.ts';
import { pinsNearBone, pinsOfColour } from '../../src/cloth/pins.ts';
import type { Garment } from '../../src/cloth/worn.ts';
import { PliantError } from '../../src/error.ts';
import { matrix34FromColumnMajor44 } from '../../src/math/matrix34.ts';
import { weldVertices } from '../../src/mesh/seams.ts';
import { type Mesh as MeshNoun, vertexCount } from '../../src/model/mesh.ts';
import type { ClothBodyMesh } from './cloth-body.ts';
import { requireAttribute, transformAll, trianglesOf, vectorsOf } from './mesh-model.ts';

/** Which vertices of a garment the body holds: all that any of these name. */
export interface ClothPins {
  /** Names of bones: vertices near their limbs. */
  bones?: readonly string[];
  /** How near, from the surface of the limb, in metres [default 0.02]. */
  distance?: number;
  /** The colour that they are painted in: the attribute `color`. */
  color?: ColorRepresentation;
  /** Their numbers in the geometry. */
  vertices?: ArrayLike<number>;
}

const PIN_DISTANCE = 0.02;

/** A garment on the body's rest pose, in metres. Vertices that only uvs or normals split move as one. */
export function garmentOfGeometry(
  from: Mesh | BufferGeometry,
  body: ClothBodyMesh,
  pins: ClothPins,
  capsules: readonly BoneCapsule[],
): Garment {
  const object = 'isMesh' in from ? from : undefined;
  const geometry = 'isMesh' in from ? from.geometry : from;
  const toRest = new Float64Array(12);
  matrix34FromColumnMajor44(toRest, 0, body.toRest(new Matrix4(), object).elements);
  const { normal, color } = geometry.attributes;
  const { mesh } = weldVertices({
    name: object?.name || geometry.name || 'garment',
    positions: transformAll(vectorsOf(requireAttribute(geometry, 'position')), toRest),
    triangles: trianglesOf(geometry),
    // Only which normals are equal counts.
    ...(normal && { normals: vectorsOf(normal) }),
    ...(color && { attributes: { COLOR_0: { size: 3, values: vectorsOf(color) } } }),
  });
  return { mesh, pinned: pinsOfGeometry(mesh, pins, body, capsules) };
}

function pinsOfGeometry(
  mesh: MeshNoun,
  pins: ClothPins,
  { model }: ClothBodyMesh,
  capsules: readonly BoneCapsule[],
): Uint32Array {
  const { bones = [], distance = PIN_DISTANCE, color, vertices } = pins;
  const all = new Set<number>();
  const add = (found: Iterable<number>, why: string): void => {
    const before = all.size;
    let count = 0;
    for (const i of found) {
      all.add(i);
      count++;
    }
    if (count === 0 && all.size === before) throw badPins(`no vertex is pinned: ${why}`);
  };
  for (const name of bones) {
    const limb = capsules.filter(({ bone }) => model.skeleton.names[bone] === name);
    if (limb.length === 0) {
      const names = new Set(capsules.map(({ bone }) => model.skeleton.names[bone]));
      throw badPins(`bone (got ${name}, expected one that vertices follow: ${[...names].join(', ')})`);
    }
    add(pinsNearBone(mesh, limb, distance), `none is within ${distance} m of ${name}`);
  }
  if (color !== undefined) {
    const found = pinsOfColour(mesh, new Color(color).toArray());
    add(found ?? [], found ? 'none has the colour' : 'the geometry has no attribute "color"');
  }
  if (vertices)
    add(
      Array.from(vertices, (w) => vertexOf(mesh, w)),
      'none is listed',
    );
  return Uint32Array.from(all).sort();
}

/** The vertex that a vertex of the geometry is part of. */
export function vertexOf(mesh: MeshNoun, w: number): number {
  const count = mesh.seams?.vertexOf.length ?? vertexCount(mesh);
  if (Number.isInteger(w) && w >= 0 && w < count) return mesh.seams?.vertexOf[w] ?? w;
  throw badPins(`vertex (got ${w}, expected 0 to ${count - 1})`);
}

const badPins = (cause: string): PliantError => new PliantError('bad-input', 'ClothMesh', cause);

/** What depends on a pose that the cloth will not be in. three.js computes tangents itself where they are missing. */
const LEFT_OUT = ['tangent', 'skinIndex', 'skinWeight', '_mix'];

/** The geometry that shows the cloth: a copy, with positions and normals that change. */
export function clothGeometry(of: BufferGeometry): BufferGeometry {
  const geometry = of.clone();
  const { count } = requireAttribute(geometry, 'position');
  for (const name of LEFT_OUT) geometry.deleteAttribute(name);
  geometry.morphAttributes = {};
  for (const name of ['position', 'normal']) {
    geometry.setAttribute(name, new BufferAttribute(new Float32Array(3 * count), 3).setUsage(DynamicDrawUsage));
  }
  return geometry;
}
