import type { Doc } from '../../core/doc.ts';
import { isFitting } from '../../core/fit/start-fit.ts';
import { driven } from '../../core/view/view-labels.ts';
import { later } from '../page/later.tsx';
import { ErrorChartRoom } from './error-chart-room.tsx';
import { Transport } from './transport.tsx';

const ErrorChart = later(() => import('./error-chart.tsx'), ErrorChartRoom);

/** The error chart of a fit, and playback controls. */
export function Timeline({ doc, dark }: { doc: Doc; dark: boolean }) {
  const dragging = driven(doc);
  const fit = dragging ? undefined : doc.fit.value;
  return (
    <section class="timeline" aria-label="Timeline">
      {fit && doc.playback.last > 0 ? (
        <ErrorChart key={fit.id} doc={doc} entry={fit} dark={dark} />
      ) : (
        !dragging && isFitting(doc) && <ErrorChartRoom />
      )}
      <Transport doc={doc} />
    </section>
  );
}
