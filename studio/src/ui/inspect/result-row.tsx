import { bytes } from '../../../../src/report/format.ts';
import type { Doc } from '../../core/doc.ts';
import { errorText } from '../../core/fit/error-text.ts';
import { type FitEntry, resultColour } from '../../core/fit/fit-results.ts';
import { Swatch } from '../fit/fit-history.tsx';

/** A column of the table of results: text and sort key. */
interface Column {
  title: string;
  hint: string;
  of(entry: FitEntry): number;
  text(entry: FitEntry): string;
}

const errorColumn = (
  title: string,
  hint: string,
  of: (errors: FitEntry['data']['errors']) => number | undefined,
): Column => ({
  title: `${title} %`,
  hint: `${hint}, % of the diagonal`,
  of: ({ data }) => of(data.errors) ?? Infinity,
  text: ({ data }) => errorText(of(data.errors) ?? Number.NaN),
});

export const COLUMNS: readonly Column[] = [
  { title: 'Result', hint: 'order of creation', of: ({ id }) => id, text: ({ id }) => String(id) },
  { title: 'Bones', hint: 'number of bones', of: ({ data }) => data.bones, text: ({ data }) => String(data.bones) },
  errorColumn('RMSE', 'root mean square error', ({ rmsePercent }) => rmsePercent),
  errorColumn('Worst', 'error of the worst vertex', ({ maxErrorPercent }) => maxErrorPercent),
  { title: 'Size', hint: 'bytes of the GLB', of: ({ data }) => data.bytes, text: ({ data }) => bytes(data.bytes) },
];

/** A result: a click selects it, the checkbox draws its curve. */
export function ResultRow({ doc, entry }: { doc: Doc; entry: FitEntry }) {
  const { inspection, selected } = doc;
  const { id } = entry;
  const shown = id === selected.value;
  const select = () => {
    // Swap the selected result and the one it is compared with.
    if (inspection.against.value === id) inspection.against.value = selected.value;
    selected.value = id;
  };
  const [{ text: name }, ...figures] = COLUMNS;
  return (
    <tr class={shown ? 'selected' : ''}>
      <td>
        <CurveTick doc={doc} id={id} shown={shown} />
      </td>
      <th scope="row">
        <button type="button" class="row" aria-pressed={shown} title={`Show result ${id}`} onClick={select}>
          <Swatch id={id} />
          {name(entry)}
        </button>
      </th>
      {figures.map(({ title, text }) => (
        <td key={title} class="number">
          {text(entry)}
        </td>
      ))}
    </tr>
  );
}

/** Whether the curve of a result is drawn; always for the selected one. */
function CurveTick({ doc, id, shown }: { doc: Doc; id: number; shown: boolean }) {
  const { charted } = doc.inspection;
  const name = `Curve of result ${id}`;
  return (
    <label class="tick" title={shown ? 'The current result always has its curve' : name}>
      <input
        type="checkbox"
        aria-label={name}
        checked={shown || charted.value.has(id)}
        disabled={shown}
        style={{ accentColor: resultColour(id) }}
        onChange={({ currentTarget: { checked } }) => {
          const others = [...charted.value].filter((other) => other !== id);
          charted.value = new Set(checked ? [...others, id] : others);
        }}
      />
    </label>
  );
}
