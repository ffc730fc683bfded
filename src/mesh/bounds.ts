/** An axis-aligned box. */
export interface Bounds {
  min: [number, number, number];
  max: [number, number, number];
}

/** The bounding box of 3N numbers. No points at all have the box of the origin. */
export function boundsOf(positions: ArrayLike<number>): Bounds {
  if (positions.length === 0) return { min: [0, 0, 0], max: [0, 0, 0] };
  const min: Bounds['min'] = [positions[0], positions[1], positions[2]];
  const max: Bounds['max'] = [...min];
  for (let i = 3; i < positions.length; i += 3) {
    for (let c = 0; c < 3; c++) {
      const x = positions[i + c];
      if (x < min[c]) min[c] = x;
      if (x > max[c]) max[c] = x;
    }
  }
  return { min, max };
}

/** Length of the bounding box's diagonal: the unit of every relative length. 0 for no points or one. */
export function diagonalOf(positions: ArrayLike<number>): number {
  const { min, max } = boundsOf(positions);
  return Math.hypot(max[0] - min[0], max[1] - min[1], max[2] - min[2]);
}

/** Length of the bounding box's largest side. */
export function sideOf(positions: ArrayLike<number>): number {
  const { min, max } = boundsOf(positions);
  return Math.max(max[0] - min[0], max[1] - min[1], max[2] - min[2]);
}
