import { describe, expect, it } from 'vitest';
import { fit } from '../../src/fit/fit.ts';
import { deformationOfPose, facetFrames } from '../../src/measure/facet-deformation.ts';
import { memorySequence } from '../../src/model/sequence.ts';
import { sampleFigure } from '../../src/rig/samples/figure.ts';
import type { Content } from '../../studio/src/core/content/content.ts';
import { Doc } from '../../studio/src/core/doc.ts';
import { drawnCurves, errorCurve } from '../../studio/src/core/fit/error-curves.ts';
import { errorText } from '../../studio/src/core/fit/error-text.ts';
import type { FitEntry } from '../../studio/src/core/fit/fit-results.ts';
import { lookAtOwnJoint } from '../../studio/src/core/inspect/inspected.ts';
import { heatColours } from '../../studio/src/core/paint/frame-errors.ts';
import { Painter } from '../../studio/src/core/paint/painter.ts';
import {
  heaviestBones,
  jointInfluence,
  numberColours,
  verticesOfJoints,
} from '../../studio/src/core/paint/skin-paints.ts';
import { COMPONENTS, scaleEnd, VertexDeformation } from '../../studio/src/core/paint/vertex-deformation.ts';
import { firstJoint, jointTree } from '../../studio/src/core/rig/joint-tree.ts';
import { legendsOf, viewLabels } from '../../studio/src/core/view/view-labels.ts';
import { coarseJob, deformationJob } from '../../studio/src/worker/inspect-jobs.ts';
import { grid, icosphere, moved, rotationOf } from '../mesh/shapes.ts';

/** A sheet that is turned and stretched more and more, P frames. */
function sheet(frames: number): Content {
  const rest = grid(4, 4);
  const positions = Array.from({ length: frames }, (_, k) =>
    moved(rest.positions, rotationOf([1, 0, 0], 0.2 * k), 1 + 0.1 * k),
  );
  const data = new Float32Array(frames * rest.positions.length);
  for (const [k, pose] of positions.entries()) data.set(pose, k * pose.length);
  const times = Float64Array.from({ length: frames }, (_, k) => k / 10);
  const part = { name: 'sheet', rest, times, frames: data };
  return {
    name: 'sheet',
    format: 'test',
    bytes: 0,
    meshes: [],
    sequences: [part],
    models: [],
    motions: [],
    predictors: [],
    objects: [],
    notes: [],
  };
}

/** A result of a document, by the library itself. */
async function resultOf(content: Content, options: FitEntry['options']): Promise<Omit<FitEntry, 'id'>> {
  const [{ rest, times, frames }] = content.sequences;
  const size = rest.positions.length;
  const poses = Array.from(times, (_, k) => frames.slice(k * size, (k + 1) * size));
  const {
    model,
    fitted: _,
    ...found
  } = await fit(memorySequence('sheet', rest, poses, times), { iterations: 2, moves: 0, ...options });
  return { options, data: { ...found, merged: model, models: [model], bytes: 0 }, seconds: 0 };
}

describe('deformation around vertices', () => {
  it('is the area-weighted mean of the faces', () => {
    const mesh = icosphere(1);
    const pose = mesh.positions.map((x, c) => x * (1 + 0.1 * Math.sin(c)));
    const deformation = new VertexDeformation(mesh);
    deformation.pose(pose);
    const frames = facetFrames(mesh);
    const facets = deformationOfPose(frames, pose);
    const units = { rotation: 180 / Math.PI, scale: 1, shear: 1 };
    for (const component of COMPONENTS) {
      const values = deformation.values(component);
      for (let i = 0; i < values.length; i++) {
        const around = Array.from(frames.areas.keys()).filter((f) =>
          mesh.triangles.subarray(3 * f, 3 * f + 3).includes(i),
        );
        const area = around.reduce((sum, f) => sum + frames.areas[f], 0);
        const mean = around.reduce((sum, f) => sum + facets[component][f] * frames.areas[f], 0) / area;
        expect(values[i]).toBeCloseTo(mean * units[component], 4);
      }
    }
  });

  it('is in degrees, uniform for a rigid rotation, and zero at rest', () => {
    const mesh = grid(3, 3);
    const deformation = new VertexDeformation(mesh);
    deformation.pose(moved(mesh.positions, rotationOf([0, 1, 0], Math.PI / 3)));
    for (const value of deformation.values('rotation')) expect(value).toBeCloseTo(60, 3);
    for (const value of deformation.values('shear')) expect(value).toBeCloseTo(0, 5);
    deformation.pose(mesh.positions);
    for (const component of COMPONENTS) expect(Math.max(...deformation.values(component))).toBeLessThan(1e-3);
  });

  it('a scale ignores outliers', () => {
    expect(scaleEnd(Float32Array.from({ length: 1000 }, (_, i) => (i < 5 ? 1000 : i / 1000)))).toBeLessThan(1);
    expect(scaleEnd(new Float32Array(0))).toBe(0);
  });
});

