import { boneCount, type SkinnedModel, Skinner } from '../../../src/index.ts';
import type { FitEntry } from '../core/fit/fit-results.ts';
import type { Painted } from '../core/paint/painter.ts';
import { PosedRig } from '../core/rig/posed-rig.ts';
import { SkinnedSurface } from './skinned-surface.ts';

interface FitPart extends Painted {
  entry: FitEntry;
  model: SkinnedModel;
  rig: PosedRig;
  surface: SkinnedSurface;
  skinner: Skinner;
}

/** A result on the stage, ready to be posed. */
export class FitView {
  readonly entry: FitEntry;
  readonly parts: readonly FitPart[];
  /** Part → its positions in the pose, if requested. */
  readonly #placed = new Map<number, Float32Array>();

  constructor(entry: FitEntry) {
    this.entry = entry;
    this.parts = entry.data.models.map((model, part) => {
      const rig = new PosedRig(model);
      const skinner = new Skinner(model, { operator: 'lbs', normals: false });
      const positions = () => {
        const known = this.#placed.get(part) ?? rig.skinned(skinner);
        this.#placed.set(part, known);
        return known;
      };
      return { part, entry, model, rig, skinner, positions, surface: new SkinnedSurface(model, 'lbs') };
    });
  }

  /** The pose of frame k of the original, whose frames are at `times` (P seconds). */
  pose(k: number, times: Float64Array): void {
    const { firstFrame = 0 } = this.entry.options;
    this.#placed.clear();
    for (const { model, rig, surface } of this.parts) {
      rig.pose(model.clips[0].name, times[k] - times[firstFrame]);
      surface.pose(rig.transforms, rig.morphWeights);
    }
  }

  /** 3B: positions of joints. Those that started as vertices of the surface stay with them. */
  joints(): Float32Array {
    const [{ rig, model }] = this.parts;
    const joints = this.entry.data.proxies?.joints;
    const bones = boneCount(model.skeleton);
    const nodes = joints ? bones / joints.length : 0;
    // A skeleton that has lost bones has no vertex for each.
    if (!joints || !Number.isInteger(nodes)) return rig.joints();
    const out = new Float32Array(3 * bones);
    let first = 0;
    for (const { positions } of this.parts) {
      const here = positions();
      const count = here.length / 3;
      joints.forEach((vertex, joint) => {
        const i = vertex - first;
        if (i < 0 || i >= count) return;
        for (let j = joint * nodes; j < (joint + 1) * nodes; j++) out.set(here.subarray(3 * i, 3 * i + 3), 3 * j);
      });
      first += count;
    }
    return out;
  }

  dispose(): void {
    for (const { surface, skinner } of this.parts) {
      surface.object.removeFromParent();
      surface.dispose();
      skinner.dispose();
    }
  }
}
