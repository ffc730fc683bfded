import { type Mesh, splitVertexCount, triangleCount, vertexCount } from '../model/mesh.ts';
import { connectedComponents, type Edges, edgeCount, meshEdges } from './adjacency.ts';
import { type Bounds, boundsOf, diagonalOf } from './bounds.ts';
import { uniqueRows } from './unique-rows.ts';

/** A connected part of a mesh that has at least one face. */
export interface ComponentFacts {
  vertices: number;
  edges: number;
  triangles: number;
  boundaryEdges: number;
  /** V − E + F. */
  eulerCharacteristic: number;
  /** (2 − χ) / 2: handles of a closed, consistently wound manifold. Absent for anything else. */
  genus?: number;
}

/** A kind of problem and where it shows first. */
export interface MeshProblem {
  kind:
    | 'no-faces'
    | 'isolated-vertices'
    | 'duplicate-vertices'
    | 'degenerate-triangles'
    | 'duplicate-triangles'
    | 'non-manifold-edges'
    | 'inconsistent-winding';
  count: number;
  /** Index of the first vertex or triangle concerned. */
  first: number;
  /** One sentence for people. */
  text: string;
}

/** What a mesh is made of, and what is wrong with it. */
export interface MeshFacts {
  vertices: number;
  splitVertices: number;
  triangles: number;
  edges: number;
  bounds: Bounds;
  diagonal: number;
  boundaryEdges: number;
  /** No boundary edge, and at least one triangle. */
  closed: boolean;
  /** By falling number of triangles. */
  components: ComponentFacts[];
  /** Empty for a sound mesh. */
  problems: MeshProblem[];
}

/** A triangle is degenerate when its height is below this fraction of its longest side: what float32 rounding leaves. */
const FLAT = 1e-7;

/** Counts what is in a mesh and finds what would trouble an algorithm. The mesh must be valid. */
export function inspectMesh(mesh: Mesh): MeshFacts {
  const n = vertexCount(mesh);
  const edges = meshEdges(mesh.triangles, n);
  const components = componentFacts(mesh, edges);
  const boundary = components.reduce((sum, component) => sum + component.boundaryEdges, 0);
  return {
    vertices: n,
    splitVertices: splitVertexCount(mesh),
    triangles: triangleCount(mesh),
    edges: edgeCount(edges),
    bounds: boundsOf(mesh.positions),
    diagonal: diagonalOf(mesh.positions),
    boundaryEdges: boundary,
    closed: boundary === 0 && edgeCount(edges) > 0,
    components,
    problems: findProblems(mesh, edges),
  };
}

/** True where every edge has at least two faces: the mesh bounds a volume. */
export function isClosed(mesh: Mesh): boolean {
  const { corners } = meshEdges(mesh.triangles, vertexCount(mesh));
  const { offsets } = corners;
  for (let e = 1; e < offsets.length; e++) if (offsets[e] - offsets[e - 1] === 1) return false;
  return offsets.length > 1;
}

/** A side runs forward when its face lists the edge's smaller vertex first. */
const runsForward = (mesh: Mesh, edges: Edges, corner: number): boolean =>
  mesh.triangles[corner] === edges.vertices[2 * edges.edgeOf[corner]];

/** Two faces along edge e that run the same way: one of them is turned over. */
function isInconsistent(mesh: Mesh, edges: Edges, e: number): boolean {
  const { offsets, items } = edges.corners;
  if (offsets[e + 1] - offsets[e] !== 2) return false;
  return runsForward(mesh, edges, items[offsets[e]]) === runsForward(mesh, edges, items[offsets[e] + 1]);
}

function componentFacts(mesh: Mesh, edges: Edges): ComponentFacts[] {
  const n = vertexCount(mesh);
  const { count, componentOf } = connectedComponents(mesh.triangles, n);
  const facts = Array.from({ length: count }, () => ({
    vertices: 0,
    edges: 0,
    triangles: 0,
    boundaryEdges: 0,
    /** No edge has more than two faces, or two that disagree. */
    sound: true,
  }));
  for (let i = 0; i < n; i++) facts[componentOf[i]].vertices++;
  for (let c = 0; c < mesh.triangles.length; c += 3) facts[componentOf[mesh.triangles[c]]].triangles++;
  const { offsets } = edges.corners;
  for (let e = 0; e < edgeCount(edges); e++) {
    const component = facts[componentOf[edges.vertices[2 * e]]];
    const faces = offsets[e + 1] - offsets[e];
    component.edges++;
    if (faces === 1) component.boundaryEdges++;
    if (faces > 2 || isInconsistent(mesh, edges, e)) component.sound = false;
  }

  return facts
    .filter((component) => component.triangles > 0)
    .sort((a, b) => b.triangles - a.triangles)
    .map(({ sound, ...component }) => {
      const eulerCharacteristic = component.vertices - component.edges + component.triangles;
      const genus = (2 - eulerCharacteristic) / 2;
      // Surfaces that touch themselves in a vertex, and sides from a vertex to itself, can still spoil the count.
      const known = sound && component.edges > 0 && component.boundaryEdges === 0 && genus >= 0 && genus % 1 === 0;
      return known ? { ...component, eulerCharacteristic, genus } : { ...component, eulerCharacteristic };
    });
}

