import {
  type Accessor,
  type Document,
  Extension,
  ExtensionProperty,
  type GLTF,
  type IProperty,
  PropertyType,
  RefMap,
  type WriterContext,
} from '@gltf-transform/core';
import { PliantError } from '../../error.ts';
import { type Mesh, splitVertexCount } from '../../model/mesh.ts';
import { type Predictor, pointNames, validatePredictor } from '../../model/predictor.ts';
import type { SkinnedModel } from '../../model/skinned-model.ts';
import type { Accessors } from './accessors.ts';
import { PREDICTOR_EXTENSION } from './extension-names.ts';
import { GltfFault } from './limits.ts';
import { packData, unpackData } from './packed-data.ts';

/**
 * `PLIANT_predictor`, an extension of the root: `{ "accessor": n, "extras": { "points": [names] } }`, an accessor whose
 * bytes hold a whole predictor (see packed-data.ts), and what its control points are called, for whoever looks into the
 * file. The bytes are stored as unsigned integers of four bytes, as single bytes would be padded to four where the file is
 * compressed. Players that do not know it show the bones and the clip of examples beside it.
 */
interface PredictorRefs extends IProperty {
  data: Accessor;
}

class PredictorProperty extends ExtensionProperty<PredictorRefs> {
  static override readonly EXTENSION_NAME = PREDICTOR_EXTENSION;
  declare extensionName: typeof PREDICTOR_EXTENSION;
  declare propertyType: 'Predictor';
  declare parentTypes: [PropertyType.ROOT];

  protected override init(): void {
    this.extensionName = PREDICTOR_EXTENSION;
    this.propertyType = 'Predictor';
    this.parentTypes = [PropertyType.ROOT];
  }

  protected override getDefaults() {
    return Object.assign(super.getDefaults(), { data: null, extras: {}, extensions: new RefMap() });
  }

  get data(): Accessor {
    return this.getRef('data')!;
  }

  set data(accessor: Accessor) {
    this.setRef('data', accessor, { usage: 'OTHER' });
  }
}

export class PredictorExtension extends Extension {
  static override readonly EXTENSION_NAME = PREDICTOR_EXTENSION;
  override readonly extensionName = PREDICTOR_EXTENSION;

  create(data: Accessor): PredictorProperty {
    const property = new PredictorProperty(this.document.getGraph());
    property.data = data;
    return property;
  }

  /** Files are read by Pliant's own reader, see `readPredictor`. */
  override read(): this {
    return this;
  }

  override write(context: WriterContext): this {
    const property = this.document.getRoot().getExtension<PredictorProperty>(PREDICTOR_EXTENSION);
    if (!property) return this;
    const { json } = context.jsonDoc;
    const accessor = context.accessorIndexMap.get(property.data)!;
    json.extensions = { ...json.extensions, [PREDICTOR_EXTENSION]: { accessor, extras: property.getExtras() } };
    return this;
  }
}

export function addPredictor(
  document: Document,
  predictor: Predictor,
  accessor: (words: Uint32Array<ArrayBuffer>) => Accessor,
): void {
  const bytes = packData({ ...predictor, mesh: predictor.mesh && withoutPictures(predictor.mesh) });
  const words = new Uint32Array(Math.ceil(bytes.length / 4));
  new Uint8Array(words.buffer).set(bytes);
  const data = accessor(words);
  const extension = document.createExtension(PredictorExtension);
  const property = extension.create(data).setExtras({ points: pointNames(predictor) });
  document.getRoot().setExtension(PREDICTOR_EXTENSION, property);
}

/** The file has pictures and vertex attributes beside the predictor: `withAppearance` takes them from there. */
function withoutPictures({ attributes: _, ...mesh }: Mesh): Mesh {
  const materials = mesh.materials?.map(({ baseColorTexture: __, gltf: ___, ...material }) => material);
  return { ...mesh, ...(materials && { materials }) };
}

/** The predictor with the materials of the model that it drives, and with its attributes where vertices have the same order. */
export function withAppearance(predictor: Predictor, models: readonly SkinnedModel[]): Predictor {
  const { mesh } = predictor;
  const from = models.length === 1 ? models[0].mesh : undefined;
  const groups = mesh.groups?.filter(({ count }) => count > 0) ?? [];
  if (!from || from.groups?.length !== Math.max(1, groups.length)) return predictor;
  const materials = mesh.materials?.slice();
  for (const [g, { material }] of groups.entries()) {
    const found = from.materials?.[from.groups[g].material ?? -1];
    if (materials && material !== undefined && found)
      materials[material] = { ...found, name: materials[material].name };
  }
  const isSame =
    from.triangles.length === mesh.triangles.length && from.triangles.every((i, c) => i === mesh.triangles[c]);
  const attributes = isSame && splitVertexCount(from) === splitVertexCount(mesh) ? from.attributes : undefined;
  return { ...predictor, mesh: { ...mesh, ...(materials && { materials }), ...(attributes && { attributes }) } };
}

/** The predictor of a file, if it has one. */
export function readPredictor(json: GLTF.IGLTF, accessors: Accessors): Predictor | undefined {
  const entry = json.extensions?.[PREDICTOR_EXTENSION] as { accessor?: unknown } | undefined;
  if (entry === undefined) return undefined;
  const index = entry?.accessor;
  const known = Number.isInteger(index) && (index as number) >= 0 && (index as number) < (json.accessors?.length ?? 0);
  if (!known)
    throw new GltfFault(`extensions.${PREDICTOR_EXTENSION}.accessor is ${String(index)} (expected one of the file's)`);
  const { buffer, byteOffset, byteLength } = accessors.integers(
    index as number,
    'SCALAR',
    `extensions.${PREDICTOR_EXTENSION}`,
  );
  const data = unpackData(new Uint8Array(buffer, byteOffset, byteLength));
  try {
    return validatePredictor(data, 'readGltf');
  } catch (error) {
    if (error instanceof PliantError) throw new GltfFault(`extensions.${PREDICTOR_EXTENSION}: ${error.explain()}`);
    throw error;
  }
}
