import { describe, expect, it } from 'vitest';
import { identity34 } from '../../src/math/matrix34.ts';
import { skinTransforms } from '../../src/math/trs.ts';
import { inspectMesh } from '../../src/mesh/inspect.ts';
import { boneCount, clipFrame, clipFrameCount } from '../../src/model/skeleton.ts';
import { type SkinnedModel, validateModel } from '../../src/model/skinned-model.ts';
import { sampleBox } from '../../src/rig/samples/box.ts';
import { sampleFigure } from '../../src/rig/samples/figure.ts';
import { sampleTube } from '../../src/rig/samples/tube.ts';

/** Linear blending, written out. */
function posed(model: SkinnedModel, transforms: Float32Array): Float64Array {
  const { positions } = model.mesh;
  const { influences, joints, weights } = model.weights;
  const out = new Float64Array(positions.length);
  for (let i = 0; i < positions.length / 3; i++) {
    for (let s = i * influences; s < (i + 1) * influences; s++) {
      const m = transforms.subarray(12 * joints[s], 12 * joints[s] + 12);
      for (let r = 0; r < 3; r++) {
        const [x, y, z] = positions.subarray(3 * i, 3 * i + 3);
        out[3 * i + r] += weights[s] * (m[4 * r] * x + m[4 * r + 1] * y + m[4 * r + 2] * z + m[4 * r + 3]);
      }
    }
  }
  return out;
}

const clipNamed = (model: SkinnedModel, name: string) => model.clips.find((clip) => clip.name === name)!;

const RIGS = {
  tube: { make: () => sampleTube(2000, 48, 24), bones: 4, vertices: 2000 },
  box: { make: () => sampleBox(1000, 48, 24), bones: 2, vertices: 1000 },
  figure: { make: () => sampleFigure(5000, 144, 24), bones: 21, vertices: 5000 },
};

