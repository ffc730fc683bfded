import { type AnimationClip, Box3, Matrix4, type Object3D, type SkinnedMesh, Sphere, Vector3 } from 'three';
import { PliantError } from '../../src/error.ts';
import { boundsOf } from '../../src/mesh/bounds.ts';
import { defaultsOf, type OptionsOf, resolveOptions } from '../../src/model/options.ts';
import { sampleTimes, visitPoses } from './clip-poses.ts';
import { influenceSets } from './influence-sets.ts';
import { PathBend } from './path-bend.ts';
import { poseBounds } from './pose-bounds.ts';
import { PosedMesh, posedMesh } from './posed-mesh.ts';
import { skinningOf } from './use-skinning.ts';
import { rootOf } from './world.ts';

/** In the space of the mesh, as `mesh.boundingBox` and `mesh.boundingSphere` are: assign them. */
export interface SkinnedBounds {
  box: Box3;
  sphere: Sphere;
}

/** The bounds of all vertices where the bones have them now, by the operator of `useSkinning`. */
export function exactBounds(mesh: SkinnedMesh): SkinnedBounds {
  const positions = posedMesh(mesh).positions();
  const box = boxOf(positions);
  return { box, sphere: new Sphere(box.getCenter(new Vector3()), farthestFrom(box.getCenter(center), positions)) };
}

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

export type ClipBoundsOptions = OptionsOf<typeof CLIP_BOUNDS_OPTIONS> & {
  /** The object whose descendants the clip's tracks name; the top of the mesh's tree unless told. */
  root: Object3D;
};
export const CLIP_BOUNDS_DEFAULTS = defaultsOf(CLIP_BOUNDS_OPTIONS);

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
  const root = options.root ?? rootOf(mesh);
  const { operator = 'lbs', antipodality = true, palette } = skinningOf(mesh) ?? {};
  if (method === 'conservative' && !antipodality) {
    const cause = 'no bound is known without antipodality (got method conservative, expected exact)';
    throw new PliantError('bad-option', 'computeClipBounds', cause);
  }
  // A space of its own: the turns of the live one are not to see these poses.
  const posed = new PosedMesh(mesh, palette?.space.handOver(mesh));
  const { model, space } = posed;
  const { times, keys } = sampleTimes(clip, rate);
  const boxes: Box3[] = [];
  const toMesh = new Matrix4();
  try {
    if (method === 'exact') {
      visitPoses(clip, root, times, () => boxes.push(boxOf(posed.positions())));
      const all = unionOf(boxes);
      let radius = 0;
      visitPoses(clip, root, times, () => {
        radius = Math.max(radius, farthestFrom(all.getCenter(center), posed.positions()));
      });
      return { box: all, sphere: new Sphere(all.getCenter(new Vector3()), radius) };
    }
    const sets = influenceSets(model);
    const bend = new PathBend(sets, space.signs.length);
    visitPoses(clip, root, times, (t) => {
      space.refresh();
      const [x0, y0, z0, x1, y1, z1] = poseBounds(sets, space.bones, operator, posed.morphWeights());
      const box = new Box3(new Vector3(x0, y0, z0), new Vector3(x1, y1, z1));
      boxes.push(box.applyMatrix4(space.toMesh(toMesh, mesh)));
      bend.add(space.bones.matrices);
      if (keys.has(t)) bend.corner();
    });
    const margin = 2 * bend.sagitta * toMesh.getMaxScaleOnAxis();
    for (const box of boxes) box.expandByScalar(margin);
  } finally {
    posed.dispose();
  }
  const all = unionOf(boxes);
  const middle = all.getCenter(new Vector3());
  return { box: all, sphere: new Sphere(middle, Math.max(0, ...boxes.map((box) => reach(box, middle)))) };
}

const center = new Vector3();

function boxOf(positions: Float32Array): Box3 {
  const { min, max } = boundsOf(positions);
  return new Box3(new Vector3(...min), new Vector3(...max));
}

const unionOf = (boxes: readonly Box3[]): Box3 => boxes.reduce((all, box) => all.union(box), new Box3());

/** The distance of the farthest corner of a box. */
const reach = ({ min, max }: Box3, from: Vector3): number =>
  Math.hypot(
    Math.max(from.x - min.x, max.x - from.x),
    Math.max(from.y - min.y, max.y - from.y),
    Math.max(from.z - min.z, max.z - from.z),
  );

function farthestFrom({ x, y, z }: Vector3, positions: Float32Array): number {
  let squared = 0;
  for (let i = 0; i < positions.length; i += 3) {
    squared = Math.max(squared, (positions[i] - x) ** 2 + (positions[i + 1] - y) ** 2 + (positions[i + 2] - z) ** 2);
  }
  return Math.sqrt(squared);
}
