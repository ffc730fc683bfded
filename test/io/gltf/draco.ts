import { WebIO } from '@gltf-transform/core';
import { KHRDracoMeshCompression } from '@gltf-transform/extensions';
import createEncoder from 'draco3dgltf/draco_encoder_gltf_nodejs.js';

/** The same GLB with its meshes compressed by Draco. */
export async function dracoGlb(glb: Uint8Array): Promise<Uint8Array> {
  const io = new WebIO()
    .registerExtensions([KHRDracoMeshCompression])
    .registerDependencies({ 'draco3d.encoder': await createEncoder() });
  const document = await io.readBinary(glb);
  document
    .createExtension(KHRDracoMeshCompression)
    .setRequired(true)
    .setEncoderOptions({ method: KHRDracoMeshCompression.EncoderMethod.EDGEBREAKER, encodeSpeed: 5, decodeSpeed: 5 });
  return io.writeBinary(document);
}
