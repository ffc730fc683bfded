/**
 * Where the cloth of a `ClothMesh` is computed: on the thread of the page, or in a worker. Both are asked for one turn per
 * picture; a worker's answer is shown with the next picture.
 */
import { LiveCloth, type LiveClothOptions } from '../../src/cloth/live.ts';
import { type LiveTurn, takeTurn } from '../../src/cloth/live-turn.ts';
import type { Garment } from '../../src/cloth/worn.ts';
import { PliantError, type PliantErrorCode } from '../../src/error.ts';
import type { Note } from '../../src/model/note.ts';
import type { SkinnedModel } from '../../src/model/skinned-model.ts';
import type { TrainedCloth } from '../../src/model/trained-cloth.ts';

/** Positions are the same; or moved; or moved, and were taken along by a turn that said so. */
export type ClothChange = 'none' | 'moved' | 'carried';

export interface ClothHost {
  readonly inWorker: boolean;
  readonly notes: readonly Note[];
  /** 3N and 3W: as of the last turn that is done. */
  readonly positions: Float32Array;
  readonly normals: Float32Array;
  /** Milliseconds spent so far, by stage. */
  readonly spent: Readonly<LiveCloth['spent']>;
  /** Makes a turn, or has it made. Returns what became of positions since they were asked for last. */
  take(turn: LiveTurn): ClothChange;
  dispose(): void;
}

/** What a worker is sent first. */
export interface ClothStart {
  garment: Garment | TrainedCloth;
  model: SkinnedModel;
  options: Omit<LiveClothOptions, 'signal' | 'onProgress'>;
}

/** What a worker answers with. */
export type ClothAnswer =
  | { kind: 'progress'; done: number; total: number; label: string }
  | { kind: 'failed'; code: PliantErrorCode; cause: string }
  | { kind: 'worn'; notes: readonly Note[]; shown: ClothShown }
  | { kind: 'done'; change: ClothChange; shown?: ClothShown };

/** Positions and normals, handed back and forth. */
export interface ClothShown {
  positions: Float32Array;
  normals: Float32Array;
  spent: LiveCloth['spent'];
}

/** A message to a worker after the first: a turn, with arrays to fill. */
export type ClothAsk = LiveTurn & { spare?: ClothShown };

/** Makes a turn. */
export function makeTurn(cloth: LiveCloth, turn: LiveTurn): ClothChange {
  const steps = takeTurn(cloth, turn);
  if (turn.carry) return 'carried';
  return steps > 0 || turn.reset ? 'moved' : 'none';
}

/** Cloth on this thread. */
export async function hostHere({ garment, model, options }: ClothStart, run: LiveClothOptions): Promise<ClothHost> {
  const cloth = await LiveCloth.wear(garment, model, { ...options, ...run });
  const { notes, positions, normals, spent } = cloth;
  return {
    inWorker: false,
    notes,
    positions,
    normals,
    spent,
    take: (turn) => makeTurn(cloth, turn),
    dispose: () => cloth.dispose(),
  };
}

/** Cloth in a worker; undefined where workers of modules cannot be started. */
export async function hostInWorker(start: ClothStart, run: LiveClothOptions): Promise<ClothHost | undefined> {
  const worker = startWorker();
  if (!worker) return undefined;
  try {
    const worn = await firstAnswer(worker, start, run);
    return worn && new WorkerHost(worker, worn);
  } catch (error) {
    worker.terminate();
    throw error;
  }
}

function startWorker(): Worker | undefined {
  try {
    // Bundlers recognise exactly this form and bundle the worker with what it imports.
    return new Worker(new URL('./cloth-worker.js', import.meta.url), { type: 'module' });
  } catch {
    return undefined; // no such thing here, or the page's policy forbids it
  }
}

type Worn = Extract<ClothAnswer, { kind: 'worn' }>;

