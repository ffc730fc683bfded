import { type Intersection, Matrix4, type Object3D, Ray, type Raycaster, Sphere } from 'three';
import { transformPoint34 } from '../../../src/math/matrix34.ts';
import { MATRIX_STRIDE } from '../../../src/model/skeleton.ts';
import { INFLUENCES, trianglesOf } from '../mesh-model.ts';
import { addHits, localRay, type RayTarget } from '../ray-hits.ts';
import { facesAcrossLine } from '../scan-ray.ts';
import { matrix4From34 } from '../world.ts';
import type { CrowdBones } from './crowd-bones.ts';
import { type CrowdInstances, SHOWN } from './crowd-instances.ts';
import type { CrowdLevel, CrowdLevelMesh } from './crowd-level.ts';

/**
 * Rays against a crowd: those instances whose sphere the ray meets are posed as the shader poses them, at the level drawn
 * last, and all their triangles looked at.
 */
export class CrowdRays {
  readonly #crowd: Object3D;
  readonly #instances: CrowdInstances;
  readonly #bones: CrowdBones;
  readonly #levels: readonly CrowdLevel[];
  readonly #matrices: Float64Array;
  /** 3N for the mesh looked at; as long as the largest needs. */
  #positions = new Float32Array(0);
  readonly #triangles = new WeakMap<CrowdLevelMesh, Uint32Array>();

  constructor(
    crowd: Object3D,
    parts: { instances: CrowdInstances; bones: CrowdBones; levels: readonly CrowdLevel[]; jointCount: number },
  ) {
    this.#crowd = crowd;
    this.#instances = parts.instances;
    this.#bones = parts.bones;
    this.#levels = parts.levels;
    this.#matrices = new Float64Array(MATRIX_STRIDE * parts.jointCount);
  }

  cast(raycaster: Raycaster, intersects: Intersection[]): void {
    const { spheres, state, end, matrices, levels } = this.#instances;
    const { matrixWorld } = this.#crowd;
    ray.copy(raycaster.ray).applyMatrix4(place.copy(matrixWorld).invert());
    for (let i = 0; i < end; i++) {
      if (state[i] !== SHOWN) continue;
      sphere.center.fromArray(spheres, 4 * i);
      sphere.radius = spheres[4 * i + 3];
      if (!ray.intersectsSphere(sphere)) continue;
      this.#pose(i);
      matrix4From34(place, matrices.subarray(MATRIX_STRIDE * i, MATRIX_STRIDE * (i + 1))).premultiply(matrixWorld);
      for (const mesh of this.#levels[levels[i]].meshes) this.#castAt(i, mesh, raycaster, intersects);
    }
  }

  #castAt(i: number, mesh: CrowdLevelMesh, raycaster: Raycaster, intersects: Intersection[]): void {
    const { geometry, material } = mesh;
    const target: RayTarget = { object: this.#crowd, geometry, material, matrixWorld: place };
    const positions = this.#skin(mesh);
    const triangles = this.#triangles.get(mesh) ?? trianglesOf(geometry);
    this.#triangles.set(mesh, triangles);
    const { origin: o, direction: d } = localRay(raycaster, target);
    const faces = facesAcrossLine(positions, triangles, o.toArray(), d.toArray());
    const before = intersects.length;
    addHits(target, positions, triangles, faces, raycaster, intersects);
    for (let h = before; h < intersects.length; h++) intersects[h].instanceId = i;
  }

  /** The matrices of an instance's bones. */
  #pose(i: number): void {
    this.#instances.writePose(pose, 0, i);
    const [first, part, other, weight] = pose;
    this.#matrices.fill(0);
    if (weight < 1) this.#bones.addPose(this.#matrices, first, part, 1 - weight);
    if (weight > 0) this.#bones.addPose(this.#matrices, Math.floor(other), other - Math.floor(other), weight);
  }

  /** The vertices where the bones take them: Σ w·C·v. */
  #skin({ geometry }: CrowdLevelMesh): Float32Array {
    const { position, skinIndex, skinWeight } = geometry.attributes;
    if (this.#positions.length < 3 * position.count) this.#positions = new Float32Array(3 * position.count);
    const out = this.#positions.subarray(0, 3 * position.count);
    for (let v = 0; v < position.count; v++) {
      for (let c = 0; c < 3; c++) point[c] = position.getComponent(v, c);
      let sum = 0;
      blended.fill(0);
      for (let s = 0; s < INFLUENCES; s++) {
        const weight = skinWeight.getComponent(v, s);
        if (weight === 0) continue;
        const m = MATRIX_STRIDE * skinIndex.getComponent(v, s);
        for (let c = 0; c < MATRIX_STRIDE; c++) blended[c] += weight * this.#matrices[m + c];
        sum += weight;
      }
      if (sum > 0) for (let c = 0; c < MATRIX_STRIDE; c++) blended[c] /= sum;
      else blended.set(this.#matrices.subarray(0, MATRIX_STRIDE));
      transformPoint34(out, 3 * v, blended, 0, point, 0);
    }
    return out;
  }
}

const ray = new Ray();
const sphere = new Sphere();
const place = new Matrix4();
const pose = new Float32Array(4);
const point = new Float64Array(3);
const blended = new Float64Array(MATRIX_STRIDE);
