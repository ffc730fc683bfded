/**
 * The distortion percentage dE of Antonopoulos 2010, (6.1) (Karni and Gotsman 2004):
 *   dE = 100 · ‖A_orig − A_appr‖_F / ‖A_orig − A_avg‖_F,
 * where A_avg repeats each vertex's average over the frames. The denominator is summed while frames pass by (Welford
 * 1962), so that they are read once and only the averages are kept.
 */

export interface MotionSum {
  /** Adds a frame: 3N positions. */
  add(positions: Float32Array): void;
  /** Σ ‖v − v_avg‖² over all vertices and frames so far: ‖A_orig − A_avg‖²_F. */
  squaredSum(): number;
}

/** Sums how far N vertices stray from their averages. */
export function sumMotion(vertices: number): MotionSum {
  const average = new Float64Array(3 * vertices);
  let frames = 0;
  let sum = 0;
  return {
    add(positions) {
      frames++;
      for (let c = 0; c < 3 * vertices; c++) {
        const before = positions[c] - average[c];
        average[c] += before / frames;
        sum += before * (positions[c] - average[c]);
      }
    },
    squaredSum: () => sum,
  };
}

/**
 * dE in %, from ‖A_orig − A_appr‖² and ‖A_orig − A_avg‖². Undefined when nothing moves: a share of no motion means
 * nothing.
 */
export function distortionPercent(errorSquared: number, motionSquared: number): number | undefined {
  return motionSquared > 0 ? 100 * Math.sqrt(errorSquared / motionSquared) : undefined;
}
