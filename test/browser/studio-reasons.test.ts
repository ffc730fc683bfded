import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeInBrowser } from './chromium.ts';
import { glbOf, smallFlag } from './studio-files.ts';
import { studioOpener } from './studio-page.ts';

type Deadly = typeof globalThis & { dies?: string };

/** Lets the next worker of a kind of job end without a word, as one does that the browser takes the memory from. */
const canDie = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const deadly = globalThis as Deadly;
    const { postMessage } = Worker.prototype;
    Worker.prototype.postMessage = function post(this: Worker, message: { start?: string }, ...rest: []) {
      if (message.start && message.start === deadly.dies) {
        deadly.dies = undefined;
        this.addEventListener('message', ({ data }) => 'alive' in data && this.terminate());
      }
      postMessage.call(this, message, ...rest);
    } as typeof postMessage;
  });

const kill = (page: Page, kind: string): Promise<unknown> =>
  page.evaluate((job) => {
    (globalThis as Deadly).dies = job;
  }, kind);

/**
 * Put before the code of jobs: the threads that share one are gone as soon as they have entered it, which they count.
 * Their clocks run fast: nobody waits half a minute for a sign of life.
 */
const ENDING_THREADS = `
  const { wait } = Atomics;
  Atomics.wait = (array, at, value, timeout) => wait(array, at, value, timeout / 30);
  const now = performance.now.bind(performance);
  performance.now = () => 30 * now();
  const { postMessage } = Worker.prototype;
  let control;
  Worker.prototype.postMessage = function post(message) {
    postMessage.call(this, message);
    control ??= message.control;
    if (!('open' in message)) return;
    Atomics.add(control, 2, 1);
    this.terminate();
  };
`;

describeInBrowser('disabled controls and failures in the studio', (harness) => {
  const open = studioOpener(harness);

  it('explain invalid fields and disabled buttons', async () => {
    const { page, drop, press, choose, done } = await open({ context: { viewport: { width: 900, height: 600 } } });
    await drop({ 'flag.glb': await smallFlag() });
    await press('Pause');
    const fit = page.getByRole('button', { name: 'Fit', exact: true });
    const target = page.locator('#target');
    // At once, while it is typed; in words beside the field once it was left.
    await target.pressSequentially('0');
    await expect.poll(() => fit.isDisabled()).toBe(true);
    const why = 'Number of bones must be a whole number from 1 to 4096.';
    await expect.poll(() => fit.getAttribute('title')).toBe(why);
    await expect.poll(() => page.getByRole('alert').count()).toBe(0);
    await fit.focus();
    await page.getByRole('alert').getByText('This must be a whole number from 1 to 4096.').waitFor();
    // A press goes to the field, and begins nothing.
    await page.keyboard.press('Enter');
    expect(await target.evaluate((field) => field === document.activeElement)).toBe(true);
    await target.fill('3');
    await expect.poll(() => fit.isEnabled()).toBe(true);
    await page.keyboard.press('Tab');
    await expect.poll(() => page.getByRole('alert').count()).toBe(0);
    // A field in what is folded is found.
    await page.getByText('Advanced options').click();
    await page.locator('#option-iterations').fill('-1');
    await page.getByText('Advanced options').click();
    await fit.click({ force: true });
    expect(await page.locator('#option-iterations').evaluate((field) => field === document.activeElement)).toBe(true);
    // What is taken away is wrong no longer.
    await page.getByRole('tab', { name: 'Learn' }).click();
    await expect.poll(() => page.getByRole('button', { name: 'Learn', exact: true }).isEnabled()).toBe(true);
    await page.getByRole('tab', { name: 'Fit' }).click();
    // What was unfolded stays so.
    expect(await page.locator('#option-iterations').isVisible()).toBe(true);
    await choose('Preset', 'fast');
    await expect.poll(() => fit.isEnabled()).toBe(true);

    const redo = page.getByRole('button', { name: 'Redo' });
    await expect.poll(() => redo.isDisabled()).toBe(true);
    await redo.click({ force: true });
    const told = page.getByRole('status').getByText('Nothing to redo.');
    await told.waitFor();
    // It is told no longer than it holds.
    await press('Undo');
    await expect.poll(() => redo.isEnabled()).toBe(true);
    await expect.poll(() => told.count()).toBe(0);
    await done();
  });

  it('report lack of memory and can be retried: a file, an export, a session', async () => {
    const { page, drop, press, saved, done } = await open({
      context: { viewport: { width: 900, height: 600 }, reducedMotion: 'reduce' },
      prepare: async (fresh) => {
        await canDie(fresh);
        // Work that is kept without being asked is packed by the same job as a session, whenever there is time.
        await fresh.addInitScript(() => {
          IDBFactory.prototype.open = () => {
            throw new DOMException('denied', 'SecurityError');
          };
        });
      },
    });
    await kill(page, 'open');
    await drop({ 'flag.glb': await smallFlag() });
    const told = page.getByRole('alert').getByText('most likely because memory ran out');
    await told.waitFor();
    await press('Try again');
    await page.getByRole('img', { name: /flag/ }).waitFor();

    await page.locator('#target').fill('3');
    await page.getByRole('group', { name: 'Preset' }).getByText('fast').click();
    await kill(page, 'fit');
    await press('Fit');
    await told.waitFor();
    await press('Try again');
    await page.getByRole('button', { name: /3 bones/ }).waitFor();
    await expect.poll(() => told.count()).toBe(0);

    await page.getByRole('tab', { name: 'Export' }).click();
    await kill(page, 'glb');
    await press(/^GLB/);
    await told.waitFor();
    const { name } = await saved(() => press('Try again'));
    expect(name).toBe('flag-3-bones.glb');

    await kill(page, 'save');
    await press('Save session');
    await page.getByRole('status').getByText('The session is not saved.').waitFor();
    // A reason stands beside what can be done, and does not take its place.
    await page.getByRole('button', { name: 'Redo' }).click({ force: true });
    await page.getByRole('status').getByText('Nothing to redo.').waitFor();
    expect((await saved(() => press('Try again'))).name).toBe('flag.pliant');
    await expect.poll(() => page.workers().length).toBe(0);
    await done();
  });

  it('report a lost thread of a fit and can be retried', async () => {
    let deadly = true;
    const { page, drop, press, choose, done } = await open({
      context: { viewport: { width: 900, height: 600 }, reducedMotion: 'reduce' },
      async prepare(page) {
        await page.addInitScript(() => Object.defineProperty(navigator, 'hardwareConcurrency', { value: 3 }));
        await page.context().route(/\/worker-[^/]*\.js$/, async (route) => {
          const response = await route.fetch();
          const text = await response.text();
          await route.fulfill({ response, body: deadly ? ENDING_THREADS + text : text });
        });
      },
    });
    // So many vertices that a thread does not do them alone.
    await drop({ 'flag.glb': await glbOf('flag', 600, 8) });
    await page.locator('#target').fill('3');
    await choose('Preset', 'fast');
    await press('Fit');
    await page.getByRole('alert').getByText('most likely because memory ran out').waitFor();
    deadly = false;
    await press('Try again');
    await page.getByRole('button', { name: /3 bones/ }).waitFor();
    await done();
  });
});
