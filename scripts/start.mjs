// `npm start`: from a fresh clone to a result one can look at.
import { build, install, root, runNode } from './setup.mjs';

install();
build();
runNode(undefined, 'dist/cli/main.js', ['demo', ...process.argv.slice(2)], { cwd: process.env.INIT_CWD ?? root });
