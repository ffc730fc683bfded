// `npm start`: from a fresh clone to a result one can look at.
import { createInterface } from 'node:readline/promises';
import { build, install, root, runNode } from './setup.mjs';

const pliant = (...args) => runNode(undefined, 'dist/cli/main.js', args, { cwd: process.env.INIT_CWD ?? root });

install();
build();
pliant('demo', ...process.argv.slice(2));

const OFFER = 'See, fit and compare in the browser: npx pliant studio';
if (process.stdin.isTTY && process.stdout.isTTY) {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question(`\n${OFFER}\nOpen the studio now? [Y/n] `).catch(() => 'n');
  terminal.close();
  if (/^(y|yes|)$/i.test(answer.trim())) pliant('studio');
} else {
  console.log(`\n${OFFER}`);
}
