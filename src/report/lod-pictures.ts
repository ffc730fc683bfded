import type { LodLevel } from '../lod/lod-detail.ts';
import { quantile } from '../math/statistics.ts';
import { diagonalOf } from '../mesh/bounds.ts';
import { buildBvh } from '../mesh/bvh.ts';
import { nearestOnSurface, surfacePoint } from '../mesh/nearest.ts';
import { vertexNormals } from '../mesh/normals.ts';
import type { Mesh } from '../model/mesh.ts';
import type { Pose } from '../skin/choose-poses.ts';
import { Skinner } from '../skin/skinner.ts';
import { bestView, cameraFor, threeQuarterViews } from './camera.ts';
import { heatColours, roundUp, svgOf } from './fit-pictures.ts';
import { rasterize, type Surface } from './rasterize.ts';

/** A pose at every level, the given surface first, each as inline SVG. */
export interface LevelPictures {
  pose: string;
  /** One per level. */
  shown: string[];
  /** The given surface, coloured by its distance from each level after it. */
  errors: string[];
  /** Error that has the last colour of the scale, % of the diagonal. */
  scaleTop: number;
}

const SIZE = { width: 280, height: 320 };
/** Poses that are drawn. */
const POSES = 3;
/** Share of the vertices in error that the scale of colours covers. */
const SCALE_COVERS = 0.98;

/** Of the default pose and of those farthest from it. */
export async function lodPictures(levels: readonly LodLevel[], poses: readonly Pose[]): Promise<LevelPictures[]> {
  const pictures: LevelPictures[] = [];
  for (const { name, shapeOf } of posers(levels, poses)) {
    const shapes: Shape[] = [];
    for (const level of levels) shapes.push(await shapeOf(level));
    pictures.push(await drawn(name, shapes));
  }
  return pictures;
}

/** All parts of a level in a pose. */
interface Shape {
  positions: Float32Array;
  triangles: Uint32Array;
  normals: Float32Array;
  normalOf: Uint32Array;
  up?: 'x' | 'y' | 'z';
}

interface Poser {
  name: string;
  shapeOf(level: LodLevel): Promise<Shape>;
}

function posers(levels: readonly LodLevel[], poses: readonly Pose[]): Poser[] {
  const [{ sequences }] = levels;
  if (sequences.length > 0) {
    const last = Math.max(...sequences.map(({ frameCount }) => frameCount)) - 1;
    const frames = [...new Set([0, Math.floor(last / 2), last])];
    return frames.map((k) => ({
      name: `frame ${k}`,
      async shapeOf(level) {
        const parts: PosedMesh[] = [];
        for (const { rest, readFrame, frameCount } of level.sequences) {
          parts.push([rest, await readFrame(Math.min(k, frameCount - 1))]);
        }
        return together(parts);
      },
    }));
  }
  return poses.slice(0, POSES).map(({ name, time, parts }, k) => ({
    name: k === 0 ? name : `${name}, ${time.toFixed(2)} s`,
    async shapeOf({ models, meshes }) {
      const posed = models.map((model, m): PosedMesh => {
        const { transforms, morphWeights } = parts[m];
        const { positions, normals } = new Skinner(model, { operator: 'lbs' }).pose(
          transforms,
          undefined,
          morphWeights,
        );
        return [model.mesh, positions, normals];
      });
      return together([...posed, ...meshes.map((mesh): PosedMesh => [mesh, mesh.positions, mesh.normals])]);
    },
  }));
}

/** 3N positions and, where they are known, 3W normals. */
type PosedMesh = [mesh: Mesh, positions: Float32Array, normals?: Float32Array];

function together(parts: readonly PosedMesh[]): Shape {
  const [positions, triangles, normals, normalOf]: number[][] = [[], [], [], []];
  for (const [mesh, posed, shading] of parts) {
    const [firstVertex, firstNormal] = [positions.length / 3, normals.length / 3];
    for (const x of posed) positions.push(x);
    for (const x of shading ?? vertexNormals(mesh, posed)) normals.push(x);
    for (const i of mesh.triangles) triangles.push(firstVertex + i);
    for (const w of mesh.seams?.triangles ?? mesh.triangles) normalOf.push(firstNormal + w);
  }
  return {
    positions: Float32Array.from(positions),
    triangles: Uint32Array.from(triangles),
    normals: Float32Array.from(normals),
    normalOf: Uint32Array.from(normalOf),
    up: parts[0]?.[0].space?.up,
  };
}

async function drawn(pose: string, shapes: readonly Shape[]): Promise<LevelPictures> {
  const [given, ...levels] = shapes;
  const view = bestView(threeQuarterViews(given.up), given.positions, given.triangles);
  const camera = cameraFor(
    view,
    shapes.map(({ positions }) => positions),
    SIZE.width,
    SIZE.height,
  );
  // Where the given surface is far from a level: what the level has lost.
  const hit = surfacePoint();
  const scale = 100 / (diagonalOf(given.positions) || 1);
  const { positions: points } = given;
  const errors = levels.map(({ positions, triangles }) => {
    const bvh = buildBvh(positions, triangles);
    return Float64Array.from({ length: points.length / 3 }, (_, i) => {
      nearestOnSurface(bvh, points[3 * i], points[3 * i + 1], points[3 * i + 2], hit);
      return scale * hit.distance;
    });
  });
  const coarsest = errors.at(-1);
  const scaleTop = roundUp((coarsest && quantile(coarsest, SCALE_COVERS)) || 1e-3);
  const draw = (surface: Surface, l: number) => svgOf(rasterize(surface, camera), `Level ${l}, ${pose}`);
  const [shown, coloured]: [string[], string[]] = [[], []];
  for (const [l, shape] of shapes.entries()) {
    shown.push(await draw(shape, l));
    if (l === 0) continue;
    coloured.push(await draw({ ...given, colours: heatColours(errors[l - 1], scaleTop), blendColours: true }, l));
  }
  return { pose, shown, errors: coloured, scaleTop };
}
