/**
 * What a moving body does to cloth in a sub-step. Nothing flies off: a free vertex stays within reach of its nearest pin
 * (the long-range attachments of Kim, Chentanez and Müller-Fischer 2012) and is never faster than stretch travels in
 * the cloth.
 */
import { meshEdges, vertexNeighbours } from '../mesh/adjacency.ts';
import { lowerGraphDistances } from '../mesh/graph-distance.ts';
import { type Mesh, vertexCount } from '../model/mesh.ts';
import type { ClothBody } from './body.ts';
import type { BodyFrame } from './body-motion.ts';
import type { Obstacle } from './contact.ts';
import { MovingPins } from './pins.ts';

/** A body as one piece of cloth meets it. */
export interface Stage {
  pins: MovingPins;
  obstacles: readonly Obstacle[];
  /** N: the distance that each vertex keeps from obstacles, m. */
  margin: Float64Array;
  tethers: Tethers;
}

/** Cloth at the body's rest pose, `at`. */
export function stageOf(mesh: Mesh, pinned: Uint32Array, at: BodyFrame, obstacle: Obstacle, thickness: number): Stage {
  return {
    pins: new MovingPins(pinned, mesh.positions, at.positions),
    obstacles: [obstacle],
    margin: marginsOf(mesh.positions, [obstacle], thickness),
    tethers: tethersOf(mesh, pinned),
  };
}

/** Vertex → its nearest pin along the surface. */
interface Tethers {
  /** N: −1 for a vertex that no edges lead to from a pin. */
  anchor: Int32Array;
  /** N: how far it may be from there, m. */
  reach: Float64Array;
}

function tethersOf(mesh: Mesh, pins: Uint32Array): Tethers {
  const n = vertexCount(mesh);
  const neighbours = vertexNeighbours(meshEdges(mesh.triangles, n), n);
  const graph = { positions: mesh.positions, neighbours };
  const anchor = new Int32Array(n).fill(-1);
  const reach = new Float64Array(n).fill(Infinity);
  for (const pin of pins) {
    lowerGraphDistances(graph, pin, reach, (i) => {
      anchor[i] = pin;
    });
  }
  return { anchor, reach };
}

/** Distances that vertices keep: `thickness`, or less where the garment lies closer to the body from the start. */
function marginsOf(positions: ArrayLike<number>, obstacles: readonly Obstacle[], thickness: number): Float64Array {
  const margin = new Float64Array(positions.length / 3).fill(thickness);
  for (const obstacle of obstacles) obstacle.distances(positions, margin);
  return margin;
}

/** Moves body and pins to `t` in 0…1 of the frame. */
export function moveStage({ pins, obstacles }: Stage, { x }: ClothBody, t: number): void {
  for (const obstacle of obstacles) obstacle.moveTo(t);
  pins.moveTo(t);
  pins.hold(x);
}

/** Draws the cloth back to its pins and pushes it out of the body. `maxWay` is the farthest way of a sub-step. */
export function holdOnStage(stage: Stage, body: ClothBody, friction: number, maxWay: number): void {
  const { x, previous, inverseMass } = body;
  const { anchor, reach } = stage.tethers;
  for (let i = 0; i < anchor.length; i++) {
    if (anchor[i] < 0 || inverseMass[i] === 0) continue;
    const o = 3 * i;
    const a = 3 * anchor[i];
    const dx = x[o] - x[a];
    const dy = x[o + 1] - x[a + 1];
    const dz = x[o + 2] - x[a + 2];
    const d2 = dx * dx + dy * dy + dz * dz;
    if (d2 <= reach[i] * reach[i]) continue;
    const s = reach[i] / Math.sqrt(d2);
    x[o] = x[a] + s * dx;
    x[o + 1] = x[a + 1] + s * dy;
    x[o + 2] = x[a + 2] + s * dz;
  }
  for (const obstacle of stage.obstacles) obstacle.push({ x, previous, inverseMass, margin: stage.margin, friction });
  for (let o = 0; o < x.length; o += 3) {
    const dx = x[o] - previous[o];
    const dy = x[o + 1] - previous[o + 1];
    const dz = x[o + 2] - previous[o + 2];
    const d2 = dx * dx + dy * dy + dz * dz;
    if (d2 <= maxWay * maxWay) continue;
    const s = maxWay / Math.sqrt(d2);
    previous[o] = x[o] - s * dx;
    previous[o + 1] = x[o + 1] - s * dy;
    previous[o + 2] = x[o + 2] - s * dz;
  }
}
