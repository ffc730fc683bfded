// Runs in a thread: hands command lines on to a process that has the program loaded, and wakes who waits for the outcome.
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { workerData } from 'node:worker_threads';

const { port, awake } = workerData;
const HOST = fileURLToPath(new URL('warm-host.mjs', import.meta.url));

let host;
let busy = false; // with a command line
function start() {
  host = fork(HOST, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  host.on('message', answer);
  // A command line that ends the process is answered by the way it ended; an end after the answer is nobody's.
  host.on('exit', (status) => {
    host = undefined;
    if (busy) answer({ status, stdout: '', stderr: 'the process of the command line ended' });
  });
}

function answer(outcome) {
  busy = false;
  port.postMessage(outcome);
  Atomics.store(awake, 0, 1);
  Atomics.notify(awake, 0);
}

port.on('message', (line) => {
  busy = true;
  if (!host) start();
  host.send(line);
});
