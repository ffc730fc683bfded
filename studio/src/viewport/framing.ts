import { boundsOf } from '../../../src/doors/mesh.ts';
import { Skinner } from '../../../src/index.ts';
import { shownPair } from '../core/cloth/start-train.ts';
import { frameOf } from '../core/content/content.ts';
import type { Doc } from '../core/doc.ts';
import type { PosedRig } from '../core/rig/posed-rig.ts';
import type { RigPart } from './rigs-view.ts';

/** Numbers of frames and vertices sampled to frame a whole motion. */
const FRAMES = 24;
const SAMPLES = 400;

/** Points (3 each) of the whole motion: a sample of the vertices, and the outermost ones. */
export function pointsOver(doc: Doc, rigs: readonly RigPart[], motions: readonly PosedRig[]): Float32Array {
  const { sequences, meshes } = doc.content;
  const times = doc.playback.times.peek();
  const clip = doc.clip.peek();
  const { coarse, fine, body } = shownPair(doc) ?? {};
  const found: number[] = [];
  const add = (points: Float32Array): void => {
    if (points.length === 0) return;
    const { min, max } = boundsOf(points);
    const step = 3 * Math.max(1, Math.floor(points.length / 3 / SAMPLES));
    // The outermost along an axis; none if all lie in a plane across it.
    const [[x0, x1], [y0, y1], [z0, z1]] = min.map((low, c) => (low < max[c] ? [low, max[c]] : [NaN, NaN]));
    for (let p = 0; p < points.length; p += 3) {
      const x = points[p];
      const y = points[p + 1];
      const z = points[p + 2];
      const outermost = x === x0 || x === x1 || y === y0 || y === y1 || z === z0 || z === z1;
      if (outermost || p % step === 0) found.push(x, y, z);
    }
  };
  for (const mesh of meshes) add(mesh.positions);
  const looks = Array.from({ length: Math.min(FRAMES, times.length) }, (_, l) =>
    Math.round((l * (times.length - 1)) / Math.max(1, Math.min(FRAMES, times.length) - 1)),
  );
  const moving = [...sequences, coarse, fine, body?.sequence].filter((part) => part !== undefined);
  for (const part of moving) for (const k of looks) add(frameOf(part, k));
  for (const { model, rig } of rigs) {
    const skinner = new Skinner(model, { operator: 'lbs', normals: false });
    for (const k of looks) {
      rig.pose(clip, times[k]);
      add(rig.skinned(skinner));
    }
    skinner.dispose();
  }
  for (const rig of motions) {
    for (const k of looks) {
      rig.pose(clip, times[k]);
      add(rig.joints());
    }
  }
  return Float32Array.from(found);
}
