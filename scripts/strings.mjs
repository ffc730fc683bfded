// Lists what people read in the studio, to be read through: npm run strings > strings.txt.
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';
import { root } from './setup.mjs';
import { filesIn } from './studio.mjs';

/** Attributes whose text nobody reads. */
const UNREAD = new Set(['class', 'd', 'for', 'href', 'id', 'key', 'of', 'role', 'size', 'style', 'type', 'viewBox']);

const isSentence = (text) => /\p{L}/u.test(text) && (/\s/.test(text.trim()) || /^\p{Lu}\p{Ll}/u.test(text));

/** `a ${b} c` → `a … c`. */
const templateText = (node) => node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join('');

const textOf = (node) =>
  ts.isJsxText(node) || ts.isStringLiteralLike(node)
    ? node.text
    : ts.isTemplateExpression(node)
      ? templateText(node)
      : undefined;

function textsIn(path) {
  const found = new Set();
  const visit = (node) => {
    if (ts.isImportDeclaration(node) || ts.isLiteralTypeNode(node)) return;
    if (ts.isJsxAttribute(node) && UNREAD.has(node.name.getText())) return;
    const text = textOf(node)?.replace(/\s+/g, ' ').trim();
    if (text && (ts.isJsxText(node) || isSentence(text))) found.add(text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true));
  return [...found].filter((text) => /\p{L}/u.test(text));
}

const scripts = filesIn(join(root, 'studio/src')).filter((name) => /\.tsx?$/.test(name));
for (const path of scripts.sort()) {
  const texts = textsIn(path);
  if (texts.length > 0) console.log(`\n${relative(root, path)}\n${texts.map((text) => `  ${text}`).join('\n')}`);
}
