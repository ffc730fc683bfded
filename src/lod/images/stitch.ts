import { type GeometryImages, patchCount, stepsOf, texelOf } from '../../model/geometry-images.ts';
import { type BaseComplex, gridTriangles, samplesPerPatch } from './base-complex.ts';
import { fromOctahedral } from './pack.ts';

/**
 * Patches of any levels, sewn together. Feng 2010, (4.8), rounds indices along a side to those of the coarser neighbour;
 * corners, where patches of more than two levels may meet, are not treated there. Here a sample on a side is taken from
 * this patch's own image of the coarser of both levels, and a corner from that of the coarsest level around it: images
 * agree there to the bit, whichever patch they are of.
 *
 * One word per patch says all a shader needs, four bits each: its level, the levels of its sides 0, 1, 2, of its corners
 * 0, 1, 2.
 */
export class Stitcher {
  readonly #base: BaseComplex;
  readonly #around: Uint8Array;

  constructor(base: BaseComplex) {
    this.#base = base;
    this.#around = new Uint8Array(base.vertexCount);
  }

  /** words (P) for levels (P). */
  sew(levels: ArrayLike<number>, words: Uint32Array): void {
    const { corners, beyond } = this.#base;
    const around = this.#around.fill(15);
    const patches = words.length;
    for (let p = 0, c = 0; p < patches; p++) {
      const level = levels[p];
      for (const end = c + 3; c < end; c++) if (level < around[corners[c]]) around[corners[c]] = level;
    }
    for (let p = 0; p < patches; p++) {
      const c = 3 * p;
      const level = levels[p];
      let word = level;
      for (let s = 0; s < 3; s++) {
        const other = beyond[c + s];
        const side = other < 0 || levels[other] > level ? level : levels[other];
        word |= (side << (4 + 4 * s)) | (around[corners[c + s]] << (16 + 4 * s));
      }
      words[p] = word;
    }
  }
}

/** Where a sample is taken from. */
export interface Fetch {
  level: number;
  i: number;
  j: number;
}

/** Sample (i, j) of a patch with this word: the same in whole numbers as in the shader. */
export function stitchedSample(out: Fetch, word: number, i: number, j: number): Fetch {
  const level = word & 15;
  const n = 1 << level;
  out.level = level;
  out.i = i;
  out.j = j;
  const side = j === 0 ? 0 : i === 0 ? 2 : i + j === n ? 1 : -1;
  if (side < 0) return out;
  // Along the side, rounded to the coarser level.
  const to = (word >> (4 + 4 * side)) & 15;
  const m = 1 << to;
  const half = (1 << (level - to)) >> 1;
  const along = ((side === 0 ? i : j) + half) >> (level - to);
  out.level = to;
  out.i = side === 0 ? along : side === 1 ? m - along : 0;
  out.j = side === 0 ? 0 : along;
  // What has become a corner is a corner.
  const corner = out.i === m ? 1 : out.j === m ? 2 : out.i + out.j === 0 ? 0 : -1;
  if (corner < 0) return out;
  out.level = (word >> (16 + 4 * corner)) & 15;
  out.i = corner === 1 ? 1 << out.level : 0;
  out.j = corner === 2 ? 1 << out.level : 0;
  return out;
}

/** A mesh of patches at mixed levels, one vertex per sample of each patch: what the shader draws. */
export interface StitchedMesh {
  triangles: Uint32Array;
  /** Vertex → the level and texel that it was taken from. */
  levels: Uint8Array;
  texels: Uint32Array;
  /** F: triangle → its patch. */
  patchOf: Uint32Array;
}

/** The triangles of all patches by their words; those that stitching leaves without an area are among them. */
export function stitchedMesh(images: GeometryImages, words: Uint32Array): StitchedMesh {
  let vertices = 0;
  let faces = 0;
  for (const word of words) {
    vertices += samplesPerPatch(word & 15);
    faces += stepsOf(word & 15) ** 2;
  }
  const out: StitchedMesh = {
    triangles: new Uint32Array(3 * faces),
    levels: new Uint8Array(vertices),
    texels: new Uint32Array(vertices),
    patchOf: new Uint32Array(faces),
  };
  const grids: Uint32Array[] = images.levels.map((_, level) => gridTriangles(level));
  const fetch: Fetch = { level: 0, i: 0, j: 0 };
  let vertex = 0;
  let face = 0;
  for (let p = 0; p < patchCount(images); p++) {
    const level = words[p] & 15;
    const n = stepsOf(level);
    const grid = grids[level];
    for (let c = 0; c < grid.length; c++) out.triangles[3 * face + c] = vertex + grid[c];
    out.patchOf.fill(p, face, face + grid.length / 3);
    face += grid.length / 3;
    for (let j = 0; j <= n; j++) {
      for (let i = 0; i <= n - j; i++, vertex++) {
        stitchedSample(fetch, words[p], i, j);
        out.levels[vertex] = fetch.level;
        out.texels[vertex] = texelOf(images.levels[fetch.level], fetch.level, p, fetch.i, fetch.j);
      }
    }
  }
  return out;
}

/** Positions (3 per vertex) of a stitched mesh, in single precision as the shader has them; skinned when bones are given. */
export function stitchedPositions(
  { levels, origin, step }: GeometryImages,
  mesh: StitchedMesh,
  bones?: ArrayLike<number>,
): Float32Array {
  const f = Math.fround;
  const out = new Float32Array(3 * mesh.texels.length);
  const x = new Float32Array(3);
  mesh.texels.forEach((t, vertex) => {
    const { positions, joints, weights } = levels[mesh.levels[vertex]];
    for (let d = 0; d < 3; d++) x[d] = f(origin[d] + f(step * positions[3 * t + d]));
    if (!bones || !joints || !weights) {
      out.set(x, 3 * vertex);
      return;
    }
    for (let d = 0; d < 3; d++) {
      let sum = 0;
      for (let c = 0; c < 4; c++) {
        const b = 12 * joints[4 * t + c] + 4 * d;
        const moved = f(
          f(f(f(f(bones[b]) * x[0]) + f(f(bones[b + 1]) * x[1])) + f(f(bones[b + 2]) * x[2])) + f(bones[b + 3]),
        );
        sum = f(sum + f(f(weights[4 * t + c] / 65535) * moved));
      }
      out[3 * vertex + d] = sum;
    }
  });
  return out;
}

/** Unit normals (3 per vertex) of a stitched mesh at rest. */
export function stitchedNormals({ levels }: GeometryImages, mesh: StitchedMesh): Float32Array {
  const out = new Float32Array(3 * mesh.texels.length);
  mesh.texels.forEach((t, vertex) => {
    const { normals } = levels[mesh.levels[vertex]];
    fromOctahedral(out, 3 * vertex, normals[2 * t], normals[2 * t + 1]);
  });
  return out;
}
