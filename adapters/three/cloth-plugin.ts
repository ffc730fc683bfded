import { checkedCloth } from '../../src/io/gltf/checked-cloth.ts';
import { CLOTH_EXTENSION } from '../../src/io/gltf/extension-names.ts';
import { type GltfParser, packedData } from './packed-data.ts';

/**
 * Lets GLTFLoader read what `pliant cloth train` wrote: the trained cloth is then `gltf.userData.cloth`. The scene beside it
 * is what any other player shows: the garment as it hangs on its coarse mesh.
 *
 *     loader.register((parser) => new ClothLoaderPlugin(parser));
 */
export class ClothLoaderPlugin {
  readonly name = CLOTH_EXTENSION;
  readonly #parser: GltfParser;

  constructor(parser: GltfParser) {
    this.#parser = parser;
  }

  /** Called by three.js when a file is loaded; sets `userData.cloth`. */
  async afterRoot(gltf: { userData: Record<string, unknown> }): Promise<void> {
    const data = await packedData(this.#parser, CLOTH_EXTENSION);
    if (data !== undefined) gltf.userData.cloth = checkedCloth(data, 'ClothLoaderPlugin');
  }
}
