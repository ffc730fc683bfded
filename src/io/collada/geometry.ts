import type { Mesh, MeshGroup } from '../../model/mesh.ts';
import { note } from '../../model/note.ts';
import { FloatList, NONE, PolygonList } from '../growable.ts';
import { meshFromPolygons, type PolygonMesh } from '../polygons.ts';
import type { ColladaDocument, NumberSource } from './document.ts';
import { child, childrenOf, type XmlElement } from './xml.ts';

/** `<geometry><mesh>` (5-43): triangles, polylists, polygons, strips and fans, with any number of inputs. */

const PRIMITIVES = ['triangles', 'polylist', 'polygons', 'tristrips', 'trifans'];

/** The mesh of a geometry. `materials`: symbol of a primitive → name of the material that the instance binds to it. */
export function readGeometry(
  document: ColladaDocument,
  geometry: XmlElement,
  materials: ReadonlyMap<string, string>,
): Mesh {
  const name = geometry.attributes.name ?? geometry.attributes.id;
  const element = child(geometry, 'mesh');
  if (!element) return document.fail(geometry, `geometry "${name}" is not a <mesh>`, 'unsupported');
  const vertices = document.need(element, 'vertices');
  const positionInput = document.input(vertices, 'POSITION') ?? document.fail(vertices, '<vertices> without POSITION');
  const source = document.source(positionInput, 3);
  if (source.count === 0) document.fail(positionInput, 'no vertices (expected at least one)');
  const positions = Float32Array.from(rows(source, 3));

  const builder = new PolygonBuilder(document, vertices, source.count);
  const groups: MeshGroup[] = [];
  const symbols: string[] = [];
  for (const primitive of element.children) {
    if (!PRIMITIVES.includes(primitive.name)) {
      if (['lines', 'linestrips'].includes(primitive.name)) document.note(note('not-read', { what: 'lines' }, name));
      continue;
    }
    const start = builder.polygons;
    builder.add(primitive);
    const symbol = primitive.attributes.material;
    if (symbol !== undefined && !symbols.includes(symbol)) symbols.push(symbol);
    const group: MeshGroup = {
      name: materials.get(symbol ?? '') ?? symbol ?? '',
      start,
      count: builder.polygons - start,
    };
    if (symbol !== undefined) group.material = symbols.indexOf(symbol);
    groups.push(group);
  }
  const polygons: PolygonMesh = { name, positions, ...builder.finish() };
  if (symbols.length > 0) {
    polygons.groups = groups;
    polygons.materials = symbols.map((symbol) => materials.get(symbol) ?? symbol);
  }
  return meshFromPolygons(polygons, document.notes);
}

/** The first `width` numbers of every row. */
function rows({ values, count, width: stride }: NumberSource, width: number): Float64Array {
  if (stride === width) return values;
  const out = new Float64Array(count * width);
  for (let r = 0; r < count; r++) out.set(values.subarray(r * stride, r * stride + width), r * width);
  return out;
}

/** Where the corners of a primitive find one attribute. */
interface Attribute {
  offset: number;
  count: number;
  /** Index of its first row among all rows collected so far. */
  base: number;
}

/** Gathers polygons from primitives whose inputs may lie in different sources. */
class PolygonBuilder {
  readonly #document: ColladaDocument;
  readonly #vertices: XmlElement;
  readonly #vertexCount: number;
  readonly #polygons = new PolygonList();
  readonly #uvs = new FloatList();
  readonly #normals = new FloatList();
  /** Source → index of its first row in #uvs, and in #normals. */
  readonly #uvBases = new Map<NumberSource, number>();
  readonly #normalBases = new Map<NumberSource, number>();

  constructor(document: ColladaDocument, vertices: XmlElement, vertexCount: number) {
    this.#document = document;
    this.#vertices = vertices;
    this.#vertexCount = vertexCount;
  }

  get polygons(): number {
    return this.#polygons.count;
  }

