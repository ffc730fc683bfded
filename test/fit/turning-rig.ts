import type { ProxyModelInput } from '../../src/fit/proxy/proxy-model.ts';
import { multiply34 } from '../../src/math/matrix34.ts';
import { quaternionFromAxisAngle } from '../../src/math/quaternion.ts';
import { composeTrs } from '../../src/math/trs.ts';
import type { Mesh } from '../../src/model/mesh.ts';
import type { SkinWeights } from '../../src/model/skinned-model.ts';

const BONES = 3;

/** A bent sheet of side × side points that bones hold side by side, each vertex following two. */
export function bentSheet(side: number, bones: number, depth: number): { mesh: Mesh; weights: SkinWeights } {
  const n = side * side;
  const positions = new Float32Array(3 * n);
  const joints = new Uint16Array(2 * n);
  const weights = new Float32Array(2 * n);
  const triangles: number[] = [];
  for (let i = 0; i < n; i++) {
    const [x, y] = [(i % side) / (side - 1), Math.floor(i / side) / (side - 1)];
    positions.set([3 * x, y, depth * Math.sin(9 * x + 4 * y)], 3 * i);
    const at = Math.min(x * (bones - 1), bones - 1 - 1e-6);
    const [j, w] = [Math.floor(at), at % 1];
    joints.set(w > 0.5 ? [j + 1, j] : [j, j + 1], 2 * i);
    weights.set(w > 0.5 ? [w, 1 - w] : [1 - w, w], 2 * i);
    if (i % side < side - 1 && i < n - side) triangles.push(i, i + 1, i + side, i + side, i + 1, i + side + 1);
  }
  return { mesh: { positions, triangles: Uint32Array.from(triangles) }, weights: { influences: 2, joints, weights } };
}

/** A rig whose bones turn by `degrees` from frame to frame, each about an axis of its own, and scale as their kind can. */
export function turningRig(kind: ProxyModelInput['kind'], degrees: number, frames = 4): ProxyModelInput {
  const transforms = new Float64Array(12 * BONES * frames);
  const axes = new Float64Array(9 * BONES);
  const v = new Float64Array(12);
  const q = [0, 0, 0, 1];
  for (let k = 0; k < frames; k++) {
    for (let j = 0; j < BONES; j++) {
      const m = 12 * (k * BONES + j);
      quaternionFromAxisAngle(q, 0, Math.cos(j), Math.sin(j), 0, (k * degrees * Math.PI) / 180);
      const s = kind === 'rigid' ? [1, 1, 1] : [1 + 0.2 * Math.sin(k + j), 1 - 0.1 * k, 1.1];
      composeTrs(transforms, m, [0.3 * j * k, 0.2 * k, 0, ...q, ...s], 0);
      quaternionFromAxisAngle(q, 0, 0, 1, 0, kind === 'affine' ? k + j : j);
      composeTrs(v, 0, [0, 0, 0, ...q, 1, 1, 1], 0); // Vᵀ
      if (kind !== 'rigid') multiply34(transforms, m, transforms, m, v, 0);
      for (let r = 0; r < 3; r++) for (let c = 0; c < 3; c++) axes[9 * j + 3 * r + c] = v[4 * c + r];
    }
  }
  const times = Float64Array.from({ length: frames }, (_, k) => k / 4); // exact in float32, sixteenths between too
  return {
    name: 'turning',
    ...bentSheet(13, BONES, 0.2),
    kind,
    transforms,
    axes: kind === 'trs' ? axes : undefined,
    times,
  };
}

/** 12B: the straight way, a fraction t from frame k to the next. */
export function straightBones({ transforms, times }: ProxyModelInput, k: number, t: number): Float32Array {
  const stride = transforms.length / times.length;
  return Float32Array.from({ length: stride }, (_, c) =>
    t === 0 ? transforms[k * stride + c] : (1 - t) * transforms[k * stride + c] + t * transforms[(k + 1) * stride + c],
  );
}
