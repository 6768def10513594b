import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { OPERATED } from '@gp/contracts';
import { say } from '../commands.ts';
import { NAMESPACE } from '../constants.ts';
import { kubectl } from '../control-plane.ts';
import { workIn } from '../namespace.ts';
import { here, root, running } from '../paths.ts';
import { openIngress, openNamespace, payThroughIngress, releaseWith } from '../platform.ts';
import { inside } from '../space.ts';
import { values } from '../values.ts';
import { findVolume } from '../volumes.ts';
import { namespaced } from './cluster.ts';
import { copyPostgres, DATA } from './copy-postgres.ts';
import { returnFrom, stopRelease } from './installation.ts';
import type { Done } from './goal.ts';
import { createOperator, type Operator } from './operator.ts';
import { askPostgres, findPostgres } from './postgres.ts';
import { judgeRestored, PAYMENTS, type RestoredPayment, type Task } from './restored-books.ts';

const NAME = 'restored';
const GATEWAY = 'gateway_a';
/** Services that act by requests from outside or by time: they start when the books are compared. */
const LAST = ['scheduler', 'api-gateway', 'checkout', 'merchant-dashboard'];
const LAST_CONTEXTS = ['scheduler', 'api_gateway', 'checkout', 'merchant'];
/** How long a comparison, or what follows from it, may take, ms. */
const COMPARED_WITHIN_MS = 120_000;
const copy = join(running, 'backup');

/** Copies Postgres while payers pay; what they do until the crowd leaves is not in the copy. */
export function backUp(): void {
  copyPostgres(join(findVolume('postgres-0'), DATA), copy);
}

/**
 * Stops the release, and restores the copy in another namespace in the order of k8s/README.md. Returns what the restored platform says
 * otherwise than the gateway's books.
 */
export async function restoreElsewhere(): Promise<Done> {
  const startedAt = new Date();
  await stopRelease('deployments');
  const [merchant, accounts] = findMerchant();
  const [lost, secrets] = [findPostgres(), readSecrets()];
  const operator = createOperator();
  workIn(NAME);
  openNamespace();
  inside('mkdir', ['-p', join(findVolume('postgres-0'), '18')]);
  renameSync(copy, join(findVolume('postgres-0'), DATA));
  kubectl(['apply', '--filename', '-'], JSON.stringify(secrets));
  releaseWith('install', [withCopies(operator, () => 0)]);
  const open = listOpen();
  carryBooks(lost);
  await stopLost();
  releaseWith('upgrade', [withCopies(operator, (service) => (LAST.includes(service) ? 0 : 1))]);
  await openIngress();
  republish(
    operator,
    startedAt,
    OPERATED.filter((context) => !LAST_CONTEXTS.includes(context)),
  );
  const scope = ['--merchant', merchant, '--mode', 'test', '--psp', GATEWAY];
  await compareBooks(operator, scope);
  const strays = findStrays(operator, scope, accounts);
  releaseWith('upgrade', [withCopies(operator, () => 1)]);
  republish(operator, startedAt, LAST_CONTEXTS);
  payThroughIngress();
  const after = await settle(operator, accounts);
  return { faults: [...after, ...describeEmpty(open, accounts, strays)] };
}

/** The merchant of the crowd, which created the latest group, and its accounts at the gateway. */
function findMerchant(): [string, readonly string[]] {
  const sql = 'select merchant_id from group_ledger.groups order by created_at desc limit 1';
  const merchant = askPostgres<{ merchant_id: string }>(sql)[0]?.merchant_id ?? '';
  const accounts = askPostgres<{ account: string }>(`
    select distinct p.account from psp_sandbox.payments p
    join group_ledger.intents i on i.id::text = p.payment_intent_id
    join group_ledger.groups g on g.id = i.group_id where g.merchant_id = '${merchant}'`);
  return [merchant, accounts.map(({ account }) => account)];
}

/** The secrets of the release, for the namespace that it is restored in. */
function readSecrets(): object {
  type Secret = { metadata: { name: string }; type: string; data: object };
  const read = kubectl(namespaced('get', 'secrets', '--field-selector', 'type=Opaque', '--output', 'json'));
  const items = (JSON.parse(read) as { items: readonly Secret[] }).items.map(({ metadata, type, data }) => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: metadata.name, namespace: NAME },
    type,
    data,
  }));
  return { apiVersion: 'v1', kind: 'List', items };
}

