/** The picture of docs/cloth.md: coarse cloth, ways to fine cloth, and the truth, side by side; a row for each scene. */
import { writeFileSync } from 'node:fs';
import type { ClothPair } from '../src/cloth/pairs.ts';
import type { Mesh } from '../src/index.ts';
import { bestView, cameraFor, threeQuarterViews } from '../src/report/camera.ts';
import { surfaceOf } from '../src/report/fit-pictures.ts';
import { encodePng, type Picture } from '../src/report/png.ts';
import { rasterize } from '../src/report/rasterize.ts';
import { judge, type Way } from './cloth-ways.ts';
import { ROOT } from './tables.ts';

/** Pixels of a tile. */
const TILE = 260;
/** The share of the motion at which it is taken. */
const AT = 0.55;
const SHOWN = ['⅓ Phong, push', 'quiet', 'alone'];

/** Coarse, ⅓ Phong, quiet, alone, truth. */
export async function pictureRow(pair: ClothPair, ways: readonly Way[]): Promise<Picture[]> {
  const { coarse, fine } = pair;
  const k = Math.round(AT * fine.frameCount);
  const truth = await fine.readFrame(k);
  const view = bestView(threeQuarterViews(), truth, fine.rest.triangles);
  const camera = cameraFor(view, [truth], TILE, TILE);
  const draw = ({ positions, triangles }: Mesh, pose: Float32Array): Picture =>
    rasterize(surfaceOf({ positions, triangles }, pose), camera);
  const tiles = [draw(coarse.rest, await coarse.readFrame(k))];
  for (const name of SHOWN) {
    const { frames } = await judge(pair, ways.find((way) => way.name === name)!);
    tiles.push(draw(fine.rest, frames[k]));
  }
  return [...tiles, draw(fine.rest, truth)];
}

/** Writes docs/images/<name>.png. */
export async function writePicture(name: string, rows: readonly (readonly Picture[])[]): Promise<void> {
  const [width, height] = [TILE * rows[0].length, TILE * rows.length];
  const pixels = new Uint8Array(2 * width * height);
  rows.forEach((row, r) => {
    row.forEach((tile, c) => {
      for (let y = 0; y < TILE; y++) {
        const line = tile.pixels.subarray(2 * TILE * y, 2 * TILE * (y + 1));
        pixels.set(line, 2 * ((r * TILE + y) * width + c * TILE));
      }
    });
  });
  writeFileSync(`${ROOT}docs/images/${name}.png`, await encodePng({ width, height, channels: 2, pixels }));
}
