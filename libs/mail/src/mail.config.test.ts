import { describe, expect, it } from '@jest/globals';
import { ConfigError, defineConfig, readConfig } from '@gp/config';
import { listMailFaults, mailConfig } from './mail.config.ts';

const schema = defineConfig(mailConfig({ describe: 'Where mail goes' }), listMailFaults);
const server = { MAIL_URL: 'smtp://mail.example', MAIL_FROM: 'Group Payments <no-reply@platform.example>' };

function listFaults(env: Readonly<Record<string, string>>): readonly string[] {
  try {
    readConfig(schema, env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return [error.message];
    throw error;
  }
}

describe('the settings of mail', () => {
  it.each([{}, server, { MAIL_URL: 'file:///tmp/mail' }, { ...server, MAIL_USER: 'u', MAIL_PASSWORD: 'p' }])(
    'the settings %j are accepted',
    (env) => expect(listFaults(env)).toEqual([]),
  );

  it.each([
    ['a server without a sender', { MAIL_URL: server.MAIL_URL }, /MAIL_FROM is required/],
    ['a user without a password', { ...server, MAIL_USER: 'u' }, /MAIL_USER and MAIL_PASSWORD/],
    ['a password in the address', { ...server, MAIL_URL: 'smtp://u:p@mail.example' }, /names no user/],
    [
      'a relay over HTTP',
      { ...server, MAIL_URL: 'https://mail.example' },
      /MAIL_URL must be an address of smtp/,
    ],
    ['two senders', { ...server, MAIL_FROM: 'a@b.example,c@d.example' }, /MAIL_FROM must match/],
    [
      'a sender with a line break',
      { ...server, MAIL_FROM: 'A\nBcc: x <a@b.example>' },
      /MAIL_FROM must match/,
    ],
    ['an authority that is not there', { ...server, MAIL_CA_FILE: '/nonexistent/ca.pem' }, /MAIL_CA_FILE/],
  ])('%s is refused', (_what, env, fault) => {
    const faults = listFaults(env);
    expect(faults).toEqual([expect.stringMatching(fault)]);
    expect(faults.join()).not.toContain('u:p@');
  });
});
