import {
  type BufferAttribute,
  type BufferGeometry,
  type Material,
  Mesh,
  MeshStandardMaterial,
  type Vector3,
} from 'three';
import { PliantError } from '../../src/error.ts';
import { TO_Y_UP } from '../../src/io/glb/space.ts';
import { PREDICTOR_EXTENSION } from '../../src/io/gltf/extension-names.ts';
import { SurfaceDriver } from '../../src/learn/drive.ts';
import { type Strain, SurfaceStrain } from '../../src/learn/strain.ts';
import { smoothingGroups, vertexNormals } from '../../src/mesh/normals.ts';
import { type Predictor, pointNames, validatePredictor } from '../../src/model/predictor.ts';
import { movingGeometry } from './moving-geometry.ts';
import { type GltfParser, packedData } from './packed-data.ts';

/**
 * Lets GLTFLoader read what `pliant learn` wrote: the predictor is then `gltf.userData.predictor`. The scene beside it is
 * what any other player shows: the bones, and the clip of examples.
 *
 *     loader.register((parser) => new PredictorLoaderPlugin(parser));
 */
export class PredictorLoaderPlugin {
  readonly name = PREDICTOR_EXTENSION;
  readonly #parser: GltfParser;

  constructor(parser: GltfParser) {
    this.#parser = parser;
  }

  /** Called by three.js when a file is loaded; sets `userData.predictor`. */
  async afterRoot(gltf: { userData: Record<string, unknown> }): Promise<void> {
    const data = await packedData(this.#parser, PREDICTOR_EXTENSION);
    if (data !== undefined) gltf.userData.predictor = validatePredictor(data, 'PredictorLoaderPlugin');
  }
}

/**
 * A surface that follows a few control points, as `pliant learn` taught it to: set points, then `update()`.
 *
 *     const face = new PredictorMesh(gltf.userData.predictor, material);
 *     face.setPoint(2, position).update();
 *
 * Points are in the space of this object, which stands as the file's own scene does: y up and in metres. Positions and
 * normals are computed on the CPU, by the library's kernels; hard edges stay hard.
 */
export class PredictorMesh extends Mesh<BufferGeometry, Material | Material[]> {
  readonly predictor: Predictor;
  /** 3n_c: where the control points shall be, in the order of `predictor.points`. */
  readonly points: Float64Array;
  /** n_c: what the control points are called. */
  readonly names: readonly string[];
  /** How far the points are from experience, as a multiple of the farthest example: above 1 is a guess. */
  distance = 0;
  readonly #driver: SurfaceDriver;
  /** 3N: where the driver left the surface. */
  #positions: Float32Array = new Float32Array();
  #strain?: SurfaceStrain;
  readonly #smoothing: Uint32Array;

  /** A list of materials is for the mesh's groups, in the order of `predictor.mesh.materials`. */
  constructor(predictor: Predictor, material: Material | Material[] = new MeshStandardMaterial()) {
    if (!predictor?.mesh) {
      const cause = `the predictor (got ${predictor === null ? null : typeof predictor}, expected gltf.userData.predictor of a file by \`pliant learn\`)`;
      throw new PliantError('bad-input', 'PredictorMesh', cause);
    }
    super(movingGeometry(predictor.mesh), material);
    this.predictor = predictor;
    this.#driver = new SurfaceDriver(predictor);
    this.#smoothing = smoothingGroups(predictor.mesh);
    this.names = pointNames(predictor);
    this.points = new Float64Array(3 * predictor.points.length);
    const { up = 'y', metresPerUnit = 1 } = predictor.mesh.space ?? {};
    this.quaternion.fromArray(TO_Y_UP[up]);
    this.scale.setScalar(metresPerUnit);
    this.name = predictor.name;
    this.rest().update();
  }

  /** Asks for a control point, by its number or name, to be there. */
  setPoint(point: number | string, position: Vector3): this {
    position.toArray(this.points, 3 * this.#indexOf(point));
    return this;
  }

  /** Where a control point was asked to be. */
  getPoint(point: number | string, target: Vector3): Vector3 {
    return target.fromArray(this.points, 3 * this.#indexOf(point));
  }

  /**
   * Where the surface is stretched most now, and how many times more than in any example; undefined for files that do not
   * say how far theirs stretch. Looks at every edge.
   */
  strain(): Readonly<Strain> | undefined {
    const { mesh, stretch } = this.predictor;
    if (!stretch) return undefined;
    this.#strain ??= new SurfaceStrain(mesh, stretch);
    return this.#strain.measure(this.#positions);
  }

  /** Asks for all control points to be where the rest pose has them. */
  rest(): this {
    const { points, mesh } = this.predictor;
    for (let c = 0; c < this.points.length; c++)
      this.points[c] = mesh.positions[3 * points[Math.floor(c / 3)] + (c % 3)];
    return this;
  }

  /** Moves the surface to where the control points ask for. */
  update(): this {
    const { positions, distance } = this.#driver.drive(this.points);
    const { mesh } = this.predictor;
    const { position, normal } = this.geometry.attributes as Record<string, BufferAttribute>;
    const shown = position.array as Float32Array;
    if (mesh.seams) {
      const { vertexOf } = mesh.seams;
      for (let c = 0; c < shown.length; c++) shown[c] = positions[3 * vertexOf[Math.floor(c / 3)] + (c % 3)];
    } else shown.set(positions);
    vertexNormals(mesh, positions, 'angle', this.#smoothing, normal.array as Float32Array);
    position.needsUpdate = true;
    normal.needsUpdate = true;
    this.distance = distance;
    this.#positions = positions;
    // three.js computes them anew when a camera or a ray asks.
    this.geometry.boundingBox = null;
    this.geometry.boundingSphere = null;
    return this;
  }

  /** Lets go of geometry and driver; materials are the caller's. */
  override dispose(): void {
    super.dispose?.(); // of three.js since r181
    this.#driver.dispose();
    this.geometry.dispose();
  }

  #indexOf(point: number | string): number {
    const { names } = this;
    const l = typeof point === 'number' ? point : names.indexOf(point);
    if (Number.isInteger(l) && l >= 0 && l < names.length) return l;
    const expected = typeof point === 'number' ? `0 to ${names.length - 1}` : `one of ${names.join(', ')}`;
    throw new PliantError('bad-input', 'PredictorMesh', `control point (got ${point}, expected ${expected})`);
  }
}
