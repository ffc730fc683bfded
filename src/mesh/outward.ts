import { type Mesh, vertexCount } from '../model/mesh.ts';
import { connectedComponents, edgeBalances, meshEdges } from './adjacency.ts';
import { determinant, faceArea } from './triangle.ts';

/** A volume below this share of area^1.5 is nothing but rounding: a sphere's is about 0.1. */
const FLAT = 1e-6;

/**
 * True where only the fronts of triangles can be seen from outside: along every edge as many triangles run one way as the
 * other, which is so in no open surface, and every connected part has a volume that its triangles face away from.
 */
export function facesOutward(mesh: Mesh): boolean {
  const { positions, triangles } = mesh;
  const n = vertexCount(mesh);
  if (edgeBalances(triangles, meshEdges(triangles, n)).some((balance) => balance !== 0)) return false;

  const { count, componentOf } = connectedComponents(triangles, n);
  const volumes = new Float64Array(count); // six times each, measured from a corner of the part
  const areas = new Float64Array(count);
  const origins = new Int32Array(count).fill(-1);
  for (let t = 0; t < triangles.length; t += 3) {
    const part = componentOf[triangles[t]];
    if (origins[part] < 0) origins[part] = 3 * triangles[t];
    areas[part] += faceArea(positions, triangles, t);
    volumes[part] += determinant(
      positions,
      origins[part],
      3 * triangles[t],
      3 * triangles[t + 1],
      3 * triangles[t + 2],
    );
  }
  return (
    areas.some((area) => area > 0) && areas.every((area, part) => area === 0 || volumes[part] / 6 > FLAT * area ** 1.5)
  );
}
