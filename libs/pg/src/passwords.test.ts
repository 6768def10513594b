import { describe, expect, it } from '@jest/globals';
import { tryBothPasswords } from './passwords.ts';

const refusal = Object.assign(new Error('refused'), { code: '28P01', severity: 'FATAL' });
const address = (password: string) => `postgres://role:${password}@127.0.0.1/payments`;

/** A server that takes one password, and what was tried. */
function scene(next?: string) {
  const server = { password: 'old' };
  const options = { connectionString: address('old') };
  const tried: string[] = [];
  const connect = async () => {
    const { password } = new URL(options.connectionString);
    tried.push(password);
    await Promise.resolve();
    if (password !== server.password) throw refusal;
    return password;
  };
  const withBoth = tryBothPasswords(options, next);
  return { server, tried, connect: () => withBoth(connect) };
}

describe('the password of a role that is being rotated', () => {
  it('the next password counts from the moment that the server refuses the one in use', async () => {
    const { server, tried, connect } = scene('new');
    await connect();
    server.password = 'new';
    expect(await connect()).toBe('new');
    await connect();
    expect(tried).toEqual(['old', 'old', 'new', 'new']);
  });

  it('connections that are refused at once turn to the next password together', async () => {
    const { server, connect } = scene('new');
    server.password = 'new';
    expect(await Promise.all([connect(), connect(), connect()])).toEqual(['new', 'new', 'new']);
  });

  it('a rotation that is taken back is followed, too', async () => {
    const { server, connect } = scene('new');
    server.password = 'new';
    await connect();
    server.password = 'old';
    expect(await connect()).toBe('old');
  });

  it('the refusal is passed on where no other password is known, and where both are refused', async () => {
    const [one, two] = [scene(), scene('new')];
    one.server.password = two.server.password = 'of somebody else';
    await expect(one.connect()).rejects.toBe(refusal);
    await expect(two.connect()).rejects.toBe(refusal);
    expect([one.tried, two.tried]).toEqual([['old'], ['old', 'new']]);
  });
});