  finish(): Omit<PolygonMesh, 'positions'> {
    const polygons = this.#polygons.finish(this.#uvs.length > 0, this.#normals.length > 0);
    return { ...polygons, uvs: this.#uvs.toArray(), normals: this.#normals.toArray() };
  }

  /** One `<triangles>`, `<polylist>`, `<polygons>`, `<tristrips>` or `<trifans>`. */
  add(primitive: XmlElement): void {
    const document = this.#document;
    const inputs = childrenOf(primitive, 'input');
    const vertexInput = inputs.find((input) => input.attributes.semantic === 'VERTEX');
    if (!vertexInput) throw document.fail(primitive, `<${primitive.name}> without the input VERTEX`);
    const stride = 1 + Math.max(...inputs.map((input) => document.count(input, 'offset', 0)));
    const vertexOffset = document.count(vertexInput, 'offset', 0);
    // What <vertices> lists besides positions goes by the vertex's index.
    const attribute = (
      semantic: string,
      width: number,
      target: FloatList,
      bases: Map<NumberSource, number>,
    ): Attribute | undefined => {
      const own = document.input(primitive, semantic);
      const input = own ?? document.input(this.#vertices, semantic);
      if (!input) return undefined;
      const source = document.source(input, width);
      const base = bases.get(source) ?? target.length / width;
      if (!bases.has(source)) {
        bases.set(source, base);
        for (const value of rows(source, width)) target.push(value);
      }
      return { offset: own ? document.count(own, 'offset', 0) : vertexOffset, count: source.count, base };
    };
    const uv = attribute('TEXCOORD', 2, this.#uvs, this.#uvBases);
    const normal = attribute('NORMAL', 3, this.#normals, this.#normalBases);

    const pick = (p: Int32Array, corner: number, from: Attribute, what: string): number => {
      const index = p[corner * stride + from.offset];
      if (index >= from.count) document.fail(primitive, `a corner has ${what} ${index} (expected < ${from.count})`);
      return from.base + index;
    };
    const position: Attribute = { offset: vertexOffset, count: this.#vertexCount, base: 0 };
    const addPolygon = (p: Int32Array, corners: Iterable<number>): void => {
      this.#polygons.begin();
      for (const corner of corners) {
        const vertex = pick(p, corner, position, 'vertex');
        const cornerUv = uv ? pick(p, corner, uv, 'uv') : NONE;
        this.#polygons.addCorner(vertex, cornerUv, normal ? pick(p, corner, normal, 'normal') : NONE);
      }
    };
    forEachPolygon(document, primitive, stride, addPolygon);
  }
}

const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, c) => from + c);

/** Calls `addPolygon` with the index array of each `<p>` and the corner numbers of each polygon in it. */
function forEachPolygon(
  document: ColladaDocument,
  primitive: XmlElement,
  stride: number,
  addPolygon: (p: Int32Array, corners: Iterable<number>) => void,
): void {
  const lists = [
    ...childrenOf(primitive, 'p'),
    // A polygon with holes: the outline is kept.
    ...childrenOf(primitive, 'ph').map((ph) => {
      document.note(note('not-read', { what: 'polygon-holes' }));
      return document.need(ph, 'p');
    }),
  ];
  const vcount = primitive.name === 'polylist' ? child(primitive, 'vcount') : undefined;
  for (const list of lists) {
    const p = document.indices(list, 0, 2 ** 31 - 1);
    if (p.length % stride !== 0) {
      document.fail(list, `<p> has ${p.length} numbers (expected a multiple of ${stride}, the inputs of a corner)`);
    }
    const corners = p.length / stride;
    switch (primitive.name) {
      case 'triangles':
        if (corners % 3 !== 0) document.fail(list, `${corners} corners (expected a multiple of 3)`);
        for (let c = 0; c < corners; c += 3) addPolygon(p, [c, c + 1, c + 2]);
        break;
      case 'polygons':
        if (corners >= 3) addPolygon(p, range(0, corners));
        else document.note(note('not-read', { what: 'small-faces' }));
        break;
      case 'tristrips':
        // Every other triangle is wound the other way.
        for (let c = 0; c + 2 < corners; c++) addPolygon(p, c % 2 === 0 ? [c, c + 1, c + 2] : [c + 1, c, c + 2]);
        break;
      case 'trifans':
        for (let c = 1; c + 1 < corners; c++) addPolygon(p, [0, c, c + 1]);
        break;
      default: {
        const sizes = vcount ? document.indices(vcount, 0, 2 ** 31 - 1) : new Int32Array(0);
        const expected = sizes.reduce((sum, size) => sum + size, 0);
        if (expected !== corners) document.fail(list, `<p> has ${corners} corners (expected ${expected}, by <vcount>)`);
        let c = 0;
        for (const size of sizes) {
          if (size >= 3) addPolygon(p, range(c, c + size));
          else document.note(note('not-read', { what: 'small-faces' }));
          c += size;
        }
      }
    }
  }
}
