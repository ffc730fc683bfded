import type { Aside } from '../../core/jobs/aside.ts';
import type { Running } from '../../core/jobs/job-slot.ts';
import { Button } from './button.tsx';

/** How far something has come. */
export const ProgressBar = ({ label, share }: { label: string; share?: number }) => (
  <div class="progress">
    <progress aria-label={label} value={share} max={1} />
    <span>{label}</span>
    <span class="number">{share === undefined ? '' : `${Math.floor(100 * share)} %`}</span>
  </div>
);

/** How far a job has come, and what stops it. */
export function UnderWay({ running, label }: { running: Running; label?: string }) {
  return (
    <div class="running">
      <ProgressBar {...running.progress} label={label ?? running.progress.label} />
      <Button onClick={running.cancel}>Cancel</Button>
    </div>
  );
}

/** How far a job beside the others has come, or why it failed, which can be tried again. */
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
