import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { openApi, newGroup, payer, paySlot } from '../../support/journey.ts';
import { openReceiver } from '../../support/receiver.ts';
import type { Merchant, StackFile } from '../../support/stack.ts';
import type { Bench } from '../bench.ts';
import { cpuSecondsByProcess, SANDBOX } from '../cpu.ts';
import { openLoop } from '../load/open-loop.ts';
import { computeSpread, round, type Figure } from '../ratios.ts';
import { logStatements } from '../statement-log.ts';

const PER_SECOND = 4;
const PAYMENTS = 80;
const LOGGED_PAYMENTS = 24;
const IDLE_MS = 6_000;
/** What follows the last payment: its webhooks, and the callback of its capture. */
const AFTER_MS = 2_000;

/**
 * P6: what a whole payment of one slot costs (create, pay, card, hold, capture, three webhooks): CPU by process, commits,
 * rows and write-ahead log, an idle stack's share taken off; and the time from the payer's authorisation to `paid`.
 */
export async function measurePayment(bench: Bench): Promise<Figure[]> {
  const { stack, merchant, say, own } = bench;
  const receiver = await openReceiver();
  receiver.trust((await openApi(stack, merchant).createWebhook(receiver.url)).secret);
  const paid = new Map<string, () => void>();
  receiver.onEvent(({ type, data }) => {
    if (type === 'group_payment.paid') paid.get(String(data['group_payment_id']))?.();
  });
  const untilPaid: number[] = [];
  const pay = async (): Promise<boolean> => {
    untilPaid.push(await payOnce(stack, merchant, (id, seen) => paid.set(id, seen)));
    return true;
  };
  for (let index = 0; index < 10; index++) await pay();
  untilPaid.length = 0;
  const idle = await measureCost(stack, () => delay(IDLE_MS));
  const busy = await measureCost(stack, async () => {
    await openLoop({ perSecond: PER_SECOND, seconds: PAYMENTS / PER_SECOND, send: pay });
    await delay(AFTER_MS);
  });
  const p50 = computeSpread(untilPaid).median;
  const perPayment = (what: (cost: Cost) => number) =>
    (what(busy) - (what(idle) * busy.seconds) / idle.seconds) / PAYMENTS;
  const cpuMs = [...busy.cpu.keys()].map((name) => ({
    name,
    ms: 1000 * perPayment(({ cpu }) => cpu.get(name) ?? 0),
  }));
  const ours = cpuMs.filter(({ name }) => name !== SANDBOX).reduce((sum, { ms }) => sum + ms, 0);
  const parts = cpuMs
    .toSorted((a, b) => b.ms - a.ms)
    .filter(({ name, ms }) => name !== SANDBOX && ms >= 0.5)
    .map(({ name, ms }) => [name, round(ms, 1)] as const);
  const by = parts.map(([name, ms]) => `${name} ${ms}`).join(', ');
  const commits = perPayment(({ database }) => database.commits);
  const written = perPayment(({ database }) => database.rows);
  const writing = perPayment(({ database }) => database.writes);
  const walKb = perPayment(({ database }) => database.walBytes) / 1024;
  say(`${round(ours, 1)} ms of CPU without the sandbox: ${by}`);
  say(`${round(commits, 1)} transactions, ${round(written, 1)} rows written`);
  say(`${round(writing, 1)} transactions that write, ${round(walKb, 1)} kB of log`);
  await sayStatements(bench, own.dataDir, pay);
  await receiver.close();
  return [
    {
      id: 'P6',
      what: 'a whole payment of one slot: CPU of all processes but the sandbox; authorised → webhook of paid; transactions and rows of Postgres, write-ahead log',
      value: `${round(ours, 0)} ms (${by}); ${round(p50, 0)} ms p50; ${round(commits, 0)} transactions, ${round(written, 0)} rows, ${round(walKb, 0)} kB`,
      goal: '≤35 ms; ≤80 ms; ≤30 commits, ≤30 kB',
      reached: ours <= 35 && p50 <= 80 && commits <= 30 && walKb <= 30,
      detail: {
        cpu_ms: round(ours, 1),
        p50_ms: round(p50, 0),
        commits: round(commits, 1),
        wal_kb: round(walKb, 1),
      },
      cpuMs: Object.fromEntries(parts),
    },
  ];
}

