import type { Mesh, MeshGroup } from '../model/mesh.ts';
import { type Note, note } from '../model/note.ts';
import { plural } from '../model/wording.ts';
import type { Beside } from './beside.ts';
import { type ByteSource, readAll } from './files.ts';
import { FloatList, NONE, PolygonList } from './growable.ts';
import { withMtl } from './mtl.ts';
import { meshFromPolygons, type PolygonMesh } from './polygons.ts';
import { linearColours } from './srgb.ts';
import { TextScanner } from './text-scanner.ts';

/** Wavefront OBJ, as Wavefront's "Object Files (.obj)" describes it: polygons; curves and surfaces are left out. */

const OPERATION = 'readObj';
const SLASH = 0x2f;

/**
 * The mesh of an OBJ file. N is the number of its v lines, so that point caches match. Materials and pictures are read from the
 * files `beside` it.
 */
export async function readObj(source: ByteSource, notes: Note[] = [], beside?: Beside): Promise<Mesh> {
  const polygons = parseObj(await readAll(source, OPERATION), source.name, notes);
  return withMtl(meshFromPolygons(polygons, notes), polygons.libraries ?? [], beside, notes);
}

/** An attribute that corners refer to by number: v, vt or vn. */
interface Referred {
  readonly keyword: string;
  readonly values: FloatList;
  /** How many have come so far. */
  count: number;
  /** The largest reference to a value that had not come yet, and where it stands. */
  ahead: number;
  aheadAt: number;
}

const referred = (keyword: string): Referred => ({ keyword, values: new FloatList(), count: 0, ahead: -1, aheadAt: 0 });

/** The polygons of an OBJ file. */
export function parseObj(bytes: Uint8Array, file: string, notes: Note[]): PolygonMesh {
  const scanner = new TextScanner(bytes, OPERATION, file);
  const text = scanner.bytes;
  const v = referred('v');
  const vt = referred('vt');
  const vn = referred('vn');
  const colours = new FloatList();
  const faces = new PolygonList();
  const groups = new ObjGroups();
  const leftOut = new Map<string, number>();

  while (!scanner.atEnd) {
    if (scanner.atLineEnd()) {
      scanner.skipLine();
      continue;
    }
    const at = scanner.pos;
    const keyword = keywordAt(text, at);
    if (keyword === V) {
      scanner.pos += 1;
      v.values.push(scanner.number('x'));
      v.values.push(scanner.number('y'));
      v.values.push(scanner.number('z'));
      if (!scanner.atLineEnd()) readColour(scanner, v.count, colours);
      v.count++;
    } else if (keyword === F) {
      scanner.pos += 1;
      readFace(scanner, at, faces, v, vt, vn);
    } else if (keyword === VN) {
      scanner.pos += 2;
      for (const axis of AXES) vn.values.push(scanner.number(axis));
      vn.count++;
    } else if (keyword === VT) {
      scanner.pos += 2;
      vt.values.push(scanner.number('u'));
      vt.values.push(scanner.atLineEnd() ? 0 : scanner.number('v'));
      vt.count++;
    } else {
      otherStatement(scanner, faces.count, groups, leftOut);
    }
    scanner.skipLine(true);
  }

  for (const { keyword, count, ahead, aheadAt } of [v, vt, vn]) {
    if (ahead > count) scanner.fail(`face refers to ${keyword} ${ahead} (expected 1 to ${count})`, aheadAt);
  }
  if (v.count === 0) {
    const start = scanner.bytes.findIndex((byte) => byte > 0x20);
    scanner.fail(
      `no vertices (got a file that starts with "${scanner.near(Math.max(0, start))}", expected lines "v x y z")`,
      0,
    );
  }
  const named = groups.finish(faces.count);
  for (const [keyword, count] of leftOut) notes.push(note('not-read', { what: 'statements', names: [keyword], count }));

  if (colours.length > 0) while (colours.length < 3 * v.count) colours.push(1);
  const values = linearColours(colours.toArray(), 3);
  return {
    ...named,
    ...(colours.length > 0 && { attributes: { COLOR_0: { size: 3, values } } }),
    ...faces.finish(vt.count > 0, vn.count > 0),
    positions: v.values.toArray(),
    uvs: vt.values.toArray(),
    normals: vn.values.toArray(),
  };
}

/** A face line, which begins at `at`: its corners v, v/vt, v/vt/vn or v//vn. */
function readFace(scanner: TextScanner, at: number, faces: PolygonList, v: Referred, vt: Referred, vn: Referred): void {
  faces.begin();
  let size = 0;
  for (; !scanner.atLineEnd(); size++) {
    const corner = scanner.pos;
    const vertex = reference(scanner, v);
    const uv = separator(scanner) ? reference(scanner, vt) : NONE;
    const normal = separator(scanner) ? reference(scanner, vn) : NONE;
    faces.addCorner(vertex, uv, normal);
    if (scanner.bytes[scanner.pos] > 0x20) scanner.unexpected('a corner v/vt/vn', corner);
  }
  if (size < 3) scanner.fail(`face of ${plural(size, 'corner')} (expected at least 3)`, at);
}

