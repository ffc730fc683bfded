import { useEffect, useRef } from 'preact/hooks';
import { THUMB_UNIT, type Thumb, type ThumbName } from '../../core/content/thumb.ts';
import { thumbs } from '../../core/content/thumbs.ts';

/** Pixels. */
const [WIDTH, HEIGHT] = [320, 200];
/** Milliseconds between frames. */
const PACE = 100;

/** A sample that moves, small. */
export function SampleThumb({ name }: { name: ThumbName }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const frames = thumbs.value.get(name);
  useEffect(() => {
    const context = canvas.current!.getContext('2d');
    if (!frames || !context) return undefined;
    const still = frames.length === 1 || matchMedia('(prefers-reduced-motion: reduce)').matches;
    // One picture has to do: a sheet that has not begun to move says little.
    let at = still ? Math.floor(0.8 * frames.length) : 0;
    const step = () => draw(context, frames[at++ % frames.length]);
    step();
    if (still) return undefined;
    const timer = setInterval(step, PACE);
    return () => clearInterval(timer);
  }, [frames]);
  return (
    <span class="thumb" aria-hidden="true">
      <canvas ref={canvas} width={WIDTH} height={HEIGHT} />
    </span>
  );
}

function draw(context: CanvasRenderingContext2D, { corners, shades }: Thumb): void {
  const scale = (0.44 * HEIGHT) / THUMB_UNIT;
  const x = (o: number) => WIDTH / 2 + scale * corners[o];
  const y = (o: number) => HEIGHT / 2 + scale * corners[o + 1];
  context.clearRect(0, 0, WIDTH, HEIGHT);
  shades.forEach((shade, t) => {
    const o = 6 * t;
    const [red, green, blue] = [158, 178, 196].map((full) => Math.round((full * shade) / 255));
    context.fillStyle = context.strokeStyle = `rgb(${red} ${green} ${blue})`;
    context.beginPath();
    context.moveTo(x(o), y(o));
    context.lineTo(x(o + 2), y(o + 2));
    context.lineTo(x(o + 4), y(o + 4));
    context.closePath();
    context.fill();
    // Closes the gaps between neighbours.
    context.stroke();
  });
}
