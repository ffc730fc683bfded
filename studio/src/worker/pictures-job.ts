import { smoothingGroups, vertexNormals } from '../../../src/doors/mesh.ts';
import { SurfaceDriver } from '../../../src/index.ts';
import { checkpoint } from '../../../src/model/run.ts';
import { bestView, cameraFor, threeQuarterViews, type View } from '../../../src/report/camera.ts';
import { pngDataUrl } from '../../../src/report/png.ts';
import { rasterize } from '../../../src/report/rasterize.ts';
import { exampleCount, examplePoints } from '../core/learn/point-follow.ts';
import type { JobTable } from './protocol.ts';

/** Width and height in pixels. */
const SIZE = 96;

/** Every example as a small picture (a data URL), all from the same camera. */
export const picturesJob: JobTable['pictures'] = async ({ predictor }, run) => {
  const { mesh } = predictor;
  const driver = new SurfaceDriver(predictor);
  const count = exampleCount(predictor);
  /** Poses the surface in each example; the next one overwrites it. */
  const pass = async <T>(which: 0 | 1, use: (positions: Float32Array) => T): Promise<Awaited<T>[]> => {
    const out: Awaited<T>[] = [];
    for (let e = 0; e < count; e++) {
      await checkpoint(run, 'pictures', which * count + e, 2 * count, 'drawing the examples');
      out.push(await use(driver.drive(examplePoints(predictor, e)).positions));
    }
    return out;
  };
  const first = driver.drive(examplePoints(predictor, 0)).positions;
  const view = bestView(threeQuarterViews(mesh.space?.up), first, mesh.triangles);
  const camera = cameraFor(view, await pass(0, (positions) => outermost(positions, view)), SIZE, SIZE);
  const groups = smoothingGroups(mesh);
  const pictures = await pass(1, (positions) => {
    const normals = vertexNormals(mesh, positions, 'area', groups);
    const normalOf = mesh.seams?.triangles ?? mesh.triangles;
    return pngDataUrl(rasterize({ positions, triangles: mesh.triangles, normals, normalOf }, camera));
  });
  driver.dispose();
  return pictures;
};

/** 3 each: the outermost points along the axes of a view. A camera that sees them sees all. */
function outermost(positions: Float32Array, { right, up, towards }: View): Float32Array {
  const out = new Float32Array(18);
  [right, up, towards].forEach((axis, a) => {
    const ends = [Infinity, -Infinity];
    for (let i = 0; i < positions.length; i += 3) {
      const at = positions[i] * axis[0] + positions[i + 1] * axis[1] + positions[i + 2] * axis[2];
      ends.forEach((end, s) => {
        if (s === 0 ? at >= end : at <= end) return;
        ends[s] = at;
        out.set(positions.subarray(i, i + 3), 6 * a + 3 * s);
      });
    }
  });
  return out;
}
