import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Doc } from '../../core/doc.ts';
import type { Running } from '../../core/jobs/job-slot.ts';
import { reachedByKeys } from '../page/keys.ts';
import { Button } from './button.tsx';
import { UnderWay } from './progress.tsx';
import { showWrongField, wrongField } from './wrong-fields.ts';

/** Why nothing else can start while a job runs. */
export const busyWith = (running: Running | undefined): string | undefined =>
  running && `Still ${running.title[0].toLowerCase()}${running.title.slice(1)}: wait for it or cancel it.`;

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
  const shown = running && (!job || running.title === job);
  const place = useRef<HTMLDivElement>(null);
  const { activeElement: focused } = document;
  const held = focused && reachedByKeys(focused) && place.current?.contains(focused);
  // What takes the place of a button that was reached by keys, or of its progress, has the focus.
  useLayoutEffect(() => {
    if (held) place.current!.querySelector<HTMLElement>('.running, button')!.focus();
  }, [shown]);
  const wrong = fields ? wrongField.value : undefined;
  return (
    <div class="run" ref={place}>
      {shown ? (
        <UnderWay running={running} />
      ) : (
        <Button
          class={`wide ${primary ? 'primary' : ''}`}
          why={busyWith(running) ?? wrong}
          onClick={onClick}
          onRefuse={running ? undefined : showWrongField}
        >
          {children}
        </Button>
      )}
    </div>
  );
}

/** A full-width button that starts a job of the document. */
export const WideButton = (props: { doc: Doc; onClick(): Promise<void>; children: ComponentChildren }) => (
  <Button class="wide" why={busyWith(props.doc.running.value)} onClick={() => void props.onClick()}>
    {props.children}
  </Button>
);
