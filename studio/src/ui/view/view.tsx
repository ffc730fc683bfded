import { useRef } from 'preact/hooks';
import type { Doc } from '../../core/doc.ts';
import { compared, comparedPanes, driven } from '../../core/view/view-labels.ts';
import type { Shown } from '../../viewport/doc-view.ts';
import { Spinner } from '../controls/spinner.tsx';
import { Legends } from './colours.tsx';
import { useFramedPoints } from './frame-points.ts';
import { JointGizmo } from './joint-gizmo.tsx';
import { JointName, PaneLabels, WipeHandle, WorstRing } from './over-picture.tsx';
import { PointGizmo } from './point-gizmo.tsx';
import { useViewport } from './use-viewport.ts';
import { ViewBar } from './view-bar.tsx';

/** The viewport, with what lies over it. */
export function View({ doc, dark, onShown }: { doc: Doc; dark: boolean; onShown(shown: Shown | undefined): void }) {
  const host = useRef<HTMLDivElement>(null);
  const picture = useRef<HTMLDivElement>(null);
  const { shown, shape, trouble, drawn } = useViewport(doc, dark, picture, host, onShown);
  const dragging = driven(doc);
  const comparing = compared(doc);
  const panes = comparedPanes(doc, shape);
  const joint = doc.turning.value ? doc.turnable.value : undefined;
  useFramedPoints(shown, dragging ? doc.predictor.value : undefined);
  return (
    <main class="view" ref={host}>
      <div class="picture" ref={picture} aria-label={`${doc.content.name} in three dimensions`} role="img" />
      {!drawn && !trouble && <Spinner />}
      {trouble && (
        <p class="trouble" role="alert">
          {trouble}
        </p>
      )}
      {panes && <PaneLabels doc={doc} panes={panes} />}
      {comparing && doc.comparison.value === 'wipe' && <WipeHandle wipe={doc.wipe} host={host.current} />}
      <div class="over-view">
        <ViewBar doc={doc} viewport={shown?.viewport} />
        {!dragging && shown && <Legends doc={doc} view={shown.view} />}
      </div>
      {shown && <WorstRing {...shown} />}
      {shown && joint !== undefined && <JointGizmo doc={doc} joint={joint} {...shown} />}
      {shown && dragging && <PointGizmo doc={doc} {...shown} />}
      {shown?.view.joints.pointed.value && (
        <JointName joint={shown.view.joints.pointed.value} width={shown.viewport.size.width} />
      )}
    </main>
  );
}
