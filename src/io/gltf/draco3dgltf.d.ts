// The parts of draco3dgltf's decoder that the reader uses: https://github.com/google/draco, src/draco/javascript/emscripten.

declare module 'draco3dgltf/draco_decoder_gltf_nodejs.js' {
  export interface DracoMesh {
    num_points(): number;
    num_faces(): number;
  }
  export interface DracoAttribute {
    ptr: number;
    num_components(): number;
  }
  export interface DracoDecoder {
    DecodeArrayToMesh(data: Int8Array, size: number, mesh: DracoMesh): { ok(): boolean; error_msg(): string };
    GetAttributeByUniqueId(mesh: DracoMesh, id: number): DracoAttribute;
    GetAttributeDataArrayForAllPoints(
      mesh: DracoMesh,
      attribute: DracoAttribute,
      type: number,
      bytes: number,
      pointer: number,
    ): boolean;
    GetTrianglesUInt32Array(mesh: DracoMesh, bytes: number, pointer: number): boolean;
  }
  export interface DracoModule {
    Decoder: new () => DracoDecoder;
    Mesh: new () => DracoMesh;
    HEAPU8: Uint8Array;
    DT_INT8: number;
    DT_UINT8: number;
    DT_INT16: number;
    DT_UINT16: number;
    DT_UINT32: number;
    DT_FLOAT32: number;
    _malloc(bytes: number): number;
    _free(pointer: number): void;
    destroy(object: object): void;
  }
  const create: (options: { locateFile(name: string, folder: string): string }) => Promise<DracoModule>;
  export default create;
}
