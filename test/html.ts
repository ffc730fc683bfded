import { createHash } from 'node:crypto';
import { expect } from 'vitest';

const VOID = new Set(['meta', 'link', 'br', 'hr', 'img', 'input']);

/** Data of an interactive view, its packed script, and what runs: of these, only the last. */
const SCRIPTS =
  /<script( type="model\/gltf-binary" data-name="[^"]*"| type="text\/plain" id="view-script"|)>([^<]*)<\/script>/g;

/** Fails unless every script that runs is known to the page's policy by its hash; the page without them. */
function withoutScripts(html: string): string {
  for (const [, kind, text] of html.matchAll(SCRIPTS)) {
    if (kind) expect(text).toMatch(/^[\w+/=]+$/);
    else expect(html).toContain(`'sha256-${createHash('sha256').update(text).digest('base64')}'`);
  }
  return html.replaceAll(SCRIPTS, '').replace(/; script-src('sha256-[\w+/=]+'| 'wasm-unsafe-eval'| )+"/, '"');
}

/** Fails unless every tag of a page is closed in its turn, attributes are quoted, ids are unique, and nothing is loaded. */
export function expectSelfContainedPage(page: string): void {
  const html = withoutScripts(page);
  expect(html).toMatch(/^<!doctype html>\n<html lang="en">/);
  const body = html.replace(/<style>[^<]*<\/style>/, '');
  const open: string[] = [];
  for (const [whole, slash, name, attributes, end] of body.matchAll(/<(\/?)([a-z][\w-]*)((?:\s[^<>]*?)?)(\/?)>/gi)) {
    if (slash) {
      expect(open.pop(), whole.slice(0, 80)).toBe(name);
      continue;
    }
    const rest = attributes.replace(/\s+[\w:-]+(="[^"]*")?/g, '').trim();
    expect(rest, whole.slice(0, 80)).toBe('');
    if (!end && !VOID.has(name)) open.push(name);
  }
  expect(open).toEqual([]);
  // Whatever looks like markup was a tag that was counted, or the doctype.
  expect(body.replace(/<!doctype html>/, '').replace(/<\/?[a-z][^<>]*>/gi, '')).not.toContain('<');

  expect(html).toContain(`content="default-src 'none'; style-src 'unsafe-inline'; img-src data:"`);
  expect(html).not.toMatch(/<script|<link|@import|url\(|\son\w+=/i);
  for (const [, address] of html.matchAll(/\b(?:href|src)="([^"]*)"/g)) {
    expect(address.slice(0, 22)).toBe('data:image/png;base64,');
  }
  expect(html.replaceAll(/"data:[^"]*"/g, '')).not.toMatch(/https?:/);
}
