import { PliantError } from '../../error.ts';
import { translation34 } from '../../math/matrix34.ts';
import { type Bounds, boundsOf } from '../../mesh/bounds.ts';
import type { Mesh } from '../../model/mesh.ts';
import { type Note, note } from '../../model/note.ts';
import { type Clip, LOCAL_STRIDE, MATRIX_STRIDE, type Skeleton } from '../../model/skeleton.ts';
import { bindMatrices } from './bone-segments.ts';

/** Skeletons in other units or at another place: x ↦ scale·x + offset takes them to the mesh. Directions stay. */
export interface Alignment {
  scale: number;
  offset: readonly [number, number, number];
}

/** The box of the joints of a skeleton in its bind pose. */
export function skeletonBounds(skeleton: Skeleton, operation: string): Bounds {
  const binds = bindMatrices(skeleton, operation);
  return boundsOf(skeleton.names.flatMap((_, j) => translation34(binds, j)));
}

/**
 * The largest scale at which the skeleton's box fits into the mesh's, both centred. A skeleton without extent (one joint) is
 * only moved. Both must face the same way.
 */
export function alignment(skeleton: Skeleton, mesh: Mesh, operation = 'align'): Alignment {
  const from = skeletonBounds(skeleton, operation);
  const to = boundsOf(mesh.positions);
  const longest = Math.max(extent(from, 0), extent(from, 1), extent(from, 2));
  // Along an axis where the skeleton is flat there is nothing to fit.
  const ratios = [0, 1, 2].filter((c) => extent(from, c) > 1e-6 * longest).map((c) => extent(to, c) / extent(from, c));
  const scale = ratios.length > 0 ? Math.min(...ratios) : 1;
  if (!(scale > 0))
    throw new PliantError(
      'bad-input',
      operation,
      'cannot align a skeleton with a flat mesh (expected a size > 0 along each axis)',
    );
  const offset = [0, 1, 2].map((c) => middle(to, c) - scale * middle(from, c)) as [number, number, number];
  return { scale, offset };
}

/** Boxes that share less of the smaller one than this along an axis, or differ more in size, hardly overlap. */
const LEAST_OVERLAP = 0.5;
const MOST_SIZE_RATIO = 5;

/** A note where mesh and skeleton, which may be aligned already, seem to be in different units or places, by their boxes. */
export function overlapNote(
  mesh: Mesh,
  skeleton: Skeleton,
  { aligned = false, operation = 'align' } = {},
): Note | undefined {
  const a = boundsOf(mesh.positions);
  const b = skeletonBounds(skeleton, operation);
  const ratio = diagonal(b) / diagonal(a);
  const apart = [0, 1, 2].some((c) => {
    const shared = Math.min(a.max[c], b.max[c]) - Math.max(a.min[c], b.min[c]);
    return shared < LEAST_OVERLAP * Math.min(extent(a, c), extent(b, c));
  });
  if (!apart && ratio <= MOST_SIZE_RATIO && ratio >= 1 / MOST_SIZE_RATIO) return undefined;
  return note('skeleton-apart', { sizeRatio: ratio, aligned });
}

const extent = (box: Bounds, c: number): number => box.max[c] - box.min[c];
const middle = (box: Bounds, c: number): number => (box.min[c] + box.max[c]) / 2;
const diagonal = (box: Bounds): number => Math.hypot(extent(box, 0), extent(box, 1), extent(box, 2));

/** The skeleton at its new place and size. */
export function alignSkeleton(skeleton: Skeleton, { scale, offset }: Alignment): Skeleton {
  const inverseBind = skeleton.inverseBind.slice();
  for (let o = 0; o < inverseBind.length; o += MATRIX_STRIDE) {
    // (A·B)⁻¹ with A the alignment but for its scale of the axes: x ↦ R·(x − offset)·… + scale·t.
    for (let r = o; r < o + MATRIX_STRIDE; r += 4) {
      const moved = inverseBind[r] * offset[0] + inverseBind[r + 1] * offset[1] + inverseBind[r + 2] * offset[2];
      inverseBind[r + 3] = scale * inverseBind[r + 3] - moved;
    }
  }
  return { ...skeleton, restLocals: alignLocals(skeleton.restLocals, skeleton.parents, scale, offset), inverseBind };
}

/** A clip of the skeleton before, for the skeleton after: the same motion at its new place and size. */
export function alignClip(clip: Clip, { parents }: Skeleton, { scale, offset }: Alignment): Clip {
  const transforms = clip.transforms.slice();
  for (let r = 0; r < transforms.length; r += 4) {
    // A·X·A⁻¹: the linear part L stays, t becomes scale·t + offset − L·offset.
    const moved = transforms[r] * offset[0] + transforms[r + 1] * offset[1] + transforms[r + 2] * offset[2];
    transforms[r + 3] = scale * transforms[r + 3] + offset[(r / 4) % 3] - moved;
  }
  return {
    ...clip,
    transforms,
    ...(clip.locals && { locals: alignLocals(clip.locals, parents, scale, offset) }),
  };
}

/** Local poses, any number of frames: all translations are scaled, those of roots moved too. */
function alignLocals(
  locals: Float32Array,
  parents: Int32Array,
  scale: number,
  offset: Alignment['offset'],
): Float32Array {
  const out = locals.slice();
  for (let o = 0, j = 0; o < out.length; o += LOCAL_STRIDE, j++) {
    const isRoot = parents[j % parents.length] < 0;
    for (let c = 0; c < 3; c++) out[o + c] = scale * out[o + c] + (isRoot ? offset[c] : 0);
  }
  return out;
}
