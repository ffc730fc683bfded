// Runs in a thread: hands command lines on to a process that has the program loaded, and wakes who waits for the outcome.
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { workerData } from 'node:worker_threads';

const { port, awake } = workerData;
const HOST = fileURLToPath(new URL('warm-host.mjs', import.meta.url));

let host;
function start() {
  host = fork(HOST, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  host.on('message', answer);
  // A command line that ends the process is answered by the way it ended.
  host.on('exit', (status) => {
    host = undefined;
    answer({ status, stdout: '', stderr: 'the process of the command line ended' });
  });
}

function answer(outcome) {
  port.postMessage(outcome);
  Atomics.store(awake, 0, 1);
  Atomics.notify(awake, 0);
}

port.on('message', (line) => {
  if (!host) start();
  host.send(line);
});
