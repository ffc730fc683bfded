import { parentPort } from 'node:worker_threads';
import { tileWorker } from '../../kernels/tile-threads.ts';
import { TILES } from '../../tile-tasks.ts';

// A thread of `nodeTiles`. Tiles are handed over, not copied, but for those that are a part of something larger.
const handle = tileWorker(TILES, (reply) => {
  if (!('bytes' in reply)) return parentPort!.postMessage(reply);
  const { bytes } = reply;
  const own = bytes.byteLength === bytes.buffer.byteLength ? bytes : bytes.slice();
  parentPort!.postMessage({ bytes: own }, own.buffer instanceof ArrayBuffer ? [own.buffer] : []);
});
parentPort!.on('message', handle);
parentPort!.postMessage('ready');
