import { describe, expect, it } from 'vitest';
import { type ProxyModelInput, proxyModel } from '../../src/fit/proxy/proxy-model.ts';
import { multiply34, transformPoint34 } from '../../src/math/matrix34.ts';
import { quaternionFromAxisAngle } from '../../src/math/quaternion.ts';
import { seededRandom } from '../../src/math/rng.ts';
import { composeTrs, forwardKinematics, skinTransforms } from '../../src/math/trs.ts';
import { diagonalOf } from '../../src/mesh/bounds.ts';
import type { Mesh } from '../../src/model/mesh.ts';
import type { SkinWeights } from '../../src/model/skinned-model.ts';
import { largestDistance, naiveLbs } from '../io/gltf/fixtures.ts';

/** A grid of 9 × 9 points, bent or flat, of which three bones hold a third each, with overlaps. */
function sheet(depth: number): { mesh: Mesh; weights: SkinWeights } {
  const positions: number[] = [];
  const triangles: number[] = [];
  const joints: number[] = [];
  const weights: number[] = [];
  for (let y = 0; y < 9; y++) {
    for (let x = 0; x < 9; x++) {
      positions.push(5 + x / 4, y / 4 - 3, depth * Math.sin(x + 0.7 * y));
      const at = x / 4;
      const row = [0, 1, 2]
        .map((j) => ({ j, w: Math.max(0, 1 - Math.abs(at - j)) }))
        .sort((a, b) => b.w - a.w || a.j - b.j);
      joints.push(row[0].j, row[1].w > 0 ? row[1].j : 0);
      weights.push(row[0].w, row[1].w);
      const i = 9 * y + x;
      if (x < 8 && y < 8) triangles.push(i, i + 1, i + 9, i + 9, i + 1, i + 10);
    }
  }
  return {
    mesh: { positions: Float32Array.from(positions), triangles: Uint32Array.from(triangles) },
    weights: { influences: 2, joints: Uint16Array.from(joints), weights: Float32Array.from(weights) },
  };
}

const FRAMES = 25;
const BONES = 3;

/** x ↦ T·R·S·Vᵀ·x with smoothly changing parts; V is constant but for affine bones; `mirror` lets a scale cross 0. */
function motion(kind: ProxyModelInput['kind'], mirror: boolean): { transforms: Float64Array; axes: Float64Array } {
  const random = seededRandom(7);
  const transforms = new Float64Array(12 * BONES * FRAMES);
  const axes = new Float64Array(9 * BONES);
  const q = [0, 0, 0, 0];
  const v = new Float64Array(12);
  for (let j = 0; j < BONES; j++) {
    const a = [random() - 0.5, random() - 0.5, random() - 0.5];
    const length = Math.hypot(...a);
    for (let k = 0; k < FRAMES; k++) {
      const t = k / (FRAMES - 1);
      quaternionFromAxisAngle(q, 0, a[0] / length, a[1] / length, a[2] / length, (4 + j) * t);
      const s = kind === 'rigid' ? [1, 1, 1] : [1 + t, 1 - 0.3 * t, mirror && j === 0 ? 1.2 - 2 * t : 0.8];
      const m = 12 * (k * BONES + j);
      composeTrs(transforms, m, [t, 2 * t * j, -t, ...q, ...s], 0);
      quaternionFromAxisAngle(q, 0, 0, a[1] / Math.hypot(a[1], a[2]), a[2] / Math.hypot(a[1], a[2]), 1);
      if (kind === 'affine') quaternionFromAxisAngle(q, 0, 0, 1, 0, 2 * t + j);
      composeTrs(v, 0, [0, 0, 0, ...q, 1, 1, 1], 0); // Vᵀ
      if (kind !== 'rigid') multiply34(transforms, m, transforms, m, v, 0);
    }
    for (let r = 0; r < 3; r++) for (let c = 0; c < 3; c++) axes[9 * j + 3 * r + c] = v[4 * c + r];
  }
  return { transforms, axes };
}

function input(kind: ProxyModelInput['kind'], { depth = 0.4, mirror = false } = {}): ProxyModelInput {
  const { transforms, axes } = motion(kind, mirror);
  const times = Float64Array.from({ length: FRAMES }, (_, k) => k / 24);
  return { name: 'sheet', ...sheet(depth), kind, transforms, axes: kind === 'trs' ? axes : undefined, times };
}

const givenPose = ({ mesh, weights, transforms }: ProxyModelInput, k: number): Float32Array =>
  naiveLbs(
    { mesh, weights } as Parameters<typeof naiveLbs>[0],
    Float32Array.from(transforms.subarray(12 * BONES * k, 12 * BONES * (k + 1))),
  );

const CASES = [
  { kind: 'rigid', mirror: false },
  { kind: 'trs', mirror: false },
  { kind: 'trs', mirror: true },
  { kind: 'affine', mirror: false },
  { kind: 'affine', mirror: true },
] as const;

