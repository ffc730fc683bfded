import { describe, expect, it } from 'vitest';
import { isOpenToOthers, redisAddress } from '../../src/platform/node/queue/address.ts';
import { refusal } from '../refusal.ts';

describe('redisAddress', () => {
  it('reads host, port, database and encryption; names and passwords come from the environment', () => {
    expect(redisAddress('redis://127.0.0.1', false, {})).toMatchObject({
      host: '127.0.0.1',
      port: 6379,
      db: 0,
      tls: false,
      password: undefined,
    });
    const env = { PLIANT_REDIS_USERNAME: 'anna', PLIANT_REDIS_PASSWORD: 'p' };
    const address = redisAddress('rediss://queue.example:6380/3', true, env);
    expect(address).toMatchObject({
      host: 'queue.example',
      port: 6380,
      db: 3,
      tls: true,
      username: 'anna',
      password: 'p',
    });
    expect(address.shown).toBe('rediss://queue.example:6380');
  });

  it('keeps to this machine unless it is allowed elsewhere', () => {
    for (const host of ['localhost', '127.0.0.1', '127.1.2.3', '[::1]'])
      expect(redisAddress(`redis://${host}:7000`, false, {}).port).toBe(7000);
    for (const host of ['10.0.0.1', 'queue.example', '[::2]', '127.0.0.1.example', 'localhost.example', '0.0.0.0']) {
      expect(() => redisAddress(`redis://${host}`, false, {})).toThrow(refusal('bad-option', { option: 'queue' }));
      expect(isOpenToOthers(redisAddress(`redis://${host}`, true, {}))).toBe(true);
      expect(isOpenToOthers(redisAddress(`rediss://${host}`, true, {}))).toBe(false);
    }
  });

  it.each([
    'redis://:hunter2@127.0.0.1',
    'redis://anna:hunter2@127.0.0.1',
    'http://127.0.0.1/hunter2',
    'hunter2',
    'redis://127.0.0.1/hunter2',
    'redis://127.0.0.1/?password=hunter2',
    'redis://',
    '',
  ])('refuses %j, and does not repeat it', (text) => {
    expect(() => redisAddress(text, true, {})).toThrow(
      expect.objectContaining({ code: 'bad-option', message: expect.not.stringContaining('hunter2') }),
    );
  });
});
