import { validateBytes } from 'gltf-validator';
import { expect } from 'vitest';
import { jsonOf } from '../bench/engines/glb-file.ts';

/**
 * What the Khronos validator may say about a good file: it does not look into compressed data, calls texture coordinates and
 * tangents unused when the material has no picture, misses tangents that the source had not either, and counts triangles that were
 * degenerate before. What only an extension of ours refers to, it cannot know to be used: such places are named by `ours`.
 */
const UNAVOIDABLE = new Set([
  'UNSUPPORTED_EXTENSION',
  'ACCESSOR_INDEX_TRIANGLE_DEGENERATE',
  'UNUSED_MESH_TANGENT',
  'MESH_PRIMITIVE_GENERATED_TANGENT_SPACE',
]);

/** Fails unless the Khronos validator finds no error, no warning and no remark that we could have avoided. */
export async function expectValidGlb(bytes: Uint8Array, ours: readonly string[] = []): Promise<void> {
  const { issues } = await validateBytes(bytes, { maxIssues: 100 });
  const found = issues.messages
    .filter(({ code }) => !UNAVOIDABLE.has(code))
    .filter(({ code, pointer }) => !(code === 'UNUSED_OBJECT' && /TEXCOORD_\d$/.test(pointer ?? '')))
    .filter(({ code, pointer }) => !(code === 'UNUSED_OBJECT' && ours.includes(pointer ?? '')))
    .map(({ code, message, pointer }) => `${code} ${pointer}: ${message}`);
  expect(found).toEqual([]);
}

/** The same for a file with trained cloth. */
export function expectValidCloth(bytes: Uint8Array): Promise<void> {
  const { accessor } = jsonOf(bytes).extensions!.PLIANT_cloth as { accessor: number };
  return expectValidGlb(bytes, [`/accessors/${accessor}`]);
}

/**
 * What the validator says of an edited file and did not say of the file before, by code and place. Accessors that are no longer
 * used stay in a file with extensions that the validator does not know: one of them may refer to them.
 */
export async function newIssues(before: Uint8Array, after: Uint8Array): Promise<string[]> {
  const [known, found] = await Promise.all(
    [before, after].map(async (bytes) => (await validateBytes(bytes, { maxIssues: 1000 })).issues.messages),
  );
  const place = ({ code, pointer }: (typeof known)[number]): string => `${code} ${pointer}`;
  const old = new Set(known.map(place));
  // Levels of detail are in no scene; their uvs are as unused as those of the meshes that they are of.
  const { nodes = [] } = jsonOf(after);
  const levels = nodes.flatMap(({ extensions }) => (extensions?.MSFT_lod as { ids: number[] } | undefined)?.ids ?? []);
  const unused = new Set([
    ...levels.map((id) => `UNUSED_OBJECT /nodes/${id}`),
    ...levels.flatMap((id) => found.map(place).filter((each) => isUnusedUvs(each, nodes[id].mesh))),
  ]);
  const unknown = known.some(({ code }) => code === 'UNSUPPORTED_EXTENSION');
  return found
    .map(place)
    .filter((issue) => !old.has(issue) && !unused.has(issue) && !issue.startsWith('UNSUPPORTED_EXTENSION'))
    .filter((issue) => !(unknown && issue.startsWith('UNUSED_OBJECT /accessors/')));
}

const isUnusedUvs = (issue: string, mesh: number | undefined): boolean =>
  issue.startsWith(`UNUSED_OBJECT /meshes/${mesh}/`) && /TEXCOORD_\d$/.test(issue);
