import { linearFromSrgb } from '../io/srgb.ts';
import { attributeFloats } from '../mesh/attribute-floats.ts';
import { textureUvs } from '../mesh/texture-uvs.ts';
import { faceArea } from '../mesh/triangle.ts';
import type { Image, Material, Mesh } from '../model/mesh.ts';
import { type Note, note } from '../model/note.ts';

/** A picture as pixels, rows from top to bottom: red, green, blue and alpha in sRGB. */
export interface DecodedPicture {
  width: number;
  height: number;
  data: Uint8Array | Uint8ClampedArray;
}

/** Pixels of an encoded picture; undefined for a kind that the host does not know. */
export type DecodePicture = (image: Image) => Promise<DecodedPicture | undefined>;

/** What a surface without a material reflects. */
const CLAY = 0.6;

/** Each corner stands for a third of its face: a point well inside that third. */
const OWN = 2 / 3;
const OTHERS = 1 / 6;

/**
 * The albedo of vertices, linear red, green and blue (3N): base colour × vertex colour × texture, of what is not metal, the mean over
 * the faces around each vertex by their area. Textures need `decode`; those that are not read count as white, and get a note.
 */
export async function materialAlbedo(mesh: Mesh, decode?: DecodePicture, notes: Note[] = []): Promise<Float32Array> {
  const { positions, triangles, materials = [] } = mesh;
  const groups = mesh.groups ?? [{ name: '', start: 0, count: triangles.length / 3, material: materials[0] && 0 }];
  const corners = mesh.seams?.triangles ?? triangles;
  const uvs = textureUvs(mesh);
  const colours = vertexColours(mesh);
  const sums = new Float64Array(positions.length);
  const weights = new Float64Array(positions.length / 3);
  const colour = new Float64Array(3);
  for (const { start, count, material: index } of groups) {
    const material = index === undefined ? undefined : materials[index];
    const picture = uvs && material && (await pictureOf(material, decode, notes));
    for (let corner = 3 * start; corner < 3 * (start + count); corner++) {
      const face = corner - (corner % 3);
      const own = corners[corner];
      const next = corners[face + ((corner + 1) % 3)];
      const last = corners[face + ((corner + 2) % 3)];
      plainColour(material, colour);
      if (colours) {
        for (let c = 0; c < 3; c++) {
          colour[c] *= OWN * colours[3 * own + c] + OTHERS * (colours[3 * next + c] + colours[3 * last + c]);
        }
      }
      if (picture) {
        const u = OWN * uvs[2 * own] + OTHERS * (uvs[2 * next] + uvs[2 * last]);
        const v = OWN * uvs[2 * own + 1] + OTHERS * (uvs[2 * next + 1] + uvs[2 * last + 1]);
        multiplyTexel(picture, u, 1 - v, colour);
      }
      const area = faceArea(positions, triangles, face);
      const vertex = triangles[corner];
      weights[vertex] += area;
      for (let c = 0; c < 3; c++) sums[3 * vertex + c] += area * colour[c];
    }
  }
  return Float32Array.from(sums, (sum, c) => {
    const weight = weights[Math.floor(c / 3)];
    return weight > 0 ? Math.min(1, Math.max(0, sum / weight)) : CLAY;
  });
}

async function pictureOf(
  { name, baseColorTexture }: Material,
  decode: DecodePicture | undefined,
  notes: Note[],
): Promise<DecodedPicture | undefined> {
  if (!baseColorTexture) return undefined;
  const picture = await decode?.(baseColorTexture);
  if (!picture) notes.push(note('not-read', { what: 'textures', names: [name] }));
  return picture;
}

function plainColour(material: Material | undefined, out: Float64Array): void {
  for (let c = 0; c < 3; c++) out[c] = material ? material.baseColor[c] * (1 - material.metallic) : CLAY;
}

/** 3W, without alpha. */
function vertexColours({ attributes }: Mesh): Float32Array | undefined {
  const attribute = attributes?.COLOR_0;
  if (!attribute) return undefined;
  const values = attributeFloats(attribute);
  const { size } = attribute;
  if (size === 3) return values;
  return Float32Array.from(
    { length: (3 * values.length) / size },
    (_, q) => values[Math.floor(q / 3) * size + (q % 3)],
  );
}

/** The four nearest pixels, repeated beyond the edges; u to the right and v down, 0…1. */
function multiplyTexel({ width, height, data }: DecodedPicture, u: number, v: number, colour: Float64Array): void {
  const x = u * width - 0.5;
  const y = v * height - 0.5;
  const column = Math.floor(x);
  const row = Math.floor(y);
  const wrapped = (i: number, size: number) => ((i % size) + size) % size;
  const texel = (dx: number, dy: number, c: number): number =>
    LINEAR[data[4 * (wrapped(row + dy, height) * width + wrapped(column + dx, width)) + c]];
  for (let c = 0; c < 3; c++) {
    const above = texel(0, 0, c) * (1 - x + column) + texel(1, 0, c) * (x - column);
    const below = texel(0, 1, c) * (1 - x + column) + texel(1, 1, c) * (x - column);
    colour[c] *= above * (1 - y + row) + below * (y - row);
  }
}

const LINEAR = Float64Array.from({ length: 256 }, (_, byte) => linearFromSrgb(byte / 255));
