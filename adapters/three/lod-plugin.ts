import {
  type AnimationClip,
  Box3,
  type BufferGeometry,
  Group,
  Matrix4,
  type Mesh,
  type Object3D,
  PropertyBinding,
  Quaternion,
  Sphere,
  Vector3,
} from 'three';
import { LOD_EXTENSION } from '../../src/io/gltf/extension-names.ts';
import { errorAtCoverage } from '../../src/lod/screen.ts';
import { type LodLevel, LodMesh } from './lod-mesh.ts';

/** What the plugin needs of a node in a file. */
interface NodeDef {
  mesh?: number;
  skin?: number;
  children?: number[];
  matrix?: number[];
  translation?: number[];
  rotation?: number[];
  scale?: number[];
  extensions?: { [LOD_EXTENSION]?: { ids?: number[] } };
  extras?: { MSFT_screencoverage?: number[]; pliantLod?: { max?: number } };
}

/** What the plugin needs of three.js's GLTFParser. */
export interface LodParser {
  json: {
    nodes?: object[];
    meshes?: { primitives: { material?: number }[] }[];
    animations?: { channels: { target: { node?: number } }[] }[];
  };
  /** The mesh of a node, as three.js makes it. */
  createNodeMesh(node: number): Promise<Object3D> | null;
  /** A mesh or node of the file. */
  getDependency(type: 'mesh' | 'node', index: number): Promise<unknown>;
}

/**
 * Lets GLTFLoader read levels of detail: what `pliant lod` wrote, or any file whose nodes have `MSFT_lod`. Each such mesh is
 * drawn as a `LodMesh`; all of them are in `gltf.userData.lods`.
 *
 *     loader.register((parser) => new LodLoaderPlugin(parser));
 *
 * A level is a node with a mesh, of the same materials and the same skin. Nodes whose levels are something else (other
 * skins, whole subtrees) show their finest level, and `gltf.userData.lodsLeftOut` has their numbers.
 */
export class LodLoaderPlugin {
  readonly name = LOD_EXTENSION;
  readonly #parser: LodParser;
  readonly #made: LodMesh[] = [];
  readonly #leftOut: number[] = [];
  readonly #levelNodes = new Set<number>();
  /** Whether all levels are by Pliant. */
  #errorsStored = true;

  constructor(parser: LodParser) {
    this.#parser = parser;
  }

