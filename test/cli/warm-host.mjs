// Runs one command line after the other with the built program, which is loaded once.
import { runLine } from '../../dist/cli/run.js';

const interrupt = { signal: new AbortController().signal, exitCode: () => undefined };
const [node] = process.argv;
let printed;
for (const name of ['stdout', 'stderr']) {
  process[name].write = (text) => {
    printed[name] += text;
    return true;
  };
}

process.on('message', async ({ args, cwd }) => {
  printed = { stdout: '', stderr: '' };
  process.chdir(cwd);
  process.argv = [node, 'pliant', ...args];
  const status = await runLine(args, interrupt);
  process.send({ status, ...printed });
});
process.on('disconnect', () => process.exit());
