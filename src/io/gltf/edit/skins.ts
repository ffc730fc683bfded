import { columnMajor44From34, IDENTITY34, multiply34 } from '../../../math/matrix34.ts';
import { MATRIX_STRIDE } from '../../../model/skeleton.ts';
import type { ModelOrigin, SkinnedModel } from '../../../model/skinned-model.ts';
import type { GltfEditor } from './editor.ts';
import { parentsOf } from './nodes.ts';

/** A skin of the file with joints behind its own. */
interface SkinEdit {
  /** Undefined for one that is new. */
  index?: number;
  /** How many joints it had. */
  given: number;
  joints: number[];
  /** 16 per joint, column-major. */
  inverseBind: number[];
  /** Mesh nodes that it is for. */
  users: number[];
}

/**
 * Skins that get more joints. Joints and matrices that exist stay; a bone that vertices are to follow and that is no
 * joint yet comes behind. Models that share a skin go on sharing it, unless they need different matrices for one joint.
 */
export class SkinEdits {
  readonly #editor: GltfEditor;
  readonly #edits: SkinEdit[] = [];

  constructor(editor: GltfEditor) {
    this.#editor = editor;
  }

  /** Makes bones joints of the model's skin. Returns the place of each of its bones among the joints, −1 for others. */
  addJoints(model: SkinnedModel, origin: ModelOrigin, nodes: readonly number[], bones: Iterable<number>): number[] {
    const wanted = Array.from(bones, (bone) => ({ node: nodes[bone], matrix: storedInverseBind(model, origin, bone) }));
    const { skin } = this.#editor.json.nodes![origin.node];
    if (wanted.length === 0) return [];
    const fits = (edit: SkinEdit): boolean =>
      wanted.every(({ node, matrix }) => {
        const at = edit.joints.indexOf(node);
        return at < edit.given || matrix.every((x, c) => x === edit.inverseBind[16 * at + c]);
      });
    let edit = this.#edits.find((each) => skin !== undefined && each.index === skin && fits(each));
    if (!edit) {
      const taken = this.#edits.some(({ index }) => index === skin);
      edit = this.#begin(origin, taken ? undefined : skin, skin);
      this.#edits.push(edit);
    }
    edit.users.push(origin.node);
    for (const { node, matrix } of wanted) {
      if (edit.joints.includes(node)) continue;
      edit.joints.push(node);
      edit.inverseBind.push(...matrix);
    }
    return nodes.map((node) => edit.joints.indexOf(node));
  }

  #begin({ inverseBind }: ModelOrigin, index: number | undefined, like: number | undefined): SkinEdit {
    const joints = like === undefined ? [] : [...this.#editor.json.skins![like].joints];
    const identity = columnMajor44From34s(IDENTITY34);
    const matrices = inverseBind
      ? Array.from(inverseBind.subarray(0, 16 * joints.length))
      : joints.flatMap(() => identity);
    return { index, given: joints.length, joints, inverseBind: matrices, users: [] };
  }

  /** Writes the skins that got joints. */
  finish(): void {
    const parents = parentsOf(this.#editor.json);
    for (const { index, given, joints, inverseBind, users } of this.#edits) {
      if (joints.length === given) continue;
      const inverseBindMatrices = this.#editor.accessor('MAT4', Float32Array.from(inverseBind));
      if (index === undefined) {
        const skin = this.#editor.append('skins', { joints, inverseBindMatrices });
        for (const user of users) this.#editor.change('nodes', user).skin = skin;
        continue;
      }
      const skin = this.#editor.change('skins', index);
      Object.assign(skin, { joints, inverseBindMatrices });
      if (skin.skeleton === undefined) continue;
      // The skeleton's root must be above all joints.
      const isBelow = (root: number) => (joint: number) => {
        let node = joint;
        while (node >= 0 && node !== root) node = parents[node];
        return node === root;
      };
      let root = skin.skeleton;
      while (root >= 0 && !joints.every(isBelow(root))) root = parents[root];
      if (root >= 0) skin.skeleton = root;
      else delete skin.skeleton;
    }
  }
}

/** The inverse bind matrix of a bone for the mesh as it is stored: B · place. */
function storedInverseBind({ skeleton }: SkinnedModel, { place }: ModelOrigin, bone: number): number[] {
  const at = MATRIX_STRIDE * bone;
  const matrix = Float64Array.from(skeleton.inverseBind.subarray(at, at + MATRIX_STRIDE));
  if (place) multiply34(matrix, 0, matrix, 0, place, 0);
  return columnMajor44From34s(matrix);
}

function columnMajor44From34s(matrix: ArrayLike<number>): number[] {
  const out = new Float32Array(16);
  columnMajor44From34(out, 0, matrix);
  return Array.from(out);
}
