import type { Aside } from '../core/jobs/aside.ts';
import { ProgressBar } from './controls.tsx';

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
          <button type="button" onClick={() => aside.again()}>
            Try again
          </button>
        </div>
      )}
    </>
  );
}
