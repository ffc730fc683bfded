import { type Camera, Frustum, Matrix4, type Object3D, Vector3 } from 'three';
import { hasPerspective, type LevelChoice, pixelsAtOne } from '../level-choice.ts';
import { type CrowdInstances, SHOWN } from './crowd-instances.ts';
import type { CrowdLevel } from './crowd-level.ts';

/**
 * Which instances are drawn, each at which level. Runs through all of them for every picture, and allocates nothing.
 * Everything is in the space of the crowd: a frustum of planes there is as good as one in the world.
 */
export class CrowdSelection {
  /** Instances that are out of view and may throw shadows into it. */
  #outside = new Int32Array(0);

  select(
    instances: CrowdInstances,
    levels: readonly CrowdLevel[],
    choice: LevelChoice,
    { matrixWorld }: Object3D,
    castsShadow: boolean,
    camera: Camera,
    height: number,
  ): void {
    const { spheres, state, end } = instances;
    if (this.#outside.length < instances.capacity) this.#outside = new Int32Array(instances.capacity);
    readPlanes(camera, matrixWorld);
    const scale = matrixWorld.getMaxScaleOnAxis();
    // Sizes on the screen stay the same when everything is scaled, if there is perspective.
    const perspective = hasPerspective(camera);
    const pixels = pixelsAtOne(camera, height) * (perspective ? 1 : scale);
    const near = Math.max(((camera as { near?: number }).near ?? 0) / scale, Number.MIN_VALUE);
    eye.setFromMatrixPosition(camera.matrixWorld).applyMatrix4(inverse.copy(matrixWorld).invert());
    const { x, y, z } = eye;

    let outside = 0;
    for (const level of levels) level.clear();
    for (let i = 0; i < end; i++) {
      if (state[i] !== SHOWN) continue;
      const s = 4 * i;
      const seen = meetsFrustum(spheres[s], spheres[s + 1], spheres[s + 2], spheres[s + 3]);
      if (!seen && !castsShadow) continue;
      let size = pixels * instances.scales[i];
      if (perspective) {
        const dx = spheres[s] - x;
        const dy = spheres[s + 1] - y;
        const dz = spheres[s + 2] - z;
        size /= Math.max(near, Math.sqrt(dx * dx + dy * dy + dz * dz) - spheres[s + 3]);
      }
      const l = choice.next(instances.levels[i], size);
      instances.levels[i] = l;
      if (seen) levels[l].add(instances, i);
      else this.#outside[outside++] = i;
    }
    for (const level of levels) level.endSeen();
    for (let n = 0; n < outside; n++) levels[instances.levels[this.#outside[n]]].add(instances, this.#outside[n]);
    for (const level of levels) level.finish();
  }
}

const eye = new Vector3();
const inverse = new Matrix4();
const product = new Matrix4();
const frustum = new Frustum();
/** 24: normal and constant of six planes. */
const planes = new Float64Array(24);

function readPlanes(camera: Camera, crowd: Matrix4): void {
  product.multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse).multiply(crowd);
  frustum.setFromProjectionMatrix(product, camera.coordinateSystem, camera.reversedDepth);
  for (let p = 0; p < 6; p++) {
    const { normal, constant } = frustum.planes[p];
    planes[4 * p] = normal.x;
    planes[4 * p + 1] = normal.y;
    planes[4 * p + 2] = normal.z;
    planes[4 * p + 3] = constant;
  }
}

/** Whether a sphere is not entirely behind one of the planes. */
function meetsFrustum(x: number, y: number, z: number, radius: number): boolean {
  for (let p = 0; p < 24; p += 4) {
    if (planes[p] * x + planes[p + 1] * y + planes[p + 2] * z + planes[p + 3] < -radius) return false;
  }
  return true;
}