/** Red, green and blue of vertex i, which some programs put behind its position, as screens have them. Vertices without are white. */
function readColour(scanner: TextScanner, i: number, colours: FloatList): void {
  const more: number[] = [];
  while (!scanner.atLineEnd() && NUMBER_START.includes(scanner.bytes[scanner.pos]))
    more.push(scanner.number('a colour'));
  if (more.length < 3) return; // a weight
  while (colours.length < 3 * i) colours.push(1);
  for (const component of more.slice(-3)) colours.push(component);
}

/** + - . and digits. */
const NUMBER_START = [...'+-.0123456789'].map((letter) => letter.charCodeAt(0));

const AXES = ['x', 'y', 'z'] as const;

// Keywords of one or two letters as numbers, for the frequent lines.
const V = 0x76;
const F = 0x66;
const VN = 0x766e;
const VT = 0x7674;

/** The keyword at `p`, or 0 for a longer one. */
function keywordAt(text: Uint8Array, p: number): number {
  if (!(text[p + 1] > 0x20)) return text[p];
  return text[p + 2] > 0x20 ? 0 : (text[p] << 8) | text[p + 1];
}

/** Steps over a `/`; says whether a number follows. */
function separator(scanner: TextScanner): boolean {
  if (scanner.bytes[scanner.pos] !== SLASH) return false;
  scanner.pos++;
  const next = scanner.bytes[scanner.pos];
  return next > 0x20 && next !== SLASH;
}

/** A reference to a v, vt or vn: from 1, or backwards from the latest with −1. Returns it from 0. */
function reference(scanner: TextScanner, to: Referred): number {
  const { bytes } = scanner;
  const start = scanner.pos;
  let p = start;
  const backwards = bytes[p] === 0x2d;
  if (backwards) p++;
  let index = 0;
  const digits = p;
  for (; bytes[p] >= 0x30 && bytes[p] <= 0x39; p++) index = 10 * index + (bytes[p] - 0x30);
  if (p === digits) scanner.unexpected('a corner v/vt/vn', start);
  scanner.pos = p;
  const { count } = to;
  if (index === 0 || (backwards && index > count)) {
    const got = backwards ? -index : index;
    scanner.fail(`face refers to ${to.keyword} ${got} (expected 1 to ${count} or −1 to −${count})`, start);
  }
  if (backwards) return count - index;
  if (index > count && index > to.ahead) {
    to.ahead = index;
    to.aheadAt = start;
  }
  return index - 1;
}

/** Groups, materials, and what is left out. */
function otherStatement(scanner: TextScanner, polygons: number, groups: ObjGroups, leftOut: Map<string, number>): void {
  const at = scanner.pos;
  const keyword = scanner.word();
  if (keyword === 'mtllib') {
    groups.libraries.push(scanner.restOfLine());
  } else if (keyword === 'o' || keyword === 'g' || keyword === 'usemtl') {
    groups.set(keyword, scanner.restOfLine(), polygons);
  } else if (keyword === 's') {
    // Smoothing groups say what normals would say.
  } else if (/^[a-z_]+$/i.test(keyword)) {
    leftOut.set(keyword, (leftOut.get(keyword) ?? 0) + 1);
  } else {
    scanner.unexpected('an OBJ statement such as v, vt, vn, f', at);
  }
}

/** Follows `o`, `g` and `usemtl` and makes groups of the runs of polygons between them. */
class ObjGroups {
  /** Files of materials, as `mtllib` names them. */
  readonly libraries: string[] = [];
  readonly #current: { o?: string; g?: string; usemtl?: string } = {};
  readonly #runs: { o?: string; g?: string; usemtl?: string; start: number }[] = [{ start: 0 }];
  readonly #objects = new Set<string>();

  set(keyword: 'o' | 'g' | 'usemtl', name: string, start: number): void {
    this.#current[keyword] = name;
    if (keyword === 'o') {
      this.#current.g = undefined;
      this.#objects.add(name);
    }
    if (this.#runs.at(-1)!.start === start) this.#runs.pop();
    this.#runs.push({ ...this.#current, start });
  }

  finish(polygons: number): Pick<PolygonMesh, 'name' | 'groups' | 'materials' | 'libraries'> {
    const [name] = this.#objects.size === 1 ? this.#objects : [undefined];
    const plain = this.#runs.every((run) => run.g === undefined && run.usemtl === undefined);
    if (plain && this.#objects.size < 2) return { name };
    const materials = [...new Set(this.#runs.flatMap((run) => run.usemtl || []))];
    const groups = this.#runs.map((run, r): MeshGroup => {
      const group: MeshGroup = {
        name: run.g ?? (this.#objects.size > 1 ? run.o : undefined) ?? run.usemtl ?? '',
        start: run.start,
        count: (this.#runs[r + 1]?.start ?? polygons) - run.start,
      };
      if (run.usemtl) group.material = materials.indexOf(run.usemtl);
      return group;
    });
    return { name, groups: groups.filter((group) => group.count > 0), materials, libraries: this.libraries };
  }
}
