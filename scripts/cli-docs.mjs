// `npm run docs:cli`: writes docs/cli.md from what `pliant help --all` prints. With --check it only compares, and fails on a
// difference.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const page = join(root, 'docs/cli.md');
const pliant = (...args) =>
  execFileSync(process.execPath, [join(root, 'dist/cli/main.js'), ...args], { encoding: 'utf8' });
const block = (text) => `\`\`\`\n${text.trimEnd()}\n\`\`\``;

const { verbs } = JSON.parse(pliant('help', '--json'));
const text = `<!-- Generated from the help by \`npm run docs:cli\`. Do not edit. -->

# The command line

In a checkout that has been built, \`npx pliant …\` runs it; in a project that installed the package, too.

${block(pliant('help'))}

- Results go to stdout, progress and errors to stderr. Progress appears only on a terminal.
- \`--json\` prints one object on stdout and nothing else there: [JSON output](json.md).
- What exists is never replaced without \`--force\`, and nothing half-written stays behind.
- Exit codes: 0 success; 2 bad input or usage; 1 our own failure; 130 interrupted by Ctrl-C.
- \`NO_COLOR\` switches emphasis off.

${verbs.map(({ name }) => `## pliant ${name}\n\n${block(pliant('help', name, '--all'))}`).join('\n\n')}
`;

if (!process.argv.includes('--check')) {
  writeFileSync(page, text);
} else if (!existsSync(page) || readFileSync(page, 'utf8') !== text) {
  console.error('docs/cli.md is not what the help says: run `npm run docs:cli`.');
  process.exit(1);
}
