import type { GLTF } from '@gltf-transform/core';
import { PliantError } from '../../error.ts';
import type { LightModel, LightModes } from '../../model/light.ts';
import { validateLight } from '../../model/light.ts';
import { lightHashes } from '../../model/light-hashes.ts';
import { type SampledVectors, sampleClusters } from '../../model/light-samples.ts';
import { splitVertexCount, vertexCount } from '../../model/mesh.ts';
import { type Note, note } from '../../model/note.ts';
import { boneCount } from '../../model/skeleton.ts';
import type { ModelOrigin, SkinnedModel } from '../../model/skinned-model.ts';
import type { Accessors } from './accessors.ts';
import type { GltfEditor, Stored } from './edit/editor.ts';
import { LIGHT_EXTENSION } from './extension-names.ts';
import {
  describedLight,
  LIGHT_VERSION,
  type LightDescription,
  MODE_ARRAYS,
  notReadCode,
  SAMPLE_ARRAYS,
} from './light-description.ts';

/** Writes the light of a model at the primitives of its mesh, whose index is given; those that had some lose it. */
export function describeLight(editor: GltfEditor, model: SkinnedModel, mesh: number): void {
  const light = model.light!;
  const origin = model.origin!;
  const { order, bounces, albedo, operator, hashes, made, residual, samples } = light;
  const { node, place, runs } = origin;
  const skin = editor.json.nodes![node].skin;
  const joints = skin === undefined ? [node] : editor.json.skins![skin].joints;
  const jointOf = new Map(joints.map((joint, j) => [joint, j]));
  const inSkin = (bones: Uint16Array): Uint16Array => bones.map((bone) => jointOf.get(origin.bones[bone]) ?? 0);

  const accessors: Record<string, number> = {};
  const store = (name: string, array: Stored) => {
    if (array.length > 0) accessors[name] = editor.accessor('SCALAR', array);
  };
  const { centres, radii, opacities, joints: sphereJoints, weights } = light.spheres;
  store('centres', centres);
  store('radii', radii);
  store('opacities', opacities);
  store('joints', inSkin(sphereJoints));
  store('weights', weights);
  store('bounceFactors', light.bounceFactors);
  if (light.sphereMorphs) store('sphereMorphs', light.sphereMorphs);
  const posed = residual ?? samples;
  if (posed) {
    const { bones, groupOf, centroids, poses } = posed;
    store('bones', inSkin(bones));
    store('groupOf', bones.length <= 256 ? Uint8Array.from(groupOf) : groupOf);
    store('centroids', centroids);
    store('poseCentroids', poses.centroids);
    store('poseRotations', poses.rotations);
  }
  if (residual) {
    const { diffuse, visibility } = residual;
    for (const [name, modes] of Object.entries({ diffuse, ...(visibility && { visibility }) })) {
      for (const part of MODE_ARRAYS) store(`${name}.${part}`, modes[part]);
    }
  }
  if (samples) {
    const { clusterOf, diffuse, visibility, gloss } = samples;
    store('clusterOf', clusterOf);
    if (gloss) store('gloss.viewMap', gloss.viewMap);
    const each = { diffuse, ...(visibility && { visibility }), ...(gloss && { gloss: gloss.vectors }) };
    for (const [name, vectors] of Object.entries(each)) {
      for (const part of SAMPLE_ARRAYS) store(`${name}.${part}`, vectors[part]);
      const { memberOf } = vectors;
      store(`${name}.memberOf`, sampleClusters(vectors) <= 65_536 ? Uint16Array.from(memberOf) : memberOf);
    }
  }
  const description: Omit<LightDescription, 'accessors'> = {
    version: LIGHT_VERSION,
    order,
    bounces,
    albedo,
    operator,
    hashes,
    ...(made && { made }),
    ...(place && { place: [...place] }),
    ...(posed && { diagonal: posed.diagonal, step: posed.poses.step }),
    ...(samples && {
      samples: {
        method: samples.method,
        groups: samples.groups,
        ...(samples.gloss && { gloss: { brdf: samples.gloss.brdf, parameter: samples.gloss.parameter } }),
      },
    }),
  };
  const definition = editor.change('meshes', mesh);
  const primitives = definition.primitives.map(withoutLight);
  const vertexOf = model.mesh.seams?.vertexOf;
  for (const { start, count, primitives: users } of runs) {
    const own = { ...accessors };
    const rows = Uint32Array.from({ length: count }, (_, v) => vertexOf?.[start + v] ?? start + v);
    if (posed && rows.some((row, v) => row !== v)) {
      own.rows = editor.accessor('SCALAR', vertexCount(model.mesh) <= 65_536 ? Uint16Array.from(rows) : rows);
    }
    for (const p of users) {
      const extension: LightDescription = { ...description, accessors: { ...own } };
      primitives[p].extensions = { ...primitives[p].extensions, [LIGHT_EXTENSION]: extension };
    }
  }
  definition.primitives = primitives;
  editor.useExtension(LIGHT_EXTENSION);
}

