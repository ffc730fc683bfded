import type { Doc } from '../../core/doc.ts';
import { inspectedModels } from '../../core/inspect/inspected.ts';
import { CoarseSection } from './coarse-section.tsx';
import { DeformationSection } from './deformation-section.tsx';
import './inspect.css';
import { JointSection } from './joint-section.tsx';
import { ResultsSection } from './results-section.tsx';

/** The Inspect panel. */
export default function InspectPanel({ doc }: { doc: Doc }) {
  const moves = doc.deforms;
  return (
    <>
      {doc.fits.value.length > 0 && <ResultsSection doc={doc} />}
      {moves && <DeformationSection doc={doc} />}
      {inspectedModels(doc).length > 0 && <JointSection doc={doc} />}
      {moves && <CoarseSection doc={doc} />}
    </>
  );
}