/**
 * Pays a new group of one slot; returns the time from the payer's authorisation to the webhook of `paid`, ms. It asks for
 * nothing meanwhile: a poll would cost as much as a step of the payment.
 */
async function payOnce(
  stack: StackFile,
  merchant: Merchant,
  onPaid: (groupId: string, seen: () => void) => void,
): Promise<number> {
  const api = openApi(stack, merchant);
  const group = await newGroup(api, 1);
  const isPaid = new Promise<void>((resolve) => onPaid(group.group_payment.id, resolve));
  await paySlot(stack, api, group, 0, payer('whole'));
  const startedAt = performance.now();
  await isPaid;
  return performance.now() - startedAt;
}

/** Says what each service asks of Postgres for one payment. */
async function sayStatements(
  { stack, say }: Bench,
  dataDir: string,
  pay: () => Promise<boolean>,
): Promise<void> {
  const idle = await logStatements(stack, dataDir, () => delay(IDLE_MS));
  const uses = await logStatements(stack, dataDir, () =>
    openLoop({ perSecond: PER_SECOND, seconds: LOGGED_PAYMENTS / PER_SECOND, send: pay }),
  );
  for (const { service, statement, runs, ms, planMs } of uses) {
    const rest = idle.find((use) => use.service === service && use.statement === statement)?.runs ?? 0;
    const each = (runs - rest) / LOGGED_PAYMENTS;
    if (each >= 0.1)
      say(
        `${round(each, 1)} × ${service} ${statement}, ${round(ms / runs)} ms each, of it ${round(planMs / runs)} for planning`,
      );
  }
}

type Cost = {
  readonly seconds: number;
  readonly cpu: ReadonlyMap<string, number>;
  readonly database: DatabaseUse;
};

async function measureCost(stack: StackFile, work: () => Promise<unknown>): Promise<Cost> {
  const startedAt = performance.now();
  const [cpu, database] = [await cpuSecondsByProcess(stack), await readUse(stack)];
  await work();
  const [cpuAfter, after] = [await cpuSecondsByProcess(stack), await readUse(stack)];
  return {
    seconds: (performance.now() - startedAt) / 1000,
    cpu: new Map([...cpuAfter].map(([name, seconds]) => [name, seconds - (cpu.get(name) ?? 0)])),
    database: {
      commits: after.commits - database.commits,
      rows: after.rows - database.rows,
      walBytes: after.walBytes - database.walBytes,
      writes: after.writes - database.writes,
    },
  };
}

/** Transactions, reads included, and written rows of the platform's database; the sandbox's books are on another server. */
type DatabaseUse = {
  readonly commits: number;
  readonly rows: number;
  readonly writes: number;
  readonly walBytes: number;
};

async function readUse(stack: StackFile): Promise<DatabaseUse> {
  const client = new pg.Client({ connectionString: stack.postgres });
  await client.connect();
  // Backends report what they did within a second, once they rest.
  await delay(1_500);
  const { rows } = await client.query<{ commits: string; rows: string; writes: string; wal: string }>(
    `select xact_commit as commits, tup_inserted + tup_updated + tup_deleted as rows,
            pg_snapshot_xmax(pg_current_snapshot())::text as writes, pg_current_wal_lsn() - '0/0'::pg_lsn as wal
     from pg_stat_database where datname = current_database()`,
  );
  await client.end();
  const [use] = rows;
  return {
    commits: Number(use?.commits),
    rows: Number(use?.rows),
    writes: Number(use?.writes),
    walBytes: Number(use?.wal),
  };
}
