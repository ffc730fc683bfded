import { describe, expect, it } from 'vitest';
import { FIGURE_JOINTS, figureRig, type JointCase, mixJoints, ratios, VOLUME_MUST } from '../../bench/mix-cases.ts';
import { memorySource } from '../../src/io/files.ts';
import { readGltf } from '../../src/io/read-gltf.ts';
import { writeModelGlb } from '../../src/io/write-glb.ts';
import { clipFrame } from '../../src/model/skeleton.ts';
import { mixExperimentPage } from '../../src/report/mix-experiment-page.ts';
import { mixPage } from '../../src/report/mix-page.ts';
import { mixExperiment } from '../../src/rig/mix/experiment.ts';
import { mix } from '../../src/rig/mix/mix.ts';
import { sampleTube } from '../../src/rig/samples/tube.ts';
import { skinPlain } from '../../src/skin/plain.ts';
import { expectSelfContainedPage } from '../html.ts';
import { memoryFiles } from '../io/support.ts';
import { farthest } from '../skin/rigs.ts';
import { skin } from '../skin/skin.ts';

describe('the experiment, at a fifth of its resolution', async () => {
  const experiment = await mixExperiment({ columns: 200, rows: 40 });
  const [points, segments] = experiment.studies;

  it('has a solved field that no combination has less energy than', () => {
    for (const { solved, lbs, dqs, smooth, zeroOutside } of experiment.studies) {
      const rivals = [lbs, dqs, ...smooth, ...zeroOutside];
      expect(rivals).toHaveLength(52);
      for (const { energy } of rivals) expect(solved.energy).toBeLessThan(energy);
    }
  });

  it('halves the area error of the best combination of point bones, with fewer triangles turned over', () => {
    expect(points.best.field.name).toBe('1, 0');
    expect(points.best.absoluteError).toBeCloseTo(0.37, 1);
    expect(points.solved.absoluteError).toBeLessThan(0.5 * points.best.absoluteError);
    expect(points.solved.absoluteError).toBeLessThan(0.1);
    expect(points.solved.invertedTotal).toBeLessThan(points.dqs.invertedTotal);
  });

  it('distorts and folds less than dual quaternions where segments meet', () => {
    expect(segments.solved.meanLocalRms).toBeLessThan(0.7 * segments.dqs.meanLocalRms);
    expect(segments.solved.invertedTotal).toBeLessThan(0.1 * segments.dqs.invertedTotal);
    expect(segments.solved.absoluteError).toBeLessThan(1.2 * segments.dqs.absoluteError);
  });

  it('becomes a page that needs nothing else, and drawings', async () => {
    const { html, pictures } = await mixExperimentPage(experiment);
    expect(html).not.toMatch(/<script|src="http|href="http/);
    expect(html.match(/<svg[^>]*class="chart" viewBox="0 0 460/g)).toHaveLength(12);
    expect(Object.keys(pictures)).toHaveLength(2 * (2 * 6 + 1));
    for (const svg of Object.values(pictures))
      expect(svg).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg".*<\/svg>$/s);
    expect(pictures['points-90-lbs.svg']).not.toContain('NaN');
  });
});

describe('a figure', async () => {
  const figure = await figureRig(2500);
  const alone = new Map<JointCase, ReturnType<typeof mixJoints>>();
  /** A joint bent by itself, solved once for all tests. */
  const bent = (joint: JointCase) => {
    if (!alone.has(joint)) alone.set(joint, mixJoints(figure, [joint], { poses: 12 }));
    return alone.get(joint)!;
  };

  it.each(FIGURE_JOINTS.map((joint) => [joint.name, joint] as const))(
    'keeps its volume at the %s',
    async (_, joint) => {
      const result = await bent(joint);
      expect(result.keeps).toBe('volume');
      expect(ratios(result).volume).toBeLessThan(VOLUME_MUST);
      expect(ratios(result).localRms).toBeLessThan(1.05);
      expect(ratios(result).inverted).toBeLessThan(1);
      // What no pose has judged stays dual quaternions.
      const head = figure.mesh.positions.reduce(
        (top, y, c) => (c % 3 === 1 && y > figure.mesh.positions[top] ? c : top),
        1,
      );
      expect(result.model.mixWeights![Math.floor(head / 3)]).toBe(1);
    },
  );

  it('bends at both as it does at each', async () => {
    const both = await mixJoints(figure, FIGURE_JOINTS, { poses: 12 });
    for (const joint of FIGURE_JOINTS) {
      const { solved } = await bent(joint);
      const own = both.poses.flatMap(({ motion }, k) => (motion === joint.joint ? [k] : []));
      const error = own.reduce((sum, k) => sum + Math.abs(both.solved.perPose.totalChangePercent![k]), 0) / own.length;
      expect(error).toBeLessThan(1.1 * solved.totalErrorPercent!);
    }
  });

  it('becomes a page', async () => {
    const page = await mixPage([await mixJoints(figure, [FIGURE_JOINTS[0]], { poses: 6 })], {
      title: 'an <elbow>',
      command: "pliant mix '<elbow>.glb'",
    });
    expect(page).toContain('an &#60;elbow&#62;');
    expect(page).toContain('<code>pliant mix &#39;&#60;elbow&#62;.glb&#39;</code>');
    // What overlaps stays visible: the dashes of dual quaternions are drawn last.
    expect(
      page
        .match(/<title>(LBS|solved|DQS)<\/title>/g)!
        .slice(0, 3)
        .join(),
    ).toMatch(/LBS.*solved.*DQS/);
    expectSelfContainedPage(page);
    expect(page.replace(/<script[^>]*>[^<]*<\/script>/g, '')).not.toContain('NaN');
    expect(page.match(/<image /g)).toHaveLength(5);
  });
});

describe('a mixed model', () => {
  it('comes back from its file, and is shown as it was solved', async () => {
    const { model, solved, poses } = await mix(sampleTube(400, 8, 24), { poses: 6 });
    const { bytes } = await writeModelGlb(model);
    const { models } = await readGltf(memorySource('tube.glb', bytes), memoryFiles({}), 'tube.glb');
    expect(models[0].operator).toBe('mix');
    const clip = models[0].clips.find(({ name }) => name === poses[5].motion)!;
    const shown = skin(models[0], clipFrame(clip, clip.times.length - 1)).positions;
    const meant = skinPlain({ ...model, mixWeights: Float32Array.from(solved.mix) }, poses[5].transforms, {
      operator: 'mix',
    }).positions;
    expect(shown).toHaveLength(meant.length);
    expect(farthest(shown, meant)).toBeLessThan(1e-3);
  });
});
