import {
  type Document,
  Extension,
  ExtensionProperty,
  type GLTF,
  type Node,
  PropertyType,
  type WriterContext,
} from '@gltf-transform/core';
import { type Note, note } from '../../model/note.ts';
import { BLEND_OPERATORS, type BlendBone, type BlendBones, WEIGHT_SUM_TOLERANCE } from '../../model/skinned-model.ts';
import { BLEND_BONE_EXTENSION } from './extension-names.ts';

/**
 * `PLIANT_blend_bone`, an extension of nodes: how a blend bone follows from the joints of its skin, for players that pose
 * a rig live. Others play the clips, in which blend bones are baked like all joints.
 *
 *   { "operator": "dqs" | "sdqs" | "dib", "joints": [indices into the joints of the skin], "weights": [u …] }
 *
 * The heaviest joint comes first; `"antipodality": false` is added where dual quaternions are not brought to its side. A
 * blend bone that stretches is a chain of two nodes: the extension is on the lower one, which vertices follow.
 */
interface BlendBoneJson {
  operator: BlendBones['operator'];
  joints: number[];
  weights: number[];
  antipodality?: false;
}

class BlendBoneProperty extends ExtensionProperty {
  static override readonly EXTENSION_NAME = BLEND_BONE_EXTENSION;
  declare extensionName: typeof BLEND_BONE_EXTENSION;
  declare propertyType: 'BlendBone';
  declare parentTypes: [PropertyType.NODE];
  json!: BlendBoneJson;

  protected override init(): void {
    this.extensionName = BLEND_BONE_EXTENSION;
    this.propertyType = 'BlendBone';
    this.parentTypes = [PropertyType.NODE];
  }
}

export class BlendBoneExtension extends Extension {
  static override readonly EXTENSION_NAME = BLEND_BONE_EXTENSION;
  override readonly extensionName = BLEND_BONE_EXTENSION;

  create(json: BlendBoneJson): BlendBoneProperty {
    const property = new BlendBoneProperty(this.document.getGraph());
    property.json = json;
    return property;
  }

  /** Files are read by Pliant's own reader, see `readBlendBones`. */
  override read(): this {
    return this;
  }

  override write(context: WriterContext): this {
    for (const node of this.document.getRoot().listNodes()) {
      const property = node.getExtension<BlendBoneProperty>(BLEND_BONE_EXTENSION);
      if (!property) continue;
      const written = context.jsonDoc.json.nodes![context.nodeIndexMap.get(node)!];
      written.extensions = { ...written.extensions, [BLEND_BONE_EXTENSION]: property.json };
    }
    return this;
  }
}

/** `bones`: the node of each bone, which are the joints of the skin in this order. */
export function addBlendBones(document: Document, blendBones: BlendBones, bones: readonly Node[]): void {
  const extension = document.createExtension(BlendBoneExtension);
  for (const each of blendBones.bones) {
    const json = blendBoneJson(blendBones, each, (bone) => bone);
    bones[each.bone].setExtension(BLEND_BONE_EXTENSION, extension.create(json));
  }
}

/** What the extension says of a blend bone. `jointOf`: bone → its place among the joints of the skin. */
export const blendBoneJson = (
  { operator, antipodality }: BlendBones,
  { masters, weights }: BlendBone,
  jointOf: (bone: number) => number,
): BlendBoneJson => ({
  operator,
  joints: Array.from(masters, jointOf),
  weights: Array.from(weights),
  ...(!antipodality && { antipodality: false }),
});

/**
 * The blend bones among the joints of a skin, undefined for a skin without any. What other hands have changed so that it
 * no longer makes sense is left out with a note: the model plays all the same.
 */
export function readBlendBones(
  { nodes = [] }: GLTF.IGLTF,
  joints: readonly number[],
  boneOfJoint: Uint16Array,
  notes: Note[],
): BlendBones | undefined {
  const found = joints.flatMap((node, j) => {
    const json = nodes[node].extensions?.[BLEND_BONE_EXTENSION];
    return json === undefined ? [] : [{ j, node, json }];
  });
  if (found.length === 0) return undefined;
  const blends = new Set(found.map(({ j }) => j));
  const first = found[0].json as Partial<BlendBoneJson>;
  const bones = found.flatMap(({ j, node, json }): BlendBone[] => {
    const bone = soundBlendBone(json, blends, joints.length);
    if (bone?.operator !== first.operator || !bone) {
      notes.push(note('extension-damaged', { extension: BLEND_BONE_EXTENSION }, nodes[node].name ?? `node ${node}`));
      return [];
    }
    const masters = Uint16Array.from(bone.joints, (master) => boneOfJoint[master]);
    return [{ bone: boneOfJoint[j], masters, weights: Float32Array.from(bone.weights) }];
  });
  if (bones.length === 0) return undefined;
  return { operator: first.operator!, antipodality: first.antipodality !== false, bones };
}

function soundBlendBone(json: unknown, blends: ReadonlySet<number>, joints: number): BlendBoneJson | undefined {
  const { operator, joints: masters, weights } = (json ?? {}) as Partial<BlendBoneJson>;
  const isMaster = (j: unknown): boolean =>
    Number.isSafeInteger(j) && (j as number) >= 0 && (j as number) < joints && !blends.has(j as number);
  const sound =
    BLEND_OPERATORS.some((known) => known === operator) &&
    Array.isArray(masters) &&
    Array.isArray(weights) &&
    masters.length > 0 &&
    masters.length === weights.length &&
    masters.every(isMaster) &&
    weights.every((u, l) => typeof u === 'number' && u >= 0 && (l === 0 || u <= weights[l - 1])) &&
    Math.abs(weights.reduce((sum, u) => sum + u, 0) - 1) <= WEIGHT_SUM_TOLERANCE;
  return sound ? (json as BlendBoneJson) : undefined;
}
