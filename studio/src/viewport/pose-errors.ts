import { diagonalOf } from '../../../src/doors/mesh.ts';
import { type SkinnedModel, Skinner } from '../../../src/index.ts';
import { frameErrors, roundTop } from '../core/paint/frame-errors.ts';
import { PosedRig } from '../core/rig/posed-rig.ts';
import type { JointTurns } from '../core/rig/rig-pose.ts';
import type { Distances, Linearized, PoseError } from '../core/rig/rig-work.ts';

interface Compared {
  rig: PosedRig;
  linear: PosedRig;
  /** By the operator, linear, and linear with blend bones. */
  skinners: readonly [exact: Skinner, lbs: Skinner, linearized: Skinner];
  diagonal: number;
}

/** Compares a linearized rig with the operator it approximates, pose by pose. */
export class PoseErrors {
  readonly linearized: Linearized;
  readonly #parts: Compared[];
  /** The largest distance so far: scales do not shrink. */
  #most = 0;

  constructor(linearized: Linearized) {
    this.linearized = linearized;
    const skinner = (model: SkinnedModel, operator: SkinnedModel['operator']) =>
      new Skinner(model, { operator, normals: false });
    this.#parts = linearized.models.map((model, p) => {
      const rig = linearized.rigs[p];
      return {
        rig: new PosedRig(rig),
        linear: new PosedRig(model),
        skinners: [skinner(rig, linearized.operator), skinner(rig, 'lbs'), skinner(model, 'lbs')],
        diagonal: diagonalOf(rig.mesh.positions) || 1,
      };
    });
  }

  measure(clip: string, time: number, turnsOf: (part: number) => JointTurns): PoseError {
    const sums = { linearized: { squares: 0, most: 0 }, lbs: { squares: 0, most: 0 } };
    let count = 0;
    const percent = this.#parts.map(({ rig, linear, skinners: [exact, lbs, linearized], diagonal }, part) => {
      const turns = turnsOf(part);
      rig.pose(clip, time, turns);
      linear.pose(clip, time, turns);
      const goal = rig.skinned(exact);
      const found = {
        lbs: frameErrors(goal, rig.skinned(lbs), diagonal),
        linearized: frameErrors(goal, linear.skinned(linearized), diagonal),
      };
      for (const name of ['lbs', 'linearized'] as const) {
        const { percent: distances, worst } = found[name];
        sums[name].squares += distances.reduce((sum, x) => sum + x * x, 0);
        sums[name].most = Math.max(sums[name].most, distances[worst] ?? 0);
      }
      count += goal.length / 3;
      return found.linearized.percent;
    });
    const distancesOf = ({ squares, most }: { squares: number; most: number }): Distances => ({
      rms: Math.sqrt(squares / Math.max(1, count)),
      most,
    });
    this.#most = Math.max(this.#most, sums.linearized.most);
    const top = roundTop(this.#most);
    return { linearized: distancesOf(sums.linearized), lbs: distancesOf(sums.lbs), percent, top };
  }

  dispose(): void {
    for (const { skinners } of this.#parts) for (const skinner of skinners) skinner.dispose();
  }
}
