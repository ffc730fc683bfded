import type { Doc } from '../../core/doc.ts';
import type { Studio } from '../../core/studio.ts';
import { TurnSection } from '../rig/turn-section.tsx';
import { GarmentSection } from './garment-section.tsx';
import { LiveSection } from './live-section.tsx';
import { PairSection } from './pair-section.tsx';
import { SaveSection } from './save-section.tsx';
import { TrainSection } from './train-section.tsx';

/** The Cloth panel: a garment on the body, simulated live; or pairs to learn folds from. */
export default function ClothPanel({ studio, doc }: { studio: Studio; doc: Doc }) {
  if (doc.content.pairs) {
    return (
      <>
        <PairSection doc={doc} />
        <TrainSection studio={studio} doc={doc} />
      </>
    );
  }
  return (
    <>
      <GarmentSection studio={studio} doc={doc} />
      {doc.cloth.worn.value && (
        <>
          <LiveSection doc={doc} />
          <TurnSection doc={doc} />
          <SaveSection studio={studio} doc={doc} />
        </>
      )}
    </>
  );
}
