import type { Aside } from '../../core/jobs/aside.ts';
import { Button } from './button.tsx';
import { ProgressBar } from './progress-bar.tsx';

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
