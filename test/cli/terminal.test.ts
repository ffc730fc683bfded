import { spawn, spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { atWork, ended, MAIN, newFolder, pliant, pliantAlone, startPliant } from './pliant.ts';

/** Minutes of work: what these tests interrupt. */
const LONG = ['sample', 'flag', '--resolution', '5000', '--frames', '5000', '-o', 'long.glb'];

describe('interrupted', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('by %s: one line, exit code %i, and nothing is left', async (signal, code) => {
    const folder = newFolder();
    const child = startPliant(LONG, folder);
    const done = ended(child);
    await atWork(folder, 1);
    child.kill(signal);
    const { status, stdout, stderr } = await done;
    expect([status, stdout, stderr.trim()]).toEqual([code, '', 'pliant: interrupted']);
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('in a pipe', () => {
  it('no progress, no colours', () => {
    const folder = newFolder();
    const { status, stdout, stderr } = pliantAlone(['sample', 'flag', '--resolution', '100', '--frames', '3'], folder);
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).not.toContain('\u001b');
    expect(stdout).toMatch(/wrote flag\.glb \(/);
  });

  it('a reader that has enough is no error', async () => {
    const child = spawn(process.execPath, [MAIN, 'help', 'skin'], { stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.destroy();
    const { status, stderr } = await ended(child);
    expect([status, stderr]).toEqual([0, '']);
  });

  it.skipIf(!existsSync('/dev/full'))('a full disk is a failure of the system (skipped without /dev/full)', () => {
    const full = openSync('/dev/full', 'w');
    for (const flags of [[], ['--json']]) {
      const { status, stderr } = spawnSync(process.execPath, [MAIN, 'sample', ...flags], {
        stdio: ['ignore', full, 'pipe'],
        encoding: 'utf8',
      });
      expect(status).toBe(1);
      expect(stderr).toMatch(/^pliant: stdout: the disk is full.*\n$/);
    }
    closeSync(full);
  });
});

/** Runs in a pseudo-terminal; stdout and stderr come out as one. */
function onTerminal(args: readonly string[], folder: string, env: NodeJS.ProcessEnv = {}, columns = 80): string {
  const line = `stty cols ${columns} rows 24; ${[process.execPath, MAIN, ...args].map((word) => `'${word}'`).join(' ')}`;
  // Node takes colours away where CI is set; a person's terminal has no such variable.
  const { CI: _, ...person } = process.env;
  const { stdout } = spawnSync('script', ['-qec', line, '/dev/null'], {
    cwd: folder,
    env: { ...person, TERM: 'xterm', ...env },
    encoding: 'utf8',
  });
  return stdout;
}

describe.skipIf(spawnSync('script', ['--version']).status !== 0)('on a terminal (skipped without script(1))', () => {
  const args = ['sample', 'flag', '--resolution', '400', '--frames', '10', '-o', 'flag.glb'];

  it('shows progress, and clears it', () => {
    const folder = newFolder();
    const output = onTerminal(args, folder);
    expect(output).toMatch(/simulating +[█░]+ +\d+ %/);
    expect(output).toContain('wrote flag.glb');
    // The bar's line is cleared before the result is printed.
    expect(output.slice(output.lastIndexOf('%  '))).toContain('\u001b[2K');
    expect(readdirSync(folder)).toEqual(['flag.glb']);
  });

  it('shows the progress within an input of a batch', () => {
    const folder = newFolder();
    pliant(args, folder);
    const output = onTerminal(['batch', 'fit', 'flag.glb', '-o', 'out', '--bones', '4', '--preset', 'fast'], folder);
    expect(output).toMatch(/1\/1 [a-z ]+: flag.* [█░]+ +\d+ %/);
    expect(output).toContain('1 written');
  });

  it('emphasises headings, unless NO_COLOR is set', () => {
    const bold = '\u001b[1m';
    expect(onTerminal(['help'], newFolder())).toContain(bold);
    expect(onTerminal(['help'], newFolder(), { NO_COLOR: '1' })).not.toContain(bold);
    expect(onTerminal(['sample'], newFolder(), { NO_COLOR: '1' })).not.toContain(bold);
  });

  it('is quiet with --quiet', () => expect(onTerminal([...args, '--quiet'], newFolder())).toBe(''));

  it('wraps to 80 columns', () => {
    const folder = newFolder();
    pliant(['sample', 'figure'], folder);
    for (const line of onTerminal(['info', join(folder, 'figure.glb')], folder, { NO_COLOR: '1' })
      .split(/\r?\n/)
      .slice(1)) {
      expect(line.length).toBeLessThanOrEqual(80);
    }
  });

  it('wraps help to narrow terminals', () => {
    const lines = onTerminal(['help', 'skin'], newFolder(), { NO_COLOR: '1' }, 60).split(/\r?\n/);
    // Usage and examples are left as they are to be typed.
    const words = lines.filter((line) => !/^Usage: |^ {2}pliant |^ {6}\w/.test(line));
    for (const line of words) expect(line.length).toBeLessThanOrEqual(60);
  });
});
