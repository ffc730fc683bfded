import type { Viewport } from '../viewport/viewport.ts';
import { readLabels, withLabels } from './labels.ts';

export interface PictureOptions {
  /** Pixels. */
  width: number;
  height: number;
  /** Otherwise what is around the surface is transparent. */
  background: boolean;
  /** Names of panes and scales of colours are in it. */
  labels: boolean;
}

/** The view as a PNG. */
export async function picture(
  viewport: Viewport,
  { width, height, background, labels }: PictureOptions,
): Promise<Blob> {
  const label = labels ? withLabels(readLabels(viewport.host)) : undefined;
  return viewport.atSize(width, height, async () => {
    const drawn = viewport.still(background);
    if (label) return label(drawn, viewport.panes).convertToBlob({ type: 'image/png' });
    return new Promise<Blob>((resolve, reject) => {
      drawn.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('the browser made no picture'))), 'image/png');
    });
  });
}
