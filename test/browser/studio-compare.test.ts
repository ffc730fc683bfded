import { expect, it } from 'vitest';
import { writeModelGlb, writeSequenceGlb } from '../../src/io/write-glb.ts';
import { type MeshSequence, memorySequence } from '../../src/model/sequence.ts';
import { makeSample } from '../../src/samples.ts';
import { describeInBrowser } from './chromium.ts';
import { pictureShown } from './picture-shown.ts';
import { SHARP, studioOpener } from './studio-page.ts';

describeInBrowser('comparing in the studio', (harness) => {
  const open = studioOpener(harness);

  it('shows difference, deformation, regions, joints, levels, and two results side by side', async () => {
    const { page, drop, press, choose, paint, frame, done } = await open({ looks: true });
    const { sequence } = await makeSample('flag', { resolution: 200, frames: 16 });
    await drop({ 'flag.glb': (await writeSequenceGlb(sequence!)).bytes });
    await press('Pause');
    const legend = (caption: RegExp) => page.getByRole('figure', { name: caption });
    const result = (name: string) => page.getByRole('button', { name, exact: true });

    // Before anything is fitted, the motion itself can be looked at.
    await page.getByRole('tab', { name: 'Inspect' }).click();
    await choose('Component of the deformation', 'Rotation');
    await legend(/Rotation, °, from the rest pose, 0 to \d+/).waitFor();
    await choose('Frames', 'Average of all');
    await paint('Shear');
    await legend(/Shear, average of all frames/).waitFor();
    await page.getByRole('slider', { name: 'Merge', exact: true }).fill('40');
    await page.getByText(/From the original, mean/).waitFor();
    const vertices = await page.locator('.facts div', { hasText: 'Vertices' }).locator('dd').textContent();
    expect(Number(vertices)).toBe(Math.round(0.6 * (sequence!.rest.positions.length / 3)));
    // Its curve can be taken to nothing and back.
    const cost = page.getByRole('slider', { name: /^Mean distance from the original/ });
    await cost.focus();
    for (let key = 0; key < 8; key++) await page.keyboard.press('ArrowLeft');
    await page.getByText(/From the original, mean/).waitFor({ state: 'detached' });
    for (let key = 0; key < 8; key++) await page.keyboard.press('ArrowRight');
    await expect.poll(() => page.getByRole('slider', { name: 'Merge', exact: true }).inputValue()).toBe('40');
    await press('Fit with this level');
    await page.getByText('Advanced options, 1 changed').click();
    await expect.poll(() => page.getByLabel('Decimate', { exact: true }).inputValue()).toBe('0.4');
    await page.getByLabel('Decimate', { exact: true }).fill('');

    // Two results.
    await choose('Preset', 'thesis');
    await page.locator('#target').fill('6');
    await press('Fit');
    await page.getByRole('button', { name: /6 bones/ }).waitFor();
    await choose('Preset', 'fast');
    await page.locator('#target').fill('3');
    await press('Fit');
    await page.getByRole('button', { name: /3 bones/ }).waitFor();
    await page.getByRole('tab', { name: 'Inspect' }).click();

    // The original with fewer vertices is a ghost as the whole one is.
    await paint('Plain');
    await page.getByRole('slider', { name: 'Frame', exact: true }).fill('8');
    const canvas = page.locator('canvas').first();
    await choose('Comparison', 'Overlay');
    await pictureShown(page);
    expect((await canvas.evaluate(pixelsOf, 'ghost'))[1]).toBeGreaterThan(1000);
    await page.getByRole('slider', { name: 'Merge', exact: true }).fill('0');
    await pictureShown(page);
    expect((await canvas.evaluate(pixelsOf, 'ghost'))[1]).toBeGreaterThan(1000);
    await choose('Comparison', 'Side by side');

    // The third pane has the error, the second does not.
    await legend(/Distance from the original, % of the diagonal/).waitFor();
    await page.getByText('Difference: distance', { exact: true }).waitFor();
    await page.getByText(/^worst (< )?[\d.]+ %$/).waitFor();
    const dark = await canvas.evaluate(pixelsOf, 'dark');
    expect(dark[2]).toBeGreaterThan(1000);
    expect(dark[1]).toBeLessThan(dark[2] / 10);
    await page.getByLabel('Curve of result 1').check();
    await page.getByText('6 bones', { exact: false }).first().waitFor();
    await page.getByLabel('Compare with').selectOption('1');
    await legend(/Distance from result 1/).waitFor();
    expect(await page.locator('.pane-label').allTextContents()).toEqual([
      'Result 1, 6 bones: plain',
      'Result 2, 3 bones: plain',
      'Difference: distance',
    ]);
    // They change places.
    await result('1').click();
    expect((await page.locator('.pane-label').allTextContents())[0]).toBe('Result 2, 3 bones: plain');
    await paint('Regions');
    await expect.poll(() => page.getByRole('combobox', { name: 'Colours' }).inputValue()).toBe('regions');
    // A joint that the other result does not have is let go of.
    await page.locator('.joints button').last().click();
    await legend(/Weight of/).waitFor();
    await result('2').click();
    await legend(/Weight of/).waitFor({ state: 'detached' });
    await expect.poll(() => page.getByRole('combobox', { name: 'Colours' }).inputValue()).toBe('regions');
    await result('1').click();

    // The table sorts by any figure, both ways.
    const order = () => page.locator('.results tbody th').allTextContents();
    await press('Bones');
    expect(await order()).toEqual(['2', '1']);
    await press('Bones');
    expect(await order()).toEqual(['1', '2']);

    // The curve: worst frame, keys, read-out below the pointer.
    await press(/Worst frame/);
    const worst = Number(
      /\d+/.exec((await page.getByRole('button', { name: /Worst frame/ }).textContent()) ?? '')?.[0],
    );
    expect(await frame()).toBe(worst);
    const chart = page.getByRole('slider', { name: /Error per frame/ });
    await chart.focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    await expect
      .poll(() => chart.getAttribute('aria-valuetext'))
      .toMatch(/^frame 1, RMSE [\d.e-]+ %, worst vertex [\d.e-]+ %$/);
    const box = (await chart.boundingBox())!;
    await page.mouse.move(box.x + box.width - 60, box.y + 30);
    await page.getByText('frame 15', { exact: true }).waitFor();
    expect(await frame()).toBe(1);
    await done();
  });

  it('overlays do not cover the compared models in the initial view', async () => {
    const { page, drop, press, choose, saved, done } = await open({ context: SHARP, looks: true });
    await drop({ 'box.glb': (await writeSequenceGlb(turningBox())).bytes });
    await press('Pause');
    await choose('Preset', 'fast');
    await page.locator('#target').fill('1');
    await press('Fit');
    await page.getByRole('button', { name: /1 bone/ }).waitFor();
    await page.getByRole('tab', { name: 'Export' }).click();
    await page.getByLabel('Background').uncheck();
    await page.getByLabel('Labels').uncheck();
    for (const comparison of ['Overlay', 'Wipe']) {
      await choose('Comparison', comparison);
      await pictureShown(page);
      const { bytes } = await saved(() => press('Picture (PNG)'));
      const [surface, covered] = await page.evaluate(coveredPixels, Buffer.from(bytes).toString('base64'));
      expect(surface, comparison).toBeGreaterThan(20_000);
      expect(covered, comparison).toBe(0);
    }
    await done();
  });

  it('clicking a joint in the list or the view shows its weights; Esc clears them', async () => {
    const { page, drop, press, done } = await open();
    const { model } = await makeSample('tube', { resolution: 200, frames: 8 });
    await drop({ 'tube.glb': (await writeModelGlb(model!)).bytes });
    await press('Pause');
    await page.getByRole('tab', { name: 'Inspect' }).click();
    const colours = page.getByRole('combobox', { name: 'Colours' });
    await page.locator('.joints button').first().click();
    await expect.poll(() => colours.inputValue()).toBe('influence');
    const shown = page.getByRole('figure', { name: /Weight of/ });
    const first = await shown.getByText(/Weight of/).textContent();
    await page.keyboard.press('Escape');
    await expect.poll(() => colours.inputValue()).toBe('plain');
    // Joints that came with it go with it; those that were there before stay.
    const joints = page.getByRole('button', { name: 'Joints', exact: true });
    const on = () => joints.getAttribute('aria-pressed');
    expect(await on()).toBe('true');
    await joints.click();
    await page.locator('.joints button').first().click();
    expect(await on()).toBe('true');
    await page.keyboard.press('Escape');
    expect(await on()).toBe('false');
    await joints.click();

    // Some place of the view has a joint, which says its name and can be pressed.
    const tip = page.locator('.tip');
    await pictureShown(page);
    const found = await page.locator('canvas').first().evaluate(findJoint);
    await page.mouse.move(found.x, found.y);
    expect(await tip.textContent()).toMatch(/\d+ vertices$/);
    await page.mouse.click(found.x, found.y);
    await expect.poll(() => colours.inputValue()).toBe('influence');
    const name = (await tip.textContent())!.split(' ')[0];
    expect(await shown.getByText(/Weight of/).textContent()).toBe(`Weight of ${name}, lines every 0.1`);
    expect(first).toMatch(/Weight of \S+/);
    await done();
  });
});

