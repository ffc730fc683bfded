import type { ComponentChildren } from 'preact';
import type { Doc } from '../../core/doc.ts';
import type { Running } from '../../core/jobs/job-slot.ts';
import { Button } from './button.tsx';
import { UnderWay } from './progress.tsx';
import { showWrongField, wrongField } from './wrong-fields.ts';

/** Why nothing else can start while a job runs. */
export const busyWith = (running: Running | undefined): string | undefined =>
  running && `${running.title} is running: wait for it or cancel it.`;

/** Starts a job; shows its progress with Cancel while it runs. Disabled while another one runs. */
export function RunButton(props: {
  doc: Doc;
  /** Title of the job; if absent, any running job is shown here. */
  job?: string;
  primary?: boolean;
  /** Whether it uses the fields of the panel, which must then be valid. */
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

/** A full-width button that starts a job of the document. */
export const WideButton = (props: { doc: Doc; onClick(): Promise<void>; children: ComponentChildren }) => (
  <Button class="wide" why={busyWith(props.doc.running.value)} onClick={() => void props.onClick()}>
    {props.children}
  </Button>
);
