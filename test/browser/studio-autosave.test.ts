import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeInBrowser } from './chromium.ts';
import { glbOf } from './studio-files.ts';
import { CALM, holdWorkers, quiet, studioOpener } from './studio-page.ts';

describeInBrowser('work in the studio', (harness) => {
  const open = studioOpener(harness);

  it('is there again after the page was reloaded in the middle of a fit', async () => {
    const { page, drop, press, choose, done } = await open({ context: CALM });
    await drop({ 'flag.glb': await glbOf('flag', 200, 16) });
    await choose('Preset', 'fast');
    await page.locator('#target').fill('4');
    await press('Fit');
    const result = page.getByRole('button', { name: /RMSE/ });
    await result.waitFor();
    const figures = await result.textContent();
    await page.locator('#target').fill('7');
    await expect.poll(() => keptWork(page)).toMatchObject([{ whole: true, results: 1, picture: true }]);
    await quiet(page);
    const release = await holdWorkers(page);
    await press('Fit');
    await page.getByRole('button', { name: 'Cancel' }).waitFor();
    await expect.poll(() => keptWork(page)).toMatchObject([{ running: 'Fitting' }]);

    // Leaving is asked about.
    const asked: string[] = [];
    page.on('dialog', (dialog) => {
      asked.push(dialog.type());
      void dialog.accept();
    });
    await release();
    await page.reload();
    expect(asked).toEqual(['beforeunload']);

    const card = page.getByRole('button', { name: /flag\.glb.*1 result.*interrupted/ });
    await card.waitFor();
    await expect.poll(() => card.locator('img').evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(320);
    await card.focus();
    await page.keyboard.press('Enter');
    await result.waitFor();
    expect(await result.textContent()).toBe(figures);
    expect(await page.locator('#target').inputValue()).toBe('7');
    await page
      .getByRole('status')
      .getByText(/Fitting did not finish/)
      .waitFor();
    // It goes on under the same entry, and can be forgotten.
    await press('Remove result 1');
    await expect.poll(() => keptWork(page)).toMatchObject([{ whole: true, results: 0 }]);
    await press('Close flag.glb');
    await press('Forget flag.glb');
    await expect.poll(() => keptWork(page)).toEqual([]);
    await page.reload();
    await page.getByRole('button', { name: 'Open files' }).or(page.getByText('Open files')).first().waitFor();
    expect(await page.getByRole('button', { name: /Forget/ }).count()).toBe(0);
    expect(asked).toHaveLength(1);
    await done();
  });

  it('goes on where storage is denied, after one notice', async () => {
    const { page, drop, choose, press, done } = await open({
      context: CALM,
      prepare: (fresh) =>
        fresh.addInitScript(() => {
          IDBFactory.prototype.open = () => {
            throw new DOMException('denied', 'SecurityError');
          };
        }),
    });
    await drop({ 'flag.glb': await glbOf('flag', 200, 16) });
    const notice = page.locator('.notice', { hasText: /cannot be kept/ });
    await notice.waitFor();
    await choose('Preset', 'fast');
    await page.locator('#target').fill('4');
    await press('Fit');
    await page.getByRole('button', { name: /RMSE/ }).waitFor();
    expect(await notice.count()).toBe(1);
    await done();
  });
});

/** What the browser keeps, newest first. */
const keptWork = (page: Page): Promise<object[]> =>
  page.evaluate(
    () =>
      new Promise<object[]>((resolve, reject) => {
        const request = indexedDB.open('pliant studio');
        request.onerror = () => reject(request.error);
        request.onsuccess = () => {
          const all = request.result.transaction('work').objectStore('work').getAll();
          all.onsuccess = () => {
            request.result.close();
            resolve(
              all.result.map(({ whole, results, running, picture }) => ({
                ...{ whole, results, running },
                picture: picture instanceof Blob,
              })),
            );
          };
        };
      }),
  );
