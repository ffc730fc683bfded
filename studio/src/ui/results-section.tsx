import { useState } from 'preact/hooks';
import { bytes } from '../../../src/report/format.ts';
import type { Doc } from '../core/doc.ts';
import { errorText } from '../core/fit/error-text.ts';
import type { FitEntry } from '../core/fit/fit-results.ts';
import { resultColour } from '../core/fit/result-colours.ts';

/** What a column shows, and what it is sorted by. */
const COLUMNS: readonly { title: string; hint: string; of(entry: FitEntry): number; text(entry: FitEntry): string }[] =
  [
    { title: 'Result', hint: 'in the order they were made', of: ({ id }) => id, text: ({ id }) => String(id) },
    { title: 'Bones', hint: 'number of bones', of: ({ data }) => data.bones, text: ({ data }) => String(data.bones) },
    {
      title: 'RMSE',
      hint: 'root mean square error, % of the diagonal',
      of: ({ data }) => data.errors.rmsePercent ?? Infinity,
      text: ({ data }) => errorText(data.errors.rmsePercent ?? Number.NaN),
    },
    {
      title: 'Largest',
      hint: 'largest error, % of the diagonal',
      of: ({ data }) => data.errors.maxErrorPercent ?? Infinity,
      text: ({ data }) => errorText(data.errors.maxErrorPercent ?? Number.NaN),
    },
    { title: 'Size', hint: 'bytes of the GLB', of: ({ data }) => data.bytes, text: ({ data }) => bytes(data.bytes) },
  ];

/** All results: which is shown, which stands in the place of the original, and whose curves are drawn. */
export function ResultsSection({ doc }: { doc: Doc }) {
  const { inspection, selected } = doc;
  const [sort, setSort] = useState({ column: 0, falling: false });
  const { of } = COLUMNS[sort.column];
  const fits = doc.fits.value.toSorted((a, b) => (sort.falling ? of(b) - of(a) : of(a) - of(b)));
  const { against } = inspection;
  return (
    <section>
      <h2>Results</h2>
      <div class="scrolls">
        <table class="results">
          <thead>
            <tr>
              <th scope="col" title="Whose curves are drawn">
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
        Press a row to show its result, a heading to sort by it. Tick others to draw their curves too; the one shown
        always has its own.
      </p>
      {fits.length > 1 && (
        <div class="field">
          <label for="against">Compare with</label>
          <select
            id="against"
            value={doc.against.value?.id ?? 0}
            aria-describedby="against-help"
            onChange={(event) => {
              against.value = Number(event.currentTarget.value) || undefined;
            }}
          >
            <option value={0}>the original</option>
            {doc.fits.value
              .filter(({ id }) => id !== selected.value)
              .map(({ id }) => (
                <option key={id} value={id}>
                  result {id}
                </option>
              ))}
          </select>
          <p class="help" id="against-help">
            What stands on the left, and what the difference is from. Errors are always from the original.
          </p>
        </div>
      )}
    </section>
  );
}

function ResultRow({ doc, entry }: { doc: Doc; entry: FitEntry }) {
  const { inspection, selected } = doc;
  const { id } = entry;
  const shown = id === selected.value;
  const drawn = shown || inspection.charted.value.has(id);
  const select = () => {
    // The one that was shown changes places with the one it is compared with.
    if (inspection.against.value === id) inspection.against.value = selected.value;
    selected.value = id;
  };
  return (
    <tr class={shown ? 'selected' : ''}>
      <td>
        <label class="tick" title={shown ? 'The result that is shown has its curve' : `Curve of result ${id}`}>
          <input
            type="checkbox"
            aria-label={`Curve of result ${id}`}
            checked={drawn}
            disabled={shown}
            style={{ accentColor: resultColour(id) }}
            onChange={(event) => {
              const { charted } = inspection;
              const others = [...charted.value].filter((other) => other !== id);
              charted.value = new Set(event.currentTarget.checked ? [...others, id] : others);
            }}
          />
        </label>
      </td>
      {COLUMNS.map(({ title, text }, column) =>
        column === 0 ? (
          <th key={title} scope="row">
            <button type="button" class="row" aria-pressed={shown} title={`Show result ${id}`} onClick={select}>
              <i class="swatch" style={{ background: resultColour(id) }} />
              {text(entry)}
            </button>
          </th>
        ) : (
          <td key={title} class="number">
            {text(entry)}
          </td>
        ),
      )}
    </tr>
  );
}
