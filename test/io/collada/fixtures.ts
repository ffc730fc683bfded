/** A COLLADA document of a bending strip, made by hand: 6 vertices in two quads, two joints, and two clips' worth of keys. */

interface ColladaOptions {
  /** Replaces the primitives of the mesh. */
  primitives?: string;
  /** Replaces the animations. */
  animations?: string;
  /** Replaces the instance in the node "strip". */
  instance?: string;
  asset?: string;
  weights?: string;
}

/** `<source>` with an array of numbers. */
export function source(
  id: string,
  stride: number,
  values: readonly number[],
  params?: readonly (string | undefined)[],
): string {
  const names = params ?? Array.from({ length: stride }, (_, c) => `P${c}`);
  const tags = names.map((name) =>
    name === undefined ? '<param type="float"/>' : `<param name="${name}" type="float"/>`,
  );
  return `<source id="${id}"><float_array id="${id}-array" count="${values.length}">${values.join(' ')}</float_array>
<technique_common><accessor source="#${id}-array" count="${values.length / stride}" stride="${stride}">${tags.join('')}</accessor></technique_common></source>\n`;
}

const names = (id: string, kind: 'Name_array' | 'IDREF_array', words: readonly string[]): string =>
  `<source id="${id}"><${kind} id="${id}-array" count="${words.length}">${words.join(' ')}</${kind}>
<technique_common><accessor source="#${id}-array" count="${words.length}" stride="1"><param name="N" type="name"/></accessor></technique_common></source>\n`;

/** Control points or tangents of a channel, `width` numbers per key. */
interface Tangents {
  width: number;
  into: readonly number[];
  out: readonly number[];
}

/** `<animation>` of one channel; one interpolation for all keys, or one for each. */
export const channel = (
  id: string,
  target: string,
  times: readonly number[],
  width: number,
  values: readonly number[],
  interpolation: string | readonly string[] = 'LINEAR',
  tangents?: Tangents,
): string => {
  const kinds = times.map((_, k) => (typeof interpolation === 'string' ? interpolation : interpolation[k]));
  const bends = tangents
    ? source(`${id}-into`, tangents.width, tangents.into) + source(`${id}-bend`, tangents.width, tangents.out)
    : '';
  const input = (semantic: string, of: string) => `<input semantic="${semantic}" source="#${id}-${of}"/>`;
  const bendInputs = tangents ? input('IN_TANGENT', 'into') + input('OUT_TANGENT', 'bend') : '';
  return `<animation id="${id}">${source(`${id}-in`, 1, times)}${source(`${id}-out`, width, values)}${names(`${id}-inter`, 'Name_array', kinds)}${bends}
<sampler id="${id}-sampler">${input('INPUT', 'in')}${input('OUTPUT', 'out')}${input('INTERPOLATION', 'inter')}${bendInputs}</sampler>
<channel source="#${id}-sampler" target="${target}"/></animation>\n`;
};

const IDENTITY = '1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1';

const POLYLIST = `<polylist material="cloth" count="2">
<input semantic="VERTEX" source="#vertices" offset="0"/>
<input semantic="NORMAL" source="#normals" offset="2"/>
<input semantic="TEXCOORD" source="#uvs" offset="1" set="0"/>
<vcount>4 4</vcount><p>0 0 0 1 1 0 3 3 0 2 2 0 2 2 0 3 3 0 5 1 0 4 0 0</p></polylist>`;

/** Turns joint "tip" by 0°, 90°, 90° and moves joint "root" by a matrix. */
const ANIMATIONS = `<library_animations>${channel('turn', 'tip/rotateZ.ANGLE', [0, 1, 2], 1, [0, 90, 90])}${channel(
  'move',
  'root/transform',
  [0, 2],
  16,
  [...'1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1'.split(' '), ...'1 0 0 4 0 1 0 0 0 0 1 2 0 0 0 1'.split(' ')].map(Number),
)}</library_animations>`;

