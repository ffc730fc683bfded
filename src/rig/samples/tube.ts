import { vertexNormals } from '../../mesh/normals.ts';
import { wrapUvs } from '../../mesh/wrap-uvs.ts';
import { largestWeights } from '../../model/influences.ts';
import type { Mesh } from '../../model/mesh.ts';
import type { SkinnedModel, SkinWeights } from '../../model/skinned-model.ts';
import { type BoneTurn, evenClips, skeletonOf } from './skeleton.ts';

const RADIUS = 0.2;
/** Length of the straight part, m; half spheres close both ends. */
const LENGTH = 2;
const BONES = 4;
/** Standard deviation of a bone's influence along the axis, in bones: so wide that all four reach nearly everywhere. */
const OVERLAP = 0.9;

/** Turns of each bone at the end of the clips, degrees; the first stays. */
const CLIPS: readonly { name: string; turn: BoneTurn }[] = [
  { name: 'bend', turn: [40] },
  { name: 'twist', turn: [0, 0, 60] },
  { name: 'bend-and-twist', turn: [35, 0, 55] },
];

/**
 * The elastic tube of Kavan 2009, Figures 6 and 7: four bones in a row, and vertices that follow nearly all of them,
 * which is the hardest case for linear blending. About `vertices` vertices.
 */
export function sampleTube(vertices: number, frames: number, framesPerSecond: number): SkinnedModel {
  const shape: Mesh = { ...wrapUvs(capsule(vertices)), space: { up: 'y', metresPerUnit: 1 } };
  const mesh = { ...shape, normals: vertexNormals(shape) };
  const bone = LENGTH / BONES;
  const skeleton = skeletonOf(
    Array.from({ length: BONES }, (_, j) => ({
      name: `bone${j + 1}`,
      parent: j === 0 ? undefined : `bone${j}`,
      head: [0, j * bone, 0] as const,
      tail: [0, (j + 1) * bone, 0] as const,
      front: [0, 0, 1] as const,
    })),
  );
  const clips = evenClips(skeleton, CLIPS, frames, framesPerSecond);
  return { name: 'tube', mesh, weights: tubeWeights(mesh), skeleton, clips, operator: 'lbs' };
}

/** Bell curves around the bones' middles. */
function tubeWeights({ positions }: Mesh): SkinWeights {
  const dense = new Float64Array((positions.length / 3) * BONES);
  for (let i = 0; i < positions.length / 3; i++) {
    const along = (positions[3 * i + 1] * BONES) / LENGTH;
    for (let j = 0; j < BONES; j++) dense[i * BONES + j] = Math.exp(-(((along - j - 0.5) / OVERLAP) ** 2) / 2);
  }
  return largestWeights(dense, BONES, BONES);
}

/** Rings around the y axis, nearly square cells, a vertex at either end. */
function capsule(vertices: number): Mesh {
  const profile = LENGTH + Math.PI * RADIUS; // from one end over the side to the other
  const cell = Math.sqrt((2 * Math.PI * RADIUS * (LENGTH + 2 * RADIUS)) / vertices);
  const around = Math.max(3, Math.round((2 * Math.PI * RADIUS) / cell));
  const rings = Math.max(3, Math.round((vertices - 2) / around));
  const positions = [0, -RADIUS, 0];
  for (let r = 1; r <= rings; r++) {
    const { radius, y } = profileAt((profile * r) / (rings + 1));
    for (let s = 0; s < around; s++) {
      const angle = (2 * Math.PI * s) / around;
      positions.push(radius * Math.sin(angle), y, radius * Math.cos(angle));
    }
  }
  positions.push(0, LENGTH + RADIUS, 0);

  const triangles: number[] = [];
  const top = positions.length / 3 - 1;
  for (let s = 0; s < around; s++) {
    const next = (s + 1) % around;
    triangles.push(0, 1 + next, 1 + s);
    for (let r = 0; r + 1 < rings; r++) {
      const a = 1 + r * around;
      const b = a + around;
      triangles.push(a + s, a + next, b + next, a + s, b + next, b + s);
    }
    const last = 1 + (rings - 1) * around;
    triangles.push(top, last + s, last + next);
  }
  return { name: 'tube', positions: Float32Array.from(positions), triangles: Uint32Array.from(triangles) };
}

/** The capsule's outline at arc length s from its lower end. */
function profileAt(s: number): { radius: number; y: number } {
  const quarter = (Math.PI / 2) * RADIUS;
  if (s < quarter) return { radius: RADIUS * Math.sin(s / RADIUS), y: -RADIUS * Math.cos(s / RADIUS) };
  if (s <= quarter + LENGTH) return { radius: RADIUS, y: s - quarter };
  const beyond = (s - quarter - LENGTH) / RADIUS;
  return { radius: RADIUS * Math.cos(beyond), y: LENGTH + RADIUS * Math.sin(beyond) };
}
