import type { ComponentChildren } from 'preact';
import type { Doc } from '../core/doc.ts';
import type { Running } from '../core/job-slot.ts';
import { ProgressBar } from './controls.tsx';
import { fieldsAreRight } from './option-fields.tsx';

/** How far a job has come, and what stops it. */
export function UnderWay({ running, label }: { running: Running; label?: string }) {
  return (
    <div class="running">
      <ProgressBar {...running.progress} label={label ?? running.progress.label} />
      <button type="button" onClick={running.cancel}>
        Cancel
      </button>
    </div>
  );
}

/** Begins a job; while it runs, says how far it has come and can stop it. Waits while another one runs. */
export function RunButton(props: {
  doc: Doc;
  /** The title of the job. */
  job: string;
  primary?: boolean;
  onClick(): void;
  children: ComponentChildren;
}) {
  const { doc, job, primary = false, onClick, children } = props;
  const running = doc.running.value;
  if (running?.title === job) {
    return <UnderWay running={running} />;
  }
  return (
    <button
      type="button"
      class={`wide ${primary ? 'primary' : ''}`}
      disabled={!!running}
      onClick={() => fieldsAreRight() && onClick()}
    >
      {children}
    </button>
  );
}
