// Where redis-server is, and how to get one. Shared by `npm test`, the tests of the queue and their benchmark.
import { installWithApt, isExecutable, onPath } from './system.mjs';

/** Path of a redis-server or valkey-server, or undefined. `PLIANT_REDIS_SERVER` overrides the search. */
export function findRedis() {
  const given = process.env.PLIANT_REDIS_SERVER;
  if (given) return isExecutable(given) ? given : undefined;
  return onPath('redis-server') ?? onPath('valkey-server');
}

/** Installs Debian's Redis when there is none and we may; its service is not started. Returns why not, or undefined. */
export function ensureRedis(log = console.log) {
  if (findRedis()) return undefined;
  const otherwise = 'install redis or valkey, or set PLIANT_REDIS_SERVER to its path';
  const failed = installWithApt('redis-server', { what: 'redis-server', otherwise, log });
  if (failed) return failed;
  return findRedis() ? undefined : 'redis-server was installed but is not on the PATH';
}
