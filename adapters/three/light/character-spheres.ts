import {
  type BufferGeometry,
  Matrix4,
  type Mesh,
  type Object3D,
  type Skeleton,
  type SkinnedMesh,
  Vector3,
} from 'three';
import { PliantError } from '../../../src/error.ts';
import { type PosedSpheres, poseSpheres } from '../../../src/light/pose-spheres.ts';
import { joinSpheres } from '../../../src/light/scene-spheres.ts';
import type { SphereSurface } from '../../../src/light/sphere-surface.ts';
import { type MadeSpheres, makeSpheres } from '../../../src/light/spheres.ts';
import { identity34, MATRIX_STRIDE, matrix34FromColumnMajor44 } from '../../../src/math/matrix34.ts';
import type { Morph } from '../../../src/model/skinned-model.ts';
import { INFLUENCES, readInfluences, requireAttribute, trianglesOf } from '../mesh-model.ts';
import { updateWorld } from '../world.ts';
import { type BakedLight, bakedLightOf } from './baked-light.ts';

/** What moves spheres: a bone, or an object that moves as a whole. Rest → world is matrixWorld · inverse, in front of it `before`. */
interface Carrier {
  object: Object3D;
  inverse: Matrix4;
  /** Of a mesh that is bound detached. */
  mesh?: SkinnedMesh;
}

/**
 * The spheres of everything that hangs below an object, in the world. Skinned meshes are taken as they are bound, meshes that
 * hang on bones as these hold them, others where they stand.
 */
export class CharacterSpheres {
  readonly made: Pick<MadeSpheres, 'spheres' | 'morphs'>;
  /** Where they are now. */
  readonly posed: PosedSpheres;
  /** Around all of them. */
  readonly centre = new Vector3();
  radius = 0;
  readonly #meshes: readonly Mesh[];
  readonly #carriers: readonly Carrier[];
  /** 12 per carrier: rest → world. */
  readonly transforms: Float32Array;
  /** Meshes with light that was baked, and the first of its bones in `transforms`. */
  readonly baked: ReadonlyMap<Mesh, BakedPlace>;
  readonly #dials: number[] = [];

  /** `useBaked`: whether meshes take the spheres that they were loaded with. `made`: those of a clone. */
  constructor(
    meshes: readonly Mesh[],
    spheres: number,
    useBaked: boolean,
    made?: Pick<MadeSpheres, 'spheres' | 'morphs'>,
  ) {
    updateWorld(meshes);
    const carriers = new Carriers();
    // Bones first: other meshes may hang on them.
    const skinnedFirst = [...meshes].sort((a, b) => rank(a) - rank(b));
    const plain: Mesh[] = [];
    const baked = new Map<Mesh, BakedPlace>();
    const once: BakedPlace[] = [];
    for (const mesh of skinnedFirst) {
      const light = useBaked ? bakedLightOf(mesh.geometry) : undefined;
      if (!light) {
        plain.push(mesh);
        continue;
      }
      const known = once.find((place) => place.light === light && sameBones(place.mesh, mesh));
      const place = known ?? { light, mesh, first: carriers.bakedBones(mesh, light.fromRest) };
      if (!known) once.push(place);
      baked.set(mesh, place);
    }
    const surfaces = plain.map((mesh) => carriers.surfaceOf(mesh));
    this.#meshes = [...plain, ...once.map(({ mesh }) => mesh)];
    this.#carriers = carriers.all;
    this.baked = baked;
    this.made = made ?? madeSpheres(surfaces, once, spheres);
    this.transforms = identity34(carriers.all.length);
    const { count, opacities } = this.made.spheres;
    this.posed = { count, balls: new Float32Array(4 * count), opacities };
    this.pose();
  }

