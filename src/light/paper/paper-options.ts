import { SAMPLE_METHODS } from '../../model/light-samples.ts';
import { choiceOption, integerOption } from '../../model/options.ts';

/** Options of the ways that keep traced poses: Feng 2010, chapter 5, and the nearest poses. */
export const PAPER_OPTIONS = {
  method: choiceOption(
    'residual',
    ['residual', ...SAMPLE_METHODS],
    'residual: spheres, and modes of what they miss; paper: clusters of segments in poses (Feng 2010, larger and worse); pose-space: the nearest four poses, uncompressed (largest, worse in new motions)',
  ),
  neighbours: integerOption(4, { min: 1, max: 64 }, 'poses at most that a segment is blended from (paper)'),
  bases: integerOption(8, { min: 1, max: 64 }, 'basis vectors of a cluster (paper)'),
  budget: integerOption(
    0,
    { min: 0, max: 65_536 },
    'clusters that a pose may use (paper); 0: one for 117 vertices, four for a segment',
  ),
} as const;

/** What the chapter's figures come to: 36,000 and 72,000 clusters over 128 and 256 groups of poses, 33,000 and 32,000 vertices. */
const VERTICES_PER_CLUSTER = 117;

/** Small meshes need more: segments that share clusters tie all poses to each other. Fox: 11.3 % with 10 for 22 segments, 6.9 with 88. */
const CLUSTERS_PER_SEGMENT = 4;

/** m_cpf, which is not in print. */
export const clusterBudget = (budget: number, vertices: number, segments: number): number =>
  budget > 0 ? budget : Math.max(CLUSTERS_PER_SEGMENT * segments, Math.round(vertices / VERTICES_PER_CLUSTER));
