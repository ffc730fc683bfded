import { LAB_TITLE, Lab } from '../lab/lab-state.ts';
import type { Opened, Tab } from '../tabs.ts';
import { restoreDoc, type SessionData, saveDoc } from './session.ts';

/** The saved state of all tabs. */
export interface SavedTabs {
  session: SessionData;
  /** Title of the tab in front, or of the first. */
  title: string;
  /** Titles of tabs that are still loading, which are left out. */
  left: string[];
}

/** Everything that is open as one session; undefined if nothing is. */
export function saveTabs(all: readonly Tab[], active: number | undefined): SavedTabs | undefined {
  const tabs = all.map(({ id, title, state }) => ({ id, title, state: state.value }));
  const ready = tabs.flatMap(({ state, ...tab }) => (state.kind === 'ready' ? [{ ...tab, doc: state.doc }] : []));
  const labAt = tabs.findIndex(({ state }) => state.kind === 'lab');
  const lab = tabs[labAt]?.state;
  // Documents come first in a session, then the lab with its position.
  const open = [...ready, ...tabs.slice(labAt, labAt + 1)];
  if (open.length === 0) return undefined;
  const shown = Math.max(
    0,
    open.findIndex(({ id }) => id === active),
  );
  const session: SessionData = {
    active: shown,
    docs: ready.map(({ title, doc }) => saveDoc(title, doc)),
    lab: lab?.kind === 'lab' ? lab.lab.state.value.value : undefined,
    beforeLab: lab && tabs.slice(0, labAt).filter(({ state }) => state.kind === 'ready').length,
  };
  const left = tabs.flatMap(({ title, state }) => (state.kind === 'loading' ? [title] : []));
  return { session, title: open[shown].title, left };
}

/** The tabs of a session as they were left. */
export function restoreTabs({ docs, lab, beforeLab = docs.length, active }: SessionData): Opened {
  const tabs: Opened['tabs'] = docs.map((saved) => ({
    title: saved.title,
    state: { kind: 'ready', doc: restoreDoc(saved) },
  }));
  if (!lab) return { tabs, active };
  tabs.splice(beforeLab, 0, { title: LAB_TITLE, state: { kind: 'lab', lab: new Lab(lab) } });
  return { tabs, active: active === docs.length ? beforeLab : active + (active >= beforeLab ? 1 : 0) };
}
