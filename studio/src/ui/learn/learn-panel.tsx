import { LEARN_OPTIONS } from '../../../../src/index.ts';
import type { Doc } from '../../core/doc.ts';
import { startLearn } from '../../core/learn/start-learn.ts';
import type { Studio } from '../../core/studio.ts';
import { OptionForm } from '../controls/option-fields.tsx';
import { Section } from '../controls/section.tsx';
import { ExampleSection } from './example-section.tsx';
import './learn.css';
import { PointSection } from './point-section.tsx';
import { RecordSection } from './record-section.tsx';

const BASIC = ['points', 'bones', 'examples'];
const RESEARCH = ['method', 'kernel', 'kappa', 'bases', 'target', 'translations'];

/** The Learn panel: learning, and dragging, pinning and recording control points. */
export default function LearnPanel({ studio, doc }: { studio: Studio; doc: Doc }) {
  const predictor = doc.predictor.value;
  return (
    <>
      {doc.content.sequences.length > 0 && (
        <Section
          title="Learn from the motion"
          help="Frames become examples of how the surface moves. A few control points then drive all of it."
        >
          <OptionForm
            doc={doc}
            of="learn"
            specs={LEARN_OPTIONS}
            basic={BASIC}
            research={RESEARCH}
            options={doc.learnOptions}
            button={doc.learned.value ? 'Learn again' : 'Learn'}
            onRun={() => void startLearn(doc)}
          />
        </Section>
      )}
      {predictor && (
        <>
          <PointSection doc={doc} predictor={predictor} />
          <RecordSection studio={studio} doc={doc} predictor={predictor} />
          <ExampleSection doc={doc} predictor={predictor} />
        </>
      )}
    </>
  );
}
