import {
  Box3,
  type BufferAttribute,
  type BufferGeometry,
  type Material,
  Matrix4,
  Mesh,
  MeshStandardMaterial,
  type SkinnedMesh,
  Sphere,
  Vector3,
} from 'three';
import { fitCapsules } from '../../src/cloth/capsules.ts';
import type { LiveClothOptions } from '../../src/cloth/live.ts';
import { LIVE_CLOTH_OPTIONS } from '../../src/cloth/options.ts';
import { EDDIES } from '../../src/cloth/wind.ts';
import type { Garment } from '../../src/cloth/worn.ts';
import { PliantError } from '../../src/error.ts';
import type { Note } from '../../src/model/note.ts';
import { resolveOptions } from '../../src/model/options.ts';
import { type TrainedCloth, validateTrainedCloth } from '../../src/model/trained-cloth.ts';
import { ClothBodyMesh } from './cloth-body.ts';
import { type ClothPins, clothGeometry, garmentOfGeometry, vertexOf } from './cloth-garment.ts';
import { type ClothHost, type ClothStart, hostHere, hostInWorker } from './cloth-host.ts';
import { requireSkinnedMesh } from './given.ts';
import { movingGeometry } from './moving-geometry.ts';

/** Options of `ClothMesh.create`. */
export interface ClothMeshOptions extends Omit<LiveClothOptions, 'transforms'> {
  /** What the body holds. A garment without pins may slide off. */
  pins?: ClothPins;
  /** m/s, in the axes of the world. */
  wind?: Vector3;
  /** How many metres a unit of the world is [default 1]. */
  metresPerUnit?: number;
  /** Compute the cloth in a worker [default false]. Where none can be started, it is computed here: see `inWorker`. */
  worker?: boolean;
  /** Whether the cloth rests while nobody sees it [default true]. */
  pauseUnseen?: boolean;
}

/** Pictures that the cloth was not part of, after which it rests. */
const UNSEEN = 10;

/**
 * A garment on a skinned mesh: a coarse mesh of it is simulated, the garment follows with folds. Nothing is trained.
 *
 *     const cape = await ClothMesh.create(garment, figure, { pins: { bones: ['chest'] } });
 *     scene.add(cape);
 *
 *     mixer.update(seconds);
 *     cape.update(seconds);
 *     renderer.render(scene, camera);
 *
 * Its vertices are in the world, wherever it hangs in the scene.
 */
export class ClothMesh extends Mesh<BufferGeometry, Material | Material[]> {
  readonly body: SkinnedMesh;
  /** m/s, in the axes of the world. May change at any time. */
  readonly wind = new Vector3();
  /** Speed of the eddies as a fraction of the wind's. */
  turbulence: number = EDDIES.turbulence;
  /** Bending stiffness in N·m: silk 1e-6, cotton 1e-5, denim 1e-4. May change at any time. */
  bending: number = LIVE_CLOTH_OPTIONS.bending.default;
  /** Whether the cloth rests while nobody sees it. */
  pauseUnseen = true;
  readonly #host: ClothHost;
  readonly #fitted: ClothBodyMesh;
  readonly #garment: Garment;
  readonly #metres: number;
  readonly #anchor: number;
  readonly #sentWind = new Vector3(Number.NaN);
  readonly #grabPoint = new Vector3();
  #sentTurbulence = Number.NaN;
  #grabbed = -1;
  #reset = false;
  /** Pictures since it was drawn; −1 before the first. */
  #unseen = -1;
  /** Where the anchor was when it fell asleep, inverted. */
  #asleep: Matrix4 | undefined;

