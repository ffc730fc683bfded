import type { Patches } from '../src/lod/images/patches.ts';
import type { FacePoint } from '../src/lod/records.ts';

/**
 * The same patches in pairs, as quad charts: two triangles that share a side, laid out in the plane, sampled on a square grid
 * by a bilinear map, as geometry images with square charts are. Patches that are left over are sampled as triangles.
 */
export interface QuadCharts {
  charts: number;
  vertices: number;
  triangles: Uint32Array;
  /** 3 per vertex. */
  positions: Float32Array;
}

/** Pairs by falling length of the side they share. */
function pairs({ base, surface, level }: Patches): { a: number; side: number; b: number }[] {
  const x = surface.mesh.positions;
  const sides = Array.from(base.beyond.keys())
    .filter((c) => base.beyond[c] > Math.floor(c / 3))
    .map((c) => {
      const i = 3 * level.vertexOf[base.corners[c]];
      const j = 3 * level.vertexOf[base.corners[c % 3 === 2 ? c - 2 : c + 1]];
      return { c, length: Math.hypot(x[i] - x[j], x[i + 1] - x[j + 1], x[i + 2] - x[j + 2]) };
    })
    .sort((p, q) => q.length - p.length);
  const taken = new Set<number>();
  const out: { a: number; side: number; b: number }[] = [];
  for (const { c } of sides) {
    const [a, b] = [Math.floor(c / 3), base.beyond[c]];
    if (taken.has(a) || taken.has(b)) continue;
    taken.add(a);
    taken.add(b);
    out.push({ a, side: c % 3, b });
  }
  return out;
}

export function quadCharts(patches: Patches, level: number): QuadCharts {
  const { base, surface, records, level: faces } = patches;
  const n = 1 << level;
  const positions: number[] = [];
  const triangles: number[] = [];
  const at: FacePoint = { face: 0, u: 0, v: 0, w: 0 };
  const { triangles: of, positions: x } = surface.mesh;
  const sample = (patch: number, weights: readonly number[]): number => {
    records.carry(faces.last, faces.faces[patch], weights[0], weights[1], weights[2], at);
    const share = [at.u, at.v, 1 - at.u - at.v];
    for (let d = 0; d < 3; d++)
      positions.push(share.reduce((sum, w, c) => sum + w * x[3 * of[3 * at.face + c] + d], 0));
    return positions.length / 3 - 1;
  };
  const place = (v: number): number[] => [0, 1, 2].map((d) => x[3 * faces.vertexOf[v] + d]);
  const apart = (p: number[], q: number[]): number => Math.hypot(...p.map((c, d) => c - q[d]));

  const paired = new Set<number>();
  const found = pairs(patches);
  for (const { a, side, b } of found) {
    paired.add(a).add(b);
    // Corners: p and q on the side they share, r of a, s of b.
    const corner = (patch: number, c: number): number => base.corners[3 * patch + (c % 3)];
    const [p, q, r] = [corner(a, side), corner(a, side + 1), corner(a, side + 2)];
    const inB = [0, 1, 2].find((c) => corner(b, c) !== p && corner(b, c) !== q)!;
    const s = corner(b, inB);
    // In the plane: p at 0, q along the first axis, r above, s below.
    const length = apart(place(p), place(q));
    const over = (v: number, sign: number): [number, number] => {
      const [fromP, fromQ] = [apart(place(p), place(v)), apart(place(q), place(v))];
      const along = (fromP ** 2 - fromQ ** 2 + length ** 2) / (2 * length);
      return [along, sign * Math.sqrt(Math.max(0, fromP ** 2 - along ** 2))];
    };
    const [rx, ry] = over(r, 1);
    const [sx, sy] = over(s, -1);
    const first = positions.length / 3;
    for (let j = 0; j <= n; j++) {
      for (let i = 0; i <= n; i++) {
        // Bilinear over p, s, q, r.
        const [u, v] = [i / n, j / n];
        const px = u * (1 - v) * sx + u * v * length + (1 - u) * v * rx;
        const py = u * (1 - v) * sy + (1 - u) * v * ry;
        const [tx, ty, patch] = py >= 0 ? [rx, ry, a] : [sx, sy, b];
        const top = ty === 0 ? 0 : py / ty;
        const right = (px - top * tx) / length;
        const raw = [1 - top - right, right, top].map((w) => Math.max(0, w));
        const sum = raw[0] + raw[1] + raw[2];
        const [wp, wq, wt] = raw.map((w) => w / sum);
        const weights = [0, 0, 0];
        for (let c = 0; c < 3; c++) {
          const vertex = corner(patch, c);
          weights[c] = vertex === p ? wp : vertex === q ? wq : wt;
        }
        sample(patch, weights);
      }
    }
    for (let j = 0; j < n; j++) {
      for (let i = 0; i < n; i++) {
        const o = first + j * (n + 1) + i;
        triangles.push(o, o + 1, o + n + 2, o, o + n + 2, o + n + 1);
      }
    }
  }
  const all = faces.faces.length;
  for (let patch = 0; patch < all; patch++) {
    if (paired.has(patch)) continue;
    const rows: number[][] = [];
    for (let j = 0; j <= n; j++) {
      rows.push(Array.from({ length: n - j + 1 }, (_, i) => sample(patch, [(n - i - j) / n, i / n, j / n])));
    }
    for (let j = 0; j < n; j++) {
      for (let i = 0; i < n - j; i++) {
        triangles.push(rows[j][i], rows[j][i + 1], rows[j + 1][i]);
        if (i + j + 1 < n) triangles.push(rows[j][i + 1], rows[j + 1][i + 1], rows[j + 1][i]);
      }
    }
  }
  return {
    charts: found.length + all - paired.size,
    vertices: positions.length / 3,
    triangles: Uint32Array.from(triangles),
    positions: Float32Array.from(positions),
  };
}