/** Resolves when the garment is on; to undefined when the worker's script did not load. */
function firstAnswer(worker: Worker, start: ClothStart, run: LiveClothOptions): Promise<Worn | undefined> {
  return new Promise((resolve, reject) => {
    const look = setInterval(() => {
      if (run.signal?.aborted) settle(() => reject(new PliantError('cancelled', 'ClothMesh', 'cancelled')));
    }, SIGNAL_INTERVAL);
    const settle = (how: () => void): void => {
      clearInterval(look);
      how();
    };
    worker.onerror = (event) => {
      event.preventDefault(); // told by `inWorker`, not by the console
      worker.terminate();
      settle(() => resolve(undefined));
    };
    worker.onmessage = ({ data }: MessageEvent<ClothAnswer>) => {
      if (data.kind === 'progress') run.onProgress?.(data.done, data.total, data.label);
      else if (data.kind === 'worn') settle(() => resolve(data));
      else if (data.kind === 'failed') settle(() => reject(failure(data)));
    };
    worker.postMessage(start);
  });
}

/** Milliseconds between two looks at whether the caller has lost interest. */
const SIGNAL_INTERVAL = 50;

const failure = ({ code, cause }: { code: PliantErrorCode; cause: string }): PliantError =>
  new PliantError(code, 'ClothMesh', cause);

class WorkerHost implements ClothHost {
  readonly inWorker = true;
  readonly notes: readonly Note[];
  readonly #worker: Worker;
  #shown: ClothShown;
  #spare: ClothShown | undefined;
  /** A turn is under way; what comes in the meantime waits. */
  #busy = false;
  #waiting: LiveTurn | undefined;
  #change: ClothChange = 'moved';
  #failure: PliantError | undefined;

  constructor(worker: Worker, { notes, shown }: Worn) {
    this.#worker = worker;
    this.notes = notes;
    this.#shown = shown;
    worker.onmessage = ({ data }: MessageEvent<ClothAnswer>) => this.#answered(data);
    worker.onerror = (event) => {
      event.preventDefault();
      this.#failure = failure({ code: 'internal', cause: `the worker failed: ${event.message ?? 'no reason given'}` });
    };
  }

  get positions(): Float32Array {
    return this.#shown.positions;
  }

  get normals(): Float32Array {
    return this.#shown.normals;
  }

  get spent(): Readonly<LiveCloth['spent']> {
    return this.#shown.spent;
  }

  take(turn: LiveTurn): ClothChange {
    if (this.#failure) throw this.#failure;
    if (this.#busy) this.#waiting = merged(this.#waiting, turn);
    else this.#ask(turn);
    const change = this.#change;
    this.#change = 'none';
    return change;
  }

  dispose(): void {
    this.#worker.terminate();
  }

  #ask(turn: LiveTurn): void {
    this.#busy = true;
    const spare = this.#spare;
    this.#spare = undefined;
    this.#worker.postMessage({ ...turn, spare } satisfies ClothAsk, spare ? buffersOf(spare) : []);
  }

  #answered(data: ClothAnswer): void {
    this.#busy = false;
    if (data.kind === 'failed') this.#failure = failure(data);
    if (data.kind !== 'done') return;
    if (data.shown) {
      this.#spare = this.#shown;
      this.#shown = data.shown;
      if (this.#change !== 'carried') this.#change = data.change;
    }
    const next = this.#waiting;
    this.#waiting = undefined;
    if (next) this.#ask(next);
  }
}

/** Two turns as one. */
const merged = (first: LiveTurn | undefined, then: LiveTurn): LiveTurn => ({
  ...then,
  transforms: then.transforms.slice(), // the caller's array goes on
  seconds: then.seconds + (first?.seconds ?? 0),
  wind: then.wind ?? first?.wind,
  reset: then.reset || (first?.reset ?? false),
  carry: then.carry || (first?.carry ?? false),
});

export const buffersOf = ({ positions, normals }: ClothShown): ArrayBuffer[] => [
  positions.buffer as ArrayBuffer,
  normals.buffer as ArrayBuffer,
];