  /** Takes over where bones and objects are. */
  pose(): void {
    this.#carriers.forEach(({ object, inverse, mesh }, j) => {
      product.multiplyMatrices(object.matrixWorld, inverse);
      if (mesh) product.premultiply(detached.multiplyMatrices(mesh.matrixWorld, mesh.bindMatrixInverse));
      matrix34FromColumnMajor44(this.transforms, MATRIX_STRIDE * j, product.elements);
    });
    const { spheres, morphs } = this.made;
    poseSpheres(spheres, this.transforms, this.#dialled(morphs), this.posed.balls);
    this.#bound();
  }

  #dialled(morphs: Float32Array[]): { morphs: Float32Array[]; weights: number[] } | undefined {
    if (morphs.length === 0) return undefined;
    let m = 0;
    for (const { geometry, morphTargetInfluences } of this.#meshes) {
      const count = geometry.morphAttributes.position?.length ?? 0;
      for (let q = 0; q < count; q++) this.#dials[m++] = morphTargetInfluences?.[q] ?? 0;
    }
    return { morphs, weights: this.#dials };
  }

  #bound(): void {
    const { count, balls } = this.posed;
    this.centre.set(0, 0, 0);
    for (let s = 0; s < 4 * count; s += 4) {
      this.centre.x += balls[s] / count;
      this.centre.y += balls[s + 1] / count;
      this.centre.z += balls[s + 2] / count;
    }
    const { x, y, z } = this.centre;
    this.radius = 0;
    for (let s = 0; s < 4 * count; s += 4) {
      const way = Math.hypot(balls[s] - x, balls[s + 1] - y, balls[s + 2] - z) + balls[s + 3];
      if (way > this.radius) this.radius = way;
    }
  }
}

/** Baked light on a character. */
export interface BakedPlace {
  light: BakedLight;
  mesh: Mesh;
  /** Of its bones in `CharacterSpheres.transforms`. */
  first: number;
}

const sameBones = (a: Mesh, b: Mesh): boolean =>
  a === b || ((a as SkinnedMesh).isSkinnedMesh && (a as SkinnedMesh).skeleton === (b as SkinnedMesh).skeleton);

/** Beside baked ones, the rest of a character has at least so many. */
const LEAST_SPHERES = 16;

/** Spheres of all that has none, and those that were baked. */
function madeSpheres(
  surfaces: readonly SphereSurface[],
  baked: readonly BakedPlace[],
  wanted: number,
): Pick<MadeSpheres, 'spheres' | 'morphs'> {
  const stored = baked.reduce((sum, { light }) => sum + light.light.spheres.count, 0);
  const spheres = stored > 0 ? Math.max(LEAST_SPHERES, wanted - stored) : wanted;
  const made = surfaces.length > 0 ? [makeSpheres(surfaces, { spheres })] : [];
  return joinSpheres([
    // Carriers are numbered through already.
    ...made.map((each) => ({ ...each, bones: 0 })),
    ...baked.map(({ light: { light }, mesh, first }) => {
      const each = 4 * light.spheres.count;
      const moved = light.sphereMorphs ?? new Float32Array(0);
      const { length } = mesh.geometry.morphAttributes.position ?? [];
      return {
        spheres: { ...light.spheres, joints: light.spheres.joints.map((joint) => first + joint) },
        morphs: Array.from({ length }, (_, m) => moved.subarray(each * m, each * (m + 1))),
        bones: 0,
      };
    }),
  ]);
}

const rank = (mesh: Mesh): number => ((mesh as SkinnedMesh).isSkinnedMesh ? 0 : 1);

const product = new Matrix4();
const detached = new Matrix4();

/** Numbers bones and objects as they come up. */
class Carriers {
  readonly all: Carrier[] = [];
  readonly #firstOf = new Map<Skeleton | SkinnedMesh, number>();
  readonly #ofBone = new Map<Object3D, number>();

