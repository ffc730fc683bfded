import { effect } from '@preact/signals-core';
import type { PliantErrorCode } from '../../../../src/index.ts';
import type { Doc } from '../doc.ts';
import type { Start } from '../jobs/job.ts';
import { JobSlot } from '../jobs/job-slot.ts';
import type { Opened, TabState, Tabs, Trouble } from '../tabs.ts';

/**
 * Opens a tab for a job and replaces it by the tabs that `tabsOf` makes of the result. Resolves to the document in front,
 * or to undefined if it was cancelled. A failure is shown in the tab, with a way to try again.
 */
export async function openInTab<T>(
  tabs: Tabs,
  title: string,
  start: Start<T>,
  tabsOf: (found: T, title: string) => Opened,
): Promise<Doc | undefined> {
  const slot = new JobSlot();
  const opening = slot.run(title, (onProgress) => {
    const { result, cancel } = start(onProgress);
    return { result: result.then((found) => tabsOf(found, title)), cancel };
  });
  const tab = tabs.add(title, stateOf(slot)!);
  const stop = effect(() => {
    tab.state.value = stateOf(slot) ?? tab.state.peek();
  });
  const opened = await opening;
  stop();
  if (opened) tabs.replace(tab, opened);
  else if (!slot.failure.peek()) tabs.remove(tab);
  const front = opened?.tabs[opened.active].state;
  return front?.kind === 'ready' ? front.doc : undefined;
}

function stateOf({ running, failure }: JobSlot): TabState | undefined {
  if (running.value) return { kind: 'loading', ...running.value };
  if (!failure.value) return undefined;
  const { code, message, again, dismiss } = failure.value;
  return { kind: 'failed', about: troubleOf(code), message, again, giveUp: dismiss };
}

function troubleOf(code: PliantErrorCode): Trouble {
  if (code === 'not-found') return 'missing';
  return code === 'bad-file' || code === 'unsupported' ? 'format' : 'file';
}
