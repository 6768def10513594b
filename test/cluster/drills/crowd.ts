import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { openSender, type Ask } from '../../support/sender.ts';
import { atRate } from '../../support/steady-load.ts';
import { compareBooks, type Booked } from './books.ts';
import { openClients } from './clients.ts';
import { openEndpoint, type Endpoint } from './endpoint.ts';
import { keepLogs } from './keep-logs.ts';
import { given, makeKey, readHosts, readPlace } from './merchant.ts';
import { newGroup, payGroup, type PaidGroup } from './payers.ts';
import { summarizeExchanges, type Report } from './report.ts';

/**
 * `node crowd.ts`, in the space of the cluster: merchants' servers and payers' browsers at work through the ingress. It
 * writes a line when it has begun, goes on until it reads one, and writes its report as the last.
 */
const REQUESTS_PER_SECOND = 12;
/** How long after the first payer of a group the second one pays, ms. What is done meets groups that are held in part. */
const FRIENDS_AFTER_MS = [0, 4_000, 4_500, 5_000];
/** Pause of a payer between two groups, ms. */
const PAUSE_MS = 500;
/** Longer than the lease of a delivery whose dispatcher died. */
const WEBHOOKS_WITHIN_MS = 90_000;

type Created = { readonly group_payment: { readonly id: string }; readonly checkout_url: string };

const hosts = readHosts();
const leaveLogs = keepLogs(given('DRILL'));
const sender = openSender();
const clients = openClients(sender);
const apiKey = await makeKey();
const endpoint = await openEndpoint(readPlace());
await subscribe(endpoint);
const asks = await prepareAsks();

const since = performance.now();
const seen = clients.exchanges.length;
let isOver = false;
const groups: PaidGroup[] = [];
const refused: string[] = [];
/** Ids of groups whose creation was answered. */
const acknowledged: string[] = [];
const steady = atRate(REQUESTS_PER_SECOND, async (index, dueAt) => {
  const reply = await clients.once(asks[index % asks.length] as Ask, dueAt);
  if (reply?.status === 201) acknowledged.push((JSON.parse(reply.text) as Created).group_payment.id);
});
const payers = FRIENDS_AFTER_MS.map(payUntilOver);
process.stdout.write('begun\n');
// A parent that has ended, or gave the drill up, sends no line.
process.stdin.once('end', () => process.exit(1));
await new Promise((resolve) => createInterface(process.stdin).once('line', resolve));
isOver = true;
await steady.stop();
const summary = summarizeExchanges(clients.exchanges.slice(seen), since, performance.now());
await Promise.all(payers);
await hearAll();
const paid = groups.filter(({ state }) => state === 'paid');
const report: Report = {
  ...summary,
  groups: {
    paid: paid.length,
    unpaid: [...refused, ...groups.filter(({ state }) => state !== 'paid').map(describeGroup)],
    slowestMs: Math.round(Math.max(0, ...groups.map(({ ms }) => ms))),
  },
  webhooks: {
    missing: paid.filter(({ id }) => !endpoint.paid.has(id)).map(({ id }) => id),
    repeated: endpoint.repeated(),
  },
  contradictions: [
    ...compareBooks(groups, await readBooks()),
    ...endpoint.refused,
    ...[...endpoint.paid]
      .filter(([, times]) => times > 1)
      .map(([id]) => `two events say that group ${id} is paid`),
    ...(await findBrokenPromises()),
    ...(await findLost([...acknowledged, ...groups.map(({ id }) => id)])),
  ],
};
process.stdout.write(`${JSON.stringify(report)}\n`);
leaveLogs();
await endpoint.close();
await sender.close();
process.stdin.destroy();

async function subscribe(to: Endpoint): Promise<void> {
  const body = JSON.stringify({ url: to.url, event_types: ['group_payment.paid'] });
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
  const asked = { method: 'POST', origin: hosts.api, path: '/v1/webhooks', headers, body } as const;
  const { secret } = await clients.untilDone<{ secret: string }>(asked);
  to.trust(secret);
}

/** What the steady part of the crowd asks in turn: a merchant's server, and the page of a payer. */
async function prepareAsks(): Promise<readonly Ask[]> {
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
  const create = {
    method: 'POST',
    origin: hosts.api,
    path: '/v1/group-payments',
    headers,
    body: JSON.stringify(newGroup()),
  } as const;
  const made = await clients.untilDone<Created>(create);
  const page = new URL(made.checkout_url);
  const get = (origin: string, path: string) => ({ method: 'GET', origin, path, headers }) as const;
  return [
    get(hosts.api, '/v1/group-payments?limit=5'),
    create,
    get(hosts.api, `/v1/group-payments/${made.group_payment.id}`),
    { method: 'GET', origin: page.origin, path: page.pathname + page.search },
  ];
}

async function payUntilOver(friendAfterMs: number): Promise<void> {
  for (; !isOver; await delay(PAUSE_MS))
    await payGroup(clients, hosts, { apiKey, friendAfterMs }).then(
      (group) => void groups.push(group),
      (error: unknown) => void refused.push(String(error)),
    );
}

/** Waits until an event said of each paid group that it is paid, or the time for that is over. */
async function hearAll(): Promise<void> {
  const isMissing = ({ id, state }: PaidGroup) => state === 'paid' && !endpoint.paid.has(id);
  for (const giveUpAt = Date.now() + WEBHOOKS_WITHIN_MS; groups.some(isMissing); await delay(500))
    if (Date.now() > giveUpAt) return;
}

async function readBooks(): Promise<readonly Booked[]> {
  const headers = { authorization: `Bearer ${given('SANDBOX_TOKEN')}` };
  const asked = {
    method: 'GET',
    origin: hosts.sandbox,
    path: '/control/books?limit=50000',
    headers,
  } as const;
  return (await clients.untilDone<{ payments: Booked[] }>(asked)).payments;
}

/** Every promise of the ledger that is broken for any group. */
async function findBrokenPromises(): Promise<string[]> {
  return (await askLedger(readFileSync(given('PROMISES'), 'utf8'))).map((row) => JSON.stringify(row));
}

/** A sentence for each group whose creation was answered and that the ledger does not have. */
async function findLost(ids: readonly string[]): Promise<string[]> {
  const known = await askLedger<{ id: string }>('select id::text from groups where id = any($1)', [ids]);
  const found = new Set(known.map(({ id }) => id));
  return ids.filter((id) => !found.has(id)).map((id) => `group ${id} was created and is lost`);
}

async function askLedger<T extends pg.QueryResultRow>(
  sql: string,
  values: readonly unknown[] = [],
): Promise<T[]> {
  const client = new pg.Client({ connectionString: given('POSTGRES_URL') });
  await client.connect();
  try {
    await client.query('set search_path to group_ledger');
    return (await client.query<T>(sql, [...values])).rows;
  } finally {
    await client.end();
  }
}

function describeGroup({ id, state }: PaidGroup): string {
  return `group ${id} was ${state} after two minutes`;
}
