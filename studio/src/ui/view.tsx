import { useEffect, useRef, useState } from 'preact/hooks';
import { plural } from '../../../src/report/format.ts';
import type { Doc } from '../core/doc.ts';
import { paintsOf } from '../core/paint/painter.ts';
import type { Comparison } from '../core/view/looks.ts';
import { panesOf, shapeOf, type ViewShape } from '../core/view/panes.ts';
import { compared, driven, paneNames } from '../core/view/view-labels.ts';
import { animate } from '../viewport/animation.ts';
import { DocView } from '../viewport/doc-view.ts';
import type { PointedJoint } from '../viewport/joints-over.ts';
import { Viewport } from '../viewport/viewport.ts';
import type { Shown } from './app.tsx';
import { ColoursMenu, Legends } from './colours.tsx';
import { IconButton, Segmented } from './controls.tsx';
import { useFramedPoints } from './frame-points.ts';
import { GridIcon, HomeIcon, JointsIcon } from './icons.tsx';
import { JointGizmo } from './joint-gizmo.tsx';
import { PointGizmo } from './point-gizmo.tsx';

const COMPARISONS: readonly { value: Comparison; text: string; hint: string }[] = [
  { value: 'original', text: 'Original', hint: 'the motion as it was opened' },
  { value: 'fitted', text: 'Fitted', hint: 'the skinned model alone' },
  { value: 'side', text: 'Side by side', hint: 'both and their difference, with one camera' },
  { value: 'overlay', text: 'Overlay', hint: 'the original as a ghost over the fitted' },
  { value: 'wipe', text: 'Wipe', hint: 'left the original, right the fitted' },
];

/** The picture, with what lies over it. */
export function View({ doc, dark, onShown }: { doc: Doc; dark: boolean; onShown(shown: Shown | undefined): void }) {
  const picture = useRef<HTMLDivElement>(null);
  const host = useRef<HTMLDivElement>(null);
  const ring = useRef<HTMLDivElement>(null);
  const [shown, setShown] = useState<Shown>();
  const [trouble, setTrouble] = useState<string>();
  const [shape, setShape] = useState<ViewShape>(() => shapeOf(Infinity, 0));

  useEffect(() => {
    let viewport: Viewport;
    try {
      viewport = new Viewport();
    } catch {
      setTrouble('This browser has no WebGL 2, which the view needs.');
      return undefined;
    }
    const { canvas, drawn } = viewport;
    // Until there is a picture of this document the canvas has that of another.
    canvas.classList.add('stale');
    const fresh = () => {
      canvas.classList.remove('stale');
      drawn.delete(fresh);
    };
    drawn.add(fresh);
    picture.current!.append(canvas);
    const view = new DocView(doc, viewport);
    const camera = doc.camera.peek();
    if (camera) viewport.look(camera);
    viewport.onLook = (moved) => {
      doc.camera.value = moved;
    };
    const stop = animate(doc, viewport);
    const watch = new ResizeObserver(
      ([
        {
          contentRect: { width, height },
        },
      ]) => {
        viewport.resize(width, height);
        setShape(shapeOf(width, height));
      },
    );
    watch.observe(host.current!);
    viewport.drawn.add(() => placeRing(ring.current, view, viewport));
    const now = { viewport, view };
    setShown(now);
    onShown(now);
    return () => {
      stop();
      watch.disconnect();
      view.dispose();
      viewport.dispose();
      onShown(undefined);
    };
  }, [doc]);

  useEffect(() => {
    shown?.viewport.stage.setDark(dark);
    shown?.viewport.invalidate();
  }, [shown, dark]);

  const worst = shown?.view.worst.value;
  const dragging = driven(doc);
  useFramedPoints(shown, dragging ? doc.predictor.value : undefined);
  const comparing = compared(doc);
  return (
    <main class="view" ref={host}>
      <div class="picture" ref={picture} aria-label={`${doc.content.name} in three dimensions`} role="img" />
      {trouble && (
        <p class="trouble" role="alert">
          {trouble}
        </p>
      )}
      {comparing && <PaneLabels doc={doc} shape={shape} />}
      <div class="over-view">
        <div class="view-bar">
          {comparing && (
            <Segmented
              label="Comparison"
              value={doc.comparison.value}
              choices={COMPARISONS}
              onChange={(value) => {
                doc.comparison.value = value;
              }}
            />
          )}
          {paintsOf(doc).length > 1 && !dragging && <ColoursMenu doc={doc} />}
          <ViewTools doc={doc} viewport={shown?.viewport} compared={comparing} dragging={dragging} />
        </div>
        {!dragging && shown && <Legends doc={doc} view={shown.view} />}
      </div>
      {comparing && doc.comparison.value === 'wipe' && <WipeHandle doc={doc} host={host.current} />}
      <div class="ring" ref={ring} hidden={!worst}>
        <span>{worst?.text}</span>
      </div>
      {shown?.view.joints.pointed.value && <JointName joint={shown.view.joints.pointed.value} />}
      {shown && doc.panel.value === 'rig' && doc.rig.canTurn(doc.joint.value) && <JointGizmo doc={doc} {...shown} />}
      {shown && dragging && <PointGizmo doc={doc} {...shown} />}
    </main>
  );
}

