import { useSignal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import { droppedFiles } from '../core/content/file-groups.ts';
import type { Studio } from '../core/studio.ts';
import type { DocView } from '../viewport/doc-view.ts';
import type { Viewport } from '../viewport/viewport.ts';
import { Reasons } from './controls.tsx';
import { handleKey } from './keys.ts';
import { KeysDialog } from './keys-dialog.tsx';
import { later } from './later.tsx';
import { Notices } from './notices.tsx';
import { SidePanel } from './side-panel.tsx';
import { useTheme } from './theme.ts';
import { Timeline } from './timeline.tsx';
import { TopBar } from './top-bar.tsx';
import { View } from './view.tsx';
import { Welcome } from './welcome.tsx';

const LabView = later(() => import('./lab.tsx'));

/** What the panels need of the picture, once there is one. */
export interface Shown {
  viewport: Viewport;
  view: DocView;
}

export function App({ studio }: { studio: Studio }) {
  const theme = useTheme();
  const shown = useSignal<Shown | undefined>(undefined);
  const dragging = useDrop(studio);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 's') {
        event.preventDefault();
        void studio.save();
      } else handleKey(event, studio, shown.peek()?.viewport);
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [studio]);
  const tab = studio.tab.value;
  const doc = studio.doc.value;
  return (
    <Reasons.Provider value={studio.notice}>
      <div class={`app ${doc ? 'open' : ''}`}>
        <TopBar studio={studio} theme={theme} />
        {tab && doc ? (
          <>
            <View key={tab.id} doc={doc} dark={theme.dark} onShown={(now) => (shown.value = now)} />
            <SidePanel key={tab.id} studio={studio} doc={doc} shown={shown} />
            <Timeline doc={doc} dark={theme.dark} />
          </>
        ) : tab?.state.value.kind === 'lab' ? (
          <LabView key={tab.id} dark={theme.dark} lab={tab.state.value.lab} />
        ) : (
          <Welcome studio={studio} tab={tab} />
        )}
        <Notices studio={studio} />
        <KeysDialog />
        {dragging && (
          <div class="drop-veil" aria-hidden="true">
            <span>Drop to open</span>
          </div>
        )}
      </div>
    </Reasons.Provider>
  );
}

/** Opens what is dropped anywhere on the page; true while something is held over it. */
function useDrop(studio: Studio): boolean {
  const [dragging, setDragging] = useState(false);
  useEffect(() => {
    const over = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      setDragging(true);
    };
    const leave = (event: DragEvent) => {
      if (!event.relatedTarget) setDragging(false);
    };
    const drop = async (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      setDragging(false);
      studio.openFiles(await droppedFiles(event.dataTransfer));
    };
    addEventListener('dragover', over);
    addEventListener('dragleave', leave);
    addEventListener('drop', drop);
    return () => {
      removeEventListener('dragover', over);
      removeEventListener('dragleave', leave);
      removeEventListener('drop', drop);
    };
  }, [studio]);
  return dragging;
}
