import type { Doc } from '../doc.ts';
import type { Job, Progress } from '../jobs/job.ts';
import { startJob } from '../jobs/start-job.ts';

/** Title of the job. */
export const CURVE = 'Computing the curve';

/** Numbers of bones, in an order that shows the whole curve early. */
const BONES = [8, 64, 24, 4, 120, 16, 40, 90];
/** More bones than one for so many vertices are seldom worth it. */
const VERTICES_PER_BONE = 4;

/** Fits with few and many bones, fast, and keeps the figures. What is there already stays. */
export async function startCurve(doc: Doc, threads: number): Promise<void> {
  const { sequences } = doc.content;
  const { points } = doc.fitCurve;
  const vertices = sequences.reduce((sum, { rest }) => sum + rest.positions.length / 3, 0);
  const known = new Set(points.value.map(({ bones }) => bones));
  const wanted = BONES.filter((bones) => bones <= vertices / VERTICES_PER_BONE && !known.has(bones));
  const { bones: _, maxError: __, maxSize: ___, ...options } = doc.fitOptions.value;
  const fitOne = (bones: number, onProgress: (progress: Progress) => void) =>
    startJob(
      'fit',
      { asset: { sequences }, options: { ...options, preset: 'fast', bones, glb: {}, baseline: false }, threads },
      onProgress,
    );
  await doc.run(CURVE, (onProgress): Job<void> => {
    let now: Job<unknown> | undefined;
    let stopped = false;
    const work = async () => {
      for (const [n, bones] of wanted.entries()) {
        if (stopped) return;
        const job = fitOne(bones, ({ share = 0 }) =>
          onProgress({
            label: `fitting ${bones} bones, ${n + 1} of ${wanted.length}`,
            share: (n + share) / wanted.length,
          }),
        );
        now = job;
        const { result, file } = await job.result;
        const found = { bones: result.bones, rmsePercent: result.errors.rmsePercent ?? 0, bytes: file!.length };
        points.value = [...points.value, found].sort((a, b) => a.bones - b.bones);
      }
    };
    const cancel = () => {
      stopped = true;
      now?.cancel();
    };
    return { result: work(), cancel };
  });
}
