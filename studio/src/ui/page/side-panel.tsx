import type { ReadonlySignal } from '@preact/signals-core';
import { useState } from 'preact/hooks';
import type { Doc } from '../../core/doc.ts';
import type { Failure } from '../../core/jobs/job-slot.ts';
import type { Studio } from '../../core/studio.ts';
import type { PanelName } from '../../core/view/looks.ts';
import type { Shown } from '../../viewport/doc-view.ts';
import { Button, IconButton } from '../controls/button.tsx';
import { Divider } from '../controls/divider.tsx';
import { CloseIcon } from '../controls/icons.tsx';
import { ClipsPanel } from '../fit/clips-panel.tsx';
import { FitPanel } from '../fit/fit-panel.tsx';
import { InfoPanel } from '../info/info-panel.tsx';
import { RigPanel } from '../rig/rig-panel.tsx';
import { reachedByKeys } from './keys.ts';
import { later } from './later.tsx';

const PanelHelp = later(() => import('../help/panel-help.tsx'));
const InspectPanel = later(() => import('../inspect/inspect-panel.tsx'));
const LearnPanel = later(() => import('../learn/learn-panel.tsx'));
const ExportPanel = later(() => import('../export/export-panel.tsx'));
const LevelsPanel = later(() => import('../levels/levels-panel.tsx'));
const LightPanel = later(() => import('../light/light-panel.tsx'));
const ClothPanel = later(() => import('../cloth/cloth-panel.tsx'));

const TITLES: Record<PanelName, string> = {
  fit: 'Fit',
  rig: 'Rig',
  inspect: 'Inspect',
  learn: 'Learn',
  cloth: 'Cloth',
  levels: 'Levels',
  light: 'Light',
  export: 'Export',
  info: 'Info',
};

/** The panels of a document, one of them open, and the last error. */
export function SidePanel(props: { studio: Studio; doc: Doc; shown: ReadonlySignal<Shown | undefined> }) {
  const { studio, doc, shown } = props;
  const open = doc.panel.value;
  const failure = doc.failure.value ?? doc.lostView.value;
  const panels = {
    fit: () =>
      doc.content.sequences.length > 0 ? (
        <FitPanel studio={studio} doc={doc} />
      ) : (
        <ClipsPanel studio={studio} doc={doc} />
      ),
    rig: () => <RigPanel doc={doc} view={shown.value?.view} />,
    inspect: () => <InspectPanel doc={doc} />,
    learn: () => <LearnPanel studio={studio} doc={doc} />,
    cloth: () => <ClothPanel studio={studio} doc={doc} />,
    levels: () => <LevelsPanel studio={studio} doc={doc} />,
    light: () => <LightPanel studio={studio} doc={doc} />,
    export: () => <ExportPanel studio={studio} doc={doc} shown={shown} />,
    info: () => <InfoPanel studio={studio} doc={doc} />,
  };
  return (
    <aside class="side" aria-label="Panels">
      <Divider size="side" label="Width of the panel" of=".side" least={280} most={640} />
      <Divider size="foot" label="Height of the panel" of=".side" across least={120} most={520} />
      <PanelTabs doc={doc} />
      {failure && <FailureNote {...failure} />}
      {/* Another panel is another element: it begins at its head. */}
      <div key={open} class="panel" id="panel" role="tabpanel" tabIndex={-1} aria-labelledby={`tab-${open}`}>
        <HelpToggle panel={open} />
        {panels[open]()}
      </div>
    </aside>
  );
}

/** What the panel is for, on request. */
function HelpToggle({ panel }: { panel: PanelName }) {
  const [shown, setShown] = useState(false);
  return (
    <>
      <button
        type="button"
        class="icon-button help-toggle"
        aria-label="What this panel is for"
        title="What this panel is for"
        aria-expanded={shown}
        onClick={() => setShown(!shown)}
      >
        ?
      </button>
      {shown && <PanelHelp panel={panel} />}
    </>
  );
}

function PanelTabs({ doc }: { doc: Doc }) {
  return (
    <div class="panel-tabs" role="tablist" aria-label="Panels">
      {doc.panels.map((panel, at) => (
        <button
          key={panel}
          type="button"
          role="tab"
          id={`tab-${panel}`}
          aria-selected={panel === doc.panel.value}
          aria-controls="panel"
          title={`Key ${at + 1}`}
          onClick={() => (doc.panel.value = panel)}
          onKeyDown={(event) => chooseBeside(event, event.currentTarget)}
          onKeyUp={(event) => {
            // Space plays; some browsers would also click the tab.
            if (event.key === ' ') event.preventDefault();
          }}
        >
          {TITLES[panel]}
        </button>
      ))}
    </div>
  );
}

/** The error, and what to do about it. */
const FailureNote = ({ message, again, dismiss }: Failure) => (
  <div class="failure" role="alert">
    <span>{message}</span>
    <IconButton name="Dismiss" onClick={dismiss}>
      <CloseIcon />
    </IconButton>
    {again && <Button onClick={again}>Try again</Button>}
  </div>
);

/** Arrow keys move between tabs focused by keyboard; after a click they step through frames. */
function chooseBeside(event: KeyboardEvent, tab: HTMLButtonElement): void {
  const { key } = event;
  const step = key === 'ArrowRight' ? 'nextElementSibling' : key === 'ArrowLeft' ? 'previousElementSibling' : undefined;
  const beside = step && reachedByKeys(tab) ? (tab[step] as HTMLButtonElement | null) : null;
  if (!beside) return;
  event.preventDefault();
  beside.focus();
  beside.click();
}
