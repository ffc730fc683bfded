import { gatherRows } from '../math/rows.ts';
import { diagonalOf } from '../mesh/bounds.ts';
import { ContractibleMesh } from '../mesh/decimation/contractible-mesh.ts';
import { Contractor } from '../mesh/decimation/contractor.ts';
import { faceArea } from '../mesh/triangle.ts';
import { soften, uncollapsed } from './collapsed-mesh.ts';
import { type Features, SIDE } from './features.ts';
import { StarFlattener } from './flatten.ts';
import { type Piece, smallPieces } from './pieces.ts';
import { type CollapsedMesh, CollapseRecords } from './records.ts';
import { type ShownValues, ValueQuadrics } from './value-quadrics.ts';
import { after, before, type FanMesh } from './weld.ts';

/** Settings that were chosen by trying; see docs/notes/lod.md. */
export interface CollapseSettings {
  /** Weight of planes through borders and through other lines, relative to a face as wide as the edge is long. */
  borderWeight: number;
  lineWeight: number;
  /** Cost of moving along the surface, relative to moving off it. */
  pointWeight: number;
  /** How much of a cost is what the fit will leave of it at best. */
  fitShare: number;
  /** Cosine that the normal of a face must keep in every pose. */
  minCosine: number;
  /** Height over width below which triangles must not become thinner. */
  minHeight: number;
  /** Whether both are given up where the target is out of reach. */
  mayHarm: boolean;
  /** Whether small pieces may vanish. */
  mayDrop: boolean;
  /** Cost of normals that are off by 1, relative to that of a distance of one diagonal, at the start. */
  normalWeight: number;
  /** Power of the triangles that are gone by which it grows: coarse levels are seen from afar, where shading is what is left. */
  normalGrowth: number;
  /** Cost of textures that slide along the surface, relative to moving off it. */
  uvWeight: number;
  /** Cost of surface that gets the texture of another chart, in squared diagonals; Infinity where lines must stay. */
  seamCost: number;
}

