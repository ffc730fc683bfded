import type { GLTF } from '@gltf-transform/core';
import { PliantError } from '../../../error.ts';
import { IMAGES_EXTENSION, LOD_EXTENSION } from '../extension-names.ts';
import { levelIds } from '../lod-extension.ts';
import type { GltfEditor } from './editor.ts';
import { addChild, freeName } from './nodes.ts';

/**
 * Levels of a mesh node as MSFT_lod: a node per level that is in no scene, with the same skin and where the node is. A viewer that
 * knows the extension shows one of them instead of the node, with all that hangs from it: a node that has children, or
 * that clips move, gets a child that holds its mesh, and the levels stand in for that one.
 */

/** What a level's node says of itself in its extras, in metres and seconds. */
export interface LevelFacts {
  /** Root mean square and largest distance from the given surface, over poses. */
  rms: number;
  max: number;
  /** From where on the largest distance is less than a pixel. */
  onePixelDistance: number;
  /** Where the largest distance is: a clip, or what else posed it, and when. */
  worstPose: { name: string; time: number };
}

/** A level of a node. */
export interface NodeLevel {
  mesh: GLTF.IMesh;
  facts: LevelFacts;
}

/** Properties of a node that say where it is. */
const PLACES = ['matrix', 'translation', 'rotation', 'scale'] as const;
/** Extensions of a node that are about its mesh alone; hiding a node also hides its children, and stays where it is. */
const OF_MESH = ['EXT_mesh_gpu_instancing', LOD_EXTENSION];
/** Extensions of a node that hold its mesh in other resolutions. */
const OF_SURFACE = [LOD_EXTENSION, IMAGES_EXTENSION];
/** What a level has of its node. */
const OF_LEVEL = ['EXT_mesh_gpu_instancing', 'KHR_node_visibility'];

/** Hangs levels on a node. `coverage`: the least share of the screen of the node itself and of each level. Returns the levels' meshes. */
export function hangLevels(
  editor: GltfEditor,
  node: number,
  levels: readonly NodeLevel[],
  coverage: readonly number[],
  operation: string,
): number[] {
  const holder = meshHolder(editor, node);
  const before = levelIds(editor.json, holder);
  const ids: number[] = [];
  const meshes: number[] = [];
  for (const [l, { mesh, facts }] of levels.entries()) {
    const definition = levelNode(editor, holder, `LOD${l + 1}`);
    const name = `${mesh.name ?? definition.name ?? 'mesh'} LOD${l + 1}`;
    meshes.push(putMesh(editor, before[l], { ...mesh, name }));
    const item = { ...definition, mesh: meshes[l], extras: { pliantLod: facts } };
    if (before[l] === undefined) ids.push(editor.append('nodes', item));
    else {
      ids.push(before[l]);
      const old = editor.change('nodes', before[l]);
      for (const key of Object.keys(old)) delete (old as unknown as Record<string, unknown>)[key];
      Object.assign(old, item);
    }
  }
  emptyLevels(editor, holder, before.slice(levels.length));
  followMorphs(editor, holder, ids, before.slice(levels.length));
  const owner = editor.change('nodes', holder);
  owner.extensions = { ...owner.extensions, [LOD_EXTENSION]: { ids } };
  owner.extras = { ...roomFor(owner.extras, holder, operation), MSFT_screencoverage: [...coverage] };
  editor.useExtension(LOD_EXTENSION);
  return meshes;
}

/** Takes levels and images of the mesh that a node had away from it. */
export function dropLevels(editor: GltfEditor, node: number): void {
  const before = levelIds(editor.json, node);
  emptyLevels(editor, node, before);
  followMorphs(editor, node, [], before);
  const { extensions, extras } = editor.json.nodes![node];
  if (!OF_SURFACE.some((name) => extensions?.[name])) return;
  const owner = editor.change('nodes', node);
  owner.extensions = OF_SURFACE.reduce(without, extensions);
  if (!owner.extensions) delete owner.extensions;
  if (extras && 'MSFT_screencoverage' in extras) owner.extras = without(extras, 'MSFT_screencoverage');
  if (!owner.extras) delete owner.extras;
}

/** Leaves nodes of levels with nothing to show, since others keep their indices. Their meshes refer to the data of the mesh itself. */
function emptyLevels(editor: GltfEditor, holder: number, ids: readonly number[]): void {
  const { json } = editor;
  const { primitives } = json.meshes![json.nodes![holder].mesh!];
  for (const id of ids) {
    const level = editor.change('nodes', id);
    const { mesh } = level;
    for (const key of ['mesh', 'skin', 'weights', 'extras'] as const) delete level[key];
    if (mesh === undefined || json.nodes!.some((each) => each.mesh === mesh)) continue;
    editor.change('meshes', mesh).primitives = primitives;
  }
}