describe('jobs over all frames', () => {
  const run = { signal: new AbortController().signal, onProgress: () => {} };
  const content = sheet(6);
  const [part] = content.sequences;
  const parts = [part, { ...part, name: 'same' }];

  it('deformation is averaged per part, with one scale for all frames', async () => {
    const { averages, tops } = await deformationJob({ parts }, run);
    expect(averages[1]).toEqual(averages[0]);
    // Frame k is turned by 0.2·k and scaled by 0.1·k.
    for (const value of averages[0].rotation) expect(value).toBeCloseTo((0.5 * 180) / Math.PI, 3);
    for (const value of averages[0].scale) expect(value).toBeCloseTo(Math.sqrt(3) * 0.25, 4);
    expect(tops.frames.rotation).toBeCloseTo(180 / Math.PI, 3);
    expect(tops.average.scale).toBeCloseTo(Math.sqrt(3) * 0.25, 4);
  });

  it('an exact result deforms like the motion, from any rest frame', async () => {
    const { options, data } = await resultOf(content, { bones: 1, kind: 'affine', firstFrame: 2, iterations: 20 });
    const fitted = { models: [data.merged], firstFrame: options.firstFrame! };
    const { tops } = await deformationJob({ parts: [part], fit: fitted }, run);
    expect(tops.frames.rotation).toBeCloseTo(180 / Math.PI, 0);
    expect(tops.frames.scale).toBeCloseTo(Math.sqrt(3) * 0.5, 1);
  });

  it('levels of a sheet lose vertices and stay in its plane', async () => {
    const { decimation, levels } = await coarseJob({ parts, placement: 'second' }, run);
    expect(decimation.vertexCount).toBe(50);
    expect(levels[0]).toMatchObject({ merged: 0, vertices: 50, triangles: 64 });
    expect(levels[0].most).toBeLessThan(1e-4);
    levels.reduce((before, level) => {
      expect(level.vertices).toBeLessThanOrEqual(before.vertices);
      return level;
    });
    expect(levels.at(-1)!.vertices).toBeLessThan(50);
    for (const { mean, most } of levels) expect(mean).toBeLessThanOrEqual(most);
  });
});

describe('paints of a skin', () => {
  it('influences of all joints sum to 1 at each vertex, and the heaviest is the largest', async () => {
    const { data } = await resultOf(sheet(5), { bones: 3 });
    const { weights, skeleton, mesh } = data.merged;
    const counts = verticesOfJoints([data.merged], jointTree([skeleton]));
    const influence = Array.from(counts, (_, j) => jointInfluence(weights, j));
    const heaviest = heaviestBones(weights);
    for (let i = 0; i < mesh.positions.length / 3; i++) {
      expect(influence.reduce((sum, of) => sum + of[i], 0)).toBeCloseTo(1, 5);
      expect(influence[heaviest[i]][i]).toBeCloseTo(Math.max(...influence.map((of) => of[i])), 6);
    }
    expect([...counts]).toEqual(influence.map((of) => of.filter((weight) => weight > 0).length));
  });

  it('regions are those that a fit started from', async () => {
    const doc = new Doc(sheet(5));
    const painted = async (options: FitEntry['options']) => {
      const { data } = await resultOf(doc.content, options);
      doc.addFit({ options, data, seconds: 0 });
      doc.paint.value = 'regions';
      expect(doc.paints).toContain('regions');
      const [model] = data.models;
      const entry = doc.fit.value;
      const colours = new Painter(doc).colours({ part: 0, entry, model, positions: () => model.mesh.positions }, 0);
      expect(colours).toEqual(numberColours(data.regions!));
      return data;
    };
    expect(new Set((await painted({ preset: 'thesis', bones: 4, regions: 2 })).regions)).toEqual(new Set([0, 1]));
    const uniform = await painted({ preset: 'thesis', start: 'uniform', bones: 4 });
    expect(uniform.regions).toEqual(uniform.proxies!.clusterOf);
    expect(new Set((await painted({ preset: 'fast', bones: 3 })).regions)).toEqual(new Set([0, 1, 2]));
  });
});

