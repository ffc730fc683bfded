import type { ComponentChildren } from 'preact';
import type { Doc } from '../../core/doc.ts';
import { Button } from '../controls/button.tsx';
import { busyWith } from '../controls/run-button.tsx';

/** A button over the whole width that starts a job of the document. */
export const WideButton = (props: { doc: Doc; onClick(): Promise<void>; children: ComponentChildren }) => (
  <Button class="wide" why={busyWith(props.doc.running.value)} onClick={() => void props.onClick()}>
    {props.children}
  </Button>
);
