import type { TrainedCloth } from '../model/trained-cloth.ts';
import type { FoldsOf } from './folds.ts';
import { pinsNear } from './pins.ts';
import type { Garment } from './worn.ts';

/** Trained cloth as something to wear: its own coarse mesh is simulated. */
export const trainedGarment = ({ fine, coarse, pinned }: TrainedCloth): Garment => ({
  mesh: fine,
  pinned: pinned.fine,
  coarse: { mesh: coarse, pinned: pinned.coarse },
});

/** The same cloth held by other fine vertices, and by the coarse ones that are nearest to those. */
export function pinnedBy(cloth: TrainedCloth, pins: Uint32Array): TrainedCloth {
  const coarse = pinsNear(cloth.coarse, { mesh: cloth.fine, pinned: pins });
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
