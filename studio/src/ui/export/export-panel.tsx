import type { ReadonlySignal } from '@preact/signals-core';
import type { Doc } from '../../core/doc.ts';
import type { Studio } from '../../core/studio.ts';
import type { Shown } from '../../viewport/doc-view.ts';
import { Button } from '../controls/button.tsx';
import { UnderWay } from '../controls/progress.tsx';
import { busyWith } from '../controls/run-button.tsx';
import { Section } from '../controls/section.tsx';
import { FitExport } from './fit-export.tsx';
import { ModelExports } from './model-exports.tsx';
import { SequenceExport } from './sequence-export.tsx';
import { ShareSection } from './share-section.tsx';
import { ViewSection } from './view-section.tsx';

/** The Export panel. */
export default function ExportPanel(props: { studio: Studio; doc: Doc; shown: ReadonlySignal<Shown | undefined> }) {
  const { studio, doc, shown } = props;
  const running = doc.running.value;
  return (
    <>
      {running && (
        <section class="at-top">
          <UnderWay running={running} />
        </section>
      )}
      <FitExport studio={studio} doc={doc} />
      <SequenceExport studio={studio} doc={doc} />
      <ModelExports studio={studio} doc={doc} />
      <ViewSection studio={studio} doc={doc} shown={shown} />
      <Section title="The session" help="Everything that is open, with all results and settings, in one file (Ctrl S).">
        <Button class="wide" why={busyWith(studio.saving.value)} onClick={() => void studio.save()}>
          Session (.pliant)
        </Button>
      </Section>
      <ShareSection studio={studio} doc={doc} />
    </>
  );
}