  /**
   * Dresses a body. The garment stands on its rest pose, beside it in the scene; a geometry is in the space of the body's
   * geometry. It is not changed, nor removed from the scene. Trained cloth has pins of its own, and fits bodies whose
   * geometry is y up.
   */
  static async create(
    garment: Mesh | BufferGeometry | TrainedCloth,
    body: SkinnedMesh,
    options: ClothMeshOptions = {},
  ): Promise<ClothMesh> {
    const { pins = {}, wind, metresPerUnit = 1, worker, pauseUnseen, onProgress, signal, given, ...rest } = options;
    const settings = resolveOptions(LIVE_CLOTH_OPTIONS, rest, 'ClothMesh');
    if (!(metresPerUnit > 0 && metresPerUnit < Infinity)) {
      const cause = `(got ${metresPerUnit}, expected a number > 0)`;
      throw new PliantError('bad-option', 'ClothMesh', cause, { option: 'metresPerUnit' });
    }
    requireSkinnedMesh(body, 'ClothMesh');
    if (!garment) {
      const cause = `the garment (got ${garment}, expected a Mesh, a geometry or trained cloth)`;
      throw new PliantError('bad-input', 'ClothMesh', cause);
    }
    const fitted = new ClothBodyMesh(body, metresPerUnit);
    const capsules = given?.capsules ?? fitCapsules(fitted.model);
    const trained = 'fine' in garment ? validateTrainedCloth(garment, 'ClothMesh') : undefined;
    const worn = trained
      ? { mesh: trained.fine, pinned: trained.pinned.fine }
      : garmentOfGeometry(garment as Mesh | BufferGeometry, fitted, pins, capsules);
    const start: ClothStart = {
      garment: trained ?? worn,
      model: fitted.model,
      options: { ...rest, transforms: fitted.transforms.slice(), given: { capsules } },
    };
    const run = { onProgress, signal };
    const host = (worker && (await hostInWorker(start, run))) || (await hostHere(start, run));
    const mesh = new ClothMesh(sourceOf(garment), { fitted, host, garment: worn, metresPerUnit });
    mesh.bending = settings.bending;
    mesh.pauseUnseen = pauseUnseen ?? true;
    if (wind) mesh.wind.copy(wind);
    return mesh;
  }

  private constructor(
    source: Mesh,
    parts: { fitted: ClothBodyMesh; host: ClothHost; garment: Garment; metresPerUnit: number },
  ) {
    super(clothGeometry(source.geometry), source.material);
    this.name = source.name;
    this.castShadow = source.castShadow;
    this.receiveShadow = source.receiveShadow;
    this.body = parts.fitted.mesh;
    this.#fitted = parts.fitted;
    this.#host = parts.host;
    this.#garment = parts.garment;
    this.#metres = parts.metresPerUnit;
    this.#anchor = parts.fitted.anchorOf(parts.garment);
    // Its vertices are in the world: what it hangs on does not move it.
    this.matrixAutoUpdate = false;
    this.matrixWorldAutoUpdate = false;
    this.geometry.boundingBox = new Box3();
    this.geometry.boundingSphere = new Sphere();
    this.#place();
    this.#show();
  }

  /** Whether a worker computes the cloth. */
  get inWorker(): boolean {
    return this.#host.inWorker;
  }

  /** How the garment sits: vertices inside the body, no pins. */
  get notes(): readonly Note[] {
    return this.#host.notes;
  }

  /** Milliseconds spent so far, by stage. */
  get spent(): ClothHost['spent'] {
    return this.#host.spent;
  }

  /** Whether the cloth rests, because nobody sees it. */
  get paused(): boolean {
    return this.#asleep !== undefined;
  }

  /**
   * Moves the cloth on by `seconds`, with the body as it is posed now. Call it once per picture, after the body has moved
   * and before it is drawn.
   */
  update(seconds: number): this {
    this.#fitted.updateWorld();
    if (this.#isUnseen(seconds)) return this.#sleep();
    this.#fitted.refresh();
    const change = this.#host.take({
      transforms: this.#fitted.transforms,
      seconds,
      ...this.#newWind(),
      bending: this.bending,
      grabbed: this.#grabbedPoint(),
      reset: this.#reset,
      carry: this.#asleep !== undefined,
    });
    this.#reset = false;
    // A worker may take a while to bring the cloth along: it sleeps on until then.
    if (this.#asleep && change !== 'carried') return this.#sleep();
    this.#asleep = undefined;
    this.#place();
    if (change !== 'none') this.#show();
    return this;
  }

