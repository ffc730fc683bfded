import type { Mesh } from '../model/mesh.ts';
import { vertexCount } from '../model/mesh.ts';

/** What a piece of cloth is made of. SI units throughout. */
export interface ClothMaterial {
  /** Mass per area, kg/m². */
  density: number;
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
    const share = (areaOf(x, triangles, t) * material.density) / 3;
    for (let c = 0; c < 3; c++) mass[triangles[t + c]] += share;
  }
  const { ends, opposite } = edgesOf(triangles, n);
  for (const i of boundaryOf(ends, opposite)) mass[i] *= HEM_LAYERS;
  const inverseMass = mass.map((m) => 1 / m);
  for (let p = 0; p < pinned.length; p++) inverseMass[pinned[p]] = 0;
  const springs = springsOf(x, ends, inverseMass);
  const hinges = hingesOf(ends, opposite);
  return {
    x,
    previous: x.slice(),
    acceleration: new Float64Array(3 * n),
    mass,
    inverseMass,
    triangles,
    springs,
    hinges,
  };
}

/** Area of the triangle whose corners start at index t. */
export function areaOf(x: Float64Array, triangles: Uint32Array, t: number): number {
  const a = 3 * triangles[t];
  const b = 3 * triangles[t + 1];
  const c = 3 * triangles[t + 2];
  const ux = x[b] - x[a];
  const uy = x[b + 1] - x[a + 1];
  const uz = x[b + 2] - x[a + 2];
  const vx = x[c] - x[a];
  const vy = x[c + 1] - x[a + 1];
  const vz = x[c + 2] - x[a + 2];
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  return Math.sqrt(nx * nx + ny * ny + nz * nz) / 2;
}

/** Mean rest length of the springs, m. */
export function meanEdge({ length }: Springs): number {
  let sum = 0;
  for (let e = 0; e < length.length; e++) sum += length[e];
  return sum / length.length;
}

/** E edges: 2E ends, and 2E vertices opposite, the second −1 where there is only one triangle. */
interface Edges {
  ends: number[];
  opposite: number[];
}

function edgesOf(triangles: Uint32Array, n: number): Edges {
  const indexOf = new Map<number, number>(); // lower end · n + upper end → edge
  const ends: number[] = [];
  const opposite: number[] = [];
  for (let c = 0; c < triangles.length; c++) {
    const from = triangles[c];
    const to = triangles[c % 3 === 2 ? c - 2 : c + 1];
    const across = triangles[c % 3 === 0 ? c + 2 : c - 1];
    const key = Math.min(from, to) * n + Math.max(from, to);
    const known = indexOf.get(key);
    if (known === undefined) {
      indexOf.set(key, ends.length / 2);
      ends.push(from, to);
      opposite.push(across, -1);
    } else {
      opposite[2 * known + 1] = across;
    }
  }
  return { ends, opposite };
}

/** Vertices at edges with one triangle. */
function boundaryOf(ends: readonly number[], opposite: readonly number[]): Set<number> {
  return new Set(ends.filter((_, c) => opposite[c | 1] < 0));
}

function springsOf(x: Float64Array, ends: readonly number[], inverseMass: Float64Array): Springs {
  const a = Uint32Array.from({ length: ends.length / 2 }, (_, e) => ends[2 * e]);
  const b = Uint32Array.from({ length: ends.length / 2 }, (_, e) => ends[2 * e + 1]);
  const length = new Float64Array(a.length);
  const degree = new Uint32Array(inverseMass.length);
  for (let e = 0; e < a.length; e++) {
    const dx = x[3 * b[e]] - x[3 * a[e]];
    const dy = x[3 * b[e] + 1] - x[3 * a[e] + 1];
    const dz = x[3 * b[e] + 2] - x[3 * a[e] + 2];
    length[e] = Math.sqrt(dx * dx + dy * dy + dz * dz);
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

function hingesOf(ends: readonly number[], opposite: readonly number[]): Uint32Array {
  const hinges: number[] = [];
  for (let c = 0; c < ends.length; c += 2) {
    if (opposite[c + 1] >= 0) hinges.push(ends[c], ends[c + 1], opposite[c], opposite[c + 1]);
  }
  return Uint32Array.from(hinges);
}
