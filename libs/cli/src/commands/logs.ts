import {
  GroupPaymentsError,
  NoAnswerError,
  type Client,
  type RequestLogListItem,
} from '@group-payments/client';
import type { Command } from 'commander';
import { findAccount } from '../account.ts';
import { CommandFailure } from '../failure.ts';
import { pause, print, type Common, type Shell } from '../shell.ts';
import { parseCount } from '../values.ts';
import type { AddCommand, OptionSpec } from './command.ts';

type Query = NonNullable<Parameters<Client['listRequestLogs']>[0]>;
type Filter = {
  readonly status?: string;
  readonly method?: string;
  readonly path?: string;
  readonly key?: string;
};
type ListOptions = Common & Filter & { readonly limit?: number; readonly request?: string };

const FILTER: readonly OptionSpec[] = [
  ['--status <class>', 'only those answered with such a status: 2xx, 4xx or 5xx'],
  ['--method <method>', 'only those with this method'],
  ['--path <path>', 'only those of this path, as sent or as "/v1/group-payments/{id}"'],
  ['--key <id>', 'only those with this secret key, by its id'],
];

/** Pause between two looks at the log. */
const LOOK_EVERY_MS = 1_000;
/** An entry is stored after its answer: one that arrives later than this is missed. */
const LATE_MS = 60_000;

export function addLogs(program: Command, add: AddCommand, shell: Shell): void {
  const logs = program
    .command('logs')
    .summary('see which requests were made')
    .description('See which requests were made.');
  add<[], Common & Filter>(logs, 'tail', {
    summary: 'print requests as they are made',
    details: 'With --json each request is one line. A connection that is lost is resumed where it ended.',
    options: FILTER,
    examples: ['gp logs tail', 'gp logs tail --status 4xx'],
    async run(options) {
      const { client } = await findAccount(shell, options);
      for await (const entry of follow(client, buildFilter(options), shell))
        shell.out(`${options.json === true ? JSON.stringify(entry) : describe(entry)}\n`);
    },
  });
  add<[], ListOptions>(logs, 'list', {
    summary: 'list the newest requests',
    options: [
      ['--limit <count>', 'most requests (default: 20)', parseCount('--limit', 1, 100)],
      ...FILTER,
      ['--request <id>', 'only the one with this Request-Id'],
    ],
    examples: ['gp logs list --status 4xx', 'gp logs list --request req_0123456789abcdef01234567'],
    async run(options) {
      const { client } = await findAccount(shell, options);
      const { limit, request } = options;
      const found = await client.listRequestLogs({
        ...buildFilter(options),
        ...(limit !== undefined && { limit }),
        ...(request !== undefined && { request_id: request }),
      });
      const text = found.request_logs.map(describe).join('\n');
      print(shell, options, found.request_logs, text || 'There are none.');
    },
  });
  add<[string], Common>(logs, 'show', {
    summary: 'show a request with its bodies',
    arguments: [['<id>', 'id of the entry, or the Request-Id of the answer']],
    examples: ['gp logs show req_0123456789abcdef01234567'],
    async run(common, id) {
      const { client } = await findAccount(shell, common);
      const entry = await client.getRequestLog(id.startsWith('req_') ? await findId(client, id) : id);
      print(shell, { ...common, json: true }, entry, '');
    },
  });
}

async function findId(client: Client, request_id: string): Promise<string> {
  const [found] = (await client.listRequestLogs({ request_id })).request_logs;
  if (!found) throw new CommandFailure(`There is no request ${request_id} in the log.`);
  return found.id;
}

/** The API refuses what it does not know, and says what there is. */
function buildFilter({ status, method, path, key }: Filter): Query {
  return {
    ...(status !== undefined && { status_class: status.toLowerCase() as NonNullable<Query['status_class']> }),
    ...(method !== undefined && { method: method.toUpperCase() as NonNullable<Query['method']> }),
    ...(path !== undefined && { path }),
    ...(key !== undefined && { key_id: key }),
  };
}

/** Yields requests that are made from now on, oldest first, each once. A look that gets no answer is repeated until one does. */
async function* follow(client: Client, filter: Query, shell: Shell): AsyncGenerator<RequestLogListItem> {
  const newest = (await client.listRequestLogs({ limit: 1 })).request_logs[0];
  const begin = newest?.created_at ?? new Date(0).toISOString();
  let since = begin;
  const seen = new Map(newest ? [[newest.id, newest.created_at]] : []);
  shell.err('Waiting for requests. End with Ctrl-C.\n');
  const look = openLook(client, shell);
  while (!shell.signal.aborted) {
    const listed = await look({ ...filter, created_after: since });
    const fresh = listed.filter(({ id }) => !seen.has(id));
    for (const entry of fresh.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
      seen.set(entry.id, entry.created_at);
      yield entry;
    }
    const late = new Date(Math.max(Date.parse(latest(seen) ?? begin) - LATE_MS, Date.parse(begin)));
    since = late.toISOString();
    for (const [id, at] of seen) if (at < since) seen.delete(id);
    await pause(shell, LOOK_EVERY_MS);
  }
}

/** Returns a function that lists all that a query finds; nothing where the API gives no answer now, which it tells the user. */
function openLook(client: Client, { err, signal }: Shell) {
  let isLost = false;
  return async (query: Query): Promise<readonly RequestLogListItem[]> => {
    try {
      const listed = await listAll(client, query);
      if (isLost) err('Connected again.\n');
      isLost = false;
      return listed;
    } catch (error) {
      if (!isPassing(error) || signal.aborted) throw error;
      if (!isLost) err(`The connection was lost (${error.message}); it will be resumed.\n`);
      isLost = true;
      return [];
    }
  };
}

const isPassing = (error: unknown): error is Error =>
  error instanceof NoAnswerError ||
  (error instanceof GroupPaymentsError && (error.status >= 500 || error.status === 429));

async function listAll(client: Client, query: Query): Promise<readonly RequestLogListItem[]> {
  const all: RequestLogListItem[] = [];
  let cursor: string | undefined;
  do {
    const page = await client.listRequestLogs({
      ...query,
      limit: 100,
      ...(cursor !== undefined && { cursor }),
    });
    all.push(...page.request_logs);
    cursor = page.pagination.next_cursor ?? undefined;
  } while (cursor !== undefined);
  return all;
}

const latest = (seen: ReadonlyMap<string, string>): string | undefined =>
  [...seen.values()].toSorted().at(-1);

/** One line about a request. */
function describe(entry: RequestLogListItem): string {
  const { created_at, status, method, path, query, error_code, duration_ms, request_id } = entry;
  const where = query === '' ? path : `${path}?${query}`;
  const result = error_code === null ? String(status) : `${status} ${error_code}`;
  return `${created_at}  ${method.padEnd(6)}  ${where}  ${result}  ${duration_ms} ms  ${request_id}`;
}
