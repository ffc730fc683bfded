import { cross3 } from '../../math/vector.ts';
import { weldVertices } from '../../mesh/seams.ts';
import { largestWeights } from '../../model/influences.ts';
import type { Mesh } from '../../model/mesh.ts';
import type { SkinnedModel, SkinWeights } from '../../model/skinned-model.ts';
import { type BoneTurn, evenClips, skeletonOf } from './skeleton.ts';

const WIDTH = 0.5;
const HEIGHT = 2;
/** The share of the height over which influence passes from the lower bone to the upper one. */
const RAMP = 0.6;

/** Where the upper bone has turned to at the end of the clips, degrees. */
const CLIPS: readonly { name: string; turn: BoneTurn }[] = [
  { name: 'twist', turn: [0, 0, 180] },
  { name: 'bend', turn: [120] },
];

/**
 * The box of Kavan 2009, Figure 3: two bones, the upper one twists by half a turn, and linear blending collapses in the
 * middle. About `vertices` vertices; creases and texture seams at its edges.
 */
export function sampleBox(vertices: number, frames: number, framesPerSecond: number): SkinnedModel {
  const mesh = boxMesh(vertices);
  const front = [0, 0, 1] as const;
  const skeleton = skeletonOf([
    { name: 'lower', head: [0, 0, 0], tail: [0, HEIGHT / 2, 0], front },
    { name: 'upper', parent: 'lower', head: [0, HEIGHT / 2, 0], tail: [0, HEIGHT, 0], front },
  ]);
  const clips = evenClips(skeleton, CLIPS, frames, framesPerSecond);
  return { name: 'box', mesh, weights: rampWeights(mesh), skeleton, clips, operator: 'lbs' };
}

/** A smooth ramp along the box: 0 to 1 with a level start and end. */
function rampWeights({ positions }: Mesh): SkinWeights {
  const dense = new Float64Array((positions.length / 3) * 2);
  for (let i = 0; i < positions.length / 3; i++) {
    const t = Math.min(1, Math.max(0, (positions[3 * i + 1] / HEIGHT - 0.5) / RAMP + 0.5));
    dense[2 * i + 1] = t * t * (3 - 2 * t);
    dense[2 * i] = 1 - dense[2 * i + 1];
  }
  return largestWeights(dense, 2, 2);
}

/** Six grids of square cells, welded where they meet. In the texture the four sides stand side by side, 3 : 4 high. */
function boxMesh(vertices: number): Mesh {
  const cell = Math.sqrt((2 * WIDTH * WIDTH + 4 * WIDTH * HEIGHT) / vertices);
  const across = Math.max(1, Math.round(WIDTH / cell));
  const up = Math.max(2, Math.round((vertices - 2 * (across - 1) ** 2) / (4 * across)) - 1);
  const positions: number[] = [];
  const normals: number[] = [];
  const uvs: number[] = [];
  const triangles: number[] = [];

  /** A grid from `origin` along u and v (unit vectors, by whole cells); its picture starts at (s, t), w × h large. */
  const addFace = (
    origin: readonly number[],
    u: readonly number[],
    v: readonly number[],
    cells: readonly [number, number],
    [s, t, w, h]: readonly number[],
  ) => {
    const first = positions.length / 3;
    const normal = cross3(u, v);
    for (let r = 0; r <= cells[1]; r++) {
      for (let c = 0; c <= cells[0]; c++) {
        // Whole numbers of cells until the last moment, so that faces meet in exactly the same points.
        const at = [0, 1, 2].map((d) => origin[d] + c * u[d] + r * v[d]);
        positions.push((at[0] / across - 0.5) * WIDTH, (at[1] / up) * HEIGHT, (at[2] / across - 0.5) * WIDTH);
        normals.push(...normal);
        uvs.push(s + (w * c) / cells[0], t + (h * r) / cells[1]);
        if (c === cells[0] || r === cells[1]) continue;
        const a = first + r * (cells[0] + 1) + c;
        const b = a + cells[0] + 1;
        triangles.push(a, a + 1, b + 1, a, b + 1, b);
      }
    }
  };
  const x = [1, 0, 0];
  const y = [0, 1, 0];
  const z = [0, 0, 1];
  const minus = (a: readonly number[]) => a.map((c) => -c);
  addFace([0, 0, across], x, y, [across, up], [0, 0, 0.25, 0.75]);
  addFace([across, 0, across], minus(z), y, [across, up], [0.25, 0, 0.25, 0.75]);
  addFace([across, 0, 0], minus(x), y, [across, up], [0.5, 0, 0.25, 0.75]);
  addFace([0, 0, 0], z, y, [across, up], [0.75, 0, 0.25, 0.75]);
  addFace([0, up, across], x, minus(z), [across, across], [0, 0.75, 0.25, 0.25]);
  addFace([0, 0, 0], x, z, [across, across], [0.25, 0.75, 0.25, 0.25]);

  const { mesh } = weldVertices({
    name: 'box',
    positions: Float32Array.from(positions),
    normals: Float32Array.from(normals),
    uvs: Float32Array.from(uvs),
    triangles: Uint32Array.from(triangles),
    space: { up: 'y', metresPerUnit: 1 },
  });
  return mesh;
}
