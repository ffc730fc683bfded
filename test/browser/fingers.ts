import type { Page } from 'playwright-core';

export interface Spot {
  x: number;
  y: number;
}

/** Fingers go down together, move in steps from where they are to where they end, and are lifted. */
export async function dragFingers(page: Page, paths: readonly { from: Spot; to: Spot }[], steps = 5): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove', share: number) =>
    session.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: paths.map(({ from, to }, id) => ({
        id,
        x: from.x + share * (to.x - from.x),
        y: from.y + share * (to.y - from.y),
      })),
    });
  await touch('touchStart', 0);
  for (let step = 1; step <= steps; step++) await touch('touchMove', step / steps);
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await session.detach();
}
