import type { ComponentChildren } from 'preact';
import type { Doc } from '../../core/doc.ts';
import type { Running } from '../../core/jobs/job-slot.ts';
import { Button } from './button.tsx';
import { UnderWay } from './progress.tsx';
import { showWrongField, wrongField } from './wrong-fields.ts';

/** Why nothing else can begin while a job runs. */
export const busyWith = (running: Running | undefined): string | undefined =>
  running && `${running.title} is running: wait for it or cancel it.`;

/** Begins a job; while it runs, says how far it has come and can stop it. Waits while another one runs. */
export function RunButton(props: {
  doc: Doc;
  /** The title of the job; where it is absent, any that runs is shown in its place. */
  job?: string;
  primary?: boolean;
  /** Whether it takes what the fields of the panel say. */
  fields?: boolean;
  onClick(): void;
  children: ComponentChildren;
}) {
  const { doc, job, primary = false, fields = false, onClick, children } = props;
  const running = doc.running.value;
  if (running && (!job || running.title === job)) return <UnderWay running={running} />;
  const wrong = fields ? wrongField.value : undefined;
  return (
    <Button
      class={`wide ${primary ? 'primary' : ''}`}
      why={busyWith(running) ?? wrong}
      onClick={onClick}
      onRefuse={running ? undefined : showWrongField}
    >
      {children}
    </Button>
  );
}

/** A button over the whole width that starts a job of the document. */
export const WideButton = (props: { doc: Doc; onClick(): Promise<void>; children: ComponentChildren }) => (
  <Button class="wide" why={busyWith(props.doc.running.value)} onClick={() => void props.onClick()}>
    {props.children}
  </Button>
);
