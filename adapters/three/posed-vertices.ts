import { Matrix4, type SkinnedMesh } from 'three';
import { matrix34FromColumnMajor44 } from '../../src/math/matrix34.ts';
import type { SkinnedModel } from '../../src/model/skinned-model.ts';
import { Skinner } from '../../src/skin/skinner.ts';
import { type Attribute, modelOf, restSkeleton, transformAll } from './mesh-model.ts';
import { SkinSpace } from './skin-space.ts';
import { skinnings } from './skinnings.ts';

/** All vertices of a skinned mesh where its bones have them now, posed by the library's kernels once per pose. */
export class PosedVertices {
  readonly model: SkinnedModel;
  readonly space: SkinSpace;
  /** Counts the poses taken. */
  version = 0;
  readonly #mesh: SkinnedMesh;
  readonly #skinner: Skinner;
  readonly #madeOf: ReturnType<typeof ingredients>;
  readonly #spaceBind: Matrix4;
  readonly #toMesh = new Matrix4();
  readonly #morphs: Float32Array;
  #positions: Float32Array;
  /** Counts the changes of morph weights. */
  #morphVersion = 0;
  /** What the positions were computed for. */
  #seen = { space: -1, morphs: -1 };

  /** `space`: where bones are blended; the one that draws the mesh unless told. */
  constructor(mesh: SkinnedMesh, space = skinnings.get(mesh)?.palette.space ?? new SkinSpace(mesh)) {
    const skinning = skinnings.get(mesh);
    this.#mesh = mesh;
    this.#madeOf = ingredients(mesh);
    this.space = space;
    this.#spaceBind = space.bind.clone();
    this.model = modelOf(mesh.geometry, restSkeleton(space.skeleton, space.bind), space.fromMesh(new Matrix4(), mesh));
    const { operator = 'lbs', antipodality = true } = skinning ?? {};
    this.#skinner = new Skinner(this.model, { operator, antipodality, normals: false });
    this.#morphs = new Float32Array(this.model.morphs!.length);
    this.#positions = new Float32Array(0);
  }

  /** 3N, in the space of the mesh. The same array from pose to pose; `version` says whether it is a new one. */
  positions(): Float32Array {
    const { space } = this;
    space.refresh();
    space.toMesh(toMesh, this.#mesh);
    this.#dialMorphs();
    const same = space.version === this.#seen.space && this.#morphVersion === this.#seen.morphs;
    if (same && toMesh.equals(this.#toMesh)) return this.#positions;
    this.#seen = { space: space.version, morphs: this.#morphVersion };
    this.#toMesh.copy(toMesh);
    this.#positions = this.#skinner.pose(space.transforms, space.signs, this.#morphs).positions;
    if (!isIdentity(toMesh)) {
      matrix34FromColumnMajor44(rows, 0, toMesh.elements);
      transformAll(this.#positions, rows);
    }
    this.version++;
    return this.#positions;
  }

  /** M: the weights that the mesh's morphs have now. */
  morphWeights(): Float32Array {
    this.#dialMorphs();
    return this.#morphs;
  }

  #dialMorphs(): void {
    for (let m = 0; m < this.#morphs.length; m++) {
      const weight = Math.fround(this.#mesh.morphTargetInfluences?.[m] ?? 0);
      if (weight === this.#morphs[m]) continue;
      this.#morphs[m] = weight;
      this.#morphVersion++;
    }
  }

  /** Whether geometry, skeleton and operator are still those this was made for. */
  get current(): boolean {
    const mesh = this.#mesh;
    const made = this.#madeOf;
    const attributes = attributesOf(mesh);
    return (
      mesh.skeleton === made.skeleton &&
      skinnings.get(mesh) === made.skinning &&
      (made.skinning?.palette.space ?? this.space) === this.space &&
      mesh.bindMatrix.equals(made.bind) &&
      this.space.bind.equals(this.#spaceBind) &&
      attributes.length === made.attributes.length &&
      attributes.every((attribute, a) => attribute === made.attributes[a] && versionOf(attribute) === made.versions[a])
    );
  }

  dispose(): void {
    this.#skinner.dispose();
  }
}

const toMesh = new Matrix4();
const rows = new Float64Array(12);

/** Everything whose change means another model. */
const ingredients = (mesh: SkinnedMesh) => ({
  skeleton: mesh.skeleton,
  skinning: skinnings.get(mesh),
  bind: mesh.bindMatrix.clone(),
  attributes: attributesOf(mesh),
  versions: attributesOf(mesh).map(versionOf),
});

type Source = Attribute | null | undefined;

function attributesOf({ geometry }: SkinnedMesh): Source[] {
  const { position, skinIndex, skinWeight, _mix } = geometry.attributes;
  return [geometry.index, position, skinIndex, skinWeight, _mix, ...(geometry.morphAttributes.position ?? [])];
}

/** How often an attribute was changed. */
function versionOf(attribute: Source): number {
  if (!attribute) return 0;
  return 'isInterleavedBufferAttribute' in attribute ? attribute.data.version : attribute.version;
}

const posed = new WeakMap<SkinnedMesh, PosedVertices>();

/** The posed vertices of a mesh, kept with it. */
export function posedVertices(mesh: SkinnedMesh): PosedVertices {
  let known = posed.get(mesh);
  if (!known?.current) {
    known?.dispose();
    known = new PosedVertices(mesh);
    posed.set(mesh, known);
  }
  return known;
}

const IDENTITY = new Matrix4();

/** How far from the identity rounding takes a product of a matrix and its inverse. */
const ROUNDING = 1e-12;

/** Whether nothing would move. */
const isIdentity = ({ elements }: Matrix4): boolean =>
  elements.every((x, c) => Math.abs(x - IDENTITY.elements[c]) <= ROUNDING);
