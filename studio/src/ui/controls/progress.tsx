import type { Aside } from '../../core/jobs/aside.ts';
import type { Progress } from '../../core/jobs/job.ts';
import type { Running } from '../../core/jobs/job-slot.ts';
import { Button } from './button.tsx';

/** A progress bar with its label. */
export const ProgressBar = ({ label, share, left }: Progress) => (
  <div class="progress">
    <progress aria-label={label} value={share} max={1} />
    <span>{label}</span>
    <span class="number">
      {left !== undefined && `${leftText(left)} · `}
      {share === undefined ? '' : `${Math.floor(100 * share)} %`}
    </span>
  </div>
);

/** Seconds in steps that do not flicker. */
function leftText(seconds: number): string {
  if (seconds >= 90) return `about ${Math.round(seconds / 60)} min left`;
  if (seconds < 5) return 'a few seconds left';
  const step = seconds < 20 ? 5 : 10;
  return `about ${step * Math.round(seconds / step)} s left`;
}

/** Progress of a job, with Cancel. */
export function UnderWay({ running, label }: { running: Running; label?: string }) {
  return (
    <div class="running" tabIndex={-1}>
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
