import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../controls/button.tsx';
import './help.css';

/** What is pointed at, and what is said about it. */
const STOPS: readonly { at: string; title: string; text: string }[] = [
  {
    at: '.picture',
    title: 'The view',
    text: 'Drag to orbit, drag with the right button or two fingers to pan, scroll or pinch to zoom. F frames everything.',
  },
  {
    at: '.view-bar > .menu',
    title: 'What it shows',
    text: 'Colours paint the surface: by error, by bones, by weights. View has looks, light and axis views.',
  },
  {
    at: '.timeline',
    title: 'Time',
    text: 'Space plays, arrow keys step. After a fit, the chart shows the error of each frame: click it to go there.',
  },
  {
    at: '.panel-tabs',
    title: 'The panels',
    text: 'One for each kind of work; keys 1 to 9 open them. The ? in a panel says what it is for.',
  },
  {
    at: '.top-bar',
    title: 'Your work',
    text: 'Every file has a tab. Ctrl Z undoes, Ctrl S saves everything as one file, and the start page keeps your recent work.',
  },
];

/** CSS pixels between the card and what it is about, or the window. */
const GAP = 12;

/** Goes from place to place, until it has seen all or is skipped. */
export default function Tour({ onEnd }: { onEnd(): void }) {
  const [stop, setStop] = useState(0);
  const card = useRef<HTMLDivElement>(null);
  const ring = useRef<HTMLDivElement>(null);
  const { at, title, text } = STOPS[stop];
  const last = stop === STOPS.length - 1;
  const next = () => (last ? onEnd() : setStop(stop + 1));
  useLayoutEffect(() => {
    const place = () => {
      const target = document.querySelector(at)?.getBoundingClientRect();
      if (target) putBeside(card.current!, ring.current!, target);
    };
    place();
    addEventListener('resize', place);
    return () => removeEventListener('resize', place);
  }, [at]);
  // Both at once: a key may come before the next frame.
  useLayoutEffect(() => card.current!.focus(), [stop]);
  useLayoutEffect(() => {
    // Wherever the focus has gone meanwhile.
    const skip = (event: KeyboardEvent) => event.key === 'Escape' && onEnd();
    addEventListener('keydown', skip);
    return () => removeEventListener('keydown', skip);
  }, []);
  return (
    <>
      <div class="tour-ring" ref={ring} aria-hidden="true" />
      <div
        class="tour"
        ref={card}
        role="dialog"
        aria-label={`Tour, ${stop + 1} of ${STOPS.length}: ${title}`}
        tabIndex={-1}
        onKeyDown={(event) => {
          event.stopPropagation();
          if (event.key === 'Escape') onEnd();
          if (event.key === 'ArrowRight') next();
          if (event.key === 'ArrowLeft') setStop(Math.max(0, stop - 1));
        }}
      >
        <h2>{title}</h2>
        <p>{text}</p>
        <div class="buttons">
          <span class="soft number">
            {stop + 1} / {STOPS.length}
          </span>
          {!last && <Button onClick={onEnd}>Skip</Button>}
          <Button class="primary" onClick={next}>
            {last ? 'Done' : 'Next'}
          </Button>
        </div>
      </div>
    </>
  );
}

/** Inside of what is large, otherwise where there is room: below, above, at the left. */
function putBeside(card: HTMLElement, ring: HTMLElement, target: DOMRect): void {
  const { offsetWidth: width, offsetHeight: height } = card;
  const inside = (low: number, size: number, room: number) => Math.max(GAP, Math.min(low, room - size - GAP));
  const below = target.bottom + GAP;
  const above = target.top - height - GAP;
  const large = target.height > innerHeight / 3;
  const top = large ? target.bottom - height - GAP : below + height < innerHeight ? below : above;
  card.style.left = `${inside(target.left + GAP, width, innerWidth)}px`;
  card.style.top = `${inside(top, height, innerHeight)}px`;
  Object.assign(ring.style, {
    left: `${target.left}px`,
    top: `${target.top}px`,
    width: `${target.width}px`,
    height: `${target.height}px`,
  });
}
