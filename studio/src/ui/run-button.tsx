import type { ComponentChildren } from 'preact';
import type { Doc } from '../core/doc.ts';
import { ProgressBar } from './controls.tsx';

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
    return (
      <div class="running">
        <ProgressBar {...running.progress} />
        <button type="button" onClick={running.cancel}>
          Cancel
        </button>
      </div>
    );
  }
  return (
    <button type="button" class={`wide ${primary ? 'primary' : ''}`} disabled={!!running} onClick={onClick}>
      {children}
    </button>
  );
}