describe.each(Object.entries(RIGS))('%s', (_, { make, bones, vertices }) => {
  const model = make();

  it('is a valid model: one closed piece, uvs, unit normals, at most 4 influences', () => {
    validateModel(model);
    const facts = inspectMesh(model.mesh);
    expect(facts.problems).toEqual([]);
    expect(facts.components).toHaveLength(1);
    expect(facts.components[0].genus).toBe(0);
    expect(Math.abs(facts.vertices / vertices - 1)).toBeLessThan(0.2);
    expect(boneCount(model.skeleton)).toBe(bones);
    expect(model.weights.influences).toBeLessThanOrEqual(4);
    expect(model.mesh.uvs).toBeDefined();
    const normals = model.mesh.normals!;
    for (let o = 0; o < normals.length; o += 3) {
      expect(Math.hypot(normals[o], normals[o + 1], normals[o + 2])).toBeCloseTo(1, 5);
    }
  });

  it('shows its rest pose for identity, and for its skeleton at rest', () => {
    const { parents, inverseBind, restLocals } = model.skeleton;
    for (const transforms of [identity34(bones), skinTransforms(parents, inverseBind, restLocals)]) {
      const shown = posed(model, transforms);
      const off = shown.map((x, c) => Math.abs(x - model.mesh.positions[c]));
      expect(off.reduce((most, x) => Math.max(most, x), 0)).toBeLessThan(2e-6);
    }
  });

  it('clips agree with their local poses, and every bone turns in some clip', () => {
    const turned = new Set<number>();
    for (const clip of model.clips) {
      const { parents, inverseBind, restLocals } = model.skeleton;
      expect(skinTransforms(parents, inverseBind, clip.locals!)).toEqual(clip.transforms);
      clip.locals!.forEach((value, c) => {
        if (Math.abs(value - restLocals[c % restLocals.length]) > 0.05)
          turned.add(Math.floor((c % restLocals.length) / 10));
      });
    }
    // The first bone of tube and box is what the others bend against.
    expect(turned.size).toBeGreaterThanOrEqual(bones === 21 ? 21 : bones - 1);
  });

  it('gives the same bytes again', () => {
    const again = make();
    // Compared number by number, the clips would take seconds.
    const bytesOf = ({ mesh, weights, clips }: SkinnedModel) =>
      [mesh.positions, weights.joints, weights.weights, ...clips.flatMap((clip) => [clip.times, clip.transforms])].map(
        ({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength),
      );
    expect(Buffer.concat(bytesOf(again)).equals(Buffer.concat(bytesOf(model)))).toBe(true);
    expect(again.clips.map(({ name }) => name)).toEqual(model.clips.map(({ name }) => name));
  });
});

describe('tube', () => {
  const model = RIGS.tube.make();

  it('has vertices that follow all four bones', () => {
    const { weights } = model.weights;
    const all = weights.filter((w, s) => s % 4 === 3 && w > 0.001).length;
    expect(all / (weights.length / 4)).toBeGreaterThan(0.6);
  });

  it('collapses under linear blending when it is twisted', () => {
    const shown = posed(model, clipFrame(clipNamed(model, 'twist'), 47));
    let narrowest = 1;
    for (let i = 0; i < shown.length / 3; i++) {
      if (Math.abs(model.mesh.positions[3 * i + 1] - 1) < 0.05) {
        narrowest = Math.min(narrowest, Math.hypot(shown[3 * i], shown[3 * i + 2]));
      }
    }
    expect(narrowest).toBeLessThan(0.17);
  });
});

describe('box', () => {
  const model = RIGS.box.make();

  it('twists its upper end from 0 to 180° and leaves the lower one', () => {
    const clip = clipNamed(model, 'twist');
    expect(clipFrameCount(clip)).toBe(48);
    for (const [k, angle] of [
      [0, 0],
      [47, Math.PI],
    ]) {
      const shown = posed(model, clipFrame(clip, k));
      for (let i = 0; i < shown.length / 3; i++) {
        const [x, y, z] = model.mesh.positions.subarray(3 * i, 3 * i + 3);
        if (y > 0.3 && y < 1.7) continue;
        const [c, s] = y > 1 ? [Math.cos(angle), Math.sin(angle)] : [1, 0];
        expect(shown[3 * i]).toBeCloseTo(c * x + s * z, 5);
        expect(shown[3 * i + 2]).toBeCloseTo(-s * x + c * z, 5);
      }
    }
  });

  it('collapses to a point in the middle at 180°, as in Kavan 2009, Figure 3', () => {
    const shown = posed(model, clipFrame(clipNamed(model, 'twist'), 47));
    let least = 1;
    for (let o = 0; o < shown.length; o += 3) least = Math.min(least, Math.hypot(shown[o], shown[o + 2]));
    expect(least).toBeLessThan(0.04);
  });

  it('has creases: split vertices with the normals of their faces', () => {
    const { vertexOf } = model.mesh.seams!;
    expect(vertexOf.length).toBeGreaterThan(model.mesh.positions.length / 3);
    for (const n of model.mesh.normals!) expect([-1, 0, 1]).toContain(n + 0);
  });
});

describe('figure', () => {
  const model = RIGS.figure.make();
  const { positions } = model.mesh;
  const N = positions.length / 3;

  it('stands 1.75 m tall with its soles on the floor, symmetrical, looking along +z', () => {
    const { bounds } = inspectMesh(model.mesh);
    expect(bounds.min[1]).toBeCloseTo(0, 6);
    expect(bounds.max[1]).toBeGreaterThan(1.7);
    expect(bounds.max[1]).toBeLessThan(1.8);
    expect(bounds.max[0] + bounds.min[0]).toBeCloseTo(0, 2);
    // Toes point forward: below the ankle the body reaches further to +z.
    let front = 0;
    let back = 0;
    for (let o = 0; o < positions.length; o += 3) {
      if (positions[o + 1] > 0.08) continue;
      front = Math.max(front, positions[o + 2]);
      back = Math.min(back, positions[o + 2]);
    }
    expect(front).toBeGreaterThan(1.5 * -back);
  });

  it('keeps left and right apart', () => {
    const { joints, weights } = model.weights;
    const { names } = model.skeleton;
    for (let s = 0; s < weights.length; s++) {
      const x = positions[3 * Math.floor(s / 4)];
      if (weights[s] < 0.02 || Math.abs(x) < 0.07) continue;
      const side = names[joints[s]].split('.')[1];
      if (side) expect(side).toBe(x > 0 ? 'L' : 'R');
    }
  });

  it('has weights without jumps: neighbours differ by less than a half', () => {
    const { joints, weights } = model.weights;
    const at = (i: number, j: number) => {
      for (let s = 4 * i; s < 4 * i + 4; s++) if (joints[s] === j && weights[s] > 0) return weights[s];
      return 0;
    };
    const { triangles } = model.mesh;
    let jump = 0;
    for (let c = 0; c < triangles.length; c++) {
      const [a, b] = [triangles[c], triangles[c % 3 === 2 ? c - 2 : c + 1]];
      for (let j = 0; j < 21; j++) jump = Math.max(jump, Math.abs(at(a, j) - at(b, j)));
    }
    expect(jump).toBeLessThan(0.5);
  });

  it('has an exercise and unseen clips, all with feet on or above the floor', () => {
    expect(model.clips.map((clip) => clip.name)).toEqual(['exercise', 'jumping-jacks', 'walk', 'dance', 'turn', 'run']);
    for (const clip of model.clips) {
      let least = 1;
      for (let k = 0; k < clipFrameCount(clip); k += 3) {
        const shown = posed(model, clipFrame(clip, k));
        let lowest = 1;
        for (let i = 0; i < N; i++) lowest = Math.min(lowest, shown[3 * i + 1]);
        expect(lowest).toBeGreaterThan(-0.04);
        least = Math.min(least, Math.abs(lowest));
        if (!['jumping-jacks', 'run'].includes(clip.name)) expect(lowest).toBeLessThan(0.03);
      }
      expect(least).toBeLessThan(0.02);
    }
  });

  it('raises its arms overhead and bends its wrists in the exercise', () => {
    const clip = clipNamed(model, 'exercise');
    const { names } = model.skeleton;
    const hand = names.indexOf('hand.L');
    const tip = [0.66, 0.93, 0.01];
    const heights: number[] = [];
    for (let k = 0; k < clipFrameCount(clip); k++) {
      const m = clipFrame(clip, k).subarray(12 * hand, 12 * hand + 12);
      heights.push(m[4] * tip[0] + m[5] * tip[1] + m[6] * tip[2] + m[7]);
    }
    expect(Math.max(...heights)).toBeGreaterThan(1.85);
    expect(Math.min(...heights)).toBeLessThan(0.85);
  });

  it.each([2500, 4000])('can have %i vertices', (vertices) => {
    const other = sampleFigure(vertices, 2, 24);
    validateModel(other);
    expect(Math.abs(other.mesh.positions.length / 3 / vertices - 1)).toBeLessThan(0.2);
  });
});