describe('proxyModel', () => {
  it.each(CASES)('plays the given matrices at every key: $kind, mirror $mirror', ({ kind, mirror }) => {
    const given = input(kind, { mirror });
    const before = structuredClone(given);
    const model = proxyModel(given);
    expect(given).toEqual(before);
    const { parents, inverseBind, restLocals } = model.skeleton;
    const clip = model.clips[0];
    const diagonal = diagonalOf(given.mesh.positions);
    const stride = 12 * parents.length;
    const world = new Float64Array(stride);
    const product = new Float64Array(stride);
    for (let k = 0; k < FRAMES; k++) {
      const pose = naiveLbs(model, clip.transforms.subarray(k * stride, (k + 1) * stride));
      expect(largestDistance(pose, givenPose(given, k)) / diagonal).toBeLessThan(3e-6);
      forwardKinematics(world, parents, clip.locals!, k * 10 * parents.length);
      for (let m = 0; m < stride; m += 12) multiply34(product, m, world, m, inverseBind, m);
      for (let c = 0; c < stride; c++) expect(clip.transforms[k * stride + c]).toBe(Math.fround(product[c]));
    }
    const rest = naiveLbs(model, skinTransforms(parents, inverseBind, restLocals));
    expect(largestDistance(rest, model.mesh.positions) / diagonal).toBeLessThan(1e-6);
    // Armatures hold no scale: rest poses are rigid.
    for (let at = 7; at < restLocals.length; at += 10) expect([...restLocals.subarray(at, at + 3)]).toEqual([1, 1, 1]);
  });

  it('has one node per bone, or two for affine bones, of which vertices follow the second', () => {
    expect(proxyModel(input('rigid')).skeleton.parents).toEqual(Int32Array.of(-1, -1, -1));
    const { skeleton, weights } = proxyModel(input('affine'));
    expect(skeleton.parents).toEqual(Int32Array.of(-1, 0, -1, 2, -1, 4));
    for (let s = 0; s < weights.joints.length; s++) {
      expect(weights.joints[s] % 2).toBe(weights.weights[s] > 0 ? 1 : 0);
    }
  });

  it('moves and grows with its input', () => {
    const given = input('affine');
    const scale = 250;
    const shift = [1000, -3000, 50];
    const grown = structuredClone(given);
    grown.mesh.positions = given.mesh.positions.map((x, c) => scale * x + shift[c % 3]);
    for (let m = 0; m < given.transforms.length; m += 12) {
      for (let r = 0; r < 3; r++) {
        const at = m + 4 * r;
        let t = scale * given.transforms[at + 3] + shift[r];
        for (let c = 0; c < 3; c++) t -= given.transforms[at + c] * shift[c];
        grown.transforms[at + 3] = t;
      }
    }
    const [a, b] = [proxyModel(given).clips[0].locals!, proxyModel(grown).clips[0].locals!];
    for (let l = 0; l < a.length; l += 10) {
      const child = (l / 10) % 2 === 1;
      for (let c = 0; c < 3; c++) {
        const expected = child ? 0 : scale * a[l + c] + shift[c];
        expect(Math.abs(b[l + c] - expected)).toBeLessThan(1e-5 * 3000);
      }
      for (let c = 3; c < 10; c++) expect(b[l + c]).toBeCloseTo(a[l + c], 3);
    }
  });

  it('gives flat supports a normal that shading can use, and moves no vertex for it', () => {
    const given = input('affine', { depth: 0 });
    // Along z, where nothing is, the matrices are arbitrary.
    const random = seededRandom(3);
    for (let at = 2; at < given.transforms.length; at += 4) given.transforms[at] += 10 * (random() - 0.5);
    const model = proxyModel(given);
    const clip = model.clips[0];
    const stride = 12 * 2 * BONES;
    const [o, x, y, z] = [0, 1, 2, 3].map((axis) => [axis === 1 ? 1 : 0, axis === 2 ? 1 : 0, axis === 3 ? 1 : 0]);
    for (let k = 0; k < FRAMES; k++) {
      const pose = naiveLbs(model, clip.transforms.subarray(k * stride, (k + 1) * stride));
      expect(largestDistance(pose, givenPose(given, k))).toBeLessThan(1e-5);
      for (let j = 0; j < BONES; j++) {
        const image = (p: number[]) => {
          const out = [0, 0, 0];
          const origin = [0, 0, 0];
          transformPoint34(origin, 0, clip.transforms, k * stride + 12 * (2 * j + 1), o, 0);
          transformPoint34(out, 0, clip.transforms, k * stride + 12 * (2 * j + 1), p, 0);
          return out.map((value, c) => value - origin[c]);
        };
        const n = image(z);
        expect(Math.hypot(...n)).toBeCloseTo(1, 4);
        for (const tangent of [image(x), image(y)]) {
          expect(n[0] * tangent[0] + n[1] * tangent[1] + n[2] * tangent[2]).toBeCloseTo(0, 4);
        }
      }
    }
  });

  it('keeps a bone that no vertex follows, and a single frame', () => {
    const given = input('rigid');
    const model = proxyModel({
      ...given,
      weights: { influences: 1, joints: new Uint16Array(81).fill(1), weights: new Float32Array(81).fill(1) },
      transforms: given.transforms.slice(0, 12 * BONES),
      times: Float64Array.of(0),
    });
    expect(model.clips[0].times.length).toBe(1);
    expect(model.skeleton.parents.length).toBe(BONES);
  });

  it('refuses matrices that are not of the kind, or not of the shape', () => {
    const affine = input('affine');
    expect(() => proxyModel({ ...affine, kind: 'rigid' })).toThrow(expect.objectContaining({ code: 'bad-input' }));
    expect(() => proxyModel({ ...affine, kind: 'trs', axes: input('trs').axes })).toThrow(
      expect.objectContaining({ code: 'bad-input' }),
    );
    expect(() => proxyModel({ ...affine, kind: 'trs' })).toThrow(expect.objectContaining({ code: 'bad-input' }));
    expect(() => proxyModel({ ...affine, transforms: new Float64Array(7) })).toThrow(
      expect.objectContaining({ code: 'bad-input' }),
    );
    const broken = structuredClone(affine);
    broken.transforms[5] = Number.NaN;
    expect(() => proxyModel(broken)).toThrow(expect.objectContaining({ code: 'bad-input' }));
  });
});
