import type { Signal } from '@preact/signals-core';
import { useEffect } from 'preact/hooks';
import type { Doc } from '../core/doc.ts';
import type { Studio } from '../core/studio.ts';
import type { Shown } from '../viewport/doc-view.ts';
import { undecoded } from '../viewport/pictures.ts';
import { SidePanel } from './page/side-panel.tsx';
import { Timeline } from './time/timeline.tsx';
import { View } from './view/view.tsx';

/** An open document: loaded after the start page, which needs none of it. */
export default function Workspace(props: {
  studio: Studio;
  doc: Doc;
  dark: boolean;
  shown: Signal<Shown | undefined>;
}) {
  const { studio, doc, dark, shown } = props;
  useEffect(
    () =>
      undecoded.subscribe((count) => {
        if (count > 0) studio.notices.say('A texture could not be decoded. Its material is drawn without it.');
      }),
    [studio],
  );
  return (
    <>
      <View doc={doc} dark={dark} onShown={(now) => (shown.value = now)} />
      <Timeline doc={doc} dark={dark} />
      <SidePanel studio={studio} doc={doc} shown={shown} />
    </>
  );
}
