import { WebIO } from '@gltf-transform/core';
import { EXTMeshoptCompression, KHRDracoMeshCompression } from '@gltf-transform/extensions';
import createDecoder from 'draco3dgltf/draco_decoder_gltf_nodejs.js';
import createEncoder from 'draco3dgltf/draco_encoder_gltf_nodejs.js';
import { MeshoptDecoder } from 'meshoptimizer/decoder';
import { MeshoptEncoder } from 'meshoptimizer/encoder';
import { jsonOf } from './glb-file.ts';

/** GLBs compressed and uncompressed by glTF-Transform, to hold against our own reader and writer. */

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

/** The same GLB with its buffer views compressed by meshopt. */
export async function meshoptGlb(glb: Uint8Array): Promise<Uint8Array> {
  await MeshoptEncoder.ready;
  const io = new WebIO()
    .registerExtensions([EXTMeshoptCompression])
    .registerDependencies({ 'meshopt.encoder': MeshoptEncoder });
  const document = await io.readBinary(glb);
  document.createExtension(EXTMeshoptCompression).setRequired(true);
  return io.writeBinary(document);
}

const COMPRESSIONS = [EXTMeshoptCompression.EXTENSION_NAME, KHRDracoMeshCompression.EXTENSION_NAME] as string[];

/** The same GLB uncompressed, for players that load their decoders from the web or have none. */
export async function plainGlb(glb: Uint8Array): Promise<Uint8Array> {
  if (!jsonOf(glb).extensionsUsed?.some((name) => COMPRESSIONS.includes(name))) return glb;
  await MeshoptDecoder.ready;
  const io = new WebIO().registerExtensions([EXTMeshoptCompression, KHRDracoMeshCompression]).registerDependencies({
    'meshopt.decoder': MeshoptDecoder,
    'draco3d.decoder': await createDecoder(),
  });
  const document = await io.readBinary(glb);
  for (const extension of document.getRoot().listExtensionsUsed()) {
    if (COMPRESSIONS.includes(extension.extensionName)) extension.dispose();
  }
  return io.writeBinary(document);
}
