import { connectedComponents, edgeBalances, meshEdges } from './adjacency.ts';
import { determinant, faceArea } from './triangle.ts';

/** The connected parts of a surface, and what each of them bounds. */
export interface MeshParts {
  count: number;
  /** N: vertex → part. */
  partOf: Uint32Array;
  /** Per part: 1 where along some edge more triangles run one way than the other, as in every open surface. */
  open: Uint8Array;
  /** Per part: 1 when its triangles face outwards, −1 when inwards, 0 when it is open or has no clear sides. */
  outside: Int8Array;
  /** Per part: its triangles, their area, and six times the volume that they face away from. */
  triangles: Uint32Array;
  areas: Float64Array;
  volumes: Float64Array;
}

/** @param positions 3N. @param triangles 3F. */
export function meshParts(positions: Float32Array, triangles: Uint32Array): MeshParts {
  const n = positions.length / 3;
  const { count, componentOf: partOf } = connectedComponents(triangles, n);
  const open = new Uint8Array(count);
  const triangleCounts = new Uint32Array(count);
  const areas = new Float64Array(count);
  const volumes = new Float64Array(count);
  const edges = meshEdges(triangles, n);
  edgeBalances(triangles, edges).forEach((balance, e) => {
    if (balance !== 0) open[partOf[edges.vertices[2 * e]]] = 1;
  });
  const origins = new Int32Array(count).fill(-1); // a corner of each part, so that far-away meshes keep their digits
  for (let t = 0; t < triangles.length; t += 3) {
    const part = partOf[triangles[t]];
    const [a, b, c] = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]];
    if (origins[part] < 0) origins[part] = a;
    triangleCounts[part]++;
    areas[part] += faceArea(positions, triangles, t);
    volumes[part] += determinant(positions, origins[part], a, b, c);
  }
  const outside = Int8Array.from(volumes, (volume, part) => (open[part] ? 0 : Math.sign(volume)));
  return { count, partOf, open, outside, triangles: triangleCounts, areas, volumes };
}

/** A volume below this share of area^1.5 is nothing but rounding: a sphere's is about 0.1. */
const FLAT = 1e-6;

/** True where only the fronts of triangles can be seen from outside: every part is closed and faces away from its volume. */
export function facesOutward({ positions, triangles }: { positions: Float32Array; triangles: Uint32Array }): boolean {
  const { areas, open, volumes } = meshParts(positions, triangles);
  const facesAway = (area: number, part: number): boolean => area === 0 || volumes[part] / 6 > FLAT * area ** 1.5;
  return !open.includes(1) && areas.some((area) => area > 0) && areas.every(facesAway);
}
