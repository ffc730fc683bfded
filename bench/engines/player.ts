import { binOf, glbOf, jsonOf } from './glb-file.ts';

/** Something that plays a GLB and says where its vertices are. */
export interface Player {
  /**
   * World positions at `time` (seconds) of animation `clip` of the file, or at rest: by the index of a shown node with a
   * mesh, 3 numbers per vertex, one primitive after the other.
   */
  positions(clip?: number, time?: number): Promise<Map<number, Float32Array>>;
  /** Vertices of a node that it leaves out, since no triangle has them. */
  unused?: Map<number, ReadonlySet<number>>;
  dispose?(): void;
}

/** Players rename what they load: nodes are called `node<index>` instead, so that they can be found again. */
export const nodeName = (index: number): string => `node${index}`;

/** The index of a node by the name of what shows it: the node, or its mesh where Blender keeps only that name. */
export const nodeIndex = (name: string): number => Number(/^(?:mesh_of_)?node(\d+)/.exec(name)?.[1] ?? Number.NaN);

/** The file with nodes, meshes and clips named by their indices. Without `materials` also without any picture. */
export function fileForPlayers(glb: Uint8Array, { materials = false } = {}): Uint8Array {
  const json = jsonOf(glb);
  for (const [n, node] of (json.nodes ?? []).entries()) node.name = nodeName(n);
  for (const [m, mesh] of (json.meshes ?? []).entries()) {
    mesh.name = `mesh_of_${nodeName(json.nodes!.findIndex((node) => node.mesh === m))}`;
  }
  for (const [a, animation] of (json.animations ?? []).entries()) animation.name = `clip${a}`;
  if (!materials) {
    for (const name of ['materials', 'textures', 'images', 'samplers'] as const) delete json[name];
    for (const { primitives } of json.meshes ?? []) for (const primitive of primitives) delete primitive.material;
    const optional = (name: string) => !/texture|materials/.test(name);
    for (const list of ['extensionsUsed', 'extensionsRequired'] as const) {
      const left = json[list]?.filter(optional);
      if (left?.length) json[list] = left;
      else delete json[list];
    }
  }
  return glbOf(json, binOf(glb));
}

/** The indices of nodes with a mesh that the default scene shows, parents first. */
export function shownMeshes(glb: Uint8Array): number[] {
  const { nodes = [], scenes = [], scene = 0 } = jsonOf(glb);
  const out: number[] = [];
  const visit = (index: number): void => {
    if (nodes[index].mesh !== undefined) out.push(index);
    for (const child of nodes[index].children ?? []) visit(child);
  };
  for (const root of scenes[scene]?.nodes ?? []) visit(root);
  return out;
}