  /** Draws a vertex of the geometry to a point of the world, softly, until it is released: `grab(hit.face.a, hit.point)`. */
  grab(vertex: number, point: Vector3): this {
    this.#grabbed = vertexOf(this.#garment.mesh, vertex);
    this.#grabPoint.copy(point);
    return this;
  }

  /** Lets go of the vertex. */
  release(): this {
    this.#grabbed = -1;
    return this;
  }

  /** With the next update the garment is put on anew, and settles. */
  reset(): this {
    this.#reset = true;
    return this;
  }

  /** A clone shares the geometry, as those of other meshes do: it shows the same cloth, and needs no updates. */
  override clone(): this {
    return new Mesh().copy(this) as unknown as this;
  }

  /** Lets go of geometry, kernels and worker; materials are the caller's. */
  override dispose(): void {
    super.dispose?.(); // of three.js since r181
    this.#host.dispose();
    this.geometry.dispose();
  }

  /** Called by three.js when it draws the cloth. If it is replaced, nobody knows: the cloth then never rests. */
  override onBeforeRender(): void {
    this.#unseen = 0;
  }

  /** Called by three.js when it draws the shadow of the cloth. */
  override onBeforeShadow(): void {
    this.#unseen = 0;
  }

  /** Only updates in which time passes count: a page may ask often whether a worker has answered. */
  #isUnseen(seconds: number): boolean {
    if (this.#unseen < 0 || !this.pauseUnseen || this.onBeforeRender !== ClothMesh.prototype.onBeforeRender)
      return false;
    if (seconds > 0) this.#unseen++;
    return this.#unseen > UNSEEN;
  }

  /** Asleep it hangs on the body like a board, so that it is there to be seen again. */
  #sleep(): this {
    const now = this.#fitted.boneMatrix(new Matrix4(), this.#anchor);
    this.#asleep ??= now.clone().invert();
    this.#place(now.multiply(this.#asleep));
    return this;
  }

  /** The matrix from metres to the world, moved by `motion`. */
  #place(motion?: Matrix4): void {
    const units = 1 / this.#metres;
    this.matrixWorld.makeScale(units, units, units);
    if (motion) this.matrixWorld.premultiply(motion);
    this.matrix.copy(this.matrixWorld);
  }

  #newWind() {
    const { wind, turbulence } = this;
    if (this.#sentWind.equals(wind) && this.#sentTurbulence === turbulence) return undefined;
    this.#sentWind.copy(wind);
    this.#sentTurbulence = turbulence;
    return { wind: { velocity: wind.toArray(), ...EDDIES, turbulence } };
  }

  #grabbedPoint() {
    if (this.#grabbed < 0) return undefined;
    const { x, y, z } = point.copy(this.#grabPoint).multiplyScalar(this.#metres);
    return { vertex: this.#grabbed, x, y, z };
  }

  #show(): void {
    const { positions, normals } = this.#host;
    const { seams } = this.#garment.mesh;
    const { position, normal } = this.geometry.attributes as Record<string, BufferAttribute>;
    const shown = position.array as Float32Array;
    if (seams) {
      const { vertexOf: of } = seams;
      for (let w = 0; w < of.length; w++) {
        const o = 3 * of[w];
        shown[3 * w] = positions[o];
        shown[3 * w + 1] = positions[o + 1];
        shown[3 * w + 2] = positions[o + 2];
      }
    } else shown.set(positions);
    (normal.array as Float32Array).set(normals);
    position.needsUpdate = true;
    normal.needsUpdate = true;
    const { boundingBox, boundingSphere } = this.geometry;
    boundingBox!.setFromArray(positions);
    boundingBox!.getBoundingSphere(boundingSphere!);
  }
}

/** What the cloth looks like. */
function sourceOf(garment: Mesh | BufferGeometry | TrainedCloth): Mesh {
  if ('isMesh' in garment) return garment;
  const mesh = new Mesh('fine' in garment ? movingGeometry(garment.fine) : garment, new MeshStandardMaterial());
  if ('fine' in garment) mesh.name = garment.name;
  return mesh;
}

const point = new Vector3();
