import { attributeFloats } from '../mesh/attribute-floats.ts';
import { vertexNormals } from '../mesh/normals.ts';
import { expandToSplit } from '../mesh/seams.ts';
import { type Mesh, type MeshGroup, splitVertexCount, triangleCount, type VertexAttribute } from '../model/mesh.ts';

/** Meshes one behind the other, as one. */

/** N·stride numbers per vertex → per split vertex. */
export const perSplit = (values: Float32Array, stride: number, mesh: Mesh): Float32Array =>
  mesh.seams ? expandToSplit(values, stride, mesh.seams) : values;

/** Arrays one behind the other. */
export function joined<T extends Float32Array | Uint16Array | Uint32Array>(
  Kind: new (length: number) => T,
  parts: readonly T[],
): T {
  const out = new Kind(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

/** The groups of a mesh; one for one without. */
export const groupsOf = (mesh: Mesh): MeshGroup[] =>
  mesh.groups ?? [{ name: mesh.name ?? '', start: 0, count: triangleCount(mesh) }];

/** Split vertices of all meshes as the vertices of one. What only some have is 0 elsewhere, a colour white, a normal smooth. */
export function sideBySide(meshes: readonly Mesh[]): Mesh {
  const counts = meshes.map(splitVertexCount);
  const column = (wanted: boolean, size: number, of: (mesh: Mesh) => Float32Array | undefined, missing = 0) =>
    wanted
      ? joined(
          Float32Array,
          meshes.map((mesh, m) => of(mesh) ?? new Float32Array(size * counts[m]).fill(missing)),
        )
      : undefined;
  const names = [...new Set(meshes.flatMap(({ attributes = {} }) => Object.keys(attributes)))];
  const attributes = names.map((name): [string, VertexAttribute] => {
    const size = Math.max(...meshes.map((mesh) => mesh.attributes?.[name]?.size ?? 1));
    const missing = name.startsWith('COLOR_') ? 1 : 0;
    const widened = (mesh: Mesh) => mesh.attributes?.[name] && wider(mesh.attributes[name], size, missing);
    const values = column(true, size, widened, missing)!;
    return [
      name,
      { size, values: meshes.every((mesh) => isWhole(mesh.attributes?.[name])) ? asWhole(values) : values },
    ];
  });
  const normals = column(
    meshes.some((mesh) => mesh.normals),
    3,
    (mesh) => mesh.normals ?? vertexNormals(mesh),
  );
  const uvs = column(
    meshes.some((mesh) => mesh.uvs),
    2,
    (mesh) => mesh.uvs,
  );
  const [triangles, groups]: [Uint32Array[], MeshGroup[]] = [[], []];
  const materials = meshes.flatMap((mesh) => mesh.materials ?? []);
  let [w, f, m] = [0, 0, 0];
  for (const [p, mesh] of meshes.entries()) {
    const [fromVertex, fromFace, fromMaterial] = [w, f, m];
    triangles.push((mesh.seams?.triangles ?? mesh.triangles).map((corner) => corner + fromVertex));
    for (const group of groupsOf(mesh)) {
      const material = group.material === undefined ? undefined : group.material + fromMaterial;
      groups.push({ ...group, start: group.start + fromFace, material });
    }
    w += counts[p];
    f += triangleCount(mesh);
    m += mesh.materials?.length ?? 0;
  }
  return {
    positions: joined(
      Float32Array,
      meshes.map((mesh) => perSplit(mesh.positions, 3, mesh)),
    ),
    triangles: joined(Uint32Array, triangles),
    ...(normals && { normals }),
    ...(uvs && { uvs }),
    ...(names.length > 0 && { attributes: Object.fromEntries(attributes) }),
    groups,
    materials,
  };
}

/** Whether an attribute has numbers that stand for something, with nothing between them. */
const isWhole = (attribute?: VertexAttribute): boolean =>
  !attribute || !(attribute.values instanceof Float32Array || attribute.normalized);

/** Whole numbers in an array of such, if there is one that holds them all. */
function asWhole(values: Float32Array): VertexAttribute['values'] {
  const [least, most] = values.reduce(([a, b], x) => [Math.min(a, x), Math.max(b, x)], [0, 0]);
  if (least >= 0) return most < 2 ** 8 ? Uint8Array.from(values) : Uint16Array.from(values);
  return most < 2 ** 15 ? Int16Array.from(values) : values;
}

/** An attribute as floats, with `size` numbers per vertex. */
function wider(attribute: VertexAttribute, size: number, missing: number): Float32Array {
  const floats = attributeFloats(attribute);
  if (attribute.size === size) return floats;
  const out = new Float32Array((floats.length / attribute.size) * size).fill(missing);
  for (let w = 0; w * size < out.length; w++) {
    for (let c = 0; c < attribute.size; c++) out[w * size + c] = floats[w * attribute.size + c];
  }
  return out;
}
