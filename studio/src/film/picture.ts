import type { ViewLabels } from '../core/view/view-labels.ts';
import type { Viewport } from '../viewport/viewport.ts';
import { withLabels } from './labels.ts';

export interface PictureOptions {
  /** Pixels. */
  width: number;
  height: number;
  /** Otherwise transparent around the surface. */
  background: boolean;
  /** Labels of the frame drawn last [default: none]. */
  labels?(): ViewLabels;
}

/** The view as a PNG. */
export async function picture(
  viewport: Viewport,
  { width, height, background, labels }: PictureOptions,
): Promise<Blob> {
  const label = labels && withLabels(viewport.host, labels);
  return viewport.atSize(width, height, async () => {
    const drawn = viewport.still(background);
    if (label) return label(drawn, viewport.panes).convertToBlob({ type: 'image/png' });
    return new Promise<Blob>((resolve, reject) => {
      drawn.toBlob(
        (blob) => (blob ? resolve(blob) : reject(new Error('the browser could not make the picture'))),
        'image/png',
      );
    });
  });
}
