import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type axe from 'axe-core';
import type { Page } from 'playwright-core';

/** What keeps people out of a page, found as assistive programs would: each fault as a line of text. */

const CONTROLS = new Set(
  'button checkbox combobox DisclosureTriangle link listbox menuitem radio searchbox slider spinbutton switch tab textbox'.split(
    ' ',
  ),
);

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** What axe calls serious or critical. */
export async function axeFaults(page: Page): Promise<string[]> {
  const first = !(await page.evaluate(() => 'axe' in globalThis));
  if (first) await page.evaluate(await readFile(AXE, 'utf8'));
  return page.evaluate(async (preload) => {
    const { run } = (globalThis as unknown as { axe: typeof axe }).axe;
    // Style sheets are read for one rule about them, once.
    const found = await run({ resultTypes: ['violations'], preload });
    return found.violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`);
  }, first);
}

/** Controls to which the browser's accessibility tree gives no name. */
export async function namelessControls(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send('Accessibility.getFullAXTree');
  await session.detach();
  return nodes
    .filter(({ ignored, role, name }) => !ignored && CONTROLS.has(role?.value) && !String(name?.value ?? '').trim())
    .map(({ role, backendDOMNodeId }) => `${role?.value} without a name (node ${backendDOMNodeId})`);
}

/** The least contrast of text with what is behind it: WCAG 2, level AA. */
const CONTRAST = 4.5;

/** Texts that are too near in colour to what is behind them. Controls that cannot be used now are exempt, as in WCAG. */
export const faintTexts = (page: Page): Promise<string[]> =>
  page.evaluate((least) => {
    type Colour = [red: number, green: number, blue: number, alpha: number];
    const context = Object.assign(document.createElement('canvas'), { width: 1, height: 1 }).getContext('2d', {
      willReadFrequently: true,
    })!;
    const known = new Map<string, Colour>();
    const colourOf = (css: string): Colour => {
      if (!known.has(css)) known.set(css, parse(css));
      return known.get(css)!;
    };
    const parse = (css: string): Colour => {
      context.clearRect(0, 0, 1, 1);
      context.fillStyle = css;
      context.fillRect(0, 0, 1, 1);
      const [red, green, blue, alpha] = context.getImageData(0, 0, 1, 1).data;
      return [red, green, blue, alpha / 255];
    };
    const over = ([r, g, b, a]: Colour, [R, G, B]: Colour): Colour => [
      r * a + R * (1 - a),
      g * a + G * (1 - a),
      b * a + B * (1 - a),
      1,
    ];
    const backOf = (element: Element | null): Colour => {
      if (!element) return colourOf(getComputedStyle(document.documentElement).backgroundColor);
      const back = colourOf(getComputedStyle(element).backgroundColor);
      return back[3] === 1 ? back : over(back, backOf(element.parentElement));
    };
    const luminance = ([r, g, b]: Colour) => {
      const [R, G, B] = [r, g, b].map((c) => (c <= 10.3 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
      return 0.2126 * R + 0.7152 * G + 0.0722 * B;
    };
    const faint = new Set<string>();
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const text = texts.currentNode.textContent?.trim();
      const element = texts.currentNode.parentElement!;
      if (!text || element.closest(':disabled, [aria-disabled=true], noscript, script, option')) continue;
      if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
      const back = backOf(element);
      const [a, b] = [luminance(over(colourOf(getComputedStyle(element).color), back)), luminance(back)];
      const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
      if (contrast < least)
        faint.add(`"${text.slice(0, 40)}" in ${element.className || element.tagName}: ${contrast.toFixed(2)} : 1`);
    }
    return [...faint];
  }, CONTRAST);

/**
 * Goes through the page by the Tab key, once around. Faults are controls that it reaches without a visible mark, or not in
 * the order of the page, or not at all.
 */
export async function tabFaults(page: Page): Promise<string[]> {
  const count = await page.evaluate(() => {
    const focusable = 'a[href], button, input, select, summary, textarea, [tabindex]';
    const reachable = [...document.querySelectorAll<HTMLElement>(focusable)].filter(
      (element) => !element.matches(':disabled, [tabindex="-1"]') && element.checkVisibility(),
    );
    // Of a row of choices the one that is on stands for all.
    const waiting = reachable.filter(
      (element) => (element as HTMLInputElement).type !== 'radio' || element.matches(':checked'),
    );
    const tell = (node: Element | null | undefined) => node?.outerHTML.slice(0, 100) ?? 'nothing';
    /** What may mark the focus: outlines, of a label too, and strokes of drawings. */
    const lookOf = (node: Element): string =>
      [node, node.closest('label') ?? node, ...node.querySelectorAll('path')]
        .map((part) => getComputedStyle(part))
        .map(({ outlineStyle, outlineWidth, strokeWidth }) => [outlineStyle, outlineWidth, strokeWidth].join())
        .join();
    const faults: string[] = [];
    const start = Object.assign(document.createElement('span'), { tabIndex: -1 });
    document.body.prepend(start);
    start.focus();
    const looks = new Map(waiting.map((element) => [element, lookOf(element)]));
    const onFocus = ({ target }: Event) => {
      const element = target as HTMLElement;
      // Browsers also stop at what scrolls and holds no control.
      if (waiting.length === 0 || !element.matches(focusable)) return;
      const next = waiting.shift();
      if (element !== next) faults.push(`Tab goes to ${tell(element)}, expected ${tell(next)}`);
      else if (lookOf(element) === looks.get(element)) faults.push(`no mark on ${tell(element)}`);
    };
    addEventListener('focusin', onFocus);
    (globalThis as Watching).endWatch = () => {
      removeEventListener('focusin', onFocus);
      start.remove();
      return [...faults, ...waiting.map((element) => `Tab does not reach ${tell(element)}`)].slice(0, 5);
    };
    return waiting.length;
  });
  for (let press = 0; press < count + 2; press++) await page.keyboard.press('Tab');
  return page.evaluate(() => (globalThis as Watching).endWatch!());
}

type Watching = typeof globalThis & { endWatch?: () => string[] };