function withoutLight(primitive: GLTF.IMeshPrimitive): GLTF.IMeshPrimitive {
  const { [LIGHT_EXTENSION]: _, ...others } = primitive.extensions ?? {};
  const { extensions: __, ...kept } = primitive;
  return Object.keys(others).length > 0 ? { ...kept, extensions: others } : kept;
}

/**
 * The light of a model that was read, if its mesh has some and it can be used. What it was made for is compared with what
 * the model is now. `boneOfJoint`: joint of the skin → bone.
 */
export function readLight(
  json: GLTF.IGLTF,
  accessors: Accessors,
  model: SkinnedModel,
  { node, runs }: Pick<ModelOrigin, 'node' | 'runs'>,
  boneOfJoint: Uint16Array,
  notes: Note[],
): LightModel | undefined {
  const { primitives } = json.meshes![json.nodes![node].mesh!];
  const described = (p: number) => primitives[p].extensions?.[LIGHT_EXTENSION] as LightDescription | undefined;
  if (runs.every(({ primitives: users }) => users.every((p) => described(p) === undefined))) return undefined;
  const name = model.name;
  try {
    const light = lightOf(
      runs.map(({ primitives: users }) => described(users[0])!),
      accessors,
      model,
      runs,
      boneOfJoint,
    );
    validateLight(light, vertexCount(model.mesh), boneCount(model.skeleton));
    const now = lightHashes(model);
    const changed = (['mesh', 'weights'] as const).filter((part) => now[part] !== light.hashes[part]);
    if (light.operator !== model.operator)
      notes.push(note('light-operator', { made: light.operator, now: model.operator }, name));
    if (changed.length > 0) notes.push(note('light-changed', { changed: changed.join(' and ') }, name));
    return light;
  } catch (error) {
    if (!(error instanceof PliantError || error instanceof TypeError || error instanceof RangeError)) throw error;
    notes.push(note(notReadCode(error), {}, name));
    return undefined;
  }
}

/** Rows and joints of the file as vertices and bones of the model. */
function lightOf(
  parts: readonly LightDescription[],
  accessors: Accessors,
  model: SkinnedModel,
  runs: ModelOrigin['runs'],
  boneOfJoint: Uint16Array,
): LightModel {
  const fail = (cause: string): never => {
    throw new PliantError('bad-file', 'readLight', cause);
  };
  const light = describedLight(parts[0], (index) => accessors.stored(index));
  const toBones = (joints: Uint16Array): Uint16Array =>
    joints.map((joint) =>
      joint < boneOfJoint.length ? boneOfJoint[joint] : fail('joints that the skin does not have'),
    );
  const spheres = { ...light.spheres, joints: toBones(light.spheres.joints) };
  const { residual, samples } = light;
  const posed = residual ?? samples;
  if (!posed) return { ...light, spheres };

  // Each vertex takes the row of one of its split vertices.
  const n = vertexCount(model.mesh);
  const rowOf = new Uint32Array(n);
  const split = Uint32Array.from({ length: splitVertexCount(model.mesh) }, (_, w) => w);
  const vertexOf = model.mesh.seams?.vertexOf ?? split;
  runs.forEach(({ start, count }, r) => {
    const at = parts[r]?.accessors.rows;
    const rows = at === undefined ? undefined : accessors.integers(at, 'SCALAR', 'PLIANT_light.rows');
    if (rows && rows.length !== count) fail('rows of another mesh');
    for (let v = 0; v < count; v++) rowOf[vertexOf[start + v]] = rows ? rows[v] : v;
  });
  const rows = posed.groupOf.length;
  if (rowOf.some((row) => row >= rows)) fail('too few rows');
  const inOrder = <T extends Int8Array | Int16Array | Uint16Array | Uint32Array>(array: T): T => {
    const size = array.length / rows;
    const out = new (array.constructor as new (length: number) => T)(n * size);
    for (let i = 0; i < n; i++) out.set(array.subarray(rowOf[i] * size, (rowOf[i] + 1) * size), i * size);
    return out;
  };
  const modesInOrder = (modes: LightModes): LightModes => ({
    ...modes,
    mean: inOrder(modes.mean),
    basis: inOrder(modes.basis),
  });
  const vectorsInOrder = (vectors: SampledVectors): SampledVectors => ({
    ...vectors,
    memberOf: inOrder(vectors.memberOf),
    coefficients: inOrder(vectors.coefficients),
  });
  const own = { bones: toBones(posed.bones), groupOf: inOrder(posed.groupOf) };
  if (samples) {
    const { diffuse, visibility, gloss } = samples;
    return {
      ...light,
      spheres,
      samples: {
        ...samples,
        ...own,
        diffuse: vectorsInOrder(diffuse),
        ...(visibility && { visibility: vectorsInOrder(visibility) }),
        ...(gloss && { gloss: { ...gloss, vectors: vectorsInOrder(gloss.vectors) } }),
      },
    };
  }
  if (!residual) return { ...light, spheres };
  return {
    ...light,
    spheres,
    residual: {
      ...residual,
      ...own,
      diffuse: modesInOrder(residual.diffuse),
      ...(residual.visibility && { visibility: modesInOrder(residual.visibility) }),
    },
  };
}
