// `npm run docs:cli`: writes docs/cli.md from what `pliant help --all` prints. A test compares the two.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const block = (text) => `\`\`\`\n${text.trimEnd()}\n\`\`\``;

/** The page; `pliant` runs a command line and gives what it prints. */
export function cliPage(pliant) {
  const { verbs } = JSON.parse(pliant('help', '--json'));
  return `<!-- Generated from the help by \`npm run docs:cli\`. Do not edit. -->

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
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const main = join(root, 'dist/cli/main.js');
  const pliant = (...args) => execFileSync(process.execPath, [main, ...args], { encoding: 'utf8' });
  writeFileSync(join(root, 'docs/cli.md'), cliPage(pliant));
}
