import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect } from 'preact/hooks';
import type { Studio } from '../core/studio.ts';
import type { Shown } from '../viewport/doc-view.ts';
import { Reasons } from './controls/button.tsx';
import { handleKey, tourShown } from './page/keys.ts';
import { KeysDialog } from './page/keys-dialog.tsx';
import { later } from './page/later.tsx';
import { NoticeList } from './page/notices.tsx';
import { useTheme } from './page/theme.ts';
import { TopBar } from './page/top-bar.tsx';
import { useDrop } from './page/use-drop.ts';
import { Welcome } from './page/welcome.tsx';

const Workspace = later(() => import('./workspace.tsx'));
const Tour = later(() => import('./help/tour.tsx'));
const LabView = later(() => import('./lab/lab.tsx'));

export function App({ studio }: { studio: Studio }) {
  const theme = useTheme();
  const shown = useSignal<Shown | undefined>(undefined);
  const dragging = useDrop(studio);
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => handleKey(event, studio, shown.peek()?.viewport);
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [studio]);
  const tab = studio.tab.value;
  const doc = studio.doc.value;
  useEffect(() => {
    document.title = tab ? `${tab.title} · Pliant Studio` : 'Pliant Studio';
  }, [tab]);
  return (
    <Reasons.Provider value={studio.notices.said}>
      <div class={`app ${doc ? 'open' : ''}`}>
        <TopBar studio={studio} theme={theme} />
        {tab && doc ? (
          <Workspace key={tab.id} studio={studio} doc={doc} dark={theme.dark} shown={shown} />
        ) : tab?.state.value.kind === 'lab' ? (
          <LabView key={tab.id} dark={theme.dark} lab={tab.state.value.lab} />
        ) : (
          <Welcome studio={studio} tab={tab} />
        )}
        <NoticeList studio={studio} />
        <KeysDialog studio={studio} />
        {doc && tourShown.value && <Tour onEnd={() => (tourShown.value = false)} />}
        {dragging && (
          <div class="drop-veil" aria-hidden="true">
            <span>Drop to open</span>
          </div>
        )}
      </div>
    </Reasons.Provider>
  );
}
