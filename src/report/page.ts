import { GENERATOR } from '../io/glb/document.ts';
import { escapeText } from './charts.ts';

/** The frame of a report page: one HTML file that needs no network, follows light and dark, and prints. */

/**
 * Nothing may be loaded and no script runs but that of an interactive view: the page is text, inline styles and pictures
 * that it carries itself.
 */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";

const STYLE = `
:root {
  color-scheme: light dark;
  --page: #f6f5f2; --card: #fff; --text: #1d2129; --soft: #646b78; --line: #e2e0da; --accent: #2563a8; --wash: #2563a81f;
  --warm: #c2410c; --before: #b9b6ad; --stage: #e9e8e3;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #14161a; --card: #1c1f25; --text: #e8e9ec; --soft: #9aa1ad; --line: #30343c; --accent: #6fb0f2; --wash: #6fb0f226;
    --warm: #fb9a5c; --before: #565b66; --stage: #262a31;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--page); color: var(--text); font: 15px/1.5 system-ui, -apple-system, "Segoe UI", sans-serif;
  font-variant-numeric: tabular-nums; -webkit-text-size-adjust: 100%;
}
main { max-width: 1180px; margin: 0 auto; padding: 28px 24px 48px; }
header { margin: 0 0 20px; }
h1 { margin: 0; font-size: 28px; line-height: 1.2; letter-spacing: -0.01em; overflow-wrap: anywhere; }
h2 { margin: 0 0 4px; font-size: 17px; }
p { margin: 0; }
.lead, .hint, figcaption { color: var(--soft); }
.lead { margin-top: 4px; }
.hint { margin-bottom: 14px; font-size: 14px; max-width: 78ch; }
section { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 20px; margin: 0 0 16px; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(165px, 1fr)); gap: 12px; margin: 0 0 16px; }
.tile { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 14px 16px; }
.tile b { display: block; font-size: 26px; line-height: 1.25; font-weight: 650; letter-spacing: -0.01em; white-space: nowrap; }
.tile b small { font-size: 15px; font-weight: 500; color: var(--soft); letter-spacing: 0; }
.tile span { color: var(--soft); font-size: 13px; display: block; }
.tile .name { color: var(--text); }
.grid { display: grid; gap: 20px 24px; }
.two { grid-template-columns: repeat(2, minmax(0, 1fr)); }
.three { grid-template-columns: repeat(3, minmax(0, 1fr)); }
.four { grid-template-columns: repeat(4, minmax(0, 1fr)); }
.grid > section { margin: 0; }
.pair { margin-bottom: 16px; gap: 16px; }
figure { margin: 0; min-width: 0; }
figcaption { font-size: 13px; margin-top: 6px; }
figcaption b { color: var(--text); font-weight: 600; }
.picture { display: block; width: 100%; height: auto; background: var(--stage); border-radius: 8px; }
.picture .ring { fill: none; stroke: #fff; stroke-width: 2; }
.picture .ring.under { stroke: #000; stroke-opacity: .55; stroke-width: 4.5; }
.picture .hidden { stroke-dasharray: 3 3; }
.picture text { font: 650 17px system-ui, sans-serif; fill: var(--text); stroke: var(--stage); stroke-width: 5; paint-order: stroke; stroke-linejoin: round; }
.picture .joint { fill: #fff; stroke: #111; stroke-width: 1.6; }
.chart { display: block; width: 100%; height: auto; overflow: visible; }
.chart text { font: 11px system-ui, sans-serif; fill: var(--soft); }
.chart .label { fill: var(--text); font-weight: 600; paint-order: stroke; stroke: var(--card); stroke-width: 5px; stroke-linejoin: round; }
.chart .grid { stroke: var(--line); } .chart .axis { stroke: var(--soft); }
.chart .line { fill: none; stroke: var(--accent); stroke-width: 1.8; stroke-linejoin: round; } .chart .area { fill: var(--wash); }
.chart .bar { fill: var(--accent); } .chart .dot { fill: var(--accent); }
.chart .level { stroke: var(--soft); stroke-dasharray: 4 3; } .chart .break { stroke: var(--line); stroke-width: 1.5; }
.chart .mark { fill: var(--warm); stroke: var(--card); stroke-width: 1.5; }
.legend { display: flex; align-items: center; gap: 10px; margin: 14px 0 0; font-size: 13px; color: var(--soft); flex-wrap: wrap; }
.legend svg { flex: 1 1 220px; max-width: 420px; height: 12px; border-radius: 3px; }
table { border-collapse: collapse; width: 100%; }
th { text-align: left; font-weight: 400; color: var(--soft); }
.facts th, .facts td { padding: 5px 0; border-top: 1px solid var(--line); vertical-align: top; }
.facts tr:first-child > * { border-top: 0; }
.facts th { padding-right: 16px; white-space: nowrap; } .facts td { text-align: right; overflow-wrap: anywhere; }
.facts .given td { font-weight: 650; }
.wide {
  overflow-x: auto; background: linear-gradient(90deg, var(--card) 30%, transparent) 0 0 / 40px 100% no-repeat local,
    linear-gradient(270deg, var(--card) 30%, transparent) 100% 0 / 40px 100% no-repeat local,
    linear-gradient(90deg, var(--before), transparent) 0 0 / 10px 100% no-repeat scroll,
    linear-gradient(270deg, var(--before), transparent) 100% 0 / 10px 100% no-repeat scroll;
}
.wide td { padding-left: 14px; white-space: nowrap; overflow-wrap: normal; } .wide tbody th { white-space: normal; }
.wide thead th + th { padding: 5px 0 5px 14px; text-align: right; white-space: nowrap; }
.bars th { white-space: nowrap; padding: 4px 12px 4px 0; width: 1%; }
.bars .track { padding: 4px 0; } .bars .value { padding: 4px 0 4px 12px; text-align: right; white-space: nowrap; width: 1%; }
.rule { display: block; } .rule rect { fill: var(--before); } .rule.strong rect { fill: var(--accent); }
ul { margin: 0; padding-left: 20px; }
details > summary { cursor: pointer; color: var(--soft); margin-top: 12px; }
footer { color: var(--soft); font-size: 13px; text-align: center; }
footer code { font: 12px/1.6 ui-monospace, Menlo, Consolas, monospace; overflow-wrap: anywhere; }
[hidden] { display: none !important; }
#view canvas {
  display: block; width: 100%; height: min(62vh, 560px); margin: 10px 0; background: var(--stage); border-radius: 8px; cursor: grab;
}
#view canvas:active { cursor: grabbing; }
#view .controls { display: flex; align-items: center; gap: 10px; flex-wrap: wrap; }
#view .looks { display: flex; flex-wrap: wrap; gap: 4px; }
#view button, #view select {
  font: inherit; font-size: 14px; min-height: 34px; padding: 4px 14px; color: var(--text); background: var(--page);
  border: 1px solid var(--line); border-radius: 8px; cursor: pointer;
}
#view button[aria-pressed="true"] { background: var(--accent); border-color: var(--accent); color: var(--card); }
#view :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
#view .errors { margin-top: 14px; } #view .errors .hint { margin: 0; }
#view .time { flex-wrap: nowrap; } #view .time button { min-width: 76px; }
#view input { flex: 1; min-width: 0; accent-color: var(--accent); } #view output { color: var(--soft); font-size: 13px; white-space: nowrap; }
@media (max-width: 760px) {
  #view canvas { height: min(52vh, 340px); }
  main { padding: 18px 12px 32px; } section { padding: 16px 14px; border-radius: 10px; }
  .two { grid-template-columns: minmax(0, 1fr); } .three, .four { grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 14px 12px; }
  .three > :nth-child(3n) { grid-column: 1 / -1; } .chart text { font-size: 14px; }
  .tiles { grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 10px; } .tile { padding: 12px; } .tile b { font-size: 22px; }
  .tile:last-child:nth-child(odd) { grid-column: 1 / -1; }
  .facts th { white-space: normal; }
  .wide { font-size: 13px; } .wide tbody th { padding-right: 0; } .wide td, .wide thead th + th { padding-left: 9px; }
}
@media print {
  #view { display: none; }
  :root { --page: #fff; --card: #fff; --text: #000; --soft: #555; --line: #ccc; --stage: #f2f2f2; color-scheme: light; }
  body { font-size: 12px; } main { max-width: none; padding: 0; } section, .tile, figure { break-inside: avoid; }
  .three { grid-template-columns: repeat(3, minmax(0, 1fr)); } .three > :nth-child(3n) { grid-column: auto; }
  .two { grid-template-columns: repeat(2, minmax(0, 1fr)); }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
`;

