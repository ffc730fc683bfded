import type { AssetObject } from '../../model/asset.ts';
import type { Archive, ArchiveObject } from './archive.ts';
import { kindOfSchema, schemaOf } from './schemas.ts';
import { readVisibility, type Visibility } from './visibility.ts';
import { Xform } from './xform.ts';

/** A mesh of the scene, once for every place in which it stands. */
export interface SceneMesh {
  object: ArchiveObject;
  /** Where it stands: differs from the object's own path below an instance. */
  path: string;
  /** The transforms above it, outermost first. */
  chain: readonly Xform[];
  visibility: Visibility;
}

export interface Scene {
  meshes: SceneMesh[];
  /** Everything, in the order of the archive. */
  objects: AssetObject[];
}

/** Objects below instances, which may be instances in turn. */
const MOST_PLACES = 2 ** 16;
/** Of the paths of all objects: a long name above many objects is in each of theirs. */
const MOST_CHARACTERS = 2 ** 27;

const isMesh = (kind: string): boolean => kind === 'mesh' || kind === 'subdivision mesh';

/** Walks the objects, through instances too: an object with the meta data isInstance=1 stands for the one it names. */
export async function readScene({ file, top }: Archive): Promise<Scene> {
  const scene: Scene = { meshes: [], objects: [] };
  const xforms = new Map<ArchiveObject, Promise<Xform>>();
  const childrenOf = new Map<ArchiveObject, Map<string, ArchiveObject>>();
  let places = 0;
  let characters = 0;

  const objectAt = (path: string): ArchiveObject | undefined => {
    let object: ArchiveObject | undefined = path === '' ? undefined : top;
    for (const name of path.split('/').filter(Boolean)) {
      if (!object) return undefined;
      const children: Map<string, ArchiveObject> = childrenOf.get(object) ?? byName(object.children);
      childrenOf.set(object, children);
      object = children.get(name);
    }
    return object;
  };

  const walk = async (
    object: ArchiveObject,
    path: string,
    chain: readonly Xform[],
    parent: Visibility,
    sources: readonly ArchiveObject[],
  ): Promise<void> => {
    if (sources.length > 0 && ++places > MOST_PLACES) {
      file.fail(`more than ${MOST_PLACES} objects below instances`, 0);
    }
    characters += path.length;
    if (characters > MOST_CHARACTERS) file.fail(`paths of more than ${MOST_CHARACTERS} characters in all`, 0);
    const properties = await object.properties();
    if (object.metaData.get('isInstance') === '1') {
      const source = await properties.property('.instanceSource');
      const [sourcePath = ''] = source && source.samples > 0 ? await source.texts(0) : [];
      const target = objectAt(sourcePath);
      const at = source?.header.offset ?? 0;
      if (!target) return file.fail(`${path} is an instance of ${sourcePath || 'nothing'}, which does not exist`, at);
      if (sources.includes(target)) return file.fail(`${path} is an instance of itself`, at);
      scene.objects.push({ path, kind: `instance of ${target.path}`, samples: 1, from: 0, to: 0, bytes: 0 });
      return walk(target, path, chain, parent, [...sources, target]);
    }
    const kind = kindOfSchema(schemaOf(object.metaData));
    if (object !== top && sources.length === 0) scene.objects.push(await facts(object, kind));
    const visibility = await readVisibility(properties, parent);
    let inner = chain;
    if (kind === 'transform') {
      const xform = xforms.get(object) ?? Xform.open(object);
      xforms.set(object, xform);
      inner = [...chain, await xform];
    } else if (isMesh(kind)) {
      scene.meshes.push({ object, path, chain, visibility });
    }
    for (const child of object.children) await walk(child, `${path}/${child.name}`, inner, visibility, sources);
  };
  await walk(top, '', [], 'visible', []);
  return scene;
}

const byName = (objects: readonly ArchiveObject[]): Map<string, ArchiveObject> =>
  new Map(objects.map((object) => [object.name, object]));

/** How often an object was sampled and how much that is: from the headers of its schema, and the first sample of each. */
async function facts(object: ArchiveObject, kind: string): Promise<AssetObject> {
  const found: AssetObject = { path: object.path, kind, samples: 1, from: 0, to: 0, bytes: 0 };
  const name = object.metaData.get('schemaObjTitle')?.split(':')[1];
  const schema = name === undefined ? undefined : await (await object.properties()).compound(name);
  for (const header of schema?.headers ?? []) {
    if (header.kind === 'compound') continue;
    const property = await schema!.property(header.name);
    if (!property || property.samples === 0) continue;
    found.bytes += property.stored * (await property.size(0));
    if (property.isConstant || property.samples <= found.samples) continue;
    found.samples = property.samples;
    found.from = property.times[0];
    found.to = property.times[property.samples - 1];
  }
  return found;
}
