import { useState } from 'preact/hooks';
import type { Doc } from '../../core/doc.ts';
import { SelectField } from '../controls/field.tsx';
import { Section } from '../controls/section.tsx';
import { COLUMNS, ResultRow } from './result-row.tsx';

/** The table of results: which is selected, compared with, and drawn as curves. */
export function ResultsSection({ doc }: { doc: Doc }) {
  const [sort, setSort] = useState({ column: 0, falling: false });
  const { of } = COLUMNS[sort.column];
  const fits = doc.fits.value.toSorted((a, b) => (sort.falling ? of(b) - of(a) : of(a) - of(b)));
  return (
    <Section title="Results">
      <div class="scrolls">
        <table class="results">
          <thead>
            <tr>
              <th scope="col" title="Show the curve">
                <span class="visually-hidden">Curve</span>
              </th>
              {COLUMNS.map(({ title, hint }, column) => (
                <th
                  key={title}
                  scope="col"
                  aria-sort={column === sort.column ? (sort.falling ? 'descending' : 'ascending') : undefined}
                >
                  <button
                    type="button"
                    class={`sort ${column === 0 ? 'first' : ''}`}
                    title={`Sort by ${hint}`}
                    onClick={() => setSort({ column, falling: column === sort.column && !sort.falling })}
                  >
                    {title}
                  </button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {fits.map((entry) => (
              <ResultRow key={entry.id} doc={doc} entry={entry} />
            ))}
          </tbody>
        </table>
      </div>
      <p class="help">
        Errors in % of the diagonal. Click a row to show its result, a heading to sort. Tick results to draw their
        curves in the chart.
      </p>
      {fits.length > 1 && <AgainstField doc={doc} />}
    </Section>
  );
}

/** What the selected result is compared with: the original, or another result. */
function AgainstField({ doc }: { doc: Doc }) {
  const others = doc.fits.value.filter(({ id }) => id !== doc.selected.value);
  return (
    <SelectField
      id="against"
      label="Compare with"
      help="Shown on the left; the difference is measured from it. Errors are always measured from the original."
      value={doc.against.value?.id ?? 0}
      choices={[{ value: 0, text: 'The original' }, ...others.map(({ id }) => ({ value: id, text: `Result ${id}` }))]}
      onChange={(id) => (doc.inspection.against.value = id || undefined)}
    />
  );
}
