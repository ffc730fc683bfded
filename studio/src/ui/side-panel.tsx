import type { ReadonlySignal } from '@preact/signals-core';
import type { Doc } from '../core/doc.ts';
import type { Studio } from '../core/studio.ts';
import type { PanelName } from '../core/view/looks.ts';
import type { Shown } from './app.tsx';
import { IconButton } from './controls.tsx';
import { ExportPanel } from './export-panel.tsx';
import { FitPanel } from './fit-panel.tsx';
import { CloseIcon } from './icons.tsx';
import { InfoPanel } from './info-panel.tsx';
import { InspectPanel } from './inspect-panel.tsx';
import { reachedByKeys } from './keys.ts';
import { LearnPanel } from './learn-panel.tsx';
import { RigPanel } from './rig-panel.tsx';

const TITLES: Record<PanelName, string> = {
  fit: 'Fit',
  rig: 'Rig',
  inspect: 'Inspect',
  learn: 'Learn',
  export: 'Export',
  info: 'Info',
};

export function SidePanel(props: { studio: Studio; doc: Doc; shown: ReadonlySignal<Shown | undefined> }) {
  const { studio, doc, shown } = props;
  const open = doc.panel.value;
  const failure = doc.failure.value;
  const panels = {
    fit: () => <FitPanel studio={studio} doc={doc} />,
    rig: () => <RigPanel doc={doc} view={shown.value?.view} />,
    inspect: () => <InspectPanel doc={doc} />,
    learn: () => <LearnPanel studio={studio} doc={doc} />,
    export: () => <ExportPanel studio={studio} doc={doc} shown={shown} />,
    info: () => <InfoPanel doc={doc} />,
  };
  return (
    <aside class="side" aria-label="Panels">
      <div class="panel-tabs" role="tablist" aria-label="Panels">
        {doc.panels.map((panel, at) => (
          <button
            key={panel}
            type="button"
            role="tab"
            id={`tab-${panel}`}
            aria-selected={panel === open}
            aria-controls="panel"
            title={`Key ${at + 1}`}
            onClick={() => {
              doc.panel.value = panel;
            }}
            onKeyDown={(event) => chooseBeside(event, event.currentTarget)}
            onKeyUp={(event) => {
              // Space plays: some browsers would press the tab too.
              if (event.key === ' ') event.preventDefault();
            }}
          >
            {TITLES[panel]}
          </button>
        ))}
      </div>
      {failure && (
        <div class="failure" role="alert">
          <span>{failure.message}</span>
          <IconButton name="Dismiss" onClick={failure.dismiss}>
            <CloseIcon />
          </IconButton>
          {failure.again && (
            <button type="button" onClick={failure.again}>
              Try again
            </button>
          )}
        </div>
      )}
      {/* Another panel is another element: it begins at its head. */}
      <div key={open} class="panel" id="panel" role="tabpanel" aria-labelledby={`tab-${open}`}>
        {panels[open]()}
      </div>
    </aside>
  );
}

/** Arrow keys choose the tab beside one that has the focus by keys; after a click they step through the frames. */
function chooseBeside(event: KeyboardEvent, tab: HTMLButtonElement): void {
  const { key } = event;
  const step = key === 'ArrowRight' ? 'nextElementSibling' : key === 'ArrowLeft' ? 'previousElementSibling' : undefined;
  const beside = step && reachedByKeys(tab) ? (tab[step] as HTMLButtonElement | null) : null;
  if (!beside) return;
  event.preventDefault();
  beside.focus();
  beside.click();
}
