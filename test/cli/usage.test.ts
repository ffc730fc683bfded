import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cliPage } from '../../scripts/cli-docs.mjs';
import { MAIN, newDesk, pliant, pliantAlone, root, VERBS } from './pliant.ts';

/** Makes Node print the address of every module that it loads. */
const HOOK = 'export const load = (url, context, next) => (process._rawDebug(url), next(url, context));';
const LISTING = `data:text/javascript,import{register}from"node:module";register(${JSON.stringify(`data:text/javascript,${encodeURIComponent(HOOK)}`)})`;

/** A usage error: nothing on stdout, one line on stderr, exit code 2. */
function expectRefusal(args: string[], message: string | RegExp): void {
  const { status, stdout, stderr } = pliant(args);
  expect([status, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/^pliant: [^\n]+\n$/);
  expect(stderr).toMatch(message);
}

describe('help', () => {
  it('greets a user who types nothing', () => {
    const { status, stdout, stderr } = pliantAlone([]);
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^Usage: pliant <verb> \[options\]/);
    for (const verb of VERBS) expect(stdout).toMatch(new RegExp(`^  ${verb} `, 'm'));
  });

  it.each(VERBS)('explains %s as plain text of 80 columns', (verb) => {
    const { status, stdout } = pliant(['help', verb]);
    expect(status).toBe(0);
    expect(stdout).toMatch(new RegExp(`^Usage: pliant ${verb} `));
    expect(stdout).toContain('Examples:');
    expect(stdout).not.toContain('\u001b');
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  });

  it('is the same by help and by --help', () =>
    expect(pliant(['skin', '--help']).stdout.trimEnd()).toBe(pliant(['help', 'skin']).stdout.trimEnd()));

  it('shows first what most people need, and every flag on request', () => {
    const short = pliant(['fit', '--help']).stdout;
    expect(short).toBe(pliant(['help', 'fit']).stdout);
    expect(short).toMatch(/\n\d+ more flags: pliant help fit --all\n$/);
    expect(short.split('\n').length).toBeLessThan(75);
    expect(short).toContain('--bones');
    expect(short).not.toContain('--lsqr-tolerance');
    const whole = pliant(['fit', '--help', '--all']).stdout;
    expect(whole).toBe(pliant(['help', 'fit', '--all']).stdout);
    const { flags } = JSON.parse(pliant(['help', 'fit', '--json']).stdout);
    for (const { long } of flags) expect(whole).toContain(`${long} `);
    expect(pliant(['studio', '--help']).stdout).not.toContain('more flag');
  });

  it.each([
    ['cloth', 'run', '--physics', '--rounds'],
    ['cloth', 'train', '--fine', '--pin-bone'],
    ['light', 'bake', '--poses', '--show'],
    ['light', 'render', '--show', '--poses'],
  ])('of one task, %s %s, leaves out the others', (verb, task, own, other) => {
    const page = pliant(['help', verb, task, '--all']).stdout;
    expect(pliant([verb, task, '--help', '--all']).stdout.trimEnd()).toBe(page.trimEnd());
    expect(page).toMatch(new RegExp(`^Usage: pliant ${verb} ${task} \\[options\\]`));
    expect(page).toContain(`${own} `);
    expect(page).not.toContain(`${other} `);
    const examples = page.split('\n').filter((line) => line.startsWith('  pliant '));
    expect(examples.filter((line) => !line.startsWith(`  pliant ${verb} ${task} `))).toEqual([]);
    const whole = JSON.parse(pliant(['help', verb, '--json']).stdout);
    const { name, flags } = JSON.parse(pliant(['help', verb, task, '--json']).stdout);
    expect(name).toBe(`${verb} ${task}`);
    const long = (list: { long: string }[]): string[] => list.map((flag) => flag.long);
    expect(long(whole.flags)).toEqual(expect.arrayContaining(long(flags)));
    expect(long(flags)).toContain(own);
    expect(long(flags)).not.toContain(other);
    // What is said of several tasks is told apart.
    const names: string[] = whole.choices;
    for (const { description } of flags) for (const each of names) expect(description).not.toMatch(`${each}: `);
  });

  it('loads no verb to list them all', () => {
    const loaded = (...args: string[]): string =>
      spawnSync(process.execPath, ['--import', LISTING, MAIN, ...args], { encoding: 'utf8' }).stderr;
    expect(loaded('help')).toContain('cli/program.js');
    expect(loaded('help')).not.toMatch(/commands\/(?!help)/);
    const info = loaded('info', 'nothing.obj');
    expect(info).toContain('commands/info.js');
    expect(info).not.toContain('commands/fit.js');
  });

  it('has a form for programs', () => {
    const { verbs } = JSON.parse(pliant(['help', '--json']).stdout);
    expect(verbs.map(({ name }: { name: string }) => name)).toEqual(VERBS);
    const skin = JSON.parse(pliant(['help', 'skin', '--json']).stdout);
    expect(skin.flags).toContainEqual(
      expect.objectContaining({ long: '--operator', choices: expect.arrayContaining(['dqs']) }),
    );
  });

  it('is the source of docs/cli.md', () => {
    const page = readFileSync(join(root, 'docs/cli.md'), 'utf8');
    expect(page, 'run `npm run docs:cli`').toBe(cliPage((...args: string[]) => pliant(args).stdout));
  });

  it.each(['--version', '-v', '-V'])('prints the version: %s', (flag) => {
    const { status, stdout } = pliantAlone([flag]);
    expect([status, stdout]).toEqual([0, expect.stringMatching(/^\d+\.\d+\.\d+\n$/)]);
    expect(JSON.parse(pliant([flag, '--json']).stdout)).toEqual({ version: stdout.trim() });
  });
});

