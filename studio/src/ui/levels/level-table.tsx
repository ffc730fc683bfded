import { number } from '../../../../src/report/format.ts';
import type { Doc } from '../../core/doc.ts';
import { errorText } from '../../core/fit/error-text.ts';
import type { LevelsData } from '../../core/levels/levels-work.ts';
import './levels.css';

const TITLES = ['Level', 'Triangles', 'RMS', 'Largest', '1 px'];

/** A row per level of the chosen kind: a click shows it. */
export function LevelTable({ doc, made }: { doc: Doc; made: LevelsData }) {
  const { shown, kind } = doc.levels;
  const now = shown[kind.value].value;
  const { original, figures } = made;
  const rows = [
    { name: 'Original', triangles: original.triangles, cells: ['–', '–', '–'] },
    ...figures.map(({ triangles, rmsPercent, maxPercent, onePixelDistance }, l) => ({
      name: `Level ${l + 1}`,
      triangles,
      cells: [errorText(rmsPercent), errorText(maxPercent), number(Number(onePixelDistance.toPrecision(2)))],
    })),
  ];
  return (
    <table class="figures levels">
      <caption class="help">
        Distance from the original over all poses, % of the diagonal. 1 px: from how many metres away it is less than a
        pixel.
      </caption>
      <thead>
        <tr>
          {TITLES.map((title) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, triangles, cells }, level) => (
          <tr key={name} class={level === now ? 'selected' : ''}>
            <th scope="row">
              <button
                type="button"
                aria-pressed={level === now}
                title={`Show ${level === 0 ? 'the original' : `level ${level}`}`}
                onClick={() => doc.levels.choose(level)}
              >
                {name}
              </button>
            </th>
            <td class="number">{triangles.toLocaleString('en')}</td>
            {cells.map((cell, c) => (
              <td key={c} class="number">
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
