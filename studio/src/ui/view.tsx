import { useEffect, useRef, useState } from 'preact/hooks';
import { cssColour, heat } from '../../../src/report/colors.ts';
import { digits, number } from '../../../src/report/format.ts';
import type { Comparison, Doc, Paint } from '../core/doc.ts';
import { DocView } from '../viewport/doc-view.ts';
import { Viewport } from '../viewport/viewport.ts';
import type { Shown } from './app.tsx';
import { IconButton, Segmented } from './controls.tsx';
import { GridIcon, HomeIcon, JointsIcon } from './icons.tsx';

const COMPARISONS: readonly { value: Comparison; text: string; hint: string }[] = [
  { value: 'original', text: 'Original', hint: 'the motion as it was opened' },
  { value: 'fitted', text: 'Fitted', hint: 'the skinned model alone' },
  { value: 'side', text: 'Side by side', hint: 'both, with one camera' },
  { value: 'overlay', text: 'Overlay', hint: 'the original as a ghost over the fitted' },
  { value: 'wipe', text: 'Wipe', hint: 'left the original, right the fitted' },
];

const PAINTS: Record<Paint, { text: string; hint: string }> = {
  plain: { text: 'Plain', hint: 'the surface as it is' },
  error: { text: 'Error', hint: 'how far each vertex is from its place in this frame' },
  bones: { text: 'Bones', hint: 'the bone that each vertex follows most' },
};

/** The picture, with what lies over it. */
export function View({ doc, dark, onShown }: { doc: Doc; dark: boolean; onShown(shown: Shown | undefined): void }) {
  const picture = useRef<HTMLDivElement>(null);
  const host = useRef<HTMLDivElement>(null);
  const ring = useRef<HTMLDivElement>(null);
  const [shown, setShown] = useState<Shown>();
  const [trouble, setTrouble] = useState<string>();

  useEffect(() => {
    let viewport: Viewport;
    try {
      viewport = new Viewport();
    } catch {
      setTrouble('This browser has no WebGL 2, which the view needs.');
      return undefined;
    }
    picture.current!.append(viewport.canvas);
    const view = new DocView(doc, viewport);
    const camera = doc.camera.peek();
    if (camera) viewport.look(camera);
    viewport.onLook = (moved) => {
      doc.camera.value = moved;
    };
    const stop = animate(doc, viewport);
    const watch = new ResizeObserver(([{ contentRect }]) => viewport.resize(contentRect.width, contentRect.height));
    watch.observe(host.current!);
    viewport.onDraw = () => placeRing(ring.current, view, viewport);
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
  const dragging = doc.panel.value === 'learn' && doc.predictor.value !== undefined;
  const compared = doc.fit.value !== undefined && !dragging;
  return (
    <main class="view" ref={host}>
      <div class="picture" ref={picture} aria-label={`${doc.content.name} in three dimensions`} role="img" />
      {trouble && (
        <p class="trouble" role="alert">
          {trouble}
        </p>
      )}
      <div class="view-bar">
        {compared && (
          <Segmented
            label="Comparison"
            value={doc.comparison.value}
            choices={COMPARISONS}
            onChange={(value) => {
              doc.comparison.value = value;
            }}
          />
        )}
        <ViewTools doc={doc} viewport={shown?.viewport} compared={compared} dragging={dragging} />
      </div>
      {compared && <PaneLabels doc={doc} />}
      {compared && doc.comparison.value === 'wipe' && <WipeHandle doc={doc} host={host.current} />}
      <div class="ring" ref={ring} hidden={!worst}>
        <span>{worst ? `worst ${digits(worst.percent)} %` : ''}</span>
      </div>
      {compared && doc.paint.value === 'error' && doc.comparison.value !== 'original' && shown && (
        <HeatLegend top={shown.view.heatTop.value} />
      )}
    </main>
  );
}

function ViewTools(props: { doc: Doc; viewport: Viewport | undefined; compared: boolean; dragging: boolean }) {
  const { doc, viewport, compared, dragging } = props;
  const { models, motions } = doc.content;
  const hasBones = compared || models.length > 0;
  const paints = (Object.keys(PAINTS) as Paint[]).filter((paint) => paint !== 'error' || compared);
  return (
    <div class="tools">
      {hasBones && !dragging && (
        <Segmented
          label="Colours"
          value={doc.paint.value}
          choices={paints.map((value) => ({ value, ...PAINTS[value] }))}
          onChange={(value) => {
            doc.paint.value = value;
          }}
        />
      )}
      <div class="buttons floating">
        {(hasBones || motions.length > 0) && !dragging && (
          <IconButton
            name="Joints"
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
          pressed={doc.wireframe.value}
          onClick={() => {
            doc.wireframe.value = !doc.wireframe.value;
          }}
        >
          <GridIcon />
        </IconButton>
        <IconButton name="Frame everything" onClick={() => viewport?.reset()}>
          <HomeIcon />
        </IconButton>
      </div>
    </div>
  );
}

function PaneLabels({ doc }: { doc: Doc }) {
  const { comparison, fit } = doc;
  const fitted = `Fitted, ${fit.value?.data.bones} bones`;
  const half = comparison.value === 'side' || comparison.value === 'wipe';
  if (comparison.value === 'overlay') return <span class="pane-label left">Original as a ghost over the fitted</span>;
  return (
    <>
      {(half || comparison.value === 'original') && <span class="pane-label left">Original</span>}
      {half && <span class={`pane-label ${comparison.value === 'side' ? 'middle' : 'right'}`}>{fitted}</span>}
      {comparison.value === 'fitted' && <span class="pane-label left">{fitted}</span>}
      {comparison.value === 'side' && <span class="pane-rule" />}
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

const HEAT_STEPS = 24;
const GRADIENT = Array.from({ length: HEAT_STEPS }, (_, s) => cssColour(heat(s / (HEAT_STEPS - 1)))).join(', ');

function HeatLegend({ top }: { top: number }) {
  const ticks = [0, 0.25, 0.5, 0.75, 1];
  return (
    <figure class="legend" aria-label={`Scale of errors, from 0 to ${number(top)} % of the diagonal`}>
      <figcaption>Error, % of the diagonal</figcaption>
      <div class="ramp" style={{ background: `linear-gradient(to right, ${GRADIENT})` }} />
      <div class="ticks">
        {ticks.map((t) => (
          <span key={t}>
            {t === 1 ? '≥ ' : ''}
            {number(t * top)}
          </span>
        ))}
      </div>
    </figure>
  );
}

/** Time goes on and pictures are drawn until it is stopped. */
function animate(doc: Doc, viewport: Viewport): () => void {
  let last = performance.now();
  let request = requestAnimationFrame(function step(now: number) {
    doc.playback.advance(Math.min(0.25, (now - last) / 1000));
    last = now;
    viewport.draw();
    request = requestAnimationFrame(step);
  });
  return () => cancelAnimationFrame(request);
}

/** Rings the worst vertex where the camera sees it. */
function placeRing(ring: HTMLElement | null, view: DocView, viewport: Viewport): void {
  const worst = view.worst.peek();
  const place = worst && viewport.project(worst.point);
  if (!ring) return;
  ring.style.visibility = place ? 'visible' : 'hidden';
  if (place) ring.style.transform = `translate(${place.x}px, ${place.y}px)`;
}
