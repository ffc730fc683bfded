import type { Viewport } from './viewport.ts';

/** Pixels. */
const [WIDTH, HEIGHT] = [320, 200];

/** A small picture of the view as it is drawn next; of what is on the canvas, if that stays there. */
export function portrait(viewport: Viewport): Promise<Blob | undefined> {
  const { canvas, drawn, keepsPicture } = viewport;
  if (keepsPicture && !canvas.classList.contains('stale')) return smallPicture(canvas);
  return new Promise((resolve) => {
    const place = () => () => {
      drawn.delete(place);
      resolve(smallPicture(canvas));
    };
    drawn.add(place);
    viewport.invalidate();
  });
}

/** The whole canvas, on the ground of the view. */
function smallPicture(from: HTMLCanvasElement): Promise<Blob | undefined> {
  const to = Object.assign(document.createElement('canvas'), { width: WIDTH, height: HEIGHT });
  const scale = Math.min(WIDTH / from.width, HEIGHT / from.height);
  const [width, height] = [from.width * scale, from.height * scale];
  const context = to.getContext('2d');
  if (context) {
    context.fillStyle = getComputedStyle(document.documentElement).getPropertyValue('--view');
    context.fillRect(0, 0, WIDTH, HEIGHT);
    context.drawImage(from, (WIDTH - width) / 2, (HEIGHT - height) / 2, width, height);
  }
  return new Promise((resolve) => to.toBlob((blob) => resolve(blob ?? undefined), 'image/webp', 0.8));
}
