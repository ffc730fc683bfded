import type { TrainedCloth } from '../model/trained-cloth.ts';
import type { FoldsOf } from './folds.ts';
import type { Garment } from './worn.ts';

/** Trained cloth as something to wear: its own coarse mesh is simulated. */
export const trainedGarment = ({ fine, coarse, pinned }: TrainedCloth): Garment => ({
  mesh: fine,
  pinned: pinned.fine,
  coarse: { mesh: coarse, pinned: pinned.coarse },
});

/** The same cloth held by other fine vertices, and by the coarse ones that are nearest to those. */
export function pinnedBy(cloth: TrainedCloth, pins: Uint32Array): TrainedCloth {
  const isPinned = new Set(pins);
  const [{ positions: r }, { positions: x }] = [cloth.fine, cloth.coarse];
  const coarse = Uint32Array.from({ length: x.length / 3 }, (_, v) => v).filter((v) => {
    let [nearest, least] = [0, Infinity];
    for (let j = 0; j < r.length; j += 3) {
      const square = (r[j] - x[3 * v]) ** 2 + (r[j + 1] - x[3 * v + 1]) ** 2 + (r[j + 2] - x[3 * v + 2]) ** 2;
      if (square < least) [nearest, least] = [j / 3, square];
    }
    return isPinned.has(nearest);
  });
  return { ...cloth, pinned: { fine: pins, coarse } };
}

/** What trained cloth brings of its own, unless it is asked for something else. */
export const ownOptions = ({ thickness, physics }: TrainedCloth): Pick<TrainedCloth, 'thickness' | 'physics'> => ({
  thickness,
  physics,
});

/** What gives the folds of its method. */
export const learnedOf = ({ method, upsampler, paper }: TrainedCloth): Pick<FoldsOf, 'upsampler' | 'paper'> => ({
  ...((method === 'learned' || method === 'linear') && { upsampler }),
  ...(method === 'paper' && { paper }),
});