export const COLLAPSE_SETTINGS: CollapseSettings = {
  borderWeight: 3,
  lineWeight: 0.5,
  pointWeight: 1e-7,
  fitShare: 0.5,
  minCosine: 0.2,
  minHeight: 0.05,
  mayHarm: true,
  mayDrop: true,
  normalWeight: 3e-7,
  normalGrowth: 2,
  uvWeight: 0.1,
  seamCost: 1e-4,
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
  /** The faces as collapses leave them. */
  #mesh: ContractibleMesh;
  readonly #state: CollapsedMesh;
  readonly #kinds: Uint8Array;
  /** 2n: the neighbours of a vertex on its line. */
  readonly #onLine: Int32Array;
  /** n: 1 for a vertex that may leave its lines, at a price: neither on a border nor between materials. */
  readonly #mayLeave: Uint8Array;
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
  readonly #shading?: ValueQuadrics;
  readonly #allFaces: number;
  #normalWeight: number;
  #reweighAt: number;
  readonly #features: Features;
  readonly #soft?: SoftFeatures;
  /** The collapse from which on hard edges no longer count. */
  softFrom = Infinity;
  #harmAllowed = false;
  /** The pieces that may vanish, from the next one on. */
  readonly #pieces: Piece[];
  #piece = 0;

  constructor(
    fans: FanMesh,
    features: Features,
    poses: readonly Float32Array[],
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
    this.#mayLeave = new Uint8Array(n);
    this.#isBorder = new Uint8Array(n);
    for (let c = 0; c < fans.triangles.length; c++) {
      if (features.sides[c] !== SIDE.border || this.#state.alive[Math.floor(c / 3)] === 0) continue;
      this.#isBorder[fans.triangles[c]] = this.#isBorder[fans.triangles[after(c)]] = 1;
    }
    this.#settings = settings;
    this.#mesh = new ContractibleMesh(fans.triangles, n);
    for (let v = 0; v < n; v++) this.#classify(v);
    this.#normalWeight = settings.normalWeight;
    this.#allFaces = this.faces;
    this.#reweighAt = this.faces * REWEIGH;
    const unit = diagonalOf(this.#rest) || 1;
    const { normals, uvs } = features;
    const quadrics = (shown: ShownValues) => new ValueQuadrics(this.#rest, fans.triangles, shown, unit);
    const shading = normals && settings.normalWeight > 0 ? quadrics(shownNormals(fans, normals)) : undefined;
    const texture = uvs && settings.uvWeight > 0 ? quadrics(shownUvs(fans, uvs, this.#rest, unit)) : undefined;
    this.#shading = shading;
    const fanPoses = poses.map((pose) => gatherRows(pose, 3, fans.vertexOf));
    this.#pieces = settings.mayDrop ? smallPieces(fans, fanPoses, kept) : [];
    const queueOf = Int32Array.from(kept, (keep) => (keep ? -1 : 0));
    this.#contractor = new Contractor(
      {
        triangles: fans.triangles,
        poses: fanPoses,
        lines: { corners: lines, shares },
      },
      {
        placement: 'second',
        fitShare: settings.fitShare,
        planeWeight: 'area',
        boundaryWeight: 1,
        pointWeight: settings.pointWeight,
        maxTurn: Math.acos(settings.minCosine),
        minHeight: settings.minHeight,
      },
      {
        queueOf,
        mayContract: (i, j) => this.#keepsLines(i, j) || this.#mayLeave[i] === 1,
        isSafe: (i, j) => this.#isSafe(i, j),
        extraCost: (i, j) =>
          (shading ? this.#normalWeight * shading.cost(i, j) : 0) +
          (texture ? settings.uvWeight * texture.cost(i, j) : 0) +
          (this.#keepsLines(i, j) ? 0 : (settings.seamCost * this.#sweptArea(i, j)) / unit ** 2),
        beforeContract: (i, j) => {
          this.#record();
          shading?.merge(i, j);
          texture?.merge(i, j);
        },
        onContract: (_, j) => this.#afterCollapse(j),
      },
    );
    this.#mesh = this.#contractor.mesh;
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
      if (this.#dropPiece(this.#contractor.nextCost()) || this.#contractor.contractNext()) continue;
      if (!this.#relax()) return false;
    }
    return true;
  }

  /** Takes the next piece away if it costs no more than a collapse, and leaves something of its materials. */
  #dropPiece(most: number): boolean {
    for (; this.#piece < this.#pieces.length && this.#pieces[this.#piece].cost <= most; ) {
      const { faces } = this.#pieces[this.#piece++];
      const left = Array.from(faces).filter((f) => this.#state.alive[f] === 1);
      const perGroup = new Map<number, number>();
      for (const f of left) perGroup.set(this.#groupOf[f], (perGroup.get(this.#groupOf[f]) ?? 0) + 1);
      if ([...perGroup].some(([group, count]) => this.#groupFaces[group] <= count)) continue;
      this.#contractor.removePiece(faces);
      this.records.addRemoval(left);
      this.records.replay(this.records.count - 1, this.#state);
      for (const [group, count] of perGroup) this.#groupFaces[group] -= count;
      this.faces -= left.length;
      this.facesLeft.push(this.faces);
      return true;
    }
    return false;
  }

  /** Gives up what can be given up to get further: first hard edges, then the shapes of triangles. */
  #relax(): boolean {
    if (this.#soft && this.softFrom === Infinity) {
      this.softFrom = this.records.count;
      soften(this.#state, this.#features, this.#soft.features);
      for (let v = 0; v < this.#kinds.length; v++) this.#classify(v);
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
    star.gather(this.#cornersOf(i), vertices, j);
    if (this.#takesLastOfGroup()) return false;
    // Where the line leaves i on the other side: between two faces of different wedges.
    let bend = -1;
    if (star.closed && this.#kinds[i] === KIND.line && this.#keepsLines(i, j)) {
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
    this.#classify(j);
    for (const n of this.#mesh.neighbours(j, this.#ring)) this.#classify(n);
  }

  /** What v may do: by the wedges around it and the border. */
  #classify(v: number): void {
    const { wedges } = this.#state;
    const corners = this.#cornersOf(v);
    const oneWedge = corners.every((c) => wedges[c] === wedges[corners[0]]);
    const isBorder = this.#isBorder[v] === 1;
    this.#kinds[v] = KIND.free;
    if (oneWedge && !isBorder) return;
    const ends = this.#linesAt(corners);
    for (let l = 0; l < 2; l++) this.#onLine[2 * v + l] = ends[l] ?? -1;
    this.#kinds[v] = ends.length === 2 && (oneWedge || !isBorder) ? KIND.line : KIND.fixed;
    const group = this.#groupOf[Math.floor(corners[0] / 3)];
    const oneGroup = corners.every((c) => this.#groupOf[Math.floor(c / 3)] === group);
    this.#mayLeave[v] = this.#settings.seamCost < Infinity && !isBorder && oneGroup ? 1 : 0;
  }

  /** The other ends of the sides at a vertex (by its corners) that are lines: of a border, or between two wedges. */
  #linesAt(corners: readonly number[]): number[] {
    const { wedges, vertices } = this.#state;
    const ends: number[] = [];
    for (const c of corners) {
      const start = vertices[after(c)];
      const other = corners.find((d) => vertices[before(d)] === start);
      if (other === undefined || wedges[other] !== wedges[c]) ends.push(start);
      const end = vertices[before(c)];
      if (!corners.some((d) => vertices[after(d)] === end)) ends.push(end);
    }
    return ends;
  }

  /** Whether i leaves all lines where they are when it is merged into j. */
  #keepsLines(i: number, j: number): boolean {
    if (this.#kinds[i] === KIND.free) return true;
    return this.#kinds[i] === KIND.line && (this.#onLine[2 * i] === j || this.#onLine[2 * i + 1] === j);
  }

  /** The surface that changes its chart when i takes its lines with it to j, in the default pose. */
  #sweptArea(i: number, j: number): number {
    let area = 0;
    for (const end of this.#linesAt(this.#cornersOf(i))) {
      if (end !== j) area += faceArea(this.#rest, Uint32Array.of(i, j, end), 0);
    }
    return area;
  }

  /** The corners of v, of the faces that there are. */
  #cornersOf(v: number): number[] {
    const { firstCorner, nextCorner } = this.#mesh;
    const corners = this.#corners;
    corners.length = 0;
    for (let c = firstCorner[v]; c >= 0; c = nextCorner[c]) corners.push(c);
    return corners;
  }
}

/** The normals of vertices that have one. `normals`: 9F. */
function shownNormals({ triangles, vertexOf }: FanMesh, normals: Float32Array): ShownValues {
  const shown = oneValue(triangles, vertexOf.length, 3, normals, (dot) => dot >= ONE_NORMAL);
  const { ofVertices, isOne } = shown;
  for (let v = 0; v < isOne.length; v++) {
    const n = ofVertices.subarray(3 * v, 3 * v + 3);
    const length = Math.hypot(n[0], n[1], n[2]);
    if (length === 0) isOne[v] = 0;
    else for (let k = 0; k < 3; k++) n[k] /= length;
  }
  return shown;
}

/** Uvs (6F) of vertices that have one, in lengths on the surface over its diagonal. */
function shownUvs({ triangles, vertexOf }: FanMesh, uvs: Float32Array, rest: Float64Array, unit: number): ShownValues {
  let [there, here] = [0, 0];
  for (let t = 0; t < triangles.length; t += 3) {
    const o = 2 * t;
    const [ux, uy, vx, vy] = [
      uvs[o + 2] - uvs[o],
      uvs[o + 3] - uvs[o + 1],
      uvs[o + 4] - uvs[o],
      uvs[o + 5] - uvs[o + 1],
    ];
    there += Math.abs(ux * vy - uy * vx) / 2;
    here += faceArea(rest, triangles, t) / unit ** 2;
  }
  const scale = there > 0 ? Math.sqrt(here / there) : 0;
  const lengths = uvs.map((x) => scale * x);
  const shown = oneValue(triangles, vertexOf.length, 2, lengths, (_, apart2) => apart2 < ONE_UV);
  const count = new Uint32Array(vertexOf.length);
  for (const v of triangles) count[v]++;
  for (let c = 0; c < shown.ofVertices.length; c++) shown.ofVertices[c] /= count[c >> 1] || 1;
  return shown;
}

/** Sums of the values of corners at each vertex, and whether all are like the first. */
function oneValue(
  triangles: Uint32Array,
  n: number,
  size: number,
  ofCorners: Float32Array,
  alike: (dot: number, apart2: number) => boolean,
): ShownValues & { ofVertices: Float64Array } {
  const ofVertices = new Float64Array(size * n);
  const first = new Int32Array(n).fill(-1);
  const isOne = new Uint8Array(n).fill(1);
  for (let c = 0; c < triangles.length; c++) {
    const v = triangles[c];
    if (first[v] < 0) first[v] = c;
    let [dot, apart2] = [0, 0];
    for (let k = 0; k < size; k++) {
      const [value, other] = [ofCorners[size * c + k], ofCorners[size * first[v] + k]];
      ofVertices[size * v + k] += value;
      dot += value * other;
      apart2 += (value - other) ** 2;
    }
    if (!alike(dot, apart2)) isOne[v] = 0;
  }
  return { size, ofCorners, ofVertices, isOne };
}

/** Squared diagonals below which uvs of a vertex are one. */
const ONE_UV = 1e-12;
/** How many times as much normals count at most in the end. */
const MOST_GROWTH = 1024;
/** Share of the faces after which the weight of normals is set anew. */
const REWEIGH = 0.7;
/** Cosine above which normals of a vertex are one. */
const ONE_NORMAL = 0.9;
