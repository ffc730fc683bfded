import type { GLTF } from '@gltf-transform/core';
import { PliantError } from '../../../error.ts';
import { addNotes, note } from '../../../model/note.ts';
import type { Report } from '../../../model/report.ts';
import type { ModelOrigin, SkinnedModel } from '../../../model/skinned-model.ts';
import { type ExtraAttribute, perSplitVertex } from '../../glb/mesh.ts';
import type { ModelGlbOptions } from '../../glb/options.ts';
import { influenceColumns } from '../../glb/skin.ts';
import { pliantExtras } from '../mesh.ts';
import type { Changes } from './changes.ts';
import { ARRAY_BUFFER, type GltfEditor, type Stored } from './editor.ts';

const COMPONENTS: Partial<Record<GLTF.AccessorType, number>> = { SCALAR: 1, VEC4: 4 };

/** Vertex attributes of influences. */
const INFLUENCES = /^(JOINTS|WEIGHTS)_/;

/** Stores what has changed of a model's vertices. `jointOf`: bone → joint of its skin. */
export function editVertices(
  editor: GltfEditor,
  model: SkinnedModel,
  origin: ModelOrigin,
  changes: Changes,
  jointOf: readonly number[],
  options: ModelGlbOptions,
  { operation, notes }: Report,
): void {
  if (!changes.weights && !changes.mixWeights && !changes.operator) return;
  const mesh = ownMesh(editor, origin.node);
  if (changes.weights) {
    const { weights, joints } = model.weights;
    const inSkin = joints.map((bone, s) => (weights[s] > 0 ? jointOf[bone] : 0));
    const stored = { ...model, weights: { ...model.weights, joints: inSkin } };
    const most = 1 + inSkin.reduce((a, b) => Math.max(a, b), 0);
    const columns = influenceColumns(stored, options, most, (added) => addNotes(notes, added));
    replaceAttributes(editor, mesh, origin, INFLUENCES, columns);
  }
  if (changes.mixWeights) replaceAttributes(editor, mesh, origin, /^_MIX$/, mixColumns(model));
  if (changes.operator) setOperator(editor, mesh, model.operator, operation);
  const { operator } = model;
  if (operator !== 'lbs' && operator !== 'rigid')
    addNotes(notes, note('players-blend-linearly', { operator }, model.name));
}

/** The index of the node's mesh, copied for it where other nodes show it too. */
export function ownMesh(editor: GltfEditor, node: number): number {
  const { nodes = [], meshes = [] } = editor.json;
  const mesh = nodes[node].mesh!;
  if (nodes.filter((each) => each.mesh === mesh).length === 1) return mesh;
  const copy = editor.append('meshes', { ...meshes[mesh] });
  editor.change('nodes', node).mesh = copy;
  return copy;
}

/** Puts columns of W split vertices in the place of the attributes that `replaced` matches. */
function replaceAttributes(
  editor: GltfEditor,
  mesh: number,
  { runs }: ModelOrigin,
  replaced: RegExp,
  columns: readonly ExtraAttribute[],
): void {
  const definition = editor.change('meshes', mesh);
  const primitives = [...definition.primitives];
  for (const { start, count, primitives: users } of runs) {
    const added = columns.map(({ semantic, type, array, normalized }): [string, number] => {
      const size = COMPONENTS[type]!;
      const part = array.subarray(size * start, size * (start + count)) as Stored;
      return [semantic, editor.accessor(type, part, { normalized, target: ARRAY_BUFFER })];
    });
    const names = new Set(added.map(([semantic]) => semantic));
    const without = <T extends object>(attributes: T, kept: (semantic: string) => boolean): T =>
      Object.fromEntries(
        Object.entries(attributes).filter(([semantic]) => !replaced.test(semantic) || kept(semantic)),
      ) as T;
    for (const p of users) {
      const primitive = { ...primitives[p] };
      // A new value stands where the old one did.
      const attributes = without(primitive.attributes, (semantic) => names.has(semantic));
      primitive.attributes = { ...attributes, ...Object.fromEntries(added) };
      const draco = primitive.extensions?.KHR_draco_mesh_compression as { attributes: object } | undefined;
      if (draco) {
        const compressed = { ...draco, attributes: without(draco.attributes, () => false) };
        primitive.extensions = { ...primitive.extensions, KHR_draco_mesh_compression: compressed };
      }
      primitives[p] = primitive;
    }
  }
  definition.primitives = primitives;
}

/** The column of mix weights, none where the model has none. */
function mixColumns({ mixWeights, mesh }: SkinnedModel): ExtraAttribute[] {
  if (!mixWeights) return [];
  const array = perSplitVertex(mixWeights, 1, mesh) as ExtraAttribute['array'];
  return [{ semantic: '_MIX', type: 'SCALAR', array }];
}

/** Says in the mesh's extras which operator its weights are for. */
function setOperator(editor: GltfEditor, mesh: number, operator: string, operation: string): void {
  const definition = editor.change('meshes', mesh);
  const { extras } = definition;
  if (extras !== undefined && (typeof extras !== 'object' || extras === null || Array.isArray(extras))) {
    const cause = `meshes[${mesh}].extras has no room for the operator (expected an object)`;
    throw new PliantError('unsupported', operation, cause);
  }
  // Meshes that Pliant's writer made stand where they are meant to be; this one may not.
  const pliant = pliantExtras(extras) ?? { ownSpace: true };
  definition.extras = { ...extras, pliant: { ...pliant, operator } };
}
