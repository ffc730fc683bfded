import { FarthestPoints } from '../math/farthest-points.ts';

/** At most so many of the poses: the first, then always the one that is farthest from all before. */
export function typicalPoses(poses: readonly Float32Array[], most: number): readonly Float32Array[] {
  if (poses.length <= most) return poses;
  const stride = 3 * Math.ceil(poses[0].length / 3 / 500);
  const farthest = new FarthestPoints(poses.length, (a, b) => {
    let sum = 0;
    for (let i = 0; i < poses[a].length; i += stride) {
      for (let c = i; c < i + 3; c++) sum += (poses[a][c] - poses[b][c]) ** 2;
    }
    return sum;
  });
  farthest.choose(0);
  while (farthest.chosen.length < most) farthest.choose(farthest.farthest());
  return farthest.chosen.map((p) => poses[p]);
}
