import { spaceOf } from '../../core/content/content.ts';
import type { Doc } from '../../core/doc.ts';
import type { History } from '../../core/edits.ts';
import type { Studio } from '../../core/studio.ts';
import { isRefused, type Tab } from '../../core/tabs.ts';
import { Button, IconButton } from '../controls/button.tsx';
import { useFades } from '../controls/fades.ts';
import { CloseIcon, HelpIcon, PlusIcon, RedoIcon, SaveIcon, ThemeIcon, UndoIcon } from '../controls/icons.tsx';
import { busyWith } from '../controls/run-button.tsx';
import { keysShown } from './keys.ts';
import type { Theme, ThemeChoice } from './theme.ts';

const THEMES: Record<ThemeChoice, string> = {
  auto: 'Light or dark, following the system',
  light: 'Light',
  dark: 'Dark',
};

/** The open tabs, and commands for all of them. */
export function TopBar({ studio, theme }: { studio: Studio; theme: Theme }) {
  const history = studio.history.value;
  return (
    <header class="top-bar">
      <Button class="brand" hint="Start page" onClick={() => showFirst(studio)}>
        <svg viewBox="0 0 32 32" aria-hidden="true">
          <path d="M6 23c4.500-14 8.500-14 10.500-7s5.500 6 9.500-7" />
          <circle cx="6" cy="23" r="3" />
          <circle cx="26" cy="9" r="3" />
        </svg>
        <span class="brand-name">Pliant Studio</span>
      </Button>
      <TabStrip studio={studio} />
      {studio.tabs.value.some(({ state }) => !isRefused(state.value)) && (
        <div class="buttons">
          {history && <UndoRedo history={history} />}
          <IconButton
            name="Save session"
            hint="Save everything that is open as one file (Ctrl S)"
            why={busyWith(studio.saving.value)}
            onClick={() => void studio.save()}
          >
            <SaveIcon />
          </IconButton>
        </div>
      )}
      <span class="help-button">
        <IconButton
          name="Shortcuts"
          hint="Keys, mouse and touch; the tour (?)"
          onClick={() => (keysShown.value = true)}
        >
          <HelpIcon />
        </IconButton>
      </span>
      <IconButton
        name={`Theme: ${theme.choice}`}
        hint={`${THEMES[theme.choice]} (click to change)`}
        onClick={theme.next}
      >
        <ThemeIcon />
      </IconButton>
    </header>
  );
}

/** Shows the start page; everything stays open. */
const showFirst = (studio: Studio): void => {
  studio.active.value = undefined;
};

function TabStrip({ studio }: { studio: Studio }) {
  const active = studio.active.value;
  const tabs = studio.tabs.value;
  // The active tab stays visible when tabs come and go or the bar is resized.
  const fades = useFades<HTMLElement>([tabs, active], (strip) =>
    strip.querySelector('.active')?.scrollIntoView({ block: 'nearest', inline: 'nearest' }),
  );
  return (
    <div class="strip">
      <nav class="tabs fades" aria-label="Open files" {...fades}>
        {tabs
          .filter(({ state }) => !isRefused(state.value))
          .map((tab) => (
            <TabButton key={tab.id} studio={studio} tab={tab} active={tab.id === active} />
          ))}
      </nav>
      {active !== undefined && (
        <IconButton name="Open another" onClick={() => showFirst(studio)}>
          <PlusIcon />
        </IconButton>
      )}
    </div>
  );
}

function TabButton({ studio, tab, active }: { studio: Studio; tab: Tab; active: boolean }) {
  const state = tab.state.value;
  return (
    <div class={`tab ${active ? 'active' : ''} ${state.kind}`}>
      <button
        type="button"
        aria-current={active ? 'page' : undefined}
        title={tab.title}
        onClick={() => (studio.active.value = tab.id)}
      >
        {tab.title}
      </button>
      {active && state.kind === 'ready' && state.doc.content.spaceUnknown && (
        <UpSwitch studio={studio} doc={state.doc} />
      )}
      <IconButton name={`Close ${tab.title}`} onClick={() => studio.close(tab.id)}>
        <CloseIcon />
      </IconButton>
    </div>
  );
}

/** The up axis of a file that does not store it. */
function UpSwitch({ studio, doc }: { studio: Studio; doc: Doc }) {
  const space = spaceOf(doc.content);
  const other = space.up === 'z' ? 'y' : 'z';
  return (
    <Button
      class="up-switch"
      hint={`The file does not store its up axis: click for ${other} up`}
      why={busyWith(doc.running.value)}
      onClick={() => studio.setSpace(doc, { ...space, up: other })}
    >
      {`${space.up} up`}
    </Button>
  );
}

function UndoRedo({ history }: { history: History }) {
  const [undo, redo] = [history.undoable.value, history.redoable.value];
  return (
    <>
      <IconButton
        name="Undo"
        hint={`Undo: ${undo} (Ctrl Z)`}
        why={undo === undefined ? 'Nothing to undo.' : undefined}
        onClick={() => history.undo()}
      >
        <UndoIcon />
      </IconButton>
      <IconButton
        name="Redo"
        hint={`Redo: ${redo} (Ctrl Shift Z)`}
        why={redo === undefined ? 'Nothing to redo.' : undefined}
        onClick={() => history.redo()}
      >
        <RedoIcon />
      </IconButton>
    </>
  );
}