function findProblems(mesh: Mesh, edges: Edges): MeshProblem[] {
  const n = vertexCount(mesh);
  const problems: MeshProblem[] = [];
  /** Counts the indices below `total` that `isBad`, and reports them when there are any. */
  const look = (
    kind: MeshProblem['kind'],
    total: number,
    isBad: (index: number) => boolean,
    say: (count: number, first: number) => string,
    placeOf: (index: number) => number = (index) => index,
  ): void => {
    let count = 0;
    let first = -1;
    for (let index = 0; index < total; index++) {
      if (!isBad(index)) continue;
      if (count++ === 0) first = placeOf(index);
    }
    if (count > 0) problems.push({ kind, count, first, text: say(count, first) });
  };

  const used = new Uint8Array(n);
  for (const i of mesh.triangles) used[i] = 1;
  const many = (count: number, one: string, several: string): string =>
    count === 1 ? `1 ${one}` : `${count} ${several}`;
  // A point cloud is a set of points, not a mesh with lost vertices.
  if (mesh.triangles.length > 0) {
    look(
      'isolated-vertices',
      n,
      (i) => used[i] === 0,
      (count, first) => `${many(count, 'vertex belongs', 'vertices belong')} to no triangle (first: vertex ${first}).`,
    );
  }

  const points = uniqueRows(n, [mesh.positions]);
  look(
    'duplicate-vertices',
    n,
    (i) => points.firstOf[points.classOf[i]] !== i,
    (count, first) => `${many(count, 'vertex lies', 'vertices lie')} exactly on another (first: vertex ${first}).`,
  );

  look(
    'degenerate-triangles',
    triangleCount(mesh),
    (f) => isDegenerate(mesh, f),
    (count, first) => `${many(count, 'triangle has', 'triangles have')} no area (first: triangle ${first}).`,
  );

  const sorted = new Uint32Array(mesh.triangles.length);
  for (let c = 0; c < sorted.length; c += 3) sorted.set(mesh.triangles.slice(c, c + 3).sort(), c);
  const faces = uniqueRows(triangleCount(mesh), [sorted]);
  look(
    'duplicate-triangles',
    triangleCount(mesh),
    (f) => faces.firstOf[faces.classOf[f]] !== f,
    (count, first) =>
      `${many(count, 'triangle has', 'triangles have')} the same vertices as another (first: triangle ${first}).`,
  );

  const { offsets, items } = edges.corners;
  const firstFace = (e: number): number => Math.floor(items[offsets[e]] / 3);
  look(
    'non-manifold-edges',
    edgeCount(edges),
    (e) => offsets[e + 1] - offsets[e] > 2,
    (count, first) => `${many(count, 'edge has', 'edges have')} more than two triangles (first: at triangle ${first}).`,
    firstFace,
  );
  look(
    'inconsistent-winding',
    edgeCount(edges),
    (e) => isInconsistent(mesh, edges, e),
    (count, first) =>
      `Triangles on both sides of ${many(count, 'edge', 'edges')} face opposite ways (first: at triangle ${first}).`,
    firstFace,
  );
  return problems;
}

function isDegenerate(mesh: Mesh, f: number): boolean {
  const [a, b, c] = [0, 1, 2].map((corner) => 3 * mesh.triangles[3 * f + corner]);
  if (a === b || b === c || c === a) return true;
  const p = mesh.positions;
  const u = [p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]];
  const v = [p[c] - p[a], p[c + 1] - p[a + 1], p[c + 2] - p[a + 2]];
  const w = [v[0] - u[0], v[1] - u[1], v[2] - u[2]];
  const longest = Math.max(Math.hypot(...u), Math.hypot(...v), Math.hypot(...w));
  const doubleArea = Math.hypot(u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]);
  return doubleArea <= FLAT * longest * longest;
}
