import { IDENTITY34, multiply34 } from '../../math/matrix34.ts';
import { note } from '../../model/note.ts';
import { setTransformStep } from '../transform-step.ts';
import type { ColladaDocument } from './document.ts';
import { child, type XmlElement } from './xml.ts';

/** `<visual_scene>` (5-132) as a flat list of nodes, parents first, with the transformations each of them lists. */

/** A `<matrix>`, `<translate>`, `<rotate>` or `<scale>` of a node. */
export interface Transformation {
  kind: 'matrix' | 'translate' | 'rotate' | 'scale';
  sid?: string;
  /** 16 (row-major), 3, 4 (axis and degrees) or 3. */
  values: Float64Array;
}

export interface SceneNode {
  element: XmlElement;
  name: string;
  /** Index of the parent, or −1. */
  parent: number;
  /** Applied from the last to the first. */
  transformations: Transformation[];
}

const SIZES = { matrix: 16, translate: 3, rotate: 4, scale: 3 } as const;
/** Nodes of a scene at most: `<instance_node>` can multiply them without limit. */
const MOST_NODES = 65535;

/** The nodes of the scene that `<scene>` shows; of the first one when it does not say. */
export function readScene(document: ColladaDocument): SceneNode[] {
  const { root } = document;
  const instance = root.children
    .filter((e) => e.name === 'scene')
    .flatMap((e) => child(e, 'instance_visual_scene') ?? []);
  const library = child(root, 'library_visual_scenes');
  const scene = instance[0] ? document.target(instance[0], 'url') : library && child(library, 'visual_scene');
  if (!scene) {
    document.note(note('no-scene', {}));
    return [];
  }

  const nodes: SceneNode[] = [];
  const unread = new Set<string>();
  /** Elements to visit, the next one last. */
  const stack: { element: XmlElement; parent: number; inside: readonly XmlElement[] }[] = [];
  const visitChildren = (element: XmlElement, parent: number, inside: readonly XmlElement[]): void => {
    for (let c = element.children.length - 1; c >= 0; c--) {
      const { name } = element.children[c];
      if (name === 'node' || name === 'instance_node') stack.push({ element: element.children[c], parent, inside });
    }
  };
  visitChildren(scene, -1, []);
  for (let next = stack.pop(); next; next = stack.pop()) {
    const element = next.element.name === 'node' ? next.element : document.target(next.element, 'url');
    if (next.inside.includes(element)) document.fail(next.element, 'a node contains itself');
    if (nodes.length === MOST_NODES) document.fail(element, `more than ${MOST_NODES} nodes`, 'too-large');
    const transformations = element.children.flatMap((e): Transformation[] => {
      if (e.name === 'lookat' || e.name === 'skew') unread.add(e.name);
      if (!(e.name in SIZES)) return [];
      const kind = e.name as Transformation['kind'];
      return [{ kind, sid: e.attributes.sid, values: document.numbers(e, SIZES[kind]) }];
    });
    const name = element.attributes.name ?? element.attributes.id ?? element.attributes.sid ?? `node ${nodes.length}`;
    nodes.push({ element, name, parent: next.parent, transformations });
    visitChildren(element, nodes.length - 1, [...next.inside, element]);
  }
  if (unread.size > 0) document.note(note('not-read', { what: 'transformations', names: [...unread] }));
  return nodes;
}

/** id or sid → the first node that has it, of those in `among` (all unless given). */
export function nodesBy(
  scene: readonly SceneNode[],
  key: 'id' | 'sid',
  among?: readonly boolean[],
): Map<string, number> {
  const found = new Map<string, number>();
  scene.forEach(({ element }, node) => {
    const name = element.attributes[key];
    if (name !== undefined && !found.has(name) && (!among || among[node])) found.set(name, node);
  });
  return found;
}

/** out (12) = the product of a node's transformations. */
export function composeTransformations(out: Float64Array, transformations: readonly Transformation[]): void {
  out.set(IDENTITY34);
  const factor = new Float64Array(12);
  for (const { kind, values } of transformations) {
    if (kind === 'matrix') factor.set(values.subarray(0, 12));
    else setTransformStep(factor, kind, values);
    multiply34(out, 0, out, 0, factor, 0);
  }
}

/** 12: the world matrix of a node as the file says it, shear included. */
export function nodeWorld(scene: readonly SceneNode[], node: number): Float64Array {
  const world = Float64Array.from(IDENTITY34);
  const local = new Float64Array(12);
  for (let j = node; j >= 0; j = scene[j].parent) {
    composeTransformations(local, scene[j].transformations);
    multiply34(world, 0, local, 0, world, 0);
  }
  return world;
}