function ViewTools(props: { doc: Doc; viewport: Viewport | undefined; compared: boolean; dragging: boolean }) {
  const { doc, viewport, compared, dragging } = props;
  const { models, motions } = doc.content;
  const hasBones = compared || models.length > 0;
  return (
    <div class="buttons floating">
      {(hasBones || motions.length > 0) && !dragging && (
        <IconButton
          name="Joints"
          hint="Show joints"
          pressed={doc.joints.value}
          onClick={() => {
            doc.joints.value = !doc.joints.value;
          }}
        >
          <JointsIcon />
        </IconButton>
      )}
      <IconButton
        name="Wireframe"
        hint="Show edges"
        pressed={doc.wireframe.value}
        onClick={() => {
          doc.wireframe.value = !doc.wireframe.value;
        }}
      >
        <GridIcon />
      </IconButton>
      <IconButton name="Frame everything" hint="Bring everything into view (F)" onClick={() => viewport?.reset()}>
        <HomeIcon />
      </IconButton>
    </div>
  );
}

/** The joint below the pointer. */
function JointName({ joint: { name, vertices, x, y } }: { joint: PointedJoint }) {
  return (
    <div class="tip" role="status" style={{ transform: `translate(${x}px, ${y}px)` }}>
      <span>
        {name} <small>{vertices > 0 ? plural(vertices, 'vertex', 'vertices') : 'moves nothing'}</small>
      </span>
    </div>
  );
}

/** Names of the panes, each in its corner, and lines between them. */
function PaneLabels({ doc, shape }: { doc: Doc; shape: ViewShape }) {
  const { comparison } = doc;
  const { upright } = shape;
  const names = paneNames(doc);
  return (
    <>
      {panesOf(comparison.value, doc.wipe.value, shape).map(({ shows, left: x, top, seen }, at) => {
        const right = comparison.value === 'wipe' && at === 1;
        const place = right ? { right: '10px' } : { left: `calc(${100 * Math.max(x, seen[0])}% + 10px)` };
        const below = top > 0 ? `calc(${100 * top}% + 10px)` : undefined;
        return (
          <>
            <span key={shows} class="pane-label" style={{ ...place, top: below }}>
              {names[shows]}
            </span>
            {x + top > 0 && (
              <span
                class={`pane-rule ${upright ? 'across' : ''}`}
                style={upright ? { top: `${100 * top}%` } : { left: `${100 * x}%` }}
              />
            )}
          </>
        );
      })}
    </>
  );
}

function WipeHandle({ doc, host }: { doc: Doc; host: HTMLElement | null }) {
  const { wipe } = doc;
  const move = (event: PointerEvent) => {
    if (!host || event.buttons === 0) return;
    const { left, width } = host.getBoundingClientRect();
    wipe.value = Math.max(0.02, Math.min(0.98, (event.clientX - left) / width));
  };
  return (
    <div
      class="wipe"
      role="slider"
      tabIndex={0}
      aria-label="Border between original and fitted"
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(100 * wipe.value)}
      style={{ left: `${100 * wipe.value}%` }}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={move}
      onKeyDown={(event) => {
        const step = { ArrowLeft: -0.02, ArrowRight: 0.02 }[event.key];
        if (step === undefined) return;
        event.stopPropagation();
        wipe.value = Math.max(0.02, Math.min(0.98, wipe.value + step));
      }}
    />
  );
}

/** CSS pixels that a label needs beside what it names. */
const ROOM = 150;

/** Rings the worst place where the camera sees it. */
function placeRing(ring: HTMLElement | null, view: DocView, viewport: Viewport): void {
  const worst = view.worst.peek();
  const place = worst && viewport.project(worst.point);
  if (!ring) return;
  ring.style.visibility = place ? 'visible' : 'hidden';
  if (!place) return;
  ring.style.transform = `translate(${place.x}px, ${place.y}px)`;
  ring.classList.toggle('leftwards', place.x > viewport.canvas.clientWidth - ROOM);
}
