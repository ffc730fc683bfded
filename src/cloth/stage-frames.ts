import type { Mesh } from '../model/mesh.ts';
import { type BodyMotion, bodyFrames, movedMesh, startOf } from './body-motion.ts';
import { obstacleOf } from './obstacles.ts';
import { type Stage, stageOf } from './stage.ts';

/** Cloth as it is modelled, and the body that moves it, if there is one. */
interface Staged {
  mesh: Mesh;
  pinned?: Uint32Array;
  body?: BodyMotion;
  frames: number;
  thickness?: number;
  /** What the body is to the cloth [default capsules, where it has any]. */
  collider?: 'capsules' | 'surface';
}

/**
 * The body as cloth meets it at the end of each frame, always the same object; without a body nothing, as many times. Who
 * steps physics moves it back to the start of the frame first.
 */
export async function* stageFrames(staged: Staged): AsyncGenerator<Stage | undefined> {
  const { mesh, pinned = new Uint32Array(0), body, frames, thickness = 0, collider = 'capsules' } = staged;
  if (!body) {
    for (let k = 0; k < frames; k++) yield undefined;
    return;
  }
  const start = await startOf(body);
  const obstacle = obstacleOf(body, start, collider);
  const stage = stageOf(movedMesh(start.place, mesh), pinned, start, obstacle, thickness);
  for await (const { frame } of bodyFrames(body, start, 1)) {
    for (const mover of [obstacle, stage.pins]) {
      mover.next(frame);
      mover.moveTo(1);
    }
    yield stage;
  }
}