/** A place of the page where the pointer is over a joint. */
function findJoint(canvas: Element): { x: number; y: number } {
  const { left, top, width, height } = canvas.getBoundingClientRect();
  for (let y = top + 60; y < top + height; y += 8) {
    for (let x = left; x < left + width; x += 8) {
      canvas.dispatchEvent(new PointerEvent('pointermove', { clientX: x, clientY: y, pointerType: 'mouse' }));
      if ((canvas as HTMLElement).style.cursor === 'pointer') return { x, y };
    }
  }
  throw new Error('no joint is to be found below the pointer');
}

/** In each third of a picture: the pixels of the dark violet in which scales begin, or of the orange of ghosts. */
async function pixelsOf(canvas: Element, colour: string): Promise<number[]> {
  const picture = document.createElement('canvas');
  const context = picture.getContext('2d')!;
  const { width, height } = canvas.getBoundingClientRect();
  Object.assign(picture, { width, height });
  const counts = [0, 0, 0];
  for (let look = 0; look < 5000 && counts.every((count) => count === 0); look++) {
    // A picture can be read only in the frame that it was drawn in.
    dispatchEvent(new KeyboardEvent('keydown', { key: 'f' }));
    await new Promise((done) => requestAnimationFrame(done));
    context.drawImage(canvas as HTMLCanvasElement, 0, 0, width, height);
    const { data } = context.getImageData(0, 0, width, height);
    for (let i = 0; i < data.length; i += 4) {
      const [red, green, blue] = data.subarray(i, i + 3);
      const seen = colour === 'ghost' ? red > blue + 25 : blue > red + 15 && red > green && blue < 120;
      if (seen) counts[Math.floor((((i / 4) % width) * 3) / width)]++;
    }
  }
  return counts;
}

