import { quantile } from '../math/statistics.ts';
import { diagonalOf } from '../mesh/bounds.ts';
import { triangleCount, vertexCount } from '../model/mesh.ts';
import { boneCount, clipFrame, clipFrameCount, MATRIX_STRIDE } from '../model/skeleton.ts';
import type { BlendOperator, SkinnedModel } from '../model/skinned-model.ts';
import type { LinearizeResult } from '../rig/linearize/linearize.ts';
import { BlendBoneMatrices } from '../skin/blend-bones.ts';
import { Skinner } from '../skin/skinner.ts';
import { bestView, cameraFor, threeQuarterViews } from './camera.ts';
import { heatColours, roundUp, surfaceOf, svgOf } from './fit-pictures.ts';
import { rasterize } from './rasterize.ts';

/** One pose by linear blending, linearized, and by the operator, each as inline SVG. */
export interface LinearizePictures {
  /** Of the training. */
  frame: number;
  linear: string;
  linearized: string;
  exact: string;
  linearErrors: string;
  linearizedErrors: string;
  /** How much vertices follow blend bones, on the rest pose. */
  followers: string;
  /** Error that has the last colour of the scale, % of the diagonal. */
  scaleTop: number;
}

const SIZE = { width: 480, height: 400 };
/** Share of the vertices in error that the scale of colours covers. */
const SCALE_COVERS = 0.995;

/** Of the training frame where linear blending is farthest off; undefined for a mesh without faces. */
export async function linearizePictures(
  { original, model, training }: LinearizeResult,
  operator: BlendOperator,
): Promise<LinearizePictures | undefined> {
  const { mesh } = original;
  if (triangleCount(mesh) === 0) return undefined;
  const antipodality = training.signs === undefined;
  const linearSkinner = new Skinner(original, { operator: 'lbs', normals: false });
  const exactSkinner = new Skinner(original, { operator, normals: false, antipodality });
  const masters = boneCount(original.skeleton);
  const signsOf = (k: number): Int8Array | undefined => training.signs?.subarray(k * masters, (k + 1) * masters);
  const linearAt = (k: number): Float32Array => linearSkinner.pose(clipFrame(training.clip, k)).positions;
  const exactAt = (k: number): Float32Array => exactSkinner.pose(clipFrame(training.clip, k), signsOf(k)).positions;

  let frame = 0;
  let most = -1;
  for (let k = 0; k < clipFrameCount(training.clip); k++) {
    const error = distances(linearAt(k), exactAt(k), 1).reduce((sum, d) => sum + d * d, 0);
    if (error > most) [most, frame] = [error, k];
  }
  const linear = linearAt(frame).slice();
  const exact = exactAt(frame).slice();
  const linearized = poseLinearized(model, clipFrame(training.clip, frame), signsOf(frame));

  const diagonal = diagonalOf(mesh.positions) || 1;
  const linearErrors = distances(linear, exact, 100 / diagonal);
  const linearizedErrors = distances(linearized, exact, 100 / diagonal);
  const scaleTop = roundUp(quantile(linearErrors, SCALE_COVERS) || 1e-3);
  const camera = cameraFor(
    bestView(threeQuarterViews(mesh.space?.up), exact, mesh.triangles),
    [linear, exact, linearized],
    SIZE.width,
    SIZE.height,
  );
  const draw = (positions: Float32Array, label: string, colours?: Float32Array): Promise<string> =>
    svgOf(rasterize(surfaceOf(mesh, positions, colours, true), camera), label);
  const rest = mesh.positions;
  const restCamera = cameraFor(
    bestView(threeQuarterViews(mesh.space?.up), rest, mesh.triangles),
    [rest],
    SIZE.width,
    SIZE.height,
  );
  const followed = surfaceOf(mesh, rest, heatColours(blendShares(model, masters), 1), true);
  return {
    frame,
    linear: await draw(linear, 'Linear blending'),
    linearized: await draw(linearized, 'Linearized'),
    exact: await draw(exact, 'The operator itself'),
    linearErrors: await draw(linear, 'Errors of linear blending', heatColours(linearErrors, scaleTop)),
    linearizedErrors: await draw(linearized, 'Errors of the linearized model', heatColours(linearizedErrors, scaleTop)),
    followers: await svgOf(rasterize(followed, restCamera), 'How much vertices follow blend bones'),
    scaleTop,
  };
}

/** The linearized model posed by the matrices of its masters. */
function poseLinearized(model: SkinnedModel, masters: Float32Array, signs: Int8Array | undefined): Float32Array {
  const bones = boneCount(model.skeleton);
  const transforms = new Float32Array(MATRIX_STRIDE * bones);
  transforms.set(masters);
  const allSigns = signs && new Int8Array(bones).fill(1);
  allSigns?.set(signs!);
  new BlendBoneMatrices(model).fill(transforms, allSigns);
  return new Skinner(model, { operator: 'lbs', normals: false }).pose(transforms).positions.slice();
}

/** N: distances of points, times a factor. */
function distances(a: Float32Array, b: Float32Array, factor: number): Float64Array {
  const out = new Float64Array(a.length / 3);
  for (let i = 0; i < out.length; i++) {
    out[i] = factor * Math.hypot(a[3 * i] - b[3 * i], a[3 * i + 1] - b[3 * i + 1], a[3 * i + 2] - b[3 * i + 2]);
  }
  return out;
}

/** N: the sum of the weights on blend bones. */
function blendShares({ weights: { joints, weights, influences }, mesh }: SkinnedModel, masters: number): Float64Array {
  const out = new Float64Array(vertexCount(mesh));
  for (let s = 0; s < joints.length; s++) if (joints[s] >= masters) out[Math.floor(s / influences)] += weights[s];
  return out;
}
