import { LEARN_OPTIONS, type LearnOptions } from '../../../src/learn/learn-options.ts';
import { number, plural } from '../../../src/report/format.ts';
import type { Doc } from '../core/doc.ts';
import { Facts, ProgressBar } from './controls.tsx';
import { labelOf, OptionFields } from './option-fields.tsx';

const BASIC = ['points', 'bones', 'examples'];
const FURTHER = Object.keys(LEARN_OPTIONS).filter((name) => !BASIC.includes(name));

export function LearnPanel({ doc }: { doc: Doc }) {
  const options = doc.learnOptions.value;
  const running = doc.running.value;
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
          {running ? (
            <div class="running">
              <ProgressBar {...running.progress} />
              <button type="button" onClick={running.cancel}>
                Cancel
              </button>
            </div>
          ) : (
            <button type="button" class="primary wide" onClick={() => void doc.startLearn()}>
              {doc.learned.value ? 'Learn again' : 'Learn'}
            </button>
          )}
          <details>
            <summary>All options</summary>
            {fields(FURTHER)}
          </details>
        </section>
      )}
      {doc.predictor.value && <DragSection doc={doc} />}
    </>
  );
}

function DragSection({ doc }: { doc: Doc }) {
  const { points } = doc;
  const reach = doc.reach.value;
  const figures = doc.learned.value?.report.figures ?? [];
  const error = figures.find(({ name }) => name === 'leave-one-out RMSE');
  return (
    <section>
      <h2>Drag the points</h2>
      <p class="help">
        {plural(doc.predictor.value?.points.length ?? 0, 'control point')} on the surface: drag one with the mouse, or
        play the motion and see how the points alone bring it back.
      </p>
      <Facts
        rows={[
          ['From the examples', reach > 1 ? `${number(reach)} × their reach` : 'within reach'],
          ...(error ? [['Error on unseen examples', `${number(error.value)} %`] as const] : []),
        ]}
      />
      <button
        type="button"
        class="wide"
        disabled={points.value.value === undefined}
        onClick={() => {
          points.begin();
          points.set(undefined);
        }}
      >
        Back to the motion
      </button>
    </section>
  );
}
