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

Run it with \`npx pliant …\`, in a built checkout or in a project that installed the package.

${block(pliant('help'))}

- Results go to stdout, progress and errors to stderr. Progress appears only on a terminal.
- \`--json\` prints one object on stdout and nothing else there: [JSON output](json.md).
- Nothing is overwritten without \`--force\` (except by \`demo\`, which replaces its earlier output), and no partial files are left behind.
- Exit codes: 0 success; 2 bad input or usage; 1 internal failure or full disk; 130 interrupted by Ctrl-C.
- \`NO_COLOR\` turns off emphasis.

${verbs.map(({ name }) => `## pliant ${name}\n\n${block(pliant('help', name, '--all'))}`).join('\n\n')}
`;

if (!process.argv.includes('--check')) {
  writeFileSync(page, text);
} else if (!existsSync(page) || readFileSync(page, 'utf8') !== text) {
  console.error('docs/cli.md is not what the help says: run `npm run docs:cli`.');
  process.exit(1);
}
