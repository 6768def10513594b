import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { GroupPaymentsError, openClient } from '@group-payments/client';
import type { Command } from 'commander';
import { DEFAULT_URL, findMode, readUrl } from '../account.ts';
import { CommandFailure, EXIT, wrongUsage } from '../failure.ts';
import {
  findFile,
  forgetProfile,
  PROFILE_NAME,
  readProfiles,
  storeProfile,
  useProfile,
} from '../profiles.ts';
import { print, type Common, type Shell } from '../shell.ts';
import { alignColumns } from '../values.ts';
import type { AddCommand } from './command.ts';

type LoginOptions = Common & { readonly url?: string };

export function addLogin(program: Command, add: AddCommand, shell: Shell): void {
  add<[], LoginOptions>(program, 'login', {
    summary: 'store a secret key and the address of the API',
    details: 'The profile is the one that is used from then on where none is named.',
    examples: [
      'gp login',
      'gp login --profile staging --url https://api.staging.example',
      'echo "$KEY" | gp login --url http://127.0.0.1:8080',
    ],
    options: [['--url <address>', `address of the API (default: ${DEFAULT_URL})`]],
    run: (options) => login(shell, options),
  });
  add<[], Common>(program, 'logout', {
    summary: 'forget the key of a profile',
    examples: ['gp logout', 'gp logout --profile staging'],
    run: (options) => logout(shell, options),
  });
  const profiles = add<[], Common>(program, 'profiles', {
    summary: 'list the stored profiles',
    examples: ['gp profiles', 'gp profiles use staging'],
    run: (options) => listProfiles(shell, options),
  });
  add<[string], Common>(profiles, 'use', {
    summary: 'make a profile the one that is used when none is named',
    arguments: [['<name>', 'name of the profile']],
    examples: ['gp profiles use staging'],
    async run(options, name) {
      await useProfile(shell, name);
      print(shell, options, { current: name }, `Profile ${name} is used from now on.`);
    },
  });
}

async function login(shell: Shell, { profile = 'default', url, ...common }: LoginOptions) {
  if (!PROFILE_NAME.test(profile)) throw wrongUsage(`${profile} is no name for a profile`);
  const { env } = shell;
  const baseUrl = readUrl(url ?? env['GROUP_PAYMENTS_URL'] ?? DEFAULT_URL, '--url');
  const ofEnvironment = env['GROUP_PAYMENTS_KEY'];
  const key = (ofEnvironment || (await askForKey(shell))).trim();
  const mode = findMode(key);
  await checkKey(baseUrl, key);
  const { profiles } = await readProfiles(shell);
  const former = Object.hasOwn(profiles, profile) ? profiles[profile] : undefined;
  await storeProfile(shell, profile, { key, url: baseUrl }, { isCurrent: true });
  const file = findFile(env);
  const sentences = [
    `Logged in to ${baseUrl} in ${mode} mode${ofEnvironment ? ' with GROUP_PAYMENTS_KEY' : ''}, as profile ${profile} in ${file}.`,
    ...(former && former.key !== key ? [`It had the key ${shorten(former.key)} before.`] : []),
    'It is used from now on.',
  ];
  print(shell, common, { profile, mode, url: baseUrl, file }, sentences.join(' '));
}

/** Returns so much of a key that its owner knows it again, and nobody can use it. */
const shorten = (key: string): string => `${key.slice(0, 8)}…${key.slice(-4)}`;

/** One small request shows that the key is good; a restricted key may be refused it and is good, too. */
async function checkKey(baseUrl: string, key: string): Promise<void> {
  try {
    await openClient({ baseUrl, key, retries: 1, timeoutMs: 10_000 }).listEvents({ limit: 1 });
  } catch (error) {
    if (!(error instanceof GroupPaymentsError)) throw error;
    if (error.status === 401)
      throw new CommandFailure(
        `${baseUrl} does not know this key (401 ${error.code}). Copy it whole from the dashboard there, or name the address of its installation with --url.`,
        EXIT.credentials,
        { code: error.code, status: error.status, request_id: error.requestId },
      );
    if (error.status !== 403) throw error;
  }
}

/** Reads the key from the terminal without showing it, or from a pipe. */
async function askForKey({ stdin, isTerminal, err, signal }: Shell): Promise<string> {
  if (!isTerminal) {
    let text = '';
    for await (const piece of stdin) {
      text += String(piece);
      if (text.length > 4_096) break;
    }
    if (text.trim() !== '') return text;
    throw new CommandFailure('There is no key: pipe it in, or set GROUP_PAYMENTS_KEY.', EXIT.credentials);
  }
  err('Secret key (sk_test_… or sk_live_…, not shown): ');
  const nowhere = new Writable({ write: (_piece, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: nowhere, terminal: true });
  try {
    return await lines.question('', { signal });
  } finally {
    lines.close();
    err('\n');
  }
}

async function logout(shell: Shell, { profile, ...common }: Common): Promise<void> {
  const name = profile ?? shell.env['GROUP_PAYMENTS_PROFILE'] ?? (await readProfiles(shell)).current;
  const isForgotten = await forgetProfile(shell, name);
  print(
    shell,
    common,
    { profile: name, forgotten: isForgotten },
    isForgotten
      ? `The key of profile ${name} is forgotten here; revoke it in the dashboard.`
      : `There is no profile ${name}.`,
  );
}

async function listProfiles(shell: Shell, common: Common): Promise<void> {
  const { current, profiles } = await readProfiles(shell);
  const list = Object.entries(profiles).map(([name, { key, url }]) => ({
    name,
    is_current: name === current,
    mode: findMode(key),
    key: shorten(key),
    url,
  }));
  const rows = list.map(({ name, is_current, key, url }) => [is_current ? '*' : ' ', name, key, url]);
  print(
    shell,
    common,
    list,
    rows.length > 0 ? alignColumns(rows) : 'There is no profile; `gp login` makes one.',
  );
}
