const GOLDEN = Math.PI * (3 - Math.sqrt(5));

/** 3K: directions that lie evenly on the sphere (González 2010, "Measurement of areas on a sphere using Fibonacci lattices"). */
export function fibonacciDirections(count: number): Float64Array {
  const out = new Float64Array(3 * count);
  for (let k = 0; k < count; k++) {
    const z = 1 - (2 * k + 1) / count;
    const radius = Math.sqrt(1 - z * z);
    out[3 * k] = radius * Math.cos(k * GOLDEN);
    out[3 * k + 1] = radius * Math.sin(k * GOLDEN);
    out[3 * k + 2] = z;
  }
  return out;
}
