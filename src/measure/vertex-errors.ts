/**
 * Errors between vertices of equal index: RMSE, the largest error, and E_RMS (Antonopoulos 2010, (6.2)). Frames are
 * added one by one; memory is O(N + P).
 */

/** Absolute errors, in units of the positions. */
interface VertexErrors {
  /** Σ ‖v − v'‖² over all vertices and frames: ‖A_orig − A_appr‖²_F. */
  squaredSum: number;
  /** sqrt(mean ‖v − v'‖²) over all vertices and frames. */
  rmse: number;
  /** Antonopoulos 2010, (6.2): 100 · ‖A_orig − A_appr‖_F / √(3NP). */
  rmsError: number;
  maxError: number;
  maxErrorFrame: number;
  maxErrorVertex: number;
  /** P: root mean square over the vertices of a frame. */
  frameRmse: Float64Array;
  /** P: largest over the vertices of a frame. */
  frameMax: Float64Array;
  /** N: root mean square over the frames of a vertex. */
  vertexRmse: Float64Array;
}

export interface VertexErrorSum {
  /** Adds frame k: 3N positions each. Every frame is added once. */
  add(k: number, original: Float32Array, approximation: Float32Array): void;
  result(): VertexErrors;
}

/** Sums errors of `vertices` (N ≥ 1) over `frames` (P ≥ 1). */
export function sumVertexErrors(vertices: number, frames: number): VertexErrorSum {
  const frameRmse = new Float64Array(frames);
  const frameMax = new Float64Array(frames);
  const vertexSums = new Float64Array(vertices);
  let squaredSum = 0;
  let maxSquared = -1;
  let maxErrorFrame = 0;
  let maxErrorVertex = 0;

  return {
    add(k, original, approximation) {
      let frameSum = 0;
      let largest = -1;
      let at = 0;
      for (let i = 0; i < vertices; i++) {
        const dx = original[3 * i] - approximation[3 * i];
        const dy = original[3 * i + 1] - approximation[3 * i + 1];
        const dz = original[3 * i + 2] - approximation[3 * i + 2];
        const squared = dx * dx + dy * dy + dz * dz;
        frameSum += squared;
        vertexSums[i] += squared;
        if (squared > largest) {
          largest = squared;
          at = i;
        }
      }
      squaredSum += frameSum;
      frameRmse[k] = Math.sqrt(frameSum / vertices);
      frameMax[k] = Math.sqrt(largest);
      if (largest > maxSquared) {
        maxSquared = largest;
        maxErrorFrame = k;
        maxErrorVertex = at;
      }
    },

    result() {
      const count = vertices * frames;
      return {
        squaredSum,
        rmse: Math.sqrt(squaredSum / count),
        rmsError: 100 * Math.sqrt(squaredSum / (3 * count)),
        maxError: Math.sqrt(maxSquared),
        maxErrorFrame,
        maxErrorVertex,
        frameRmse,
        frameMax,
        vertexRmse: vertexSums.map((sum) => Math.sqrt(sum / frames)),
      };
    },
  };
}
