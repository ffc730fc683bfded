import { useEffect, useMemo, useRef } from 'preact/hooks';
import { bytes, digits, plural } from '../../../../src/report/format.ts';
import type { Doc } from '../../core/doc.ts';
import { errorPercent } from '../../core/fit/error-text.ts';
import { type FitEntry, resultColour } from '../../core/fit/fit-results.ts';
import { IconButton } from '../controls/button.tsx';
import { TrashIcon } from '../controls/icons.tsx';
import { choiceText } from '../controls/option-fields.tsx';

/** All fits of this document, newest first. */
export function FitHistory({ doc }: { doc: Doc }) {
  const fits = doc.fits.value;
  const section = useRef<HTMLElement>(null);
  const newest = fits.at(-1)?.id ?? 0;
  const seen = useMemo(() => ({ id: newest }), [doc]);
  // Scrolls to a new result, even below the unfolded options.
  useEffect(() => {
    if (newest <= seen.id) return;
    seen.id = newest;
    section.current?.scrollIntoView({ block: 'nearest' });
  }, [newest]);
  if (fits.length === 0) return null;
  return (
    <section ref={section}>
      <h2>Results</h2>
      <ul class="history">
        {fits.toReversed().map((entry) => (
          <HistoryRow key={entry.id} doc={doc} entry={entry} />
        ))}
      </ul>
    </section>
  );
}

function HistoryRow({ doc, entry }: { doc: Doc; entry: FitEntry }) {
  const { errors, bones, kind, bytes: size } = entry.data;
  const shown = entry.id === doc.selected.value;
  return (
    <li class={shown ? 'selected' : ''}>
      <button type="button" class="result" aria-pressed={shown} onClick={() => (doc.selected.value = entry.id)}>
        <b>
          <Swatch id={entry.id} /> {plural(bones, 'bone')} <span class="soft">{choiceText(kind).toLowerCase()}</span>
        </b>
        <span class="soft">
          {bytes(size)} · {digits(entry.seconds)} s
        </span>
        <span>
          RMSE <b class="number">{errorPercent(errors.rmsePercent)}</b>
        </span>
        <span>
          worst vertex <span class="number">{errorPercent(errors.maxErrorPercent)}</span>
        </span>
      </button>
      <IconButton name={`Remove result ${entry.id}`} onClick={() => doc.removeFit(entry.id)}>
        <TrashIcon />
      </IconButton>
    </li>
  );
}

/** The colour of a result and of its curve. */
export const Swatch = ({ id }: { id: number }) => <i class="swatch" style={{ background: resultColour(id) }} />;
