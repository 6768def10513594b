import { describe, expect, it } from '@jest/globals';
import { runCli } from './support/process.ts';

/** No command of this file gets as far as a server. */
const nowhere = { GP_DATA_DIR: '/nowhere' };

describe('help', () => {
  it.each([
    [['help', 'merchants']],
    [['merchants', 'help']],
    [['merchants', '--help']],
    [['-h', 'merchants']],
  ])('%j lists every command with what it does, and needs no settings', async (args) => {
    const { code, out, err } = await runCli(args, nowhere);
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain(
      '  merchants create --name NAME --email EMAIL   (the password on standard input)\n      creates',
    );
    for (const verb of ['find', 'revoke-key', 'set-branding', 'gateways'])
      expect(out).toContain(`  merchants ${verb} --`);
  });

  it.each([
    [['help', 'merchants', 'revoke-key']],
    [['merchants', 'help', 'revoke-key']],
    [['merchants', 'revoke-key', '--help']],
    [['merchants', 'revoke-key', '--merchant', 'x', '-h']],
    [['--json', 'merchants', 'revoke-key', '--help']],
  ])('%j explains one command: its options, and the role it needs', async (args) => {
    const { code, out, err } = await runCli(args, nowhere);
    expect([code, err]).toEqual([0, '']);
    const lines = out.split('\n');
    expect(lines[0]).toBe('merchants revoke-key --merchant ID --key ID');
    expect(out).toContain('a key with the role act');
    expect(out).toMatch(/^ {2}--merchant +the id of a merchant$/m);
    expect(out).toMatch(/^ {2}--key +the id of an API key$/m);
    expect(out).not.toContain('--mode');
  });
});

describe('exit 2 with what would be right', () => {
  it.each([
    [['merchants', 'crete'], '"merchants crete" is not a command. Did you mean "merchants create"?'],
    [
      ['merchants', 'crete', '--help'],
      '"merchants crete" is not a command. Did you mean "merchants create"?',
    ],
    [['help', 'merchants', 'key-s'], '"merchants key-s" is not a command. Did you mean "merchants keys"?'],
    [['merchants', 'constructor'], '"merchants constructor" is not a command. There are: create, find, key,'],
    [['merchants', 'key', '--merchant', 'x'], '--mode, --name missing: merchants key --merchant ID'],
    [['merchants', 'key', '--password', 'x'], "Unknown option '--password'"],
    [
      ['merchants', 'keys', 'extra'],
      "Unexpected argument 'extra'. This command does not take positional arguments: merchants keys --merchant ID",
    ],
    [['merchants', '--merchant', 'x', 'keys'], '--merchant cannot stand before a command: only --json'],
  ])(
    'a wrong command line gives exit code 2 and one sentence that names the fault: %j',
    async (args, sentence) => {
      const { code, out, err } = await runCli(args, nowhere);
      expect([code, out]).toEqual([2, '']);
      expect(err.startsWith(sentence)).toBe(true);
      expect(err.trim().split('\n')).toHaveLength(1);
    },
  );

  it.each([[[]], [['merchants']], [['--json', 'merchants']]])(
    'a line without a verb shows all commands: %j',
    async (args) => {
      const { code, out, err } = await runCli(args, nowhere);
      expect([code, out]).toEqual([2, '']);
      expect(err).toMatch(/merchants create --name NAME[^]*Exit codes/);
    },
  );
});
