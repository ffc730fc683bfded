import { gatherRows } from '../math/rows.ts';
import { diagonalOf } from '../mesh/bounds.ts';
import { ContractibleMesh } from '../mesh/decimation/contractible-mesh.ts';
import { Contractor } from '../mesh/decimation/contractor.ts';
import { soften, uncollapsed } from './collapsed-mesh.ts';
import { type Features, SIDE } from './features.ts';
import { StarFlattener } from './flatten.ts';
import { NormalQuadrics } from './normal-quadrics.ts';
import { type CollapsedMesh, CollapseRecords } from './records.ts';
import { after, before, type FanMesh } from './weld.ts';

/** Settings that were chosen by trying; see docs/notes/lod.md. */
export interface CollapseSettings {
  /** Weight of planes through borders and through other lines, relative to a face as wide as the edge is long. */
  borderWeight: number;
  lineWeight: number;
  /** Cost of moving along the surface, relative to moving off it. */
  pointWeight: number;
  /** Cosine that the normal of a face must keep in every pose. */
  minCosine: number;
  /** Height over width below which triangles must not become thinner. */
  minHeight: number;
  /** Whether both are given up where the target is out of reach. */
  mayHarm: boolean;
  /** Cost of normals that are off by 1, relative to that of a distance of one diagonal, at the start. */
  normalWeight: number;
  /** Power of the triangles that are gone by which it grows: coarse levels are seen from afar, where shading is what is left. */
  normalGrowth: number;
}

export const COLLAPSE_SETTINGS: CollapseSettings = {
  borderWeight: 3,
  lineWeight: 0.5,
  pointWeight: 1e-5,
  minCosine: 0.2,
  minHeight: 0.05,
  mayHarm: true,
  normalWeight: 1e-5,
  normalGrowth: 1,
};

/** The lines without hard edges: for when those leave nothing more to do, or from the start. */
export interface SoftFeatures {
  features: Features;
  atOnce: boolean;
}

/** What a vertex may do: be merged into any neighbour, into the next on its line, or stay. */
const KIND = { free: 0, line: 1, fixed: 2 } as const;

/** Collapses one after the other, the cheapest first, and records them. */
export class Collapser {
  readonly records = new CollapseRecords();
  readonly facesLeft: number[] = [];
  faces: number;
  readonly #contractor: Contractor;
  readonly #state: CollapsedMesh;
  readonly #kinds: Uint8Array;
  /** 2n: the neighbours of a vertex on its line. */
  readonly #onLine: Int32Array;
  /** n: 1 for a vertex on a border; collapses do not change that. */
  readonly #isBorder: Uint8Array;
  readonly #groupOf: Uint32Array;
  /** Faces of each material group: its last one stays. */
  readonly #groupFaces: Uint32Array;
  readonly #star = new StarFlattener();
  readonly #rest: Float64Array;
  readonly #corners: number[] = [];
  readonly #ring: number[] = [];
  readonly #settings: CollapseSettings;
  readonly #shading?: NormalQuadrics;
  readonly #allFaces: number;
  #normalWeight: number;
  #reweighAt: number;
  readonly #features: Features;
  readonly #soft?: SoftFeatures;
  /** The collapse from which on hard edges no longer count. */
  softFrom = Infinity;
  #harmAllowed = false;

