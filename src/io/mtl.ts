import type { GltfObject, Mesh } from '../model/mesh.ts';
import { type Note, note } from '../model/note.ts';
import { type Beside, PicturesBeside, readBeside } from './beside.ts';
import { type MaterialParts, madeMaterial, type TextureSlot, type UsedTexture } from './made-material.ts';

/**
 * Wavefront MTL: the materials of OBJ files, with the statements for physically based rendering that Clara.io proposed and
 * Blender writes. Numbers are taken as Blender does: colours are linear, roughness = 1 − √(Ns / 1000).
 */

/** The mesh with its materials as the named files have them; with names only where there are none. */
export async function withMtl(
  mesh: Mesh,
  libraries: readonly string[],
  beside: Beside | undefined,
  notes: Note[],
): Promise<Mesh> {
  if (libraries.length === 0 || !mesh.materials?.length) return mesh;
  const found = new Map<string, MtlMaterial>();
  for (const library of beside ? libraries : []) {
    // One name with blanks, or several names.
    const whole = await readBeside(beside!, library);
    const names = whole ? [] : library.split(/\s+/);
    const files = [whole, ...(await Promise.all(names.map((name) => readBeside(beside!, name))))];
    for (const file of files) if (file) parseMtl(new TextDecoder().decode(file), found);
  }
  if (found.size === 0) {
    notes.push(note('material-names-only', {}));
    return mesh;
  }
  const pictures = new PicturesBeside(beside, notes);
  const materials: Mesh['materials'] = [];
  for (const plain of mesh.materials) {
    const statements = found.get(plain.name);
    materials.push(statements ? madeMaterial(plain, await partsOf(statements, plain.name, pictures, notes)) : plain);
  }
  return { ...mesh, materials };
}

/** Keyword, in lower case → the rest of its line. */
type MtlMaterial = Map<string, string>;

function parseMtl(text: string, materials: Map<string, MtlMaterial>): void {
  let current: MtlMaterial | undefined;
  for (const line of text.replace(/\\\r?\n/g, ' ').split(/\r?\n|\r/)) {
    const [, keyword, rest] = /^\s*([a-z_]+)\s+(.*?)\s*$/i.exec(line) ?? [];
    if (keyword === undefined) continue;
    if (keyword.toLowerCase() === 'newmtl') {
      current = new Map();
      materials.set(rest, current);
    } else {
      current?.set(keyword.toLowerCase(), rest);
    }
  }
}

const KNOWN_MAPS = ['map_kd', 'map_ke', 'map_pr', 'map_pm', 'map_d', 'map_bump', 'bump', 'norm'];
const isMap = (keyword: string): boolean => /^(map_.+|bump|norm|disp|decal|refl)$/.test(keyword);

async function partsOf(
  statements: MtlMaterial,
  name: string,
  pictures: PicturesBeside,
  notes: Note[],
): Promise<MaterialParts> {
  const numbers = (keyword: string, count: number): number[] | undefined => {
    const values = statements.get(keyword)?.split(/\s+/).slice(0, count).map(Number);
    if (!values?.every((x) => Number.isFinite(x)) || values.length === 0) return undefined;
    // One number is a shade of grey.
    return Array.from({ length: count }, (_, c) => Math.max(0, values[c] ?? values[0]));
  };
  const fraction = (keyword: string): number | undefined => {
    const value = numbers(keyword, 1)?.[0];
    return value === undefined ? undefined : Math.min(1, value);
  };
  const map = (keyword: string): MtlMap | undefined =>
    statements.has(keyword) ? parseMap(statements.get(keyword)!) : undefined;

  const [base, opacity] = [map('map_kd'), map('map_d')];
  const [rough, metal] = [map('map_pr'), map('map_pm')];
  const leftOut = [...statements.keys()].filter((keyword) => isMap(keyword) && !KNOWN_MAPS.includes(keyword));
  // glTF has opacity beside the colour, roughness beside metalness, in one picture.
  if (opacity && opacity.file !== base?.file) leftOut.push('map_d');
  const packed = rough && metal && rough.file === metal.file ? rough : undefined;
  if (!packed) leftOut.push(...['map_pr', 'map_pm'].filter((keyword) => statements.has(keyword)));
  if (leftOut.length > 0) notes.push(note('not-read', { what: 'textures', names: leftOut }, name));

  const wanted: Record<TextureSlot, MtlMap | undefined> = {
    baseColor: base,
    metallicRoughness: packed,
    normal: map('norm') ?? map('map_bump') ?? map('bump'),
    occlusion: undefined,
    emissive: map('map_ke'),
  };
  const textures: MaterialParts['textures'] = {};
  for (const [slot, use] of Object.entries(wanted) as [TextureSlot, MtlMap | undefined][]) {
    const image = use && (await pictures.read(use.file));
    if (image) textures[slot] = { image, ...usedAs(slot, use) };
  }
  const shininess = numbers('ns', 1)?.[0];
  const transparency = fraction('tr');
  return {
    color: numbers('kd', 3)?.map((x) => Math.min(1, x)),
    opacity: fraction('d') ?? (transparency === undefined ? undefined : 1 - transparency),
    metallic: fraction('pm'),
    roughness: fraction('pr') ?? (shininess === undefined ? undefined : 1 - Math.sqrt(Math.min(1, shininess / 1000))),
    emission: numbers('ke', 3),
    textures,
  };
}

/** A picture, and the options before its name that are used. */
interface MtlMap {
  file: string;
  /** `-bm`: strength of the bumps. */
  strength: number;
  offset: number[];
  scale: number[];
  clamped: boolean;
}

/** How many words follow options; `-o`, `-s` and `-t` have up to three numbers, all others one. */
const WORDS: Record<string, number> = { mm: 2, o: 0, s: 0, t: 0 };

function parseMap(text: string): MtlMap {
  const words = text.split(/\s+/);
  const options: Record<string, string[]> = {};
  while (words[0]?.startsWith('-')) {
    const option = words.shift()!.slice(1).toLowerCase();
    const isNumber = (word: string | undefined) => word !== undefined && word !== '' && Number.isFinite(Number(word));
    let count = WORDS[option] ?? 1;
    if (WORDS[option] === 0) while (count < 3 && isNumber(words[count])) count++;
    options[option] = words.splice(0, count);
  }
  const numbers = (option: string, otherwise: number): number[] =>
    [0, 1].map((c) => Number(options[option]?.[c] ?? otherwise));
  const strength = Number(options.bm?.[0] ?? 1);
  return {
    file: words.join(' '),
    strength: Number.isFinite(strength) ? strength : 1,
    offset: numbers('o', 0),
    scale: numbers('s', 1),
    clamped: options.clamp?.[0] === 'on',
  };
}

function usedAs(
  slot: TextureSlot,
  { strength, offset, scale, clamped }: MtlMap,
): Pick<UsedTexture, 'info' | 'clamped'> {
  const info: GltfObject = {};
  if (slot === 'normal' && strength !== 1) info.scale = strength;
  if ([...offset, scale[0] - 1, scale[1] - 1].some((x) => x !== 0)) {
    // With v down: v′ = 1 − (s·(1 − v) + o).
    const down = { offset: [offset[0], 1 - scale[1] - offset[1]], scale };
    info.extensions = { KHR_texture_transform: down };
  }
  return { info, clamped };
}
