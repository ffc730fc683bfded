/**
 * Bodies that cloth collides with while they move: the capsules of a rig, or a posed surface. Both move on within a frame,
 * so that a fast limb passes no vertex between two frames.
 */
import type { BodyFrame, Wearer } from './body-motion.ts';
import type { Obstacle } from './contact.ts';
import { MovingCapsules } from './moving-capsules.ts';
import { MovingTriangles } from './moving-triangles.ts';

/** A body as an obstacle, where it is at rest. Without bones its surface is all there is. */
export const obstacleOf = ({ sequence, rig }: Wearer, at: BodyFrame, kind: 'capsules' | 'surface'): Obstacle =>
  kind === 'capsules' && rig ? new MovingCapsules(rig.capsules, at) : new MovingTriangles(sequence.rest, at);
