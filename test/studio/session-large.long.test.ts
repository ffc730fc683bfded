import { expect, it } from 'vitest';
import { seededRandom } from '../../src/math/rng.ts';
import { steadyTimes } from '../../src/model/sequence.ts';
import { Doc } from '../../studio/src/core/doc.ts';
import { restoreDoc, saveDoc } from '../../studio/src/core/session/session.ts';
import { loadSession } from '../../studio/src/worker/load-session.ts';
import { writeSession } from '../../studio/src/worker/session-file.ts';

const run = { onProgress: () => {}, signal: new AbortController().signal };

it('a session of 50 MB comes back bit for bit', async () => {
  const [vertices, count] = [21_000, 200];
  const random = seededRandom(1);
  const positions = Float32Array.from({ length: 3 * vertices }, random);
  const frames = new Float32Array(positions.length * count);
  for (let c = 0; c < frames.length; c++) frames[c] = positions[c % positions.length] + 1e-4 * random();
  expect(frames.byteLength).toBeGreaterThan(50e6);
  const triangles = Uint32Array.from({ length: 3 * (vertices - 2) }, (_, c) => Math.floor(c / 3) + (c % 3));
  const part = { name: 'strip', rest: { positions, triangles }, times: steadyTimes(count), frames };
  const kinds = { meshes: [], models: [], motions: [], predictors: [], objects: [], notes: [] };
  const doc = new Doc({ ...kinds, name: 'strip', format: 'test', bytes: frames.byteLength, sequences: [part] });
  doc.playback.seek(150);
  const file = await writeSession({ active: 0, docs: [saveDoc('strip', doc)] }, run);
  const { docs } = await loadSession({ file, name: 'strip.pliant' }, run);
  const again = restoreDoc(docs[0]);
  expect(Buffer.compare(Buffer.from(again.content.sequences[0].frames.buffer), Buffer.from(frames.buffer))).toBe(0);
  expect(again.playback.frame.value).toBe(150);
});
