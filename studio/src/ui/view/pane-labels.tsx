import type { Doc } from '../../core/doc.ts';
import { panesOf, type ViewShape } from '../../core/view/panes.ts';
import { paneNames } from '../../core/view/view-labels.ts';

/** Names of the panes, each in its corner, and lines between them. */
export function PaneLabels({ doc, shape }: { doc: Doc; shape: ViewShape }) {
  const { value: comparison } = doc.comparison;
  const { upright } = shape;
  const names = paneNames(doc);
  return (
    <>
      {panesOf(comparison, doc.wipe.value, shape).map(({ shows, left: x, top, seen }, at) => {
        const right = comparison === 'wipe' && at === 1;
        const place = right ? { right: '10px' } : { left: `calc(${100 * Math.max(x, seen[0])}% + 10px)` };
        const below = top > 0 ? `calc(${100 * top}% + 10px)` : undefined;
        return (
          <>
            <span key={shows} class="pane-label" style={{ ...place, top: below }}>
              {names[shows]}
            </span>
            {x + top > 0 && (
              <span
                class={`pane-rule ${upright ? 'across' : ''}`}
                style={upright ? { top: `${100 * top}%` } : { left: `${100 * x}%` }}
              />
            )}
          </>
        );
      })}
    </>
  );
}
