import { beforeAll, describe, expect, it } from 'vitest';
import { PliantError } from '../../src/error.ts';
import { identity34 } from '../../src/math/matrix34.ts';
import { Doc } from '../../studio/src/core/doc.ts';
import { lightPanes } from '../../studio/src/core/light/light-panes.ts';
import type { LightData } from '../../studio/src/core/light/light-work.ts';
import { isSky } from '../../studio/src/core/light/start-light.ts';
import { Painter } from '../../studio/src/core/paint/painter.ts';
import { restoreDoc, saveDoc } from '../../studio/src/core/session/session.ts';
import { isPainted, legendsOf } from '../../studio/src/core/view/view-labels.ts';
import { lightBakeJob, lightTraceJob, skyJob } from '../../studio/src/worker/light-jobs.ts';
import { loadSession } from '../../studio/src/worker/load-session.ts';
import { checkSession } from '../../studio/src/worker/session-check.ts';
import { writeSession } from '../../studio/src/worker/session-file.ts';
import { smallFigure } from '../light/small-figure.ts';

const run = { onProgress: () => {}, signal: new AbortController().signal };
const empty = { meshes: [], sequences: [], models: [], motions: [], predictors: [], objects: [], notes: [] };
const newDoc = () => new Doc({ ...empty, name: 'figure', format: 'sample', bytes: 1, models: [smallFigure()] });

describe('light in the studio', () => {
  let made: LightData;
  beforeAll(async () => {
    const options = { poses: 4, rays: 16, modes: 2, fit: false };
    made = await lightBakeJob({ models: [smallFigure()], opened: { notes: [] }, options }, run);
  });

  it('shows what there is, in its own panel only', () => {
    const doc = newDoc();
    expect(doc.panels).toContain('light');
    expect(lightPanes(doc)).toBeUndefined();
    doc.panel.value = 'light';
    expect(lightPanes(doc)).toEqual(['light-base']);
    doc.light.look.value = 'side';
    expect(lightPanes(doc)).toEqual(['light-unshadowed', 'light-base', 'light-traced']);
    // No scale of colours that no pane shows.
    doc.paint.value = 'influence';
    expect(legendsOf(doc, new Painter(doc))).toEqual([]);
    expect(isPainted(doc)).toBe(false);
    doc.paint.value = 'plain';
    doc.edit('baked light', doc.light.made, made);
    expect(lightPanes(doc)).toHaveLength(4);
    expect(doc.hasResults).toBe(true);
    doc.light.look.value = 'baked';
    doc.history.undo();
    expect(lightPanes(doc)).toEqual(['light-base']);
  });

  it('shows what a file brings along', () => {
    const model = { ...smallFigure(), light: made.lights[0] };
    const doc = new Doc({ ...empty, name: 'figure', format: 'sample', bytes: 1, models: [model] });
    expect(doc.light.ways.value).toContain('baked');
  });

  it('turns by one edit per drag', () => {
    const { light, history } = newDoc();
    light.turn.begin();
    for (const degrees of [10, 20, 30]) light.turn.set(degrees);
    history.undo();
    expect(light.turn.value.value).toBe(0);
  });

  it('is kept in sessions, which are checked', async () => {
    const doc = newDoc();
    doc.panel.value = 'light';
    doc.light.made.value = made;
    doc.light.own.value = { name: 'evening.hdr', sh: new Float32Array(75).fill(0.5), suns: 1 };
    doc.light.sky.value = 'own';
    doc.light.turn.reset(-40);
    doc.light.floor.value = false;
    const saved = { active: 0, docs: [saveDoc('figure', doc)] };
    const read = await loadSession({ file: await writeSession(saved, run), name: 'x.pliant' }, run);
    const restored = restoreDoc(read.docs[0]);
    expect(saveDoc('figure', restored).state).toEqual(saved.docs[0].state);
    expect(restored.light.made.value).toEqual(made);
    const [light] = made.lights;
    for (const lights of [[], [{ ...light, bounceFactors: new Float32Array(3) }]]) {
      const docs = [{ ...read.docs[0], light: { ...made, lights } }];
      expect(() => checkSession({ active: 0, docs })).toThrow(PliantError);
    }
  });

  it('traces a pose and its floor, without blots', async () => {
    const model = smallFigure();
    const transforms = identity34(model.skeleton.parents.length);
    const floor = { points: Float32Array.of(0, 0, 0, 9, 0, 0), normals: Float32Array.of(0, 1, 0, 0, 1, 0) };
    const input = { models: [model], parts: [{ transforms }], floor, bounces: 1, albedo: 0.6 };
    const found = await lightTraceJob(input, run);
    const open = Math.sqrt(1 / (4 * Math.PI));
    for (let at = 0; at < found.transfer.length; at += 25) expect(found.transfer[at]).toBeGreaterThan(0.02 * open);
    expect(found.floor[0]).toBeLessThan(0.5 * open);
    expect(found.floor[25]).toBeGreaterThan(0.95 * open);
  });

  it('reads surroundings, and says what is wrong with others', async () => {
    expect([isSky('a/b.HDR'), isSky('x.exr'), isSky('x.glb')]).toEqual([true, true, false]);
    const head = '#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 32 +X 64\n';
    const pixels = new Uint8Array(4 * 32 * 64).fill(129);
    const sky = await skyJob({ file: new File([head, pixels], 'even.hdr') }, run);
    expect([sky.name, sky.suns, sky.sh.length]).toEqual(['even.hdr', 0, 75]);
    expect(Math.max(...sky.sh.slice(1, 25).map(Math.abs))).toBeLessThan(0.05 * sky.sh[0]);
    await expect(skyJob({ file: new File(['no picture'], 'x.hdr') }, run)).rejects.toThrow(PliantError);
  });
});
