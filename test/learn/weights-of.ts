import { nearBones, vertexWeights } from '../../src/decompose/weights/patch-weights.ts';
import type { Bones } from '../../src/learn/bones/cluster-bones.ts';
import { exampleProblem } from '../../src/learn/bones/fit-bones.ts';
import type { Examples } from '../../src/learn/examples.ts';
import type { SkinWeights } from '../../src/model/skinned-model.ts';

/** Weights for clustered bones. */
export const weightsOf = async (examples: Examples, bones: Bones): Promise<SkinWeights> =>
  vertexWeights(await exampleProblem(examples), bones, nearBones(examples, bones));