/** An interactive view as parts of a page. */
export interface PageView {
  section: string;
  /** What the content security policy allows for it. */
  policy: string;
  /** For the end of the page. */
  scripts: string;
}

/** A whole page. `body` is HTML, with the section of a view; the rest is text. `command` is the command line that made it. */
export function htmlPage(title: string, lead: string, body: string, command?: string, view?: PageView): string {
  const made = command ? `<p><code>${escapeText(command)}</code></p>` : '';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}${view?.policy ?? ''}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeText(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<header><h1>${escapeText(title)}</h1><p class="lead">${escapeText(lead)}</p></header>
${body}
<footer>${made}<p>Made by ${escapeText(GENERATOR)}</p></footer>
</main>
${view?.scripts ?? ''}
</body>
</html>
`;
}

/** A titled card. `hint` is text that says how to read it; `content` is HTML. */
export const section = (title: string, hint: string, content: string): string =>
  `<section><h2>${escapeText(title)}</h2>${hint ? `<p class="hint">${escapeText(hint)}</p>` : ''}${content}</section>`;

export interface Tile {
  name: string;
  value: string;
  unit?: string;
  /** What the figure means, in a few words. */
  hint: string;
}

/** Key figures, large. */
export const tiles = (list: readonly Tile[]): string =>
  `<div class="tiles">${list
    .map(
      ({ name, value, unit, hint }) =>
        `<div class="tile"><span class="name">${escapeText(name)}</span><b>${escapeText(value)}${
          unit ? ` <small>${escapeText(unit)}</small>` : ''
        }</b><span>${escapeText(hint)}</span></div>`,
    )
    .join('')}</div>`;

/** Name and value under each other; `given` rows stand out. */
export const facts = (rows: readonly { name: string; value: string; given?: boolean }[]): string =>
  `<table class="facts">${rows
    .map(
      ({ name, value, given }) =>
        `<tr${given ? ' class="given"' : ''}><th scope="row">${escapeText(name)}</th><td>${escapeText(value)}</td></tr>`,
    )
    .join('')}</table>`;

/** Things beside each other, below each other on a phone. */
export const grid = (columns: 'two' | 'three' | 'four', items: readonly string[], extra = ''): string =>
  `<div class="grid ${columns}${extra}">${items.join('\n')}</div>`;

export const list = (items: readonly string[]): string =>
  `<ul>${items.map((item) => `<li>${escapeText(item)}</li>`).join('')}</ul>`;

/** Rows of cells under their heads. The first cell of a row names it; numbers stand on the right. */
export const dataTable = (
  head: readonly string[],
  rows: readonly { cells: readonly string[]; strong?: boolean }[],
): string => {
  const heads = head.map((text) => `<th scope="col">${escapeText(text)}</th>`);
  const body = rows.map(({ cells: [name, ...values], strong }) => {
    const data = values.map((value) => `<td>${escapeText(value)}</td>`);
    return `<tr${strong ? ' class="given"' : ''}><th scope="row">${escapeText(name)}</th>${data.join('')}</tr>`;
  });
  const table = `<thead><tr>${heads.join('')}</tr></thead><tbody>${body.join('')}</tbody>`;
  return `<div class="wide"><table class="facts">${table}</table></div>`;
};