/** Vertices at heights 0, 1 and 2; the lowest follow "root", the highest "tip", the middle both. */
const WEIGHTS = `<vertex_weights count="6"><input semantic="JOINT" source="#joints" offset="0"/><input semantic="WEIGHT" source="#weights" offset="1"/>
<vcount>1 1 2 2 1 1</vcount><v>0 0 0 0 0 1 1 2 1 2 0 1 1 0 1 0</v></vertex_weights>`;

const INSTANCE = `<instance_controller url="#skin"><skeleton>#root</skeleton><bind_material><technique_common>
<instance_material symbol="cloth" target="#linen"/></technique_common></bind_material></instance_controller>`;

export function colladaFile({
  primitives = POLYLIST,
  animations = ANIMATIONS,
  instance = INSTANCE,
  asset = '<asset><unit name="centimeter" meter="0.01"/><up_axis>Z_UP</up_axis></asset>',
  weights = WEIGHTS,
}: ColladaOptions = {}): string {
  return `<?xml version="1.0" encoding="utf-8"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
${asset}
<library_materials><material id="linen" name="Linen"/></library_materials>
<library_geometries><geometry id="strip-mesh" name="Strip"><mesh>
${source('positions', 3, [0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0, 2, 0, 1, 2, 0])}${source('normals', 3, [0, 0, 1])}${source('uvs', 2, [0, 0, 1, 0, 0, 1, 1, 1])}
<vertices id="vertices"><input semantic="POSITION" source="#positions"/></vertices>
${primitives}
</mesh></geometry></library_geometries>
<library_controllers><controller id="skin"><skin source="#strip-mesh">
<bind_shape_matrix>2 0 0 0 0 2 0 0 0 0 2 0 0 0 0 1</bind_shape_matrix>
${names('joints', 'Name_array', ['root', 'tip'])}${source('binds', 16, [...IDENTITY.split(' '), ...'1 0 0 0 0 1 0 -2 0 0 1 0 0 0 0 1'.split(' ')].map(Number), ['TRANSFORM'])}${source('weights', 1, [1, 0.25, 0.75])}
<joints><input semantic="JOINT" source="#joints"/><input semantic="INV_BIND_MATRIX" source="#binds"/></joints>
${weights}
</skin></controller></library_controllers>
${animations}
<library_visual_scenes><visual_scene id="scene">
<node id="armature" name="Armature" type="NODE"><translate sid="location">0 0 0</translate>
<node id="root" sid="root" name="Root" type="JOINT"><matrix sid="transform">${IDENTITY}</matrix>
<node id="tip" sid="tip" name="Tip" type="JOINT"><translate sid="translate">0 2 0</translate><rotate sid="rotateZ">0 0 1 0</rotate><scale sid="scale">1 1 1</scale>
<node id="end" sid="end" name="End" type="JOINT"><translate sid="translate">0 2 0</translate></node></node></node></node>
<node id="strip" name="strip" type="NODE"><translate sid="location">10 0 0</translate><rotate sid="spin">0 0 1 90</rotate>${instance}</node>
</visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#scene"/></scene>
</COLLADA>
`;
}

const SAMPLER = `<newparam sid="s"><surface type="2D"><init_from>picture</init_from></surface></newparam>
<newparam sid="p"><sampler2D><source>s</source></sampler2D></newparam>`;

/** The strip with an effect for its material. */
export const fileWithEffect = (
  shader: string,
  options: Parameters<typeof colladaFile>[0] = {},
  parameters = SAMPLER,
): string =>
  colladaFile(options).replace(
    '<library_materials><material id="linen" name="Linen"/></library_materials>',
    `<library_images><image id="picture"><init_from>file:///C:/art/red%20cloth.png</init_from></image></library_images>
<library_effects><effect id="fx"><profile_COMMON>${parameters}
<technique sid="common"><phong>${shader}</phong></technique></profile_COMMON></effect></library_effects>
<library_materials><material id="linen" name="Linen"><instance_effect url="#fx"/></material></library_materials>`,
  );
