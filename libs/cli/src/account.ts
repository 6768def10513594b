import { openClient, type Client, type Settings } from '@group-payments/client';
import { CommandFailure, EXIT, wrongUsage } from './failure.ts';
import { noProfile, readProfiles, type Profile } from './profiles.ts';
import type { Common, Shell } from './shell.ts';

export const DEFAULT_URL = 'http://127.0.0.1:8080';

/** The key and the address that a command works with. */
export type Account = {
  readonly settings: Settings;
  readonly client: Client;
  readonly mode: 'test' | 'live';
};

/**
 * Finds the account: the profile that the command line names, else the key of the environment, else the profile that the
 * environment names, else the current one.
 */
export async function findAccount(shell: Shell, { profile: named }: Common): Promise<Account> {
  const { env } = shell;
  const key = env['GROUP_PAYMENTS_KEY'];
  const url = env['GROUP_PAYMENTS_URL'];
  if (named === undefined && key) return openAccount({ key, url: url ?? DEFAULT_URL });
  const { current, profiles } = await readProfiles(shell);
  const name = named ?? env['GROUP_PAYMENTS_PROFILE'] ?? current;
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (profile) {
    if (!key && url !== undefined && url !== profile.url)
      shell.err(
        `GROUP_PAYMENTS_URL counts with GROUP_PAYMENTS_KEY only; profile ${name} has ${profile.url}.\n`,
      );
    return openAccount(profile);
  }
  if (name !== current || Object.keys(profiles).length > 0) throw noProfile(name, Object.keys(profiles));
  throw new CommandFailure(
    'You are not logged in. Run `gp login`, or set GROUP_PAYMENTS_KEY and GROUP_PAYMENTS_URL.',
    EXIT.credentials,
  );
}

function openAccount(profile: Profile): Account {
  const { key } = profile;
  const url = readUrl(profile.url, 'the address of the API');
  const settings = { key, baseUrl: url };
  return {
    settings,
    client: openClient(settings),
    mode: findMode(key),
  };
}

/** Returns the mode of a secret key; throws for anything else. */
export function findMode(key: string): 'test' | 'live' {
  const mode = /^sk_(test|live)_[\x21-\x7e]+$/.exec(key)?.[1];
  if (mode === 'test' || mode === 'live') return mode;
  throw new CommandFailure('That is no secret key: it begins with sk_test_ or sk_live_.', EXIT.credentials);
}

/** Reads an address of http or https; `localhost:3000/hooks` is one, too. Throws for anything else. */
export function readUrl(text: string, what: string): string {
  const whole = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  const url = URL.canParse(whole) ? new URL(whole) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username !== '' || url.password !== '')
    throw wrongUsage(`${what} is no http or https address: ${text}`);
  return url.href.replace(/\/$/, '');
}

/** Returns the account, which has to be one of test mode: `what` moves no real money. */
export function needTestMode(account: Account, what: string): Account {
  if (account.mode === 'test') return account;
  throw new CommandFailure(`${what} works in test mode only, and this is a live key.`, EXIT.credentials);
}

/** Returns the time by which the API judges an expiry: in test mode that of the test clock, epoch ms. */
export async function readNow({ client, mode }: Account): Promise<number> {
  if (mode === 'live') return Date.now();
  // A key that may not read it is judged by the same clock, which usually shows real time.
  return client.getTestClock().then(
    ({ now }) => Date.parse(now),
    () => Date.now(),
  );
}