describe('inspecting results', () => {
  it('a result can replace another, never itself; removal is undone whole', async () => {
    const doc = new Doc(sheet(6));
    const found = await resultOf(doc.content, { bones: 2 });
    expect(doc.paints).toEqual(['plain', ...COMPONENTS]);
    for (let made = 0; made < 3; made++) doc.addFit(found);
    doc.inspection.against.value = 1;
    doc.inspection.charted.value = new Set([1, 2]);
    expect([doc.fit.value?.id, doc.against.value?.id]).toEqual([3, 1]);
    expect(drawnCurves(doc).map(({ entry }) => entry.id)).toEqual([1, 2, 3]);
    doc.selected.value = 1;
    expect(doc.against.value).toBeUndefined();
    doc.selected.value = 3;
    doc.removeFit(1);
    expect(doc.against.value).toBeUndefined();
    expect(drawnCurves(doc).map(({ entry }) => entry.id)).toEqual([2, 3]);
    doc.history.undo();
    expect(doc.against.value?.id).toBe(1);
    expect(drawnCurves(doc)).toHaveLength(3);
  });

  it('curves are aligned with the frames of the original', async () => {
    const content = sheet(9);
    const { options, data } = await resultOf(content, { bones: 1, kind: 'rigid', firstFrame: 2, frameStep: 3 });
    const { rmse, largest, worst } = errorCurve({ id: 1, options, data, seconds: 0 }, 9);
    expect(rmse.map((value) => value !== null)).toEqual(
      [2, 5, 8].reduce((all, k) => all.with(k, true), Array(9).fill(false)),
    );
    expect(rmse[5]).toBe(data.errors.perFrame.rmsePercent![1]);
    expect(largest[worst]).toBe(Math.max(...data.errors.perFrame.maxErrorPercent!));
  });

  it('panes and colour scales have names', async () => {
    const doc = new Doc(sheet(6));
    const painter = new Painter(doc);
    expect(viewLabels(doc, painter)).toEqual({ names: undefined, legends: [] });
    const found = await resultOf(doc.content, { bones: 2 });
    for (let made = 0; made < 2; made++) doc.addFit(found);
    doc.comparison.value = 'side';
    const { names, legends } = viewLabels(doc, painter);
    expect(names).toMatchObject({
      original: 'Original: plain',
      fitted: 'Result 2, 2 bones: plain',
      difference: 'Difference: distance',
    });
    expect(legends.map(({ caption }) => caption)).toEqual(['Distance from the original, % of the diagonal']);
    expect(legends[0].ticks).toHaveLength(5);
    expect(legends[0].ticks[4]).toMatch(/^≥ /);
    // Beside its result the original has no colours but those of its own deformation.
    doc.paint.value = 'rotation';
    expect(viewLabels(doc, painter).names).toMatchObject({
      original: 'Original: rotation',
      fitted: 'Result 2, 2 bones: rotation',
    });
    doc.showInfluence(1);
    const influenced = { original: 'Original: plain', fitted: 'Result 2, 2 bones: influence' };
    expect(viewLabels(doc, painter).names).toMatchObject(influenced);
    doc.inspection.against.value = 1;
    expect(viewLabels(doc, painter).names?.original).toBe('Result 1, 2 bones: influence');
    const [follows, distance] = legendsOf(doc, painter);
    expect(follows).toMatchObject({ top: 1, ticks: ['0', '0.25', '0.5', '0.75', '1'] });
    expect(distance.caption).toBe('Distance from result 1, % of the diagonal');
    doc.comparison.value = 'original';
    expect(legendsOf(doc, painter)).toEqual([follows]);
    doc.inspection.against.value = undefined;
    expect(viewLabels(doc, painter).names?.original).toBe('Original: influence');
    doc.paint.value = 'error';
    expect(legendsOf(doc, painter)).toEqual([]);
    expect(viewLabels(doc, painter).names?.original).toBe('Original: plain');
  });

  it('error is painted on results only, bones and weights on the original too; cached while nothing changes', async () => {
    const doc = new Doc(sheet(6));
    doc.addFit(await resultOf(doc.content, { bones: 2, kind: 'rigid' }));
    const painter = new Painter(doc);
    const entry = doc.fit.value!;
    const [model] = entry.data.models;
    const positions = () => doc.content.sequences[0].rest.positions;
    const fitted = { part: 0, entry, model, positions };
    doc.paint.value = 'error';
    expect(painter.colours({ part: 0, positions }, 5)).toBeUndefined();
    expect(painter.colours({ part: 0, follower: model, positions }, 5)).toBeUndefined();
    expect(painter.colours(fitted, 5)).toEqual(heatColours(painter.errors(fitted, 5), painter.errorTop));
    doc.showInfluence(1);
    const first = painter.colours(fitted, 0);
    expect(painter.colours(fitted, 3)).toBe(first);
    expect(painter.colours({ part: 0, follower: model, positions }, 3)).toBe(first);
    doc.showInfluence(0);
    expect(painter.colours(fitted, 3)).not.toEqual(first);
    doc.endInfluence();
    expect(doc.paint.value).toBe('error');
    doc.paint.value = 'plain';
    expect(painter.colours(fitted, 3)).toBeUndefined();
  });
});

