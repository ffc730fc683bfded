import { LiveCloth } from '../../src/cloth/live.ts';
import { PliantError } from '../../src/error.ts';
import {
  buffersOf,
  type ClothAnswer,
  type ClothAsk,
  type ClothShown,
  type ClothStart,
  makeTurn,
} from './cloth-host.ts';

// The worker of a `ClothMesh`: the first message dresses the body, each further one is a turn.
let cloth: LiveCloth | undefined;

const answer = (data: ClothAnswer, shown?: ClothShown): void =>
  globalThis.postMessage(data, { transfer: shown ? buffersOf(shown) : [] });

/** What the page will show, in arrays that it gave or new ones. */
function shownOf({ positions, normals, spent }: LiveCloth, spare?: ClothShown): ClothShown {
  const shown = spare ?? {
    positions: new Float32Array(positions.length),
    normals: new Float32Array(normals.length),
    spent,
  };
  shown.positions.set(positions);
  shown.normals.set(normals);
  return { ...shown, spent };
}

async function wear({ garment, model, options }: ClothStart): Promise<void> {
  const onProgress = (done: number, total: number, label: string) => answer({ kind: 'progress', done, total, label });
  cloth = await LiveCloth.wear(garment, model, { ...options, onProgress });
  const shown = shownOf(cloth);
  answer({ kind: 'worn', notes: cloth.notes, shown }, shown);
}

function turn(of: LiveCloth, { spare, ...asked }: ClothAsk): void {
  const change = makeTurn(of, asked);
  const shown = change === 'none' ? undefined : shownOf(of, spare);
  answer({ kind: 'done', change, shown }, shown);
}

globalThis.onmessage = async ({ data }: MessageEvent<ClothStart | ClothAsk>) => {
  try {
    if (cloth) turn(cloth, data as ClothAsk);
    else await wear(data as ClothStart);
  } catch (error) {
    const known = error instanceof PliantError;
    answer({ kind: 'failed', code: known ? error.code : 'internal', cause: known ? error.explain() : String(error) });
  }
};
