import { execFileSync } from 'node:child_process';
import { chmod, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { freePort, staleFiles } from '@gp/testing';
import { openHome, type CliHome } from './cli-home.ts';
import { generated } from './generated.ts';

const KEY = 'sk_test_0123456789abcdef';
let home: CliHome;
beforeEach(async () => {
  home = await openHome();
});
afterEach(() => home.close());

const file = () => home.file;
const gp = (...line: Parameters<CliHome['gp']>) => home.gp(...line);
const storeProfiles = async (profiles: object, current = 'default') => {
  await gp(['profiles']);
  execFileSync('mkdir', ['-p', dirname(file())]);
  await writeFile(file(), JSON.stringify({ current, profiles }), { mode: 0o600 });
};

it('the README lists the commands that there are; otherwise run `npm run generate`', async () => {
  expect(await staleFiles(generated)).toEqual([]);
});

describe('a wrong command line', () => {
  it.each([
    [['paymnts'], 'Did you mean payments?'],
    [['payments', 'creat'], 'Did you mean create?'],
    [['help', 'paymnts'], 'Did you mean payments?'],
    [['help', 'payments', 'creat'], 'Did you mean create?'],
    [['payments', 'create', '--split', '5,,5'], 'empty part'],
    [['payments', 'create', '--amuont', '3'], 'Did you mean --amount?'],
    [['payments', 'create'], '--amount is missing'],
    [['payments', 'create', '--amount', 'x'], 'no amount'],
    [['payments', 'create', '--amount', '5', '--idempotency-key', 'k'], 'needs --expires-at'],
    [
      ['payments', 'create', '--amount', '5', '--expires-in', '1h', '--expires-at', '2030-01-01T00:00:00Z'],
      'leave out one',
    ],
    [['pay'], 'There is: gp payments pay.'],
    [['list'], 'There is: gp events list, gp payments list'],
    [['payments', 'create', '--amount', '5', '--slots', '31'], 'from 1 to 30'],
    [['payments', 'create', '--split', '5,6', '--slots', '2'], 'leave out'],
    [['payments', 'create', '--amount', '5', '--organiser', 'remind,rule'], 'rule is no right'],
    [
      ['payments', 'create', '--amount', '5', '--minimum-slots', '2', '--minimum-amount', '3'],
      'leave out one',
    ],
    [['payments', 'create', '--amount', '5', '--minimum-slots', '0'], 'from 1 to 30'],
    [['payments', 'show'], "missing required argument 'id'"],
    [['payments', 'pay', 'x', '--card', 'gold'], 'gold is no card'],
    [['payments', 'show', 'a', 'b'], 'too many arguments'],
    [['listen'], '--forward-to is missing'],
    [['listen', '--forward-to', 'ftp://x'], 'no http or https address'],
    [['listen', '--forward-to', 'localhost:1', '--secret', 'whsec_'], '--secret must be'],
    [['trigger', 'group_payment.lost'], 'gp trigger --list'],
    [['trigger', 'group_payments.paid'], 'did you mean group_payment.paid?'],
    [
      ['trigger', 'payment_intent.d'],
      'did you mean payment_intent.disputed or payment_intent.dispute_closed?',
    ],
    [['clock', 'advance', 'soon'], 'no time span'],
    [['logs', 'list', '--limit', '0'], 'from 1 to 100'],
    [['completion', 'tcsh'], 'bash, zsh and fish'],
    [['completion'], 'name the shell: bash, zsh or fish'],
  ])('%j ends with 2 and says what is wrong', async (args, text) => {
    const { exitCode, out, err } = await gp(args, { GROUP_PAYMENTS_KEY: KEY });
    expect({ exitCode, out }).toEqual({ exitCode: 2, out: '' });
    expect(err).toContain(text);
    expect(err).not.toMatch(/\n\s+at /);
  });

  it.each([
    [['payments', 'create'], '--amount is missing; to name each share, write --split instead'],
    [['payments', 'show'], "missing required argument 'id'"],
    [['payments', 'list', '--limit', '0'], '--limit must be a whole number from 1 to 100, not 0'],
  ])('%j --json prints what is wrong as JSON', async (args, message) => {
    const { exitCode, out, err } = await gp([...args, '--json'], { GROUP_PAYMENTS_KEY: KEY });
    expect({ exitCode, out }).toEqual({ exitCode: 2, out: '' });
    expect(JSON.parse(err)).toEqual({ error: { code: 'wrong_usage', message } });
  });

  it('help is no failure: for the program, for each command, and in both forms', async () => {
    for (const args of [
      ['--help'],
      ['help', 'listen'],
      ['payments', '--help'],
      ['payments', 'create', '-h'],
      ['--version'],
    ]) {
      const { exitCode, out, err } = await gp(args);
      expect({ exitCode, err }).toEqual({ exitCode: 0, err: '' });
      expect(out).not.toBe('');
    }
    const { out } = await gp(['payments', 'pay', '--help']);
    expect(out).toMatch(/Examples:\n {2}gp payments pay/);
    expect((await gp(['help', 'payments', 'pay'])).out).toBe(out);
    expect((await gp(['help'])).out).toBe((await gp(['--help'])).out);
  });
});

describe('a refusal', () => {
  it('without an account, a command ends with 3 and says how to log in', async () => {
    const { exitCode, err } = await gp(['payments', 'list']);
    expect([exitCode, err]).toEqual([3, expect.stringContaining('Run `gp login`')]);
    await storeProfiles({ default: { key: KEY, url: 'http://127.0.0.1:1' } });
    const other = await gp(['payments', 'list', '--profile', 'other']);
    expect([other.exitCode, other.err]).toEqual([3, expect.stringContaining('There are: default.')]);
  });

  it('a text that is no secret key, and a live key where no money may move, end a command with 3', async () => {
    for (const [key, args] of [
      ['pk_test_1', ['payments', 'list']],
      ['sk_live_1', ['trigger', 'group_payment.paid']],
      ['sk_live_1', ['clock', 'advance', '1h']],
      ['sk_live_1', ['payments', 'pay', 'x']],
    ] as const)
      expect((await gp(args, { GROUP_PAYMENTS_KEY: key })).exitCode).toBe(3);
  });

  it('a live key refunds and cancels only with --yes', async () => {
    for (const word of ['refund', 'cancel']) {
      const { exitCode, err } = await gp(['payments', word, 'x'], { GROUP_PAYMENTS_KEY: 'sk_live_1' });
      expect([exitCode, err]).toEqual([2, expect.stringContaining('add --yes')]);
    }
  });

  it('an address where nothing answers ends with 4, as JSON where that is asked for', async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    const { exitCode, out, err } = await gp(['events', 'tail', '--json'], {
      GROUP_PAYMENTS_KEY: KEY,
      GROUP_PAYMENTS_URL: url,
    });
    expect([exitCode, out]).toEqual([4, '']);
    expect(JSON.parse(err)).toEqual({
      error: { code: 'no_answer', message: expect.stringContaining('fetch failed') },
    });
  }, 30_000);

  it('a login that is not answered stores nothing', async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    expect((await gp(['login', '--url', url], {}, KEY)).exitCode).toBe(4);
    expect((await gp(['login', '--url', url], {}, '')).exitCode).toBe(3);
    expect((await gp(['login', '--url', url, '--profile', '../x'], {}, KEY)).exitCode).toBe(2);
    await expect(stat(file())).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

describe('stored profiles', () => {
  const both = {
    default: { key: KEY, url: 'http://127.0.0.1:1' },
    live: { key: 'sk_live_0123456789abcdef', url: 'https://api.example' },
  };

  it('stored profiles are listed without their keys, chosen and forgotten', async () => {
    await storeProfiles(both);
    const { out } = await gp(['profiles']);
    expect(out).toBe(
      '*  default  sk_test_…cdef  http://127.0.0.1:1\n   live     sk_live_…cdef  https://api.example\n',
    );
    expect((await gp(['profiles', 'use', 'live'])).exitCode).toBe(0);
    expect(JSON.parse((await gp(['profiles', '--json'])).out)).toMatchObject([
      { is_current: false },
      { is_current: true, mode: 'live' },
    ]);
    expect((await gp(['logout'])).out).toContain('live is forgotten');
    expect(await readFile(file(), 'utf8')).not.toContain('sk_live');
    expect((await gp(['profiles', 'use', 'live'])).exitCode).toBe(3);
  });

  it('the file of the profiles is closed to others, also where it was not', async () => {
    await storeProfiles(both);
    await chmod(file(), 0o644);
    expect((await gp(['profiles'])).err).toContain('could be read by others');
    await gp(['profiles', 'use', 'live']);
    expect((await stat(file())).mode & 0o777).toBe(0o600);
  });

  it('the secret of listen is that of the key, which a profile or the environment gives', async () => {
    await storeProfiles(both);
    const first = await gp(['listen', '--print-secret']);
    expect(first.out).toMatch(/^whsec_[A-Za-z0-9+/]{43}=\n$/);
    expect(await gp(['listen', '--print-secret'])).toEqual(first);
    expect(await gp(['listen', '--print-secret', '--profile', 'live'])).not.toEqual(first);
    const env = { GROUP_PAYMENTS_KEY: both.default.key };
    expect(await gp(['listen', '--print-secret'], env)).toEqual(first);
    expect((await gp(['profiles'])).out).toContain('*  default');
  });

  it('an address in the environment without a key is named as not used, where a profile has another one', async () => {
    await storeProfiles(both);
    const ignored =
      'GROUP_PAYMENTS_URL counts with GROUP_PAYMENTS_KEY only; profile default has http://127.0.0.1:1.';
    const read = (env: Record<string, string>) => gp(['listen', '--print-secret'], env);
    expect((await read({ GROUP_PAYMENTS_URL: 'http://127.0.0.1:2' })).err).toBe(`${ignored}\n`);
    expect((await read({ GROUP_PAYMENTS_URL: 'http://127.0.0.1:1' })).err).toBe('');
    expect((await read({ GROUP_PAYMENTS_URL: 'http://127.0.0.1:2', GROUP_PAYMENTS_KEY: KEY })).err).toBe('');
  });

  it('a damaged file ends with 3 and is left as it is', async () => {
    await storeProfiles(both);
    for (const text of ['{', '[]', '{"current":"a","profiles":{"a":{}}}', 'null']) {
      await writeFile(file(), text);
      expect((await gp(['payments', 'list'])).exitCode).toBe(3);
      expect(await readFile(file(), 'utf8')).toBe(text);
    }
  });
});

describe('completion', () => {
  it.each([
    ['gp pay', ['payments']],
    ['gp payments ', ['create', 'pay', 'show', 'list', 'refund', 'cancel', '--help']],
    ['gp payments create --am', ['--amount']],
    ['gp payments --json li', ['list']],
    ['gp trigger group_payment.ex', ['group_payment.expired']],
    ['gp clock advance --n', ['--no-wait']],
    ['gp payments pay x --card dec', ['declined']],
  ])('bash completes "%s"', async (line, words) => {
    const { out } = await gp(['completion', 'bash']);
    const script = `${out}
      read -ra COMP_WORDS <<< ${JSON.stringify(line)}; ${line.endsWith(' ') ? 'COMP_WORDS+=("")' : ':'}
      COMP_CWORD=$(( \${#COMP_WORDS[@]} - 1 )); _gp; printf '%s\\n' "\${COMPREPLY[@]}"`;
    expect(execFileSync('bash', ['-c', script], { encoding: 'utf8' }).trim().split('\n')).toEqual(words);
  });

  it('the script without a name is that of the shell in SHELL', async () => {
    const { out } = await gp(['completion'], { SHELL: '/usr/bin/zsh' });
    expect(out).toBe((await gp(['completion', 'zsh'])).out);
    expect((await gp(['completion'], { SHELL: '/bin/dash' })).err).toContain('dash is none of');
  });

  it('the scripts for zsh and fish name every command', async () => {
    for (const shell of ['zsh', 'fish']) {
      const { out } = await gp(['completion', shell]);
      for (const word of ['listen', 'trigger', 'payments', 'create', 'advance', 'group_payment.paid'])
        expect(out).toContain(word);
    }
  });
});
