import { type Mesh, splitVertexCount, triangleCount, vertexCount } from '../model/mesh.ts';
import { boundaryEdges, connectedComponents, type Edges, edgeCount, meshEdges } from './adjacency.ts';
import { type Bounds, boundsOf, diagonalOf } from './bounds.ts';
import { isDegenerate } from './triangle.ts';
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
  const edges = meshEdges(mesh.triangles, vertexCount(mesh));
  return edgeCount(edges) > 0 && boundaryEdges(edges).length === 0;
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

/** What may be wrong with vertices, triangles or edges, and how it is said. */
interface Inspection {
  kind: MeshProblem['kind'];
  /** How many things there are to look at, and which of them are bad. */
  total: number;
  isBad(index: number): boolean;
  /** Vertex or triangle of a bad thing: itself, unless it is an edge. */
  placeOf?(index: number): number;
  say(count: number, first: number): string;
}

function findProblems(mesh: Mesh, edges: Edges): MeshProblem[] {
  const problems: MeshProblem[] = [];
  for (const { kind, total, isBad, placeOf, say } of [...lookAtVertices(mesh), ...lookAtTriangles(mesh, edges)]) {
    let count = 0;
    let first = -1;
    for (let index = 0; index < total; index++) {
      if (isBad(index) && count++ === 0) first = placeOf ? placeOf(index) : index;
    }
    if (count > 0) problems.push({ kind, count, first, text: say(count, first) });
  }
  return problems;
}

const many = (count: number, one: string, several: string): string =>
  count === 1 ? `1 ${one}` : `${count} ${several}`;

function lookAtVertices(mesh: Mesh): Inspection[] {
  const total = vertexCount(mesh);
  const used = new Uint8Array(total);
  for (const i of mesh.triangles) used[i] = 1;
  const points = uniqueRows(total, [mesh.positions]);
  const isolated: Inspection = {
    kind: 'isolated-vertices',
    total,
    isBad: (i) => used[i] === 0,
    say: (count, first) =>
      `${many(count, 'vertex belongs', 'vertices belong')} to no triangle (first: vertex ${first}).`,
  };
  const duplicate: Inspection = {
    kind: 'duplicate-vertices',
    total,
    isBad: (i) => points.firstOf[points.classOf[i]] !== i,
    say: (count, first) => `${many(count, 'vertex lies', 'vertices lie')} exactly on another (first: vertex ${first}).`,
  };
  // A point cloud is a set of points, not a mesh with lost vertices.
  return mesh.triangles.length > 0 ? [isolated, duplicate] : [duplicate];
}

function lookAtTriangles(mesh: Mesh, edges: Edges): Inspection[] {
  const total = triangleCount(mesh);
  const sorted = new Uint32Array(mesh.triangles.length);
  for (let c = 0; c < sorted.length; c += 3) sorted.set(mesh.triangles.slice(c, c + 3).sort(), c);
  const faces = uniqueRows(total, [sorted]);
  const { offsets, items } = edges.corners;
  const firstFace = (e: number): number => Math.floor(items[offsets[e]] / 3);
  return [
    {
      kind: 'degenerate-triangles',
      total,
      isBad: (f) => isDegenerate(mesh.positions, mesh.triangles, 3 * f),
      say: (count, first) => `${many(count, 'triangle has', 'triangles have')} no area (first: triangle ${first}).`,
    },
    {
      kind: 'duplicate-triangles',
      total,
      isBad: (f) => faces.firstOf[faces.classOf[f]] !== f,
      say: (count, first) =>
        `${many(count, 'triangle has', 'triangles have')} the same vertices as another (first: triangle ${first}).`,
    },
    {
      kind: 'non-manifold-edges',
      total: edgeCount(edges),
      isBad: (e) => offsets[e + 1] - offsets[e] > 2,
      placeOf: firstFace,
      say: (count, first) =>
        `${many(count, 'edge has', 'edges have')} more than two triangles (first: at triangle ${first}).`,
    },
    {
      kind: 'inconsistent-winding',
      total: edgeCount(edges),
      isBad: (e) => isInconsistent(mesh, edges, e),
      placeOf: firstFace,
      say: (count, first) =>
        `Triangles on both sides of ${many(count, 'edge', 'edges')} face opposite ways (first: at triangle ${first}).`,
    },
  ];
}
