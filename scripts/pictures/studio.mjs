// Pictures of the studio: driven by the names of its controls, as a person does.
import { writeFile } from 'node:fs/promises';
import { serveStudio } from '../../dist/cli/studio-server.js';
import { root } from '../setup.mjs';

const choose = (page, group, choice) =>
  page.getByRole('group', { name: group }).getByText(choice, { exact: true }).click();
const press = (page, name) => page.getByRole('button', { name, exact: true }).click();
const seek = (page, frame) => page.getByRole('slider', { name: 'Frame', exact: true }).fill(String(frame));

/** Name → address, colours, and what is done before the picture is taken. */
const SHOTS = {
  'studio-compare': {
    query: '?sample=flag&bones=30&preset=fast',
    scheme: 'light',
    async act(page) {
      await page.getByRole('button', { name: /RMSE/ }).waitFor({ timeout: 300_000 });
      await seek(page, 52);
    },
  },
  'studio-inspect': {
    query: '?sample=flag&bones=8&preset=fast',
    scheme: 'dark',
    async act(page) {
      const result = (name) => page.getByRole('button', { name }).waitFor({ timeout: 300_000 });
      await result(/8 bones/);
      await page.locator('#target').fill('20');
      await press(page, 'Fit');
      await result(/20 bones/);
      await page.getByRole('tab', { name: 'Inspect' }).click();
      await page.getByLabel('Curve of result 1').check();
      await page.getByRole('combobox', { name: 'Colours' }).selectOption('influence');
      await page.getByRole('button', { name: /bone 3/ }).click();
      await seek(page, 40);
    },
  },
  'studio-rig': {
    query: '?sample=figure',
    scheme: 'dark',
    async act(page) {
      await page.getByLabel('Clip', { exact: true }).selectOption('');
      await page.getByLabel('Joint', { exact: true }).selectOption('foreArm.L');
      await page.getByRole('slider', { name: 'Turn x' }).fill('75');
      await choose(page, 'Skinning operator', 'DQS');
      await page.getByText('Area and volume over an angle').click();
      const values = page.getByRole('list', { name: /^Values at/ });
      await values.waitFor({ timeout: 60_000 });
      await values.scrollIntoViewIfNeeded();
    },
  },
  'studio-lab': {
    query: '?lab',
    scheme: 'light',
    act: (page) => page.getByRole('slider', { name: 'Angle', exact: true }).fill('120'),
  },
  'studio-cloth': {
    query: '',
    scheme: 'light',
    async act(page) {
      await page.getByRole('button', { name: /^caped figure/ }).click();
      await page.getByText('Vertices simulated').waitFor({ timeout: 120_000 });
      await page.getByRole('slider', { name: 'Direction' }).fill('150');
      await page.getByRole('slider', { name: 'Wind' }).fill('3');
      await press(page, 'Play');
      // Two steps of the walk.
      await page.getByText(/^(3\d|4\d) \/ /).waitFor();
      await press(page, 'Pause');
    },
  },
  'studio-learn': {
    query: '?sample=flag',
    scheme: 'light',
    async act(page) {
      await page.getByRole('tab', { name: 'Learn' }).click();
      await press(page, 'Learn');
      await page.getByRole('button', { name: 'Example 1', exact: true }).waitFor({ timeout: 300_000 });
      await seek(page, 40);
      await press(page, 'Pin point 5');
      await press(page, '3');
      await page.getByRole('button', { name: 'Example 16', exact: true }).scrollIntoViewIfNeeded();
    },
  },
};

export const STUDIO_PICTURES = Object.keys(SHOTS);

/** The page as it stays: what was asked for last is drawn within a few frames, and finely once it rests. */
async function settled(page) {
  let [before, now] = [undefined, await page.screenshot()];
  while (!before?.equals(now)) {
    await page.waitForTimeout(700);
    [before, now] = [now, await page.screenshot()];
  }
  return now;
}

export async function takeStudioPicture(browser, name, path) {
  const { query, scheme, act } = SHOTS[name];
  const server = await serveStudio(`${root}/dist/studio`, []);
  // Nothing starts to move by itself.
  const look = { viewport: { width: 1280, height: 720 }, colorScheme: scheme, reducedMotion: 'reduce' };
  const page = await browser.newPage(look);
  page.setDefaultTimeout(120_000);
  try {
    await page.goto(server.url + query);
    await act(page);
    // No trace of the hand that did it.
    await page.evaluate(() => document.activeElement?.blur());
    await page.mouse.move(0, 0);
    await page.locator('.notice').waitFor({ state: 'detached' });
    await writeFile(path, await settled(page));
  } finally {
    await page.close();
    await server.close();
  }
}
