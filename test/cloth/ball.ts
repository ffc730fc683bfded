import type { BodyMotion } from '../../src/cloth/body-motion.ts';
import { geodesicSphere, sheet } from '../../src/cloth/shapes.ts';
import type { Vector } from '../../src/math/vector.ts';
import type { Mesh } from '../../src/model/mesh.ts';
import { memorySequence } from '../../src/model/sequence.ts';

export const RADIUS = 0.2;

/** A ball that moves along a path, 30 frames per second: as a rig of one capsule, and as a surface. */
export function ballMotion(path: readonly Vector[], vertices = 162): BodyMotion {
  const rest = geodesicSphere('ball', vertices, path[0], RADIUS);
  const offsets = path.map((p) => [p[0] - path[0][0], p[1] - path[0][1], p[2] - path[0][2]]);
  const frames = offsets.map((offset) => rest.positions.map((x, c) => x + offset[c % 3]));
  const times = Float64Array.from(path, (_, k) => k / 30);
  const transforms = Float32Array.from(offsets.flatMap(([x, y, z]) => [1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, z]));
  return {
    sequence: memorySequence('ball', rest, frames, times),
    rig: {
      capsules: [{ bone: 0, a: path[0], b: path[0], radius: RADIUS }],
      names: ['ball'],
      clip: { name: 'move', times, transforms },
    },
  };
}

/** A curtain of 0.8 × 0.8 m beside a ball at the origin, and its upper edge. */
export function curtain(vertices: number): { mesh: Mesh; pinned: Uint32Array } {
  const mesh = sheet('curtain', vertices, [-0.4, -0.4, 0.25], [0.8, 0, 0], [0, 0.8, 0]);
  const all = Uint32Array.from({ length: mesh.positions.length / 3 }, (_, i) => i);
  return { mesh, pinned: all.filter((i) => mesh.positions[3 * i + 1] > 0.399) };
}
