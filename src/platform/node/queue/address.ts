import { PliantError } from '../../../error.ts';

/** Where Redis is, and how to get in. */
export interface RedisAddress {
  host: string;
  port: number;
  db: number;
  username?: string;
  password?: string;
  /** Encrypted: `rediss://`. */
  tls: boolean;
  /** For messages: without anything secret. */
  shown: string;
}

/** Names of the variables that hold what must not be on a command line, which every user of a machine can read. */
const PASSWORD_VARIABLE = 'PLIANT_REDIS_PASSWORD';
const USERNAME_VARIABLE = 'PLIANT_REDIS_USERNAME';

const refuse = (cause: string): never => {
  throw new PliantError('bad-option', 'queue', cause, { option: 'queue' });
};

const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || /^127(\.\d+){3}$/.test(host);

/**
 * `redis://127.0.0.1:6379/0`, or `rediss://` over TLS. A Redis that is not on this machine must be allowed: whoever
 * reaches it can read and add jobs. Messages never repeat what was given, which may hold a password by mistake.
 */
export function redisAddress(
  text: string,
  allowRemote = false,
  env: Record<string, string | undefined> = process.env,
): RedisAddress {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return refuse('(expected an address such as redis://127.0.0.1:6379)');
  }
  if (url.protocol !== 'redis:' && url.protocol !== 'rediss:') refuse('(expected redis:// or rediss://)');
  if (url.password || url.username) {
    refuse(`holds a name or password, which others can read there (use ${USERNAME_VARIABLE} and ${PASSWORD_VARIABLE})`);
  }
  const [, db] = /^\/?(\d{0,4})$/.exec(url.pathname) ?? refuse('(expected the number of a database after the /)');
  if (url.search || url.hash) refuse('(expected no more than redis://host:port/database)');
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1').toLowerCase();
  if (!host) refuse('has no host');
  if (!isLoopback(host) && !allowRemote) {
    refuse(`is not on this machine (got ${host}; allow it with {option:allowRemote}, best with rediss://)`);
  }
  const port = Number(url.port || 6379);
  return {
    host,
    port,
    db: Number(db || 0),
    username: env[USERNAME_VARIABLE] || undefined,
    password: env[PASSWORD_VARIABLE] || undefined,
    tls: url.protocol === 'rediss:',
    shown: `${url.protocol}//${url.hostname}:${port}`,
  };
}

/** Whether what goes there can be read on the way. */
export const isOpenToOthers = ({ host, tls }: RedisAddress): boolean => !tls && !isLoopback(host);
