declare module 'draco3dgltf/draco_encoder_gltf_nodejs.js' {
  const create: () => Promise<unknown>;
  export default create;
}

declare module 'draco3dgltf/draco_decoder_gltf_nodejs.js' {
  const create: () => Promise<unknown>;
  export default create;
}
