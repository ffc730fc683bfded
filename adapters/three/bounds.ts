import { type AnimationClip, Box3, Matrix4, type Object3D, type SkinnedMesh, Sphere, Vector3 } from 'three';
import { PliantError } from '../../src/error.ts';
import { boundsOf } from '../../src/mesh/bounds.ts';
import { type OptionsOf, resolveOptions } from '../../src/model/options.ts';
import { sampleTimes, visitPoses } from './clip-poses.ts';
import { requireClip, requireSkinnedMesh } from './given.ts';
import { influenceSets } from './influence-sets.ts';
import { PathBend } from './path-bend.ts';
import { poseBounds } from './pose-bounds.ts';
import { PosedVertices, posedVertices } from './posed-vertices.ts';
import type { ThreeOperator } from './shader.ts';
import { skinnings } from './skinnings.ts';
import { rootOf } from './world.ts';

/** In the space of the mesh, as `mesh.boundingBox` and `mesh.boundingSphere` are: assign them. */
export interface SkinnedBounds {
  box: Box3;
  sphere: Sphere;
}

/**
 * The bounds of all vertices where the bones have them now, by the operator of `useSkinning`. What it takes to pose the
 * mesh is kept with it, for the next time and for rays.
 */
export function exactBounds(mesh: SkinnedMesh): SkinnedBounds {
  requireSkinnedMesh(mesh, 'exactBounds');
  const positions = posedVertices(mesh).positions();
  return exactOver((visit) => visit(positions));
}

/** The same, leaving nothing behind: three.js asks for it once, of every mesh it draws. */
export function boundsOnce(mesh: SkinnedMesh): SkinnedBounds {
  const posed = new PosedVertices(mesh);
  const positions = posed.positions();
  posed.dispose();
  return exactOver((visit) => visit(positions));
}

/** The options of `computeClipBounds`. */
export const CLIP_BOUNDS_OPTIONS = {
  method: {
    type: 'choice',
    default: 'conservative',
    choices: ['conservative', 'exact'],
    description:
      'conservative: from boxes of the rest pose, never too small; exact: every vertex at every time looked at',
  },
  rate: {
    type: 'number',
    default: 60,
    min: 1,
    unit: 'per second',
    description: 'how often to look between keys',
  },
} as const;

/** Options of `computeClipBounds`. */
export type ClipBoundsOptions = OptionsOf<typeof CLIP_BOUNDS_OPTIONS> & {
  /** The object whose descendants the clip's tracks name; the top of the mesh's tree unless told. */
  root: Object3D;
};

/**
 * The bounds of a mesh over a whole clip, for frustum culling that never drops a mesh in view:
 *
 *     const { box, sphere } = computeClipBounds(mesh, clip);
 *     mesh.boundingBox = box;
 *     mesh.boundingSphere = sphere;
 *
 * Conservative bounds contain every pose looked at for certain, whatever the operator (see pose-bounds.ts); between two
 * looks they allow for twice what the paths of the bones bend. Bones and morphs are left as they were.
 */
export function computeClipBounds(
  mesh: SkinnedMesh,
  clip: AnimationClip,
  options: Partial<ClipBoundsOptions> = {},
): SkinnedBounds {
  const { method, rate } = resolveOptions(CLIP_BOUNDS_OPTIONS, options, 'computeClipBounds');
  requireSkinnedMesh(mesh, 'computeClipBounds');
  requireClip(clip, 'computeClipBounds');
  const root = options.root ?? rootOf(mesh);
  const { operator = 'lbs', antipodality = true, palette } = skinnings.get(mesh) ?? {};
  if (method === 'conservative' && !antipodality) {
    const cause = 'no bound is known without antipodality (got method conservative, expected exact)';
    throw new PliantError('bad-option', 'computeClipBounds', cause);
  }
  // A space of its own: the turns of the live one are not to see these poses.
  const posed = new PosedVertices(mesh, palette?.space.handOver(mesh));
  const { times, keys } = sampleTimes(clip, rate);
  const walk: Walk = (visit) => visitPoses(clip, root, times, visit);
  try {
    return method === 'exact'
      ? exactOver((visit) => walk(() => visit(posed.positions())))
      : conservativeOver(walk, keys, posed, operator);
  } finally {
    posed.dispose();
  }
}

/** Poses the mesh at one time after the other. */
type Walk = (visit: (t: number) => void) => void;

/** Bounds from boxes of the rest pose, widened by what paths bend between two times; they have corners at `keys`. */
function conservativeOver(walk: Walk, keys: Set<number>, posed: PosedVertices, operator: ThreeOperator): SkinnedBounds {
  const { model, space } = posed;
  const sets = influenceSets(model);
  const bend = new PathBend(sets, space.signs.length);
  const boxes: Float64Array[] = [];
  walk((t) => {
    space.refresh();
    boxes.push(poseBounds(sets, space.bones, operator, posed.morphWeights()));
    bend.add(space.bones.matrices);
    if (keys.has(t)) bend.corner();
  });
  // The space is that of the mesh but for a scale.
  const scale = space.toMesh(new Matrix4(), space.mesh).getMaxScaleOnAxis();
  return boundsAround(boxes, scale, 2 * bend.sagitta);
}

/** Bounds of all positions that a walk over poses shows; it is walked twice. */
function exactOver(walk: (visit: (positions: Float32Array) => void) => void): SkinnedBounds {
  const box = new Box3();
  walk((positions) => box.union(boxOf(positions)));
  const sphere = new Sphere(box.getCenter(new Vector3()), 0);
  walk((positions) => {
    sphere.radius = Math.max(sphere.radius, farthestFrom(sphere.center, positions));
  });
  return { box, sphere };
}

/** Bounds of boxes (6 numbers each) that are scaled and widened by a margin. */
function boundsAround(boxes: readonly Float64Array[], scale: number, margin: number): SkinnedBounds {
  const box = new Box3();
  const corner = new Vector3();
  for (const some of boxes) for (let b = 0; b < some.length; b += 3) box.expandByPoint(corner.fromArray(some, b));
  box.expandByScalar(margin);
  const center = box.getCenter(new Vector3());
  let squared = 0;
  for (const some of boxes) {
    for (let b = 0; b < some.length; b += 6) {
      const x = Math.max(center.x - some[b], some[b + 3] - center.x) + margin;
      const y = Math.max(center.y - some[b + 1], some[b + 4] - center.y) + margin;
      const z = Math.max(center.z - some[b + 2], some[b + 5] - center.z) + margin;
      squared = Math.max(squared, x * x + y * y + z * z);
    }
  }
  box.min.multiplyScalar(scale);
  box.max.multiplyScalar(scale);
  return { box, sphere: new Sphere(center.multiplyScalar(scale), Math.sqrt(squared) * scale) };
}

function boxOf(positions: Float32Array): Box3 {
  const { min, max } = boundsOf(positions);
  return new Box3(new Vector3(...min), new Vector3(...max));
}

function farthestFrom({ x, y, z }: Vector3, positions: Float32Array): number {
  let squared = 0;
  for (let i = 0; i < positions.length; i += 3) {
    squared = Math.max(squared, (positions[i] - x) ** 2 + (positions[i + 1] - y) ** 2 + (positions[i + 2] - z) ** 2);
  }
  return Math.sqrt(squared);
}
