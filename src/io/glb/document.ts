import {
  type Accessor,
  type Animation,
  type Buffer,
  Document,
  type GLTF,
  type JSONDocument,
  type Material,
  type Scene,
  type TypedArray,
  VertexLayout,
} from '@gltf-transform/core';
import { EXTMeshoptCompression, KHRMeshQuantization } from '@gltf-transform/extensions';
import { MeshoptEncoder } from 'meshoptimizer/encoder';
import { PliantError } from '../../error.ts';
import type { FigureName } from '../../model/figures.ts';
import type { Mesh, Material as MeshMaterial } from '../../model/mesh.ts';
import { addNotes, type Note, note } from '../../model/note.ts';
import { emptyReport, type Report } from '../../model/report.ts';
import { MemoryIO } from '../gltf/accessors.ts';
import { BlendBoneExtension } from '../gltf/blend-bone-extension.ts';
import { clothExtension } from '../gltf/cloth-extension.ts';
import { predictorExtension } from '../gltf/predictor-extension.ts';
import { PLAIN_NAME, plainMaterials } from '../plain-material.ts';
import { FILTERING_ENCODER } from './filters.ts';
import { declareFiltered, withoutDefaults } from './json.ts';
import { GlbMaterials } from './materials.ts';
import type { GlbOptions } from './options.ts';
import { compactOrder, givenOrder, type StoredOrder } from './order.ts';

/** A test holds the version to the one in package.json. */
export const GENERATOR = 'pliant 0.1.0';

/** A GLB, and what is worth knowing about it. */
export interface GlbResult {
  bytes: Uint8Array;
  report: Report;
  /** Per mesh, W: stored vertex → split vertex of the mesh; undefined where they are stored as they were. */
  orders: (Uint32Array | undefined)[];
}

/** Key times as glTF wants them: increasing, in float32, and not before 0. Notes where that moves them. */
export function storedTimes(
  times: Float64Array,
  name: string,
  { operation, notes }: Report,
): Float32Array<ArrayBuffer> {
  const shift = Math.min(0, times[0]);
  const stored = Float32Array.from(times, (t) => t - shift);
  const still = stored.findIndex((t, k) => k > 0 && !(t > stored[k - 1]));
  if (still >= 0) {
    const cause = `${name}: times ${times[still - 1]} and ${times[still]} are equal in float32 (expected increasing)`;
    throw new PliantError('bad-input', operation, cause);
  }
  if (shift < 0) addNotes(notes, note('start-moved', { seconds: times[0] }, name));
  return stored;
}

/** Writes JSON without what glTF assumes anyway. */
class CompactIO extends MemoryIO {
  readonly #materials: GlbMaterials;

  constructor(materials: GlbMaterials) {
    super();
    this.#materials = materials;
  }

  override async writeJSON(...given: Parameters<MemoryIO['writeJSON']>): Promise<JSONDocument> {
    const written = await super.writeJSON(...given);
    return { ...written, json: withoutDefaults(this.#materials.complete(declareFiltered(written.json))) };
  }
}

/** A GLB in the making, and what its parts share. */
export class GlbDocument {
  readonly document = new Document();
  readonly scene: Scene;
  readonly report: Report;
  readonly options: GlbOptions;
  readonly #buffer: Buffer;
  readonly materials: GlbMaterials;
  readonly #plain = new Map<string, MeshMaterial>();
  readonly #times = new Map<string, Accessor>();
  readonly #animations = new Map<string, Animation>();
  readonly #orders: StoredOrder[] = [];

  static async create(operation: string, options: GlbOptions): Promise<GlbDocument> {
    await MeshoptEncoder.ready;
    return new GlbDocument(operation, options);
  }

  private constructor(operation: string, options: GlbOptions) {
    this.options = options;
    this.report = emptyReport(operation);
    this.materials = new GlbMaterials(this.document, options.names);
    this.#buffer = this.document.createBuffer();
    this.scene = this.document.createScene();
    this.document.getRoot().setDefaultScene(this.scene).getAsset().generator = GENERATOR;
  }

  accessor(type: GLTF.AccessorType, array: TypedArray, normalized = false): Accessor {
    return this.document
      .createAccessor()
      .setType(type)
      .setArray(array)
      .setNormalized(normalized)
      .setBuffer(this.#buffer);
  }

  /** The order in which a mesh is to be stored; asked for once per mesh. */
  order(mesh: Mesh): StoredOrder {
    const order = this.options.reorder ? compactOrder(mesh) : givenOrder(mesh);
    this.#orders.push(order);
    return order;
  }

  /** Key times; equal ones share one accessor. */
  timesAccessor(times: Float64Array, name: string): Accessor {
    const stored = storedTimes(times, name, this.report);
    const key = stored.join();
    let accessor = this.#times.get(key);
    if (!accessor) {
      accessor = this.accessor('SCALAR', stored);
      this.#times.set(key, accessor);
    }
    return accessor;
  }

  /** The animation of this name, made when first asked for. */
  animation(name: string): Animation {
    let animation = this.#animations.get(name);
    if (!animation) {
      animation = this.document.createAnimation(name);
      this.#animations.set(name, animation);
    }
    return animation;
  }

  /** What triangles without a material get: one for all open meshes, and one for all that show their outside only. */
  plainMaterial(mesh: Mesh): Material {
    const [made] = plainMaterials([PLAIN_NAME], mesh);
    const key = JSON.stringify(made);
    const shared = this.#plain.get(key) ?? made;
    this.#plain.set(key, shared);
    return this.materials.add(shared);
  }

  note(added: Note): void {
    addNotes(this.report.notes, added);
  }

  /** Adds to a figure of the file. */
  count(name: FigureName, value: number): void {
    this.report.figures[name] = (this.report.figures[name] ?? 0) + value;
  }

  /** The bytes. The same document gives the same bytes. */
  async finish(): Promise<GlbResult> {
    const io = new CompactIO(this.materials).registerExtensions([
      BlendBoneExtension,
      predictorExtension.Extension,
      clothExtension.Extension,
    ]);
    if (this.options.quantize) {
      io.registerExtensions([KHRMeshQuantization]);
      this.document.createExtension(KHRMeshQuantization).setRequired(true);
    }
    if (this.options.compress === 'meshopt') {
      io.registerExtensions([EXTMeshoptCompression]).registerDependencies({ 'meshopt.encoder': FILTERING_ENCODER });
      const { QUANTIZE, FILTER } = EXTMeshoptCompression.EncoderMethod;
      this.document
        .createExtension(EXTMeshoptCompression)
        .setRequired(true)
        .setEncoderOptions({ method: this.options.quantize ? FILTER : QUANTIZE });
    }
    io.setVertexLayout(VertexLayout.SEPARATE);
    await this.materials.readPictures();
    const bytes = await io.writeBinary(this.document);
    this.report.figures.bytes = bytes.length;
    return { bytes, report: this.report, orders: this.#orders.map(({ vertices }) => vertices) };
  }
}