/** The node whose mesh gets levels: the given one, or a new child of it that takes its mesh over. */
function meshHolder(editor: GltfEditor, node: number): number {
  const { json } = editor;
  const { children = [], camera } = json.nodes![node];
  const channels = (json.animations ?? []).flatMap((animation) => animation.channels);
  const isMoved =
    json.nodes![node].skin === undefined &&
    channels.some(({ target }) => target.node === node && target.path !== 'weights');
  if (children.length === 0 && camera === undefined && !isMoved) return node;
  const given = editor.change('nodes', node);
  const { mesh, skin, weights } = given;
  const name = freeName(editor, `${given.name ?? 'node'} mesh`);
  const moved = Object.entries(given.extensions ?? {}).filter(([key]) => OF_MESH.includes(key));
  const own = { ...(moved.length > 0 && { extensions: Object.fromEntries(moved) }) };
  const holder = editor.append('nodes', {
    name,
    mesh,
    ...(skin !== undefined && { skin }),
    ...(weights && { weights }),
    ...own,
  });
  for (const key of ['mesh', 'skin', 'weights'] as const) delete given[key];
  for (const [key] of moved) given.extensions = without(given.extensions, key);
  addChild(editor, node, holder);
  for (const [a, { channels }] of (json.animations ?? []).entries()) {
    const isMorph = ({ target }: GLTF.IAnimationChannel) => target.node === node && target.path === 'weights';
    if (!channels.some(isMorph)) continue;
    editor.change('animations', a).channels = channels.map((channel) =>
      isMorph(channel) ? { ...channel, target: { ...channel.target, node: holder } } : channel,
    );
  }
  return holder;
}

const without = (entries: Record<string, unknown> | undefined, key: string): Record<string, unknown> | undefined => {
  const { [key]: _, ...others } = entries ?? {};
  return Object.keys(others).length > 0 ? others : undefined;
};

/** A node where the holder is, with the same skin, but no mesh yet. */
function levelNode(editor: GltfEditor, holder: number, suffix: string): GLTF.INode {
  const given = editor.json.nodes![holder];
  // Where the node of a skinned mesh is plays no part.
  const isPlaced = given.skin === undefined;
  const places = PLACES.filter((key) => isPlaced && given[key] !== undefined).map((key) => [key, given[key]]);
  const extensions = Object.entries(given.extensions ?? {}).filter(([key]) => OF_LEVEL.includes(key));
  return {
    name: freeName(editor, `${given.name ?? 'mesh'} ${suffix}`),
    ...(given.skin !== undefined && { skin: given.skin }),
    ...(given.weights && { weights: given.weights }),
    ...Object.fromEntries(places),
    ...(extensions.length > 0 && { extensions: Object.fromEntries(extensions) }),
  };
}

/** The index of a level's mesh: that of the level which it replaces, unless other nodes show it too. */
function putMesh(editor: GltfEditor, levelBefore: number | undefined, mesh: GLTF.IMesh): number {
  const { nodes = [] } = editor.json;
  const old = levelBefore === undefined ? undefined : nodes[levelBefore].mesh;
  if (old === undefined || nodes.filter((each) => each.mesh === old).length > 1) return editor.append('meshes', mesh);
  const definition = editor.change('meshes', old);
  for (const key of Object.keys(definition)) delete (definition as unknown as Record<string, unknown>)[key];
  Object.assign(definition, mesh);
  return old;
}

/** Clips that dial morphs of a node dial those of its levels too, by the same samplers. Channels that exist stay in their order. */
function followMorphs(editor: GltfEditor, holder: number, ids: readonly number[], gone: readonly number[]): void {
  for (const [a, { channels }] of (editor.json.animations ?? []).entries()) {
    const dials = (node: number) => (channel: GLTF.IAnimationChannel) =>
      channel.target.node === node && channel.target.path === 'weights';
    const like = channels.find(dials(holder));
    const missing = like ? ids.filter((id) => !channels.some(dials(id))) : [];
    const kept = channels.filter((channel) => !gone.some((id) => dials(id)(channel)));
    if (missing.length === 0 && kept.length === channels.length) continue;
    const added = missing.map((node) => ({ ...like!, target: { ...like!.target, node } }));
    editor.change('animations', a).channels = [...kept, ...added];
  }
}

/** Extras that another entry can be added to. */
function roomFor(extras: unknown, node: number, operation: string): Record<string, unknown> {
  if (extras === undefined || extras === null) return {};
  if (typeof extras === 'object' && !Array.isArray(extras)) return extras as Record<string, unknown>;
  const cause = `nodes[${node}].extras has no room for the coverage of levels (expected an object)`;
  throw new PliantError('unsupported', operation, cause);
}
