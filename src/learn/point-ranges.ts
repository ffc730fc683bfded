import { type Predictor, pointNames } from '../model/predictor.ts';

/** A control point: where it rests, and where the examples took it. Coordinates in the units of the mesh. */
export interface PointRange {
  name: string;
  vertex: number;
  rest: [number, number, number];
  /** Over the examples, per coordinate; undefined for one that does not steer. */
  min: (number | undefined)[];
  max: (number | undefined)[];
}

/** A summary of control points for those who move them. */
export function pointRanges(predictor: Predictor): PointRange[] {
  const { points, axes, kernel, mesh } = predictor;
  const d = kernel.mean.length;
  const examples = kernel.points.length / d;
  let coordinate = 0; // of those that steer
  const rangeOf = (axis: number): { low?: number; high?: number } => {
    if (axes[axis] === 0) return {};
    let [low, high] = [Infinity, -Infinity];
    for (let e = 0; e < examples; e++) {
      const x = kernel.mean[coordinate] + kernel.scale * kernel.points[e * d + coordinate];
      low = Math.min(low, x);
      high = Math.max(high, x);
    }
    coordinate++;
    return { low, high };
  };
  return pointNames(predictor).map((name, l) => {
    const ranges = [0, 1, 2].map((c) => rangeOf(3 * l + c));
    const [x, y, z] = mesh.positions.subarray(3 * points[l]);
    return {
      name,
      vertex: points[l],
      rest: [x, y, z],
      min: ranges.map(({ low }) => low),
      max: ranges.map(({ high }) => high),
    };
  });
}
