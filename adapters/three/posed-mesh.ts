import { Matrix4, type SkinnedMesh } from 'three';
import { matrix34FromColumnMajor44 } from '../../src/math/matrix34.ts';
import type { SkinnedModel } from '../../src/model/skinned-model.ts';
import { Skinner } from '../../src/skin/skinner.ts';
import { isIdentity } from './matrices.ts';
import { type Attribute, modelOf, transformAll } from './mesh-model.ts';
import { restSkeleton } from './rest-skeleton.ts';
import { SkinSpace } from './skin-space.ts';
import { skinningOf } from './use-skinning.ts';

/** All vertices of a skinned mesh where its bones have them now, posed by the library's kernels once per pose. */
export class PosedMesh {
  readonly model: SkinnedModel;
  readonly space: SkinSpace;
  /** Counts the poses taken. */
  version = 0;
  readonly #mesh: SkinnedMesh;
  readonly #skinner: Skinner;
  readonly #madeOf: readonly unknown[];
  readonly #toMesh = new Matrix4();
  #morphs: Float32Array;
  #positions: Float32Array;
  #spaceVersion = -1;

  /** `space`: where bones are blended; the one that draws the mesh unless told. */
  constructor(mesh: SkinnedMesh, space = skinningOf(mesh)?.palette.space ?? new SkinSpace(mesh)) {
    const skinning = skinningOf(mesh);
    this.#mesh = mesh;
    this.#madeOf = ingredients(mesh);
    this.space = space;
    this.model = modelOf(mesh.geometry, restSkeleton(space.skeleton, space.bind), space.fromMesh(new Matrix4(), mesh));
    const { operator = 'lbs', antipodality = true } = skinning ?? {};
    this.#skinner = new Skinner(this.model, { operator, antipodality, normals: false });
    this.#morphs = new Float32Array(this.model.morphs!.length).fill(Number.NaN);
    this.#positions = new Float32Array(0);
  }

  /** 3N, in the space of the mesh. The same array from pose to pose; `version` says whether it is a new one. */
  positions(): Float32Array {
    const { space, version } = this;
    space.refresh();
    space.toMesh(toMesh, this.#mesh);
    const morphs = this.morphWeights();
    const same = space.version === this.#spaceVersion && toMesh.equals(this.#toMesh);
    if (same && morphs.every((weight, m) => weight === this.#morphs[m])) return this.#positions;
    this.#spaceVersion = space.version;
    this.#toMesh.copy(toMesh);
    this.#morphs = morphs;
    this.#positions = this.#skinner.pose(space.transforms, space.signs, morphs).positions;
    if (!isIdentity(toMesh)) {
      matrix34FromColumnMajor44(rows, 0, toMesh.elements);
      transformAll(this.#positions, rows);
    }
    this.version = version + 1;
    return this.#positions;
  }

  /** M: the weights that the mesh's morphs have now. */
  morphWeights(): Float32Array {
    const influences = this.#mesh.morphTargetInfluences ?? [];
    return Float32Array.from(this.model.morphs!, (_, m) => influences[m] ?? 0);
  }

  /** Whether geometry, skeleton and operator are still those this was made for. */
  get current(): boolean {
    const now = ingredients(this.#mesh);
    return now.length === this.#madeOf.length && now.every((item, c) => Object.is(item, this.#madeOf[c]));
  }

  dispose(): void {
    this.#skinner.dispose();
  }
}

const toMesh = new Matrix4();
const rows = new Float64Array(12);

/** Everything whose change means another model. */
function ingredients(mesh: SkinnedMesh): unknown[] {
  const { geometry, skeleton, bindMatrix } = mesh;
  const skinning = skinningOf(mesh);
  const attributes = [
    geometry.index,
    ...['position', 'skinIndex', 'skinWeight', '_mix'].map((name) => geometry.getAttribute(name)),
    ...(geometry.morphAttributes.position ?? []),
  ] as (Attribute | null | undefined)[];
  return [
    ...attributes.flatMap((attribute) => [attribute, versionOf(attribute)]),
    ...bindMatrix.elements,
    skeleton,
    skinning,
    skinning?.palette.space,
  ];
}

/** How often an attribute was changed. */
function versionOf(attribute: Attribute | null | undefined): number {
  if (!attribute) return 0;
  return 'isInterleavedBufferAttribute' in attribute ? attribute.data.version : attribute.version;
}

const posed = new WeakMap<SkinnedMesh, PosedMesh>();

/** The posed vertices of a mesh, kept with it. */
export function posedMesh(mesh: SkinnedMesh): PosedMesh {
  let known = posed.get(mesh);
  if (!known?.current) {
    known?.dispose();
    known = new PosedMesh(mesh);
    posed.set(mesh, known);
  }
  return known;
}