  surfaceOf(mesh: Mesh): SphereSurface {
    const { geometry } = mesh;
    const position = requireAttribute(geometry, 'position', 'useLight');
    const n = position.count;
    const skinned = (mesh as SkinnedMesh).isSkinnedMesh ? (mesh as SkinnedMesh) : undefined;
    const place = skinned ? skinned.bindMatrix : new Matrix4();
    const carrier = skinned ? this.#bones(skinned) : this.#object(mesh, place);
    const positions = new Float32Array(3 * n);
    for (let i = 0; i < n; i++) {
      point
        .fromBufferAttribute(position, i)
        .applyMatrix4(place)
        .toArray(positions, 3 * i);
    }
    const joints = new Uint16Array(INFLUENCES * n);
    const weights = new Float32Array(INFLUENCES * n);
    const skinIndex = skinned && requireAttribute(geometry, 'skinIndex', 'useLight');
    const skinWeight = skinned && requireAttribute(geometry, 'skinWeight', 'useLight');
    for (let i = 0; i < n; i++) {
      const o = INFLUENCES * i;
      if (skinIndex && skinWeight) readInfluences(joints, weights, o, skinIndex, skinWeight, i);
      else weights[o] = 1;
      for (let s = o; s < o + INFLUENCES; s++) if (weights[s] > 0 || s === o) joints[s] += carrier;
    }
    return {
      positions,
      triangles: trianglesOf(geometry),
      weights: { influences: INFLUENCES, joints, weights },
      morphs: morphsOf(geometry, positions, place),
    };
  }

  /** Carriers of baked spheres, which are where the mesh stands at rest: `fromRest` takes them to the mesh. */
  bakedBones(mesh: Mesh, fromRest: Matrix4): number {
    const skinned = mesh as SkinnedMesh;
    if (!skinned.isSkinnedMesh) return this.all.push({ object: mesh, inverse: fromRest }) - 1;
    this.#bones(skinned);
    const first = this.all.length;
    const own = skinned.bindMode === 'detached';
    skinned.skeleton.bones.forEach((bone, j) => {
      const inverse = skinned.skeleton.boneInverses[j].clone().multiply(skinned.bindMatrix).multiply(fromRest);
      this.all.push({ object: bone, inverse, ...(own && { mesh: skinned }) });
    });
    return first;
  }

  /** The first of a skeleton's bones. Meshes that are bound attached share them. */
  #bones(mesh: SkinnedMesh): number {
    const { skeleton } = mesh;
    if (!skeleton) {
      throw new PliantError(
        'bad-input',
        'useLight',
        `mesh "${mesh.name}" has no skeleton (expected mesh.bind(…) first)`,
      );
    }
    const own = mesh.bindMode === 'detached';
    const key = own ? mesh : skeleton;
    const known = this.#firstOf.get(key);
    if (known !== undefined) return known;
    const first = this.all.length;
    this.#firstOf.set(key, first);
    skeleton.bones.forEach((bone, j) => {
      if (!own && !this.#ofBone.has(bone)) this.#ofBone.set(bone, this.all.length);
      this.all.push({ object: bone, inverse: skeleton.boneInverses[j], ...(own && { mesh }) });
    });
    return first;
  }

  /** What carries a mesh without bones; `place` becomes where it is at rest. */
  #object(mesh: Mesh, place: Matrix4): number {
    for (let above: Object3D | null = mesh.parent; above; above = above.parent) {
      const bone = this.#ofBone.get(above);
      if (bone === undefined) continue;
      const { object, inverse } = this.all[bone];
      place.multiplyMatrices(object.matrixWorld, inverse).invert().multiply(mesh.matrixWorld);
      return bone;
    }
    place.copy(mesh.matrixWorld);
    this.all.push({ object: mesh, inverse: mesh.matrixWorld.clone().invert() });
    return this.all.length - 1;
  }
}

const point = new Vector3();

/** Displacements of the morphs where the mesh rests. */
function morphsOf(geometry: BufferGeometry, positions: Float32Array, place: Matrix4): Morph[] {
  const n = positions.length / 3;
  const origin = new Vector3().setFromMatrixPosition(place);
  return (geometry.morphAttributes.position ?? []).map((target, m) => {
    const moved = new Float32Array(3 * n);
    for (let i = 0; i < n; i++) {
      point.fromBufferAttribute(target, i).applyMatrix4(place);
      if (geometry.morphTargetsRelative) point.sub(origin);
      else point.sub(base.fromArray(positions, 3 * i));
      point.toArray(moved, 3 * i);
    }
    return { name: `${m}`, positions: moved };
  });
}

const base = new Vector3();
