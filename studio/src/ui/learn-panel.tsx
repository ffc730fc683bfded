import { LEARN_OPTIONS, type LearnOptions } from '../../../src/learn/learn-options.ts';
import type { Doc } from '../core/doc.ts';
import { startLearn } from '../core/learn/start-learn.ts';
import type { Studio } from '../core/studio.ts';
import { DragSections } from './drag-section.tsx';
import { FurtherOptions, labelOf, OptionFields } from './option-fields.tsx';
import { RunButton } from './run-button.tsx';

const BASIC = ['points', 'bones', 'examples'];
const FURTHER = Object.keys(LEARN_OPTIONS).filter((name) => !BASIC.includes(name));

export function LearnPanel({ studio, doc }: { studio: Studio; doc: Doc }) {
  const options = doc.learnOptions.value;
  const change = (name: string, value: unknown) =>
    doc.edit(labelOf(name), doc.learnOptions, { ...options, [name]: value } as Partial<LearnOptions>);
  const fields = (names: string[]) => (
    <OptionFields specs={LEARN_OPTIONS} names={names} values={options} onChange={change} />
  );
  return (
    <>
      {doc.content.sequences.length > 0 && (
        <section>
          <h2>Learn from the motion</h2>
          <p class="help">
            The frames become examples of how the surface moves. A few control points then steer all of it.
          </p>
          {fields(BASIC)}
          <RunButton doc={doc} primary fields onClick={() => void startLearn(doc)}>
            {doc.learned.value ? 'Learn again' : 'Learn'}
          </RunButton>
          <FurtherOptions of="learn">{fields(FURTHER)}</FurtherOptions>
        </section>
      )}
      {doc.predictor.value && <DragSections studio={studio} doc={doc} predictor={doc.predictor.value} />}
    </>
  );
}
