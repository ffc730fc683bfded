import type { RunOptions } from '../model/options.ts';
import type { Report } from '../model/report.ts';
import type { SkinnedModel } from '../model/skinned-model.ts';
import type { PartPose, Pose } from '../skin/choose-poses.ts';
import type { TracedPose, TraceOptions } from './traced-pose.ts';

/** Traces poses of models one after the other: in this thread, in several, or on other machines. */
export type TracePoses = (
  models: readonly SkinnedModel[],
  poses: readonly (readonly PartPose[])[],
  options: TraceOptions,
  run: RunOptions,
) => AsyncIterable<TracedPose>;

/** What a bake makes. */
export interface BakedLight {
  /** The given models with light. */
  models: SkinnedModel[];
  /** What was traced. */
  poses: Pose[];
  report: Report;
}
