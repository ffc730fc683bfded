import { PliantError } from '../error.ts';
import { boundaryEdges, type Edges, meshEdges } from '../mesh/adjacency.ts';
import { straightDistance } from '../mesh/graph-distance.ts';
import { faceArea } from '../mesh/triangle.ts';
import { type Mesh, vertexCount } from '../model/mesh.ts';

/** What a piece of cloth is made of. SI units throughout. */
export interface ClothMaterial {
  /** Mass per area, kg/m². */
  density: number;
  /**
   * Speed of stretch in the cloth, m/s: the square root of its stiffness over its density. Cloth of length L that hangs
   * under gravity g stretches by g·L/waveSpeed² at the top. Faster is stiffer, and takes more sub-steps.
   */
  waveSpeed: number;
  /** Bending stiffness, N·m. Silk about 1e-6, cotton 1e-5, denim 1e-4. */
  bending: number;
  /** Resistance to compression in the plane as a fraction of that to stretch: cloth buckles rather than shortens. */
  compression: number;
  /** Internal friction as a kinematic viscosity, m²/s: evens out the velocities of neighbours. */
  viscosity: number;
  /** Coulomb's coefficient against obstacles and against itself. */
  friction: number;
  /** Half of the distance that two layers keep, and all of the distance to obstacles, m. */
  thickness: number;
}

/** The moving state of a piece of cloth and what its mesh says about it. Float64 inside: 3N numbers lose nothing. */
export interface ClothBody {
  /** 3N: where the vertices are. */
  x: Float64Array;
  /** 3N: where they were one sub-step before. Verlet integration keeps no velocities. */
  previous: Float64Array;
  /** 3N: accelerations by the slow forces (gravity, air, bending, internal friction), m/s². */
  acceleration: Float64Array;
  /** N: kg. */
  mass: Float64Array;
  /** N: 1/kg, 0 where a vertex is pinned. */
  inverseMass: Float64Array;
  /** 3F. */
  triangles: Uint32Array;
  springs: Springs;
  /** 4H: for each edge with two triangles its ends, then the vertices opposite. */
  hinges: Uint32Array;
}

/** One spring per edge, E of them. */
export interface Springs {
  a: Uint32Array;
  b: Uint32Array;
  /** Rest lengths, m. */
  length: Float64Array;
  /** 1 / (the larger number of springs at its two ends): the weight of one spring's say in the average. */
  share: Float64Array;
  /** `share` times the part of a correction that a or b takes by its mass: heavier ends move less, pinned ones never. */
  shareA: Float64Array;
  shareB: Float64Array;
}

/**
 * Layers of cloth at a free edge, which is hemmed, that is folded over. Without a hem the outermost vertices would carry
 * half of an inner vertex's mass and all of the tension that gathers along an edge.
 */
const HEM_LAYERS = 3;

export function clothBody(mesh: Mesh, material: ClothMaterial, pinned: ArrayLike<number>): ClothBody {
  const n = vertexCount(mesh);
  const x = Float64Array.from(mesh.positions);
  const { triangles } = mesh;
  // A third of each triangle's mass rests on each of its corners.
  const mass = new Float64Array(n);
  for (let t = 0; t < triangles.length; t += 3) {
    const area = faceArea(x, triangles, t);
    if (!(area > 0)) throw badCloth(`triangle ${t / 3} has no area`);
    for (let c = 0; c < 3; c++) mass[triangles[t + c]] += (area * material.density) / 3;
  }
  const edges = meshEdges(triangles, n);
  checkCloth(edges, mass);
  const rim = new Set([...boundaryEdges(edges)].flatMap((e) => [edges.vertices[2 * e], edges.vertices[2 * e + 1]]));
  for (const i of rim) mass[i] *= HEM_LAYERS;
  const inverseMass = mass.map((m) => 1 / m);
  for (let p = 0; p < pinned.length; p++) inverseMass[pinned[p]] = 0;
  return {
    x,
    previous: x.slice(),
    acceleration: new Float64Array(3 * n),
    mass,
    inverseMass,
    triangles,
    springs: springsOf(x, edges.vertices, inverseMass),
    hinges: hingesOf(triangles, edges),
  };
}

/** Mean rest length of the springs, m. */
export const meanEdge = ({ length }: Springs): number => length.reduce((sum, l) => sum + l, 0) / length.length;

function springsOf(x: Float64Array, ends: Uint32Array, inverseMass: Float64Array): Springs {
  const a = ends.filter((_, c) => c % 2 === 0);
  const b = ends.filter((_, c) => c % 2 === 1);
  const length = new Float64Array(a.length);
  const degree = new Uint32Array(inverseMass.length);
  for (let e = 0; e < a.length; e++) {
    length[e] = straightDistance(x, a[e], b[e]);
    degree[a[e]]++;
    degree[b[e]]++;
  }
  const share = length.map((_, e) => 1 / Math.max(degree[a[e]], degree[b[e]]));
  const part = (i: number, j: number) => inverseMass[i] / (inverseMass[i] + inverseMass[j] || 1);
  return {
    a,
    b,
    length,
    share,
    shareA: share.map((s, e) => s * part(a[e], b[e])),
    shareB: share.map((s, e) => s * part(b[e], a[e])),
  };
}

/** 4H: ends, in the direction of the first triangle, and opposite vertices of every edge with two triangles. */
export function hingesOf(triangles: Uint32Array, { corners: { offsets, items } }: Edges): Uint32Array {
  const hinges: number[] = [];
  const ahead = (c: number, by: number) => triangles[c - (c % 3) + ((c + by) % 3)];
  for (let e = 0; e + 1 < offsets.length; e++) {
    if (offsets[e + 1] - offsets[e] !== 2) continue;
    const first = items[offsets[e]];
    const second = items[offsets[e] + 1];
    hinges.push(triangles[first], ahead(first, 1), ahead(first, 2), ahead(second, 2));
  }
  return Uint32Array.from(hinges);
}

const badCloth = (cause: string): PliantError => new PliantError('bad-input', 'clothBody', cause);

/** Throws `bad-input` for a mesh that cannot be cloth: three triangles at an edge, or a vertex without weight. */
function checkCloth(edges: Edges, mass: Float64Array): void {
  const { offsets } = edges.corners;
  for (let e = 0; e + 1 < offsets.length; e++) {
    const faces = offsets[e + 1] - offsets[e];
    if (faces > 2) {
      const [a, b] = edges.vertices.subarray(2 * e, 2 * e + 2);
      throw badCloth(`edge ${a}–${b} (got ${faces} triangles, expected 1 or 2)`);
    }
  }
  const weightless = mass.findIndex((m) => !(m > 0));
  if (weightless >= 0) throw badCloth(`vertex ${weightless} belongs to no triangle`);
}
