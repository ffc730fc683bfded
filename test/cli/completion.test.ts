import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { completionScript, SHELLS, type Shell } from '../../cli/flags/completion.ts';
import type { VerbDescription } from '../../cli/flags/help.ts';

const VERBS: VerbDescription[] = [
  {
    name: 'sample',
    description: "make one of Pliant's samples",
    usage: '',
    choices: ['flag', 'figure'],
    flags: [
      { long: '--output', short: '-o', description: 'where to', value: 'path' },
      { long: '--operator', description: 'how to blend [lbs, dqs]', value: 'choice', choices: ['lbs', 'dqs'] },
      { long: '--force', description: 'replace: what is there' },
    ],
  },
  { name: 'info', description: 'what a file holds', usage: '', flags: [{ long: '--json', description: 'JSON' }] },
];

const missing = (shell: string): boolean => spawnSync(shell, ['-c', 'true']).error !== undefined;

function scriptFile(shell: Shell): string {
  const path = join(mkdtempSync(join(tmpdir(), 'pliant-completion-')), `pliant.${shell}`);
  writeFileSync(path, completionScript(shell, VERBS));
  return path;
}

/** What bash offers for a line whose last word is being typed. */
function offers(line: string): string[] {
  const words = line.split(' ');
  const script = `${completionScript('bash', VERBS)}
    COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _pliant
    printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = spawnSync('bash', ['-c', script], { encoding: 'utf8' });
  expect(stderr).toBe('');
  return stdout.split('\n').filter(Boolean);
}

describe('completion', () => {
  for (const shell of SHELLS) {
    it.skipIf(missing(shell))(`is a script that ${shell} parses (skipped where there is no ${shell})`, () => {
      const { status, stderr } = spawnSync(shell, ['-n', scriptFile(shell)], { encoding: 'utf8' });
      expect([status, stderr]).toEqual([0, '']);
    });

    it(`names every verb, flag and value in ${shell}`, () => {
      const script = completionScript(shell as Shell, VERBS);
      for (const word of ['sample', 'info', 'flag', 'figure', 'output', 'operator', 'dqs', 'force', 'json']) {
        expect(script).toContain(word);
      }
    });
  }

  describe.skipIf(missing('bash'))('in bash (skipped where there is no bash)', () => {
    it.each([
      ['pliant ', ['sample', 'info']],
      ['pliant i', ['info']],
      ['pliant sample f', ['flag', 'figure']],
      ['pliant sample --f', ['--force']],
      ['pliant sample --operator ', ['lbs', 'dqs']],
      ['pliant sample flag --operator d', ['dqs']],
      ['pliant info package.j', ['package.json']],
      ['pliant sample -o package.j', ['package.json']],
    ])('"%s" → %j', (line, expected) => expect(offers(line)).toEqual(expected));
  });

  describe.skipIf(missing('fish'))('in fish (skipped where there is no fish)', () => {
    it.each([
      ['pliant i', ['info']],
      ['pliant sample f', ['figure', 'flag']],
      ['pliant sample --f', ['--force']],
      ['pliant sample --operator d', ['dqs']],
    ])('"%s" → %j', (line, expected) => {
      const { stdout } = spawnSync('fish', ['-c', `source ${scriptFile('fish')}; complete -C '${line}'`], {
        encoding: 'utf8',
      });
      const offered = stdout.split('\n').map((entry) => entry.split('\t')[0]);
      expect(offered.filter(Boolean).sort()).toEqual(expected);
    });
  });
});