describe('mistakes', () => {
  it('a verb that does not exist', () => expectRefusal(['inof', 'x'], /unknown command 'inof'.*did you mean info\?/));
  it('a verb in capitals', () => expectRefusal(['FIT', 'x'], /unknown command 'FIT'; did you mean fit\? \(see/));
  it('help for a verb that does not exist', () =>
    expectRefusal(['help', 'skni'], /: unknown verb "skni" .*did you mean skin\?/));
  it('a flag that does not exist', () =>
    expectRefusal(
      ['skin', 'rig.glb', '--oprator', 'dqs'],
      /'--oprator'; did you mean --operator\? \(see pliant help skin\)/,
    ));
  it('a flag that the short help leaves out', () =>
    expectRefusal(['fit', 'x', '--iteratons', '3'], /did you mean --iterations\?/));
  it('all flags of nothing', () => expectRefusal(['info', 'x', '--all'], /unknown option '--all'/));
  it('a missing argument', () => expectRefusal(['info'], /missing required argument 'files'.*see pliant help info/));
  it.each([
    [['light', 'rig.glb'], 'pliant light bake rig.glb'],
    [
      ['light', '--show', 'traced', 'rig.glb', '-o', 'a b.png'],
      "pliant light render --show traced rig.glb -o 'a b.png'",
    ],
    [['cloth', 'cape.glb', '--body', 'rig.glb'], 'pliant cloth run cape.glb --body rig.glb'],
    [['batch', 'cloth', 'capes/*.glb', '-o', 'out'], "pliant batch cloth run 'capes/*.glb'"],
    [['batch', 'shots/*.abc', '-o', 'out'], "pliant batch fit 'shots/*.abc'"],
  ])('a missing task or verb, which is told with a line that has one: %j', (args, line) =>
    expectRefusal(args, `, as in ${line}\n`),
  );
  it.each([['light'], ['cloth']])('a missing task and nothing else: %s', (verb) =>
    expectRefusal([verb], `see pliant help ${verb})`),
  );
  it('a task that does not exist', () => {
    expectRefusal(['light', 'bkae', 'rig.glb'], /"bkae" .*did you mean bake\?/);
    expectRefusal(['help', 'cloth', 'rnu'], /"rnu" .*did you mean run\?/);
    expectRefusal(['help', 'fit', 'run'], /fit has no tasks/);
  });
  it('a task without what it works on', () => expectRefusal(['cloth', 'run'], /see pliant help cloth run/));
  it('a missing output', () => expectRefusal(['skin', 'rig.glb'], /no output file: add -o out\.glb/));
  it('a missing output after the paths', () => expectRefusal(['convert', 'a.glb'], /no output: name it last/));
  it('too many arguments', () => expectRefusal(['measure', 'a', 'b', 'c'], /too many arguments/));
  it('a choice that does not exist', () =>
    expectRefusal(
      ['skin', 'rig.glb', '-o', 'x.glb', '--operator', 'dps'],
      /--operator \(got dps, expected .*did you mean dqs\?/,
    ));
  it('a number out of range', () =>
    expectRefusal(['sample', 'flag', '--frames=-1'], /--frames \(got -1, expected a whole number/));
  it('a sample that does not exist', () =>
    expectRefusal(['sample', 'flga'], /: unknown sample "flga" \(expected .*did you mean flag\?/));
  it('a shell that does not exist', () =>
    expectRefusal(['completion', 'bsh'], /: unknown shell "bsh" .*did you mean bash\?/));
  it('an empty page', () => expectRefusal(['fit', 'x', '-o', 'y.glb', '--report', ''], /--report \(got nothing, /));
  it('an empty choice', () =>
    expectRefusal(['skin', 'x', '--operator', ''], /--operator \(got nothing, expected model/));
  it('an empty name', () => expectRefusal(['info', ''], /expected a file or folder/));
  it('stdin', () => expectRefusal(['info', '-'], /stdin/));
  it('stdout', () => expectRefusal(['convert', 'a.glb', '-'], /stdout/));
  it('only global flags', () => expectRefusal(['--quiet'], /no verb/));

  it('a file whose name begins with a dash, which is told how to be named', () => {
    const { folder, run, expectRefusal: refuses } = newDesk();
    writeFileSync(join(folder, '-tri.obj'), 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n');
    refuses(['info', '-tri.obj'], /unknown option '-tri.obj'; .* \.\/-tri.obj .*\(see/);
    expect(run('info', './-tri.obj').status).toBe(0);
    expect(run('info', '--', '-tri.obj').stdout).toMatch(/^-tri.obj: /);
    // What follows -- is a name, for messages as well.
    refuses(['info', '--', '--json'], /--json: no such file/);
  });

  it('with --json, as an object on stdout as well', () => {
    const { status, stdout, stderr } = pliantAlone(['sample', 'flga', '--json']);
    expect(status).toBe(2);
    expect(stderr).toMatch(/^pliant: /);
    expect(JSON.parse(stdout).error).toMatchObject({ code: 'bad-option', got: 'flga' });
  });
});

it.each([
  ['succeeds', ['sample', '--json']],
  ['prints help', ['skin', '--help']],
  ['fails', ['info', 'nothing.glb']],
  ['fails, with an object', ['measure', 'a.obj', 'b.obj', '--json']],
  ['cannot be understood', ['fit', '--bons', '3']],
])('what %s does so alone as in a process that has run others', (_, args) =>
  expect(pliant(args)).toEqual(pliantAlone(args)),
);

it('completes its own verbs, flags and samples', () => {
  const script = `source <(${process.execPath} ${MAIN} completion bash)
    COMP_WORDS=(pliant sample fl); COMP_CWORD=2; _pliant; echo "\${COMPREPLY[@]}"`;
  expect(spawnSync('bash', ['-c', script], { encoding: 'utf8' }).stdout.trim()).toBe('flag');
});
