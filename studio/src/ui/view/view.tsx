import { useLayoutEffect, useRef } from 'preact/hooks';
import { clothLooks } from '../../core/cloth/cloth-panes.ts';
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

/** Where tools lie over the view, as in small-screens.css. */
const PHONES = '(max-width: 760px), (max-height: 440px)';

/** CSS pixels of tools and names over each pane. Comparisons on phones have tools at the foot too. */
function coveredIn(panes: number, compares: boolean): { head: number; foot: number } {
  if (compares && matchMedia(PHONES).matches) return { head: panes > 0 ? 76 : 50, foot: 50 };
  return { head: panes > 1 ? 34 : 50, foot: 10 };
}

/** The viewport, with what lies over it. */
export function View({ doc, dark, onShown }: { doc: Doc; dark: boolean; onShown(shown: Shown | undefined): void }) {
  const host = useRef<HTMLDivElement>(null);
  const picture = useRef<HTMLDivElement>(null);
  const { shown, shape, trouble, drawn } = useViewport(doc, dark, picture, host, onShown);
  const dragging = driven(doc);
  const comparing = compared(doc);
  const panes = comparedPanes(doc, shape);
  const joint = doc.turning.value ? doc.turnable.value : undefined;
  const { head, foot } = coveredIn(panes?.length ?? 0, comparing || clothLooks(doc).length > 0);
  useLayoutEffect(() => {
    if (!shown) return;
    shown.viewport.covered = { head, foot };
    shown.viewport.invalidate();
  }, [shown, head, foot]);
  useFramedPoints(shown, dragging ? doc.predictor.value : undefined);
  return (
    <main class="view">
      <ViewBar doc={doc} viewport={shown?.viewport} />
      <div class="sight" ref={host}>
        <div class="picture" ref={picture} aria-label={`${doc.content.name} in three dimensions`} role="img" />
        {!drawn && !trouble && <Spinner />}
        {trouble && (
          <p class="trouble" role="alert">
            {trouble}
          </p>
        )}
        {panes && <PaneLabels doc={doc} panes={panes} />}
        {comparing && doc.comparison.value === 'wipe' && <WipeHandle wipe={doc.wipe} host={host.current} />}
        {shown && <WorstRing {...shown} />}
        {shown && joint !== undefined && <JointGizmo doc={doc} joint={joint} {...shown} />}
        {shown && dragging && <PointGizmo doc={doc} {...shown} />}
        {shown?.view.joints.pointed.value && (
          <JointName joint={shown.view.joints.pointed.value} width={shown.viewport.size.width} />
        )}
      </div>
      {!dragging && shown && <Legends doc={doc} view={shown.view} />}
    </main>
  );
}
