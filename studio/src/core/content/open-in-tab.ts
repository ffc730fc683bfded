import { explain } from '../../../../src/index.ts';
import type { Doc } from '../doc.ts';
import { codeOf, isCancelled, type Job, mayGoWell, type Start } from '../jobs/job.ts';
import type { Opened, Tab, TabState, Tabs } from '../tabs.ts';

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
  const begin = (): { job: Job<T>; state: TabState } => {
    const job = start((progress) => {
      if (tab.state.value.kind === 'loading') tab.state.value = { ...tab.state.value, progress };
    });
    return { job, state: { kind: 'loading', progress: { label: 'reading' }, cancel: job.cancel } };
  };
  let { job, state } = begin();
  const tab = tabs.add(title, state);
  for (;;) {
    try {
      const opened = tabsOf(await job.result, title);
      tabs.replace(tab, opened);
      const front = opened.tabs[opened.active].state;
      return front.kind === 'ready' ? front.doc : undefined;
    } catch (error) {
      if (isCancelled(error)) tabs.remove(tab);
      if (isCancelled(error) || !(await wantedAgain(tab, error))) return undefined;
    }
    ({ job, state } = begin());
    tab.state.value = state;
  }
}

/** Shows in its tab why something was not opened. */
function wantedAgain({ state }: Tab, error: unknown): Promise<boolean> {
  return new Promise((resolve) => {
    const may = mayGoWell(error);
    const code = codeOf(error);
    state.value = {
      kind: 'failed',
      about: code === 'bad-file' || code === 'unsupported' ? 'format' : 'file',
      message: explain(error),
      again: may ? () => resolve(true) : undefined,
      giveUp: () => resolve(false),
    };
    if (!may) resolve(false);
  });
}