  constructor(
    fans: FanMesh,
    features: Features,
    poses: readonly ArrayLike<number>[],
    kept: Uint8Array,
    settings: CollapseSettings,
    soft?: SoftFeatures,
  ) {
    const n = fans.vertexOf.length;
    this.#features = features;
    this.#soft = soft;
    this.#state = uncollapsed(fans, features);
    this.faces = this.#state.alive.reduce((sum, alive) => sum + alive, 0);
    this.#groupOf = features.groupOf;
    this.#groupFaces = new Uint32Array(1 + features.groupOf.reduce((most, g) => Math.max(most, g), 0));
    for (let f = 0; f < this.#groupOf.length; f++) this.#groupFaces[this.#groupOf[f]] += this.#state.alive[f];
    this.#rest = gatherRows(Float64Array.from(poses[0]), 3, fans.vertexOf);

    const lines = Uint32Array.from(features.sides.keys()).filter(
      (c) => features.sides[c] !== SIDE.smooth && this.#state.alive[Math.floor(c / 3)] === 1,
    );
    const shares = Float64Array.from(lines, (c) =>
      features.sides[c] === SIDE.border ? settings.borderWeight : settings.lineWeight,
    );
    this.#kinds = new Uint8Array(n);
    this.#onLine = new Int32Array(2 * n).fill(-1);
    this.#isBorder = new Uint8Array(n);
    for (let c = 0; c < fans.triangles.length; c++) {
      if (features.sides[c] !== SIDE.border || this.#state.alive[Math.floor(c / 3)] === 0) continue;
      this.#isBorder[fans.triangles[c]] = this.#isBorder[fans.triangles[after(c)]] = 1;
    }
    const whole = new ContractibleMesh(fans.triangles, n);
    for (let v = 0; v < n; v++) this.#classify(v, whole);
    this.#settings = settings;
    this.#normalWeight = settings.normalWeight;
    this.#allFaces = this.faces;
    this.#reweighAt = this.faces * REWEIGH;
    const shading =
      features.normals && settings.normalWeight > 0 ? shadingOf(fans, features.normals, this.#rest) : undefined;
    this.#shading = shading;
    const queueOf = Int32Array.from(kept, (keep) => (keep ? -1 : 0));
    this.#contractor = new Contractor(
      {
        triangles: fans.triangles,
        poses: poses.map((pose) => gatherRows(Float64Array.from(pose), 3, fans.vertexOf)),
        lines: { corners: lines, shares },
      },
      {
        placement: 'second',
        planeWeight: 'area',
        boundaryWeight: 1,
        pointWeight: settings.pointWeight,
        maxTurn: Math.acos(settings.minCosine),
        minHeight: settings.minHeight,
      },
      {
        queueOf,
        mayContract: (i, j) =>
          this.#kinds[i] === KIND.free ||
          (this.#kinds[i] === KIND.line && (this.#onLine[2 * i] === j || this.#onLine[2 * i + 1] === j)),
        isSafe: (i, j) => this.#isSafe(i, j),
        ...(shading && { extraCost: (i, j) => this.#normalWeight * shading.cost(i, j) }),
        beforeContract: (i, j) => {
          this.#record();
          shading?.merge(i, j);
        },
        onContract: (_, j) => this.#afterCollapse(j),
      },
    );
    if (soft?.atOnce) this.#relax();
  }

  /** From time to time the normals get their new weight, and all costs are looked at again. */
  #reweigh(): void {
    if (!this.#shading || this.faces > this.#reweighAt) return;
    const { normalWeight, normalGrowth } = this.#settings;
    this.#normalWeight = normalWeight * Math.min(MOST_GROWTH, (this.#allFaces / this.faces) ** normalGrowth);
    this.#reweighAt = this.faces * REWEIGH;
    this.#contractor.retry();
  }

  /** At most `most` collapses, until `least` faces are left. Returns whether there may be more to do. */
  some(least: number, most: number): boolean {
    for (let q = 0; q < most && this.faces > least; q++) {
      this.#reweigh();
      if (this.#contractor.contractNext()) continue;
      if (!this.#relax()) return false;
    }
    return true;
  }

  /** Gives up what can be given up to get further: first hard edges, then the shapes of triangles. */
  #relax(): boolean {
    if (this.#soft && this.softFrom === Infinity) {
      this.softFrom = this.records.count;
      soften(this.#state, this.#features, this.#soft.features);
      for (let v = 0; v < this.#kinds.length; v++) this.#classify(v, this.#contractor.mesh);
      this.#contractor.retry();
      return true;
    }
    if (this.#harmAllowed || !this.#settings.mayHarm) return false;
    this.#harmAllowed = true;
    this.#contractor.allowHarm();
    return true;
  }

  /** Flattens the star of i and sees to it that i can be merged into j without folds there, and no material vanishes. */
  #isSafe(i: number, j: number): boolean {
    const star = this.#star;
    const { wedges, vertices } = this.#state;
    star.gather(this.#cornersOf(i, this.#contractor.mesh), vertices, j);
    if (this.#takesLastOfGroup()) return false;
    // Where the line leaves i on the other side: between two faces of different wedges.
    let bend = -1;
    if (star.closed && this.#kinds[i] === KIND.line) {
      for (let s = 1; s < star.faces; s++) if (wedges[star.corners[s]] !== wedges[star.corners[s - 1]]) bend = s;
    }
    star.layOut(this.#rest, i, bend);
    if (!star.folds()) return true;
    if (!this.#harmAllowed) return false;
    star.layOutRound(bend);
    return !star.folds();
  }

  #takesLastOfGroup(): boolean {
    const { corners, faces, target, closed } = this.#star;
    const left = target < faces ? this.#groupOf[Math.floor(corners[target] / 3)] : -1;
    const other = target > 0 ? target - 1 : closed ? faces - 1 : -1;
    const right = other >= 0 ? this.#groupOf[Math.floor(corners[other] / 3)] : -1;
    const lost = (g: number): boolean => g >= 0 && this.#groupFaces[g] <= (left === right ? 2 : 1);
    return lost(left) || lost(right);
  }

  /** Keeps the star that was flattened last, and does to the wedges what the contraction does to the mesh. */
  #record(): void {
    const { records } = this;
    const state = this.#state;
    records.add(this.#star, state.last);
    records.replay(records.count - 1, state);
    const { corners, faces } = this.#star;
    for (let s = 0; s < faces; s++) {
      const face = Math.floor(corners[s] / 3);
      if (state.alive[face] === 1) continue;
      this.#groupFaces[this.#groupOf[face]]--;
      this.faces--;
    }
    this.facesLeft.push(this.faces);
  }

  #afterCollapse(j: number): void {
    const { mesh } = this.#contractor;
    this.#classify(j, mesh);
    for (const n of mesh.neighbours(j, this.#ring)) this.#classify(n, mesh);
  }

  /** What v may do: by the wedges around it and the border. */
  #classify(v: number, mesh: ContractibleMesh): void {
    const { wedges } = this.#state;
    const corners = this.#cornersOf(v, mesh);
    const oneWedge = corners.every((c) => wedges[c] === wedges[corners[0]]);
    const isBorder = this.#isBorder[v] === 1;
    this.#kinds[v] = KIND.free;
    if (oneWedge && !isBorder) return;
    // The sides at v that are lines: of a border, or between two wedges.
    let lines = 0;
    const onLine = (end: number): void => {
      if (lines < 2) this.#onLine[2 * v + lines] = end;
      lines++;
    };
    for (const c of corners) {
      const start = mesh.corners[after(c)];
      const other = corners.find((d) => mesh.corners[before(d)] === start);
      if (other === undefined || wedges[other] !== wedges[c]) onLine(start);
      const end = mesh.corners[before(c)];
      if (!corners.some((d) => mesh.corners[after(d)] === end)) onLine(end);
    }
    this.#kinds[v] = lines === 2 && (oneWedge || !isBorder) ? KIND.line : KIND.fixed;
  }

  /** The corners of v, of the faces that there are. */
  #cornersOf(v: number, { firstCorner, nextCorner }: ContractibleMesh): number[] {
    const corners = this.#corners;
    corners.length = 0;
    for (let c = firstCorner[v]; c >= 0; c = nextCorner[c]) corners.push(c);
    return corners;
  }
}

/** Quadrics of normals, for vertices that have one. */
function shadingOf(fans: FanMesh, normals: Float32Array, rest: Float64Array): NormalQuadrics {
  const { triangles } = fans;
  const ofVertices = new Float64Array(rest.length);
  const first = new Int32Array(fans.vertexOf.length).fill(-1);
  const several = new Uint8Array(fans.vertexOf.length);
  for (let c = 0; c < triangles.length; c++) {
    const v = triangles[c];
    if (first[v] < 0) first[v] = c;
    let dot = 0;
    for (let k = 0; k < 3; k++) {
      ofVertices[3 * v + k] += normals[3 * c + k];
      dot += normals[3 * c + k] * normals[3 * first[v] + k];
    }
    if (dot < ONE_NORMAL) several[v] = 1;
  }
  for (let v = 0; v < several.length; v++) {
    const o = 3 * v;
    const length = Math.hypot(ofVertices[o], ofVertices[o + 1], ofVertices[o + 2]);
    for (let k = o; k < o + 3; k++) ofVertices[k] = several[v] === 1 || length === 0 ? 0 : ofVertices[k] / length;
  }
  return new NormalQuadrics(rest, triangles, normals, ofVertices, diagonalOf(rest) || 1);
}

/** How many times as much normals count at most in the end. */
const MOST_GROWTH = 16;
/** Share of the faces after which the weight of normals is set anew. */
const REWEIGH = 0.7;
/** Cosine above which normals of a vertex are one. */
const ONE_NORMAL = 0.9;
