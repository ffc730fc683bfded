import type { TileTable } from './kernels/tiles.ts';
import { lightTile } from './light-tile.ts';
import { skinTile } from './skin-tile.ts';
import { spheresTile } from './sphere-tile.ts';

/** Every kind of tile that threads and queues make, by name. Closed: nothing else is ever run for a queue. */
export const TILES: TileTable = {
  light: lightTile,
  skin: skinTile,
  spheres: spheresTile,
};
