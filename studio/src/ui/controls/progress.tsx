import type { Aside } from '../../core/jobs/aside.ts';
import type { Running } from '../../core/jobs/job-slot.ts';
import { Button } from './button.tsx';

/** A progress bar with its label. */
export const ProgressBar = ({ label, share }: { label: string; share?: number }) => (
  <div class="progress">
    <progress aria-label={label} value={share} max={1} />
    <span>{label}</span>
    <span class="number">{share === undefined ? '' : `${Math.floor(100 * share)} %`}</span>
  </div>
);

/** Progress of a job, with Cancel. */
export function UnderWay({ running, label }: { running: Running; label?: string }) {
  return (
    <div class="running">
      <ProgressBar {...running.progress} label={label ?? running.progress.label} />
      <Button onClick={running.cancel}>Cancel</Button>
    </div>
  );
}

/** Progress of a background job, or its error with Try again. */
export function AsideState({ aside }: { aside: Aside<unknown> }) {
  const progress = aside.progress.value;
  const failure = aside.failure.value;
  return (
    <>
      {progress && <ProgressBar {...progress} />}
      {failure !== undefined && (
        <div class="failed-aside" role="alert">
          <p class="message">{failure}</p>
          <Button onClick={() => aside.again()}>Try again</Button>
        </div>
      )}
    </>
  );
}
