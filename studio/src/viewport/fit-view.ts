import type { SkinnedModel } from '../../../src/model/skinned-model.ts';
import { Skinner } from '../../../src/skin/skinner.ts';
import type { FitEntry } from '../core/doc.ts';
import type { Painted } from '../core/painter.ts';
import { PosedRig } from './posed-rig.ts';
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
  /** Part → its positions in the pose, where they were asked for. */
  readonly #placed = new Map<number, Float32Array>();

  constructor(entry: FitEntry) {
    this.entry = entry;
    this.parts = entry.data.models.map((model, part) => {
      const rig = new PosedRig(model);
      const skinner = new Skinner(model, { operator: 'lbs', normals: false });
      const positions = () => {
        const known = this.#placed.get(part) ?? skinner.pose(rig.transforms, undefined, rig.morphWeights).positions;
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

  dispose(): void {
    for (const { surface, skinner } of this.parts) {
      surface.object.removeFromParent();
      surface.dispose();
      skinner.dispose();
    }
  }
}
