import { explain } from '../../src/index.ts';
import './ui/page/style.css';
import './ui/controls/controls.css';
import './ui/page/layout.css';
import './ui/view/view.css';
import './ui/page/panels.css';
import './ui/time/timeline.css';
import './ui/page/welcome.css';
import './ui/page/small-screens.css';
// Makes components track the signals that they read.
import '@preact/signals';
import { render } from 'preact';
import { readAddress } from './core/content/address.ts';
import { offeredFiles } from './core/content/file-groups.ts';
import { startFit } from './core/fit/start-fit.ts';
import { jobThreads } from './core/jobs/start-job.ts';
import { browserStore } from './core/session/work-store.ts';
import { Studio } from './core/studio.ts';
import { App } from './ui/app.tsx';

const studio = new Studio({
  calm: () => matchMedia('(prefers-reduced-motion: reduce)').matches,
  download,
  store: browserStore(),
});
addEventListener('beforeunload', (event) => {
  // The browser asks whether to leave.
  if (studio.wouldLose) event.preventDefault();
});
render(<App studio={studio} />, document.getElementById('app')!);
void start();
// After the first paint of the page: what an open file needs. A missing WebGL is reported by the view.
setTimeout(() => void import('./ui/workspace.tsx').catch(() => {}));
setTimeout(() => void import('./viewport/warm-up.ts').then(({ warmUp }) => warmUp()).catch(() => {}));

/** Opens what the address names. */
async function start(): Promise<void> {
  try {
    const { sample, fit, files, lab } = readAddress(location.search);
    if (lab) studio.openLab();
    if (files) studio.openFiles(await offeredFiles(files));
    const doc = sample ? await studio.openSample(sample) : undefined;
    if (!doc) return;
    doc.fitOptions.value = fit;
    if ((fit.bones || fit.maxError || fit.maxSize) && doc.content.sequences.length > 0)
      void startFit(studio, doc, jobThreads());
  } catch (error) {
    studio.refuse('address', explain(error));
  }
}

/** Has the browser save a file under this name. */
function download(name: string, blob: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // The browser reads the URL when it starts to save.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