  /** Called by three.js for every node; null leaves it to three.js. */
  createNodeMesh(index: number): Promise<Group> | null {
    const nodes = (this.#parser.json.nodes ?? []) as NodeDef[];
    const node = nodes[index];
    const ids = node.extensions?.[LOD_EXTENSION]?.ids;
    if (!ids || node.mesh === undefined) return null;
    const known = ids.every(
      (id) => nodes[id]?.mesh !== undefined && nodes[id].skin === node.skin && !nodes[id].children,
    );
    if (known) return this.#load(index, ids);
    this.#leftOut.push(index);
    return null;
  }

  /** Called by three.js when a file is loaded; sets `userData.lods`. */
  async afterRoot(gltf: { userData: Record<string, unknown>; animations: AnimationClip[] }): Promise<void> {
    if (this.#made.length > 0) gltf.userData.lods = this.#made;
    // Parts of a character that were made coarser together meet at equal levels only.
    if (this.#errorsStored) LodMesh.together(this.#made);
    if (this.#leftOut.length > 0) gltf.userData.lodsLeftOut = this.#leftOut;
    await this.#dropTracks(gltf.animations);
  }

  /** Clips dial morphs of levels' nodes too, for players that show those: here they are not part of the scene. */
  async #dropTracks(clips: readonly AnimationClip[]): Promise<void> {
    const { animations = [] } = this.#parser.json;
    const moved = new Set(animations.flatMap(({ channels }) => channels.map(({ target }) => target.node)));
    const names = new Set<string>();
    for (const id of this.#levelNodes) {
      if (!moved.has(id)) continue;
      const node = (await this.#parser.getDependency('node', id)) as Object3D;
      node.traverse(({ name, uuid }) => names.add(name || uuid));
    }
    if (names.size === 0) return;
    for (const clip of clips)
      clip.tracks = clip.tracks.filter(({ name }) => !names.has(PropertyBinding.parseTrackName(name).nodeName));
  }

  async #load(index: number, ids: readonly number[]): Promise<Group> {
    const parser = this.#parser;
    const nodes = parser.json.nodes as NodeDef[];
    for (const id of ids) this.#levelNodes.add(id);
    const finest = (await parser.createNodeMesh(index))!;
    const coarser = await Promise.all(ids.map((id) => parser.getDependency('mesh', nodes[id].mesh!)));
    const stored = ids.flatMap((id) => nodes[id].extras?.pliantLod?.max ?? []);
    const isStored = stored.length === ids.length;
    this.#errorsStored &&= isStored;
    // A node of scale 0 shows nothing, at any level.
    const scale = worldOf(nodes, index).getMaxScaleOnAxis() || 1;
    const errors = isStored ? stored.map((max) => max / scale) : errorsByCoverage(nodes[index], ids, finest);
    const materialOf = (node: number, p: number) => parser.json.meshes![nodes[node].mesh!].primitives[p].material;

    const lods: LodMesh[] = [];
    const objects = primitivesOf(finest).map((mesh, p) => {
      // Lines and points have no levels: they stay beside those of meshes.
      if (!isMesh(mesh)) return mesh;
      const levels: LodLevel[] = [{ geometry: mesh.geometry, error: 0 }];
      const material = materialOf(index, p);
      coarser.forEach((object, l) => {
        const primitives = primitivesOf(object as Object3D);
        const fits = (part: Object3D | undefined, q: number): part is Mesh =>
          isMesh(part) && materialOf(ids[l], q) === material;
        // Primitives in the same order, or the one of the same material; without it, the part is gone at this level.
        const found = fits(primitives[p], p) ? primitives[p] : primitives.find(fits);
        const geometry = found ? placed((found as Mesh).geometry, nodes[index], nodes[ids[l]]) : without(mesh.geometry);
        levels.push({ geometry, error: errors[l] });
      });
      lods.push(new LodMesh(mesh, levels));
      return lods[lods.length - 1];
    });
    LodMesh.together(lods);
    this.#made.push(...lods);
    // The types of three.js know meshes and groups only.
    return objects.length === 1 ? (objects[0] as Object3D as Group) : new Group().add(...objects);
  }
}

/** What three.js made of each primitive of a mesh. */
const primitivesOf = (object: Object3D): Object3D[] => ('isGroup' in object ? [...object.children] : [object]);

const isMesh = (object: Object3D | undefined): object is Mesh => (object as Mesh | undefined)?.isMesh === true;

/**
 * The error of each coarser level, in the space of the node, that makes levels change as a file by others has it: at its
 * coverages, or at halves.
 */
function errorsByCoverage({ extras }: NodeDef, ids: readonly number[], finest: Object3D): number[] {
  const coverages = extras?.MSFT_screencoverage ?? [];
  const box = new Box3();
  for (const { geometry } of primitivesOf(finest).filter(isMesh)) {
    geometry.computeBoundingBox();
    box.union(geometry.boundingBox!);
  }
  const { radius } = box.getBoundingSphere(new Sphere());
  return ids.map((_, l) => errorAtCoverage(radius, coverages[l] || 0.5 ** (l + 1)));
}

/** A level's geometry where the finest level has its place. Skins do not ask where a node is. */
function placed(geometry: BufferGeometry, finest: NodeDef, level: NodeDef): BufferGeometry {
  if (finest.skin !== undefined) return geometry;
  const own = localOf(finest);
  const other = localOf(level);
  return own.equals(other) ? geometry : geometry.clone().applyMatrix4(own.invert().multiply(other));
}

/** A geometry with the same attributes and no triangles. */
function without(geometry: BufferGeometry): BufferGeometry {
  const empty = geometry.clone();
  empty.setDrawRange(0, 0);
  return empty;
}

function localOf({ matrix, translation, rotation, scale }: NodeDef): Matrix4 {
  if (matrix) return new Matrix4().fromArray(matrix);
  return new Matrix4().compose(
    new Vector3().fromArray(translation ?? [0, 0, 0]),
    new Quaternion().fromArray(rotation ?? [0, 0, 0, 1]),
    new Vector3().fromArray(scale ?? [1, 1, 1]),
  );
}

function worldOf(nodes: readonly NodeDef[], index: number): Matrix4 {
  const out = localOf(nodes[index]);
  const parent = nodes.findIndex(({ children }) => children?.includes(index));
  return parent < 0 ? out : out.premultiply(worldOf(nodes, parent));
}