describe('a joint with painted weights', () => {
  const figure = sampleFigure(2500, 2, 24);
  const rigged = (content: Partial<Content> = {}) =>
    new Doc({ ...sheet(6), sequences: [], models: [figure], ...content });

  it('is deselected together with its weights; hiding these alone keeps it', () => {
    const doc = rigged();
    doc.paint.value = 'bones';
    doc.showInfluence(3);
    doc.endInfluence();
    expect([doc.paint.value, doc.joint.value]).toEqual(['bones', 3]);
    doc.letGo();
    expect([doc.paint.value, doc.joint.value]).toEqual(['bones', undefined]);
    doc.showInfluence(3);
    doc.letGo();
    expect([doc.paint.value, doc.joint.value]).toEqual(['bones', undefined]);
  });

  it('hides the joints that it brought, and no others', () => {
    const doc = rigged();
    const shown = (): boolean[] => {
      doc.showInfluence(3);
      doc.showInfluence(4);
      const meanwhile = doc.joints.value;
      doc.letGo();
      return [meanwhile, doc.joints.value];
    };
    expect(shown()).toEqual([true, true]);
    doc.joints.value = false;
    expect(shown()).toEqual([true, false]);
  });

  it('is deselected when its result goes, another result is chosen, or other joints are turned', async () => {
    const doc = new Doc(sheet(6));
    for (const bones of [2, 4]) doc.addFit(await resultOf(doc.content, { bones }));
    const last = doc.fit.value!.data.bones - 1;
    expect(last).toBeGreaterThanOrEqual(2);
    doc.paint.value = 'error';
    doc.showInfluence(last);
    doc.removeFit(2);
    expect([doc.paint.value, doc.joint.value, doc.selected.value]).toEqual(['error', undefined, 1]);
    doc.history.undo();
    expect([doc.paint.value, doc.joint.value, doc.selected.value]).toEqual(['influence', last, 2]);
    lookAtOwnJoint(doc);
    expect(doc.joint.value).toBe(last);
    doc.selected.value = 1;
    lookAtOwnJoint(doc);
    expect([doc.paint.value, doc.joint.value]).toEqual(['error', undefined]);

    const turning = rigged();
    turning.panel.value = 'rig';
    turning.showInfluence(1000);
    lookAtOwnJoint(turning);
    expect([turning.paint.value, turning.joint.value]).toEqual(['plain', undefined]);
  });

  it('falls back to an available paint', async () => {
    const doc = rigged({ sequences: sheet(6).sequences });
    doc.addFit(await resultOf(doc.content, { bones: 2 }));
    doc.paint.value = 'error';
    doc.showInfluence(0);
    doc.removeFit(1);
    doc.endInfluence();
    expect(doc.paint.value).toBe('plain');
  });

  it('is first one with a positive weight', () => {
    const first = firstJoint(rigged().content.models)!;
    const { joints, weights } = figure.weights;
    const none = weights.map((weight, slot) => (joints[slot] === first ? 0 : weight));
    const models = [{ ...figure, weights: { ...figure.weights, weights: none } }];
    expect(firstJoint(rigged({ models }).content.models)).toBeGreaterThan(first);
  });
});

it('errors are shown down to 0.0001 %', () => {
  expect([0, 3e-5, 1e-4, 0.00045678, 0.5].map(errorText)).toEqual(['0', '< 0.0001', '0.0001', '0.000457', '0.5']);
});