/** A high box that turns by a little: the eye is above its middle, so that it comes near the head of the view. */
function turningBox(): MeshSequence {
  const corner = (x: number, y: number, z: number, angle: number) => [
    x * Math.cos(angle) - z * Math.sin(angle),
    4 * y,
    x * Math.sin(angle) + z * Math.cos(angle),
  ];
  const pose = (angle: number) =>
    Float32Array.from([0, 1, 2, 3, 4, 5, 6, 7].flatMap((c) => corner(c & 1, (c >> 1) & 1, c >> 2, angle)));
  const sides = ['0132', '4675', '0451', '2376', '0264', '1573'];
  const triangles = Uint32Array.from(sides.flatMap(([a, b, c, d]) => [a, b, c, a, c, d].map(Number)));
  return memorySequence('box', { positions: pose(0), triangles }, [0, 0.02, 0.04, 0.06].map(pose));
}

/** Pixels of the surface in a picture of the view (PNG, base64), and those of them below bars, names and scales. */
async function coveredPixels(base64: string): Promise<[number, number]> {
  const bitmap = await createImageBitmap(new Blob([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))]));
  const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d')!;
  context.drawImage(bitmap, 0, 0);
  const opaque = (x: number, y: number, width: number, height: number): number => {
    const { data } = context.getImageData(x, y, width, height);
    let count = 0;
    for (let i = 3; i < data.length; i += 4) if (data[i] > 0) count++;
    return count;
  };
  const view = document.querySelector('canvas')!.getBoundingClientRect();
  const covered = [...document.querySelectorAll('.view-bar > *, .pane-label, .legend')].map((over) => {
    const { x, y, width, height } = over.getBoundingClientRect();
    return opaque(x - view.x, y - view.y, width, height);
  });
  return [opaque(0, 0, bitmap.width, bitmap.height), covered.reduce((sum, count) => sum + count, 0)];
}
