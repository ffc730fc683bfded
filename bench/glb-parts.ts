/** What a GLB's bytes are spent on. */
export const PARTS = [
  'positions',
  'normals',
  'uvs',
  'indices',
  'joints',
  'weights',
  'tracks',
  'morph targets',
  'JSON',
  'rest',
] as const;
export type Part = (typeof PARTS)[number];

const ATTRIBUTE: Record<string, Part> = {
  POSITION: 'positions',
  NORMAL: 'normals',
  TEXCOORD_0: 'uvs',
  JOINTS_0: 'joints',
  WEIGHTS_0: 'weights',
};

/** The little of glTF that this looks at. */
interface Gltf {
  accessors: { bufferView?: number }[];
  bufferViews: { byteLength: number; extensions?: { EXT_meshopt_compression?: { byteLength: number } } }[];
  meshes: {
    primitives: { indices: number; attributes: Record<string, number>; targets?: Record<string, number>[] }[];
  }[];
  animations?: { samplers: { input: number; output: number }[] }[];
}

/** Bytes by part; those of compressed data where it is compressed. Their sum is the length of the file. */
export function glbParts(glb: Uint8Array): Record<Part, number> {
  const jsonBytes = new DataView(glb.buffer, glb.byteOffset).getUint32(12, true);
  const json = JSON.parse(new TextDecoder().decode(glb.subarray(20, 20 + jsonBytes))) as Gltf;
  const partOf = new Map<number, Part>();
  const put = (accessor: number, part: Part) => partOf.set(json.accessors[accessor].bufferView ?? -1, part);
  for (const { primitives } of json.meshes) {
    for (const { indices, attributes, targets = [] } of primitives) {
      put(indices, 'indices');
      for (const [semantic, accessor] of Object.entries(attributes)) put(accessor, ATTRIBUTE[semantic] ?? 'rest');
      for (const target of targets) for (const accessor of Object.values(target)) put(accessor, 'morph targets');
    }
  }
  for (const { samplers } of json.animations ?? []) {
    for (const { input, output } of samplers) {
      put(input, 'tracks');
      put(output, 'tracks');
    }
  }
  const out = Object.fromEntries(PARTS.map((part) => [part, 0])) as Record<Part, number>;
  out.JSON = jsonBytes;
  json.bufferViews.forEach(({ byteLength, extensions }, view) => {
    out[partOf.get(view) ?? 'rest'] += extensions?.EXT_meshopt_compression?.byteLength ?? byteLength;
  });
  out.rest += glb.length - PARTS.reduce((sum, part) => sum + out[part], 0);
  return out;
}
