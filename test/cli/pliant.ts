import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { buildProgram } from '../../cli/program.ts';
import type { ErrorFacts, PliantErrorCode } from '../../src/error.ts';
import { expectToFit } from './schema.ts';
import { runWarm } from './warm.ts';

/** The built command line: as a user runs it, in a process of its own, or in one that has it loaded already. */

export const root = fileURLToPath(new URL('../..', import.meta.url));
export const MAIN = join(root, 'dist/cli/main.js');
if (!existsSync(MAIN)) throw new Error('dist/cli/main.js is missing: run `npm run build` first');

/** The names of all verbs, as `pliant help` lists them. */
export const VERBS = buildProgram(new AbortController().signal).commands.map((verb) => verb.name());

export interface Outcome {
  status: number | null;
  stdout: string;
  stderr: string;
}

/** Runs to the end in a process of its own, with pipes for stdout and stderr. */
export function pliantAlone(args: readonly string[], cwd = root): Outcome {
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...args], { cwd, encoding: 'utf8' });
  return { status, stdout, stderr };
}

/** Runs to the end; for whom the process itself does not matter, in a tenth of the time. */
export const pliant = (args: readonly string[], cwd = root): Outcome => runWarm(args, cwd);

/** Starts and does not wait. */
export const startPliant = (args: readonly string[], cwd: string): ChildProcess =>
  spawn(process.execPath, [MAIN, ...args], { cwd, stdio: ['ignore', 'pipe', 'pipe'] });

/** Resolves when a child has ended, with all that it printed. */
export function ended(child: ChildProcess): Promise<Outcome> {
  const outcome: Outcome = { status: null, stdout: '', stderr: '' };
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (outcome.stdout += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (outcome.stderr += text));
  return new Promise((resolve) => child.on('close', (status) => resolve({ ...outcome, status })));
}

/** Resolves when outputs have been opened beside their places, so that a folder holds so many things: a verb is at work. */
export async function atWork(folder: string, entries: number): Promise<void> {
  while (readdirSync(folder).length < entries) await setTimeout(50);
  expect(readdirSync(folder)).toHaveLength(entries);
}

/** What programs are told of an error. */
export type Refusal = ErrorFacts & { code: PliantErrorCode };

export const newFolder = (): string => mkdtempSync(join(tmpdir(), 'pliant-cli-'));

/** A new folder, and the command line in it. */
export function newDesk() {
  const folder = newFolder();
  const run = (...args: string[]): Outcome => pliant(args, folder);
  return {
    folder,
    run,
    /** What a verb that succeeds says to programs, as the schema has it. */
    json(...args: string[]) {
      const { status, stdout, stderr } = run(...args, '--json');
      expect([status, stderr]).toEqual([0, '']);
      const answer = JSON.parse(stdout);
      expectToFit(answer);
      return answer;
    },
    /** Refused with exit code 2, one line for people and an object for programs; the folder is as before. */
    expectRefusal(args: string[], expected: RegExp | Refusal): void {
      const before = readdirSync(folder).sort();
      const { status, stdout, stderr } = run('--json', ...args);
      expect(status).toBe(2);
      expect(stderr).toMatch(/^pliant: [^\n]+\n$/);
      expectToFit(JSON.parse(stdout));
      if (expected instanceof RegExp) expect(stderr).toMatch(expected);
      else expect(JSON.parse(stdout).error).toMatchObject(expected);
      expect(readdirSync(folder).sort()).toEqual(before);
    },
  };
}
