import { LEARN_OPTIONS, type LearnOptions } from '../../../../src/index.ts';
import type { Doc } from '../../core/doc.ts';
import { startLearn } from '../../core/learn/start-learn.ts';
import type { Studio } from '../../core/studio.ts';
import { FurtherOptions, labelOf, OptionFields } from '../controls/option-fields.tsx';
import { RunButton } from '../controls/run-button.tsx';
import { Section } from '../controls/section.tsx';
import { ExampleSection } from './example-section.tsx';
import './learn.css';
import { PointSection } from './point-section.tsx';
import { RecordSection } from './record-section.tsx';

const BASIC = ['points', 'bones', 'examples'];
const FURTHER = Object.keys(LEARN_OPTIONS).filter((name) => !BASIC.includes(name));

/** The Learn panel: learning, and dragging, pinning and recording control points. */
export function LearnPanel({ studio, doc }: { studio: Studio; doc: Doc }) {
  const predictor = doc.predictor.value;
  return (
    <>
      {doc.content.sequences.length > 0 && <LearnSection doc={doc} />}
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

function LearnSection({ doc }: { doc: Doc }) {
  const options = doc.learnOptions.value;
  const change = (name: string, value: unknown) =>
    doc.edit(labelOf(name), doc.learnOptions, { ...options, [name]: value } as Partial<LearnOptions>);
  const fields = (names: string[]) => (
    <OptionFields specs={LEARN_OPTIONS} names={names} values={options} onChange={change} />
  );
  return (
    <Section
      title="Learn from the motion"
      help="Frames become examples of how the surface moves. A few control points then drive all of it."
    >
      {fields(BASIC)}
      <RunButton doc={doc} primary fields onClick={() => void startLearn(doc)}>
        {doc.learned.value ? 'Learn again' : 'Learn'}
      </RunButton>
      <FurtherOptions of="learn">{fields(FURTHER)}</FurtherOptions>
    </Section>
  );
}