/** Values with so many copies of each service, and without what would start more. */
function withCopies(operator: Operator, count: (service: string) => number): object {
  const over = values();
  const copies = [...LAST, 'psp-sandbox'].map((service) => [service, { replicas: count(service) }] as const);
  const services = {
    ...Object.fromEntries(copies),
    'api-gateway': { replicas: count('api-gateway'), autoscaling: { enabled: false } },
    'group-ledger': { settings: { FIRST_OPERATOR: operator.first } },
  };
  // The chart refuses a mailbox without the dashboard that has it.
  const mail = { mailbox: count('merchant-dashboard') > 0 };
  return { ...over, mail, defaults: { replicas: count('') }, services };
}

/** The gateways go on where they were: their books are no part of what was lost. */
function carryBooks(lost: string): void {
  const env = { FROM: lost, TO: findPostgres() };
  inside(process.execPath, ['--no-warnings', join(here, 'drills/carry-books.ts')], { env });
}

/** Ends the servers of the lost release, too. */
async function stopLost(): Promise<void> {
  workIn(NAMESPACE);
  await stopRelease('statefulsets');
  workIn(NAME);
}

function republish(operator: Operator, startedAt: Date, contexts: readonly string[]): void {
  const from = new Date(startedAt.getTime() - 60 * 60_000).toISOString();
  const range = ['--from', from, '--to', new Date(Date.now() + 60_000).toISOString()];
  for (const service of contexts) operator.run('outbox', 'republish', '--service', service, ...range);
}

async function compareBooks(operator: Operator, scope: readonly string[]): Promise<void> {
  const { id } = operator.run<{ id: string }>('reconcile', 'run', ...scope);
  for (const giveUpAt = Date.now() + COMPARED_WITHIN_MS; ; await delay(2_000)) {
    const { run } = operator.run<{ run: { state: string } }>('reconcile', 'report', '--run', id);
    if (run.state === 'done') return;
    if (Date.now() > giveUpAt) throw new Error(`the comparison of the books is ${run.state}`);
  }
}

/** Gives the gateway's books to the platform, which opens a task for each payment that it does not know; returns their references. */
function findStrays(
  operator: Operator,
  scope: readonly string[],
  accounts: readonly string[],
): readonly string[] {
  const file = join(running, 'books.txt');
  const payments = askPostgres<RestoredPayment>(PAYMENTS(accounts));
  writeFileSync(file, payments.map(({ psp_reference }) => `${psp_reference}\n`).join(''));
  return operator.run<{ strays: readonly string[] }>('books', 'strays', ...scope, '--file', file).strays;
}

/** Waits until ledger and gateway agree or tasks name what differs; returns what is left, and broken promises. */
async function settle(operator: Operator, accounts: readonly string[]): Promise<readonly string[]> {
  const promises = readFileSync(join(root, 'services/group-ledger/invariants.sql'), 'utf8');
  for (const giveUpAt = Date.now() + COMPARED_WITHIN_MS; ; await delay(3_000)) {
    const { tasks } = operator.run<{ tasks: readonly Task[] }>('tasks', 'list', '--limit', '200');
    const faults = judgeRestored(askPostgres<RestoredPayment>(PAYMENTS(accounts)), tasks);
    if (faults.length > 0 && Date.now() < giveUpAt) continue;
    const broken = askPostgres(`set search_path to group_ledger; ${promises}`);
    return [...faults, ...broken.map((row) => JSON.stringify(row))];
  }
}

/** Payments that the backup has and of which it does not know the end. */
function listOpen(): ReadonlySet<string> {
  const sql = `select id::text from group_ledger.intents where state not in ('captured', 'refunded', 'voided', 'failed')`;
  return new Set(askPostgres<{ id: string }>(sql).map(({ id }) => id));
}

/** A drill in which nothing was under way at the backup, or nothing began after it, shows nothing. */
function describeEmpty(
  open: ReadonlySet<string>,
  accounts: readonly string[],
  strays: readonly string[],
): readonly string[] {
  const learned = askPostgres<RestoredPayment>(PAYMENTS(accounts)).filter(
    ({ intent_id: id, status }) => open.has(id ?? '') && status === 'captured',
  );
  say(
    `${learned.length} payments were captured after the backup that has them, and ${strays.length} are in no backup.`,
  );
  return [
    ...(learned.length === 0 ? ['no payment of the backup was captured after it'] : []),
    ...(strays.length === 0 ? ['no payment began after the backup'] : []),
  ];
}

export const leaveRestored = (): Promise<void> => returnFrom(NAME);
