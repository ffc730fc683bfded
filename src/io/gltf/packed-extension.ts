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
import type { Accessors } from './accessors.ts';
import { GltfFault } from './limits.ts';
import { packData, unpackData } from './packed-data.ts';

/**
 * An extension of the root that holds plain data: `{ "accessor": n, "extras": … }`, an accessor whose bytes are the data
 * (see packed-data.ts). They are stored as unsigned integers of four bytes, as single bytes would be padded to four where
 * the file is compressed. `extras` are for whoever looks into the file.
 */
interface PackedRefs extends IProperty {
  data: Accessor;
}

type PackedProperty = ExtensionProperty<PackedRefs> & { data: Accessor };

/** What reads and writes one such extension. */
export interface PackedExtension {
  /** To be registered where files are written. */
  Extension: typeof Extension;
  add(document: Document, data: object, extras: object, accessor: (words: Uint32Array<ArrayBuffer>) => Accessor): void;
  /** What a file has, if it has any, as `validate` lets it through. */
  read<T>(json: GLTF.IGLTF, accessors: Accessors, validate: (data: unknown, operation: string) => T): T | undefined;
}

export function packedExtension(name: string): PackedExtension {
  class Property extends ExtensionProperty<PackedRefs> {
    static override readonly EXTENSION_NAME = name;
    declare extensionName: string;
    declare propertyType: 'PackedData';
    declare parentTypes: [PropertyType.ROOT];

    protected override init(): void {
      this.extensionName = name;
      this.propertyType = 'PackedData';
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

  class Packed extends Extension {
    static override readonly EXTENSION_NAME = name;
    override readonly extensionName = name;

    /** Files are read by Pliant's own reader. */
    override read(): this {
      return this;
    }

    override write(context: WriterContext): this {
      const property = this.document.getRoot().getExtension<PackedProperty>(name);
      if (!property) return this;
      const { json } = context.jsonDoc;
      const accessor = context.accessorIndexMap.get(property.data)!;
      json.extensions = { ...json.extensions, [name]: { accessor, extras: property.getExtras() } };
      return this;
    }
  }

  return {
    Extension: Packed,
    add(document, data, extras, accessor) {
      const bytes = packData(data);
      const words = new Uint32Array(Math.ceil(bytes.length / 4));
      new Uint8Array(words.buffer).set(bytes);
      document.createExtension(Packed);
      const property = new Property(document.getGraph());
      property.data = accessor(words);
      property.setExtras({ ...extras });
      document.getRoot().setExtension(name, property);
    },
    read(json, accessors, validate) {
      const entry = json.extensions?.[name] as { accessor?: unknown } | undefined;
      if (entry === undefined) return undefined;
      const index = entry?.accessor;
      const count = json.accessors?.length ?? 0;
      const known = Number.isInteger(index) && (index as number) >= 0 && (index as number) < count;
      const place = `extensions.${name}`;
      if (!known) throw new GltfFault(`${place}.accessor is ${String(index)} (expected one of the file's)`);
      const { buffer, byteOffset, byteLength } = accessors.integers(index as number, 'SCALAR', place);
      const data = unpackData(new Uint8Array(buffer, byteOffset, byteLength));
      try {
        return validate(data, 'readGltf');
      } catch (error) {
        if (error instanceof PliantError) throw new GltfFault(`${place}: ${error.explain()}`);
        throw error;
      }
    },
  };
}
