import { explain, PliantError } from '../../../src/index.ts';
import { inWords } from '../core/jobs/memory-trouble.ts';
import type { FromCloth, ToCloth } from './cloth-protocol.ts';
import { buffersOf } from './crossing.ts';
import { WornGarment } from './worn-cloth.ts';

/** The worker of one garment that is worn: it is ended by the page. */
let worn: WornGarment | undefined;

const say = (message: FromCloth): void =>
  // Poses are made for each answer; what is told of a garment stays in use here.
  globalThis.postMessage(message, { transfer: 'stepped' in message ? buffersOf(message) : [] });

async function answer(message: ToCloth): Promise<FromCloth> {
  if ('step' in message) return { stepped: worn!.step(message.step) };
  const onProgress = (done: number, total: number, label: string) => say({ progress: { done, total, label } });
  const [cloth, facts] = await WornGarment.wear(message.wear, { onProgress });
  worn = cloth;
  return { worn: facts };
}

globalThis.onmessage = ({ data }: MessageEvent<ToCloth>) => {
  answer(data).then(say, (error: unknown) => {
    const code = error instanceof PliantError ? error.code : 'internal';
    const message = explain(error);
    say({ failed: { code, message: code === 'internal' ? inWords(message) : message } });
  });
};
