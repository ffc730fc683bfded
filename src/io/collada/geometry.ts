import { flippedUvs } from '../../mesh/texture-uvs.ts';
import type { Mesh, MeshGroup } from '../../model/mesh.ts';
import { note } from '../../model/note.ts';
import { FloatList, IndexList, NONE, PolygonList } from '../growable.ts';
import { meshFromPolygons, type PolygonMesh } from '../polygons.ts';
import { linearColours } from '../srgb.ts';
import type { ColladaDocument, NumberSource } from './document.ts';
import { child, childrenOf, type XmlElement } from './xml.ts';

/** `<geometry><mesh>` (5-43): triangles, polylists, polygons, strips and fans, with any number of inputs. */

const PRIMITIVES = ['triangles', 'polylist', 'polygons', 'tristrips', 'trifans'];

/** Why a geometry holds no mesh; undefined for one that does, or that is damaged. */
export function whyNoMesh(document: ColladaDocument, geometry: XmlElement): 'no-mesh' | 'no-vertices' | undefined {
  const element = child(geometry, 'mesh');
  if (!element) return 'no-mesh';
  const vertices = child(element, 'vertices');
  const positions = vertices && document.input(vertices, 'POSITION');
  if (vertices && !positions) return undefined;
  return positions && document.source(positions, 3).count > 0 ? undefined : 'no-vertices';
}

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

/** The first `width` numbers of every row; 1 where a row has fewer, as colours without alpha. */
function rows({ values, count, width: stride }: NumberSource, width: number): Float64Array {
  if (stride === width) return values;
  const out = new Float64Array(count * width).fill(1);
  const kept = Math.min(stride, width);
  for (let r = 0; r < count; r++) out.set(values.subarray(r * stride, r * stride + kept), r * width);
  return out;
}

/** Every corner has those of all primitives, so there is a limit. */
const MOST_FURTHER = 16;

/** Further uvs or colours of all corners. */
interface FurtherColumn {
  size: number;
  values: FloatList;
  corners: IndexList;
  /** Source → index of its first row in `values`. */
  bases: Map<NumberSource, number>;
}

const newColumn = (size: number): FurtherColumn => ({
  size,
  values: new FloatList(),
  corners: new IndexList(),
  bases: new Map(),
});

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
  /** Number of corners so far. */
  #corners = 0;
  readonly #further = new Map<string, FurtherColumn>();
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
    const attributes: PolygonMesh['attributes'] = {};
    for (const [name, { size, values, corners }] of this.#further) {
      while (corners.length < this.#corners) corners.push(NONE);
      const isColour = name.startsWith('COLOR_');
      const array = isColour ? linearColours(values.toArray(), size) : flippedUvs(values.toArray());
      attributes[name] = { size, values: array, corners: corners.toArray() };
    }
    return { ...polygons, uvs: this.#uvs.toArray(), normals: this.#normals.toArray(), attributes };
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
    const inputsOf = (semantic: string): XmlElement[] =>
      [primitive, this.#vertices].flatMap((of) =>
        childrenOf(of, 'input').filter((input) => input.attributes.semantic === semantic),
      );
    const attribute = (
      input: XmlElement | undefined,
      width: number,
      target: FloatList,
      bases: Map<NumberSource, number>,
    ): Attribute | undefined => {
      if (!input) return undefined;
      const source = document.source(input, Math.min(width, 3));
      const base = bases.get(source) ?? target.length / width;
      if (!bases.has(source)) {
        bases.set(source, base);
        for (const value of rows(source, width)) target.push(value);
      }
      const own = inputs.includes(input);
      return { offset: own ? document.count(input, 'offset', 0) : vertexOffset, count: source.count, base };
    };
    const [uvInput, ...moreUvs] = inputsOf('TEXCOORD');
    const uv = attribute(uvInput, 2, this.#uvs, this.#uvBases);
    const normal = attribute(inputsOf('NORMAL')[0], 3, this.#normals, this.#normalBases);
    const further = [
      ...moreUvs.map((input, i) => ({ name: `TEXCOORD_${i + 1}`, size: 2, input })),
      ...inputsOf('COLOR').map((input, i) => ({ name: `COLOR_${i}`, size: 4, input })),
    ];
    const leftOut = further.splice(MOST_FURTHER).map(({ name }) => name);
    if (leftOut.length > 0) document.note(note('not-read', { what: 'vertex-attributes', names: leftOut }));
    const columns = further.map(({ name, size, input }) => {
      const column = this.#further.get(name) ?? newColumn(size);
      this.#further.set(name, column);
      while (column.corners.length < this.#corners) column.corners.push(NONE);
      return { name, column, from: attribute(input, size, column.values, column.bases)! };
    });

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
        for (const { name, column, from } of columns) column.corners.push(pick(p, corner, from, name));
        this.#corners++;
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
