import { format, resolveConfig } from 'prettier';
import { join } from 'node:path';
import { root } from '../support/stack.ts';

/** What docs/sizing.md is computed from. */
export type PaymentCost = {
  /** CPU that one payment takes of each process, ms; of all processes but the gateways' own. */
  readonly cpuMs: Readonly<Record<string, number>>;
  /** Day and machine. */
  readonly measured: string;
};

/** Payments a second for which the page says what is needed. */
const RATES = [1, 10, 50, 200];
/** How much of a core is in use at that rate, so that a peak and a lost replica find room. */
const USED = 0.6;
/** Two replicas outlive the loss of one. */
const LEAST_REPLICAS = 2;
const SERVERS = ['postgres', 'nats'];

/** Returns how many replicas of a process carry so many payments a second: each uses one core at most. */
export function countReplicas(cpuMs: number, perSecond: number): number {
  return Math.max(LEAST_REPLICAS, Math.ceil((cpuMs * perSecond) / 1_000 / USED));
}

/** Returns how many cores carry so many payments a second, in tenths. */
export function computeCores(cpuMs: number, perSecond: number): number {
  return Math.ceil((cpuMs * perSecond) / 100 / USED) / 10;
}

/**
 * Returns the page about sizes, as Markdown; `pools` has the connections of each process to Postgres, and its relay has one
 * more.
 */
export async function renderSizing(
  { cpuMs, measured }: PaymentCost,
  pools: Readonly<Record<string, number>>,
): Promise<string> {
  const processes = Object.entries(cpuMs).toSorted(([, one], [, other]) => other - one);
  const total = processes.reduce((sum, [, ms]) => sum + ms, 0);
  const isServer = (name: string) => SERVERS.includes(name);
  const needs = (name: string, ms: number) =>
    RATES.map((rate) =>
      isServer(name) ? `${computeCores(ms, rate)} cores` : String(countReplicas(ms, rate)),
    );
  const connections = RATES.map((rate) =>
    processes
      .filter(([name]) => !isServer(name))
      .reduce((sum, [name, ms]) => sum + countReplicas(ms, rate) * ((pools[name] ?? 0) + 1), 0),
  );
  const table = [
    ['process', 'ms a payment', ...RATES.map((rate) => `${rate} a second`)],
    ['---', ...Array.from({ length: RATES.length + 1 }, () => '---:')],
    ...processes.map(([name, ms]) => [`\`${name}\``, String(ms), ...needs(name, ms)]),
    ['connections to Postgres', '', ...connections.map(String)],
  ].map((cells) => `| ${cells.join(' | ')} |`);
  const [first = '', second = '', third = ''] = processes.map(([name]) => `\`${name}\``);
  const text = [
    '# Sizing',
    'Written by `npm run generate` from `test/bench/results.json`, which `npm run bench -- --only payment` updates.',
    `One payment of one slot took ${Math.round(total)} ms of CPU (${measured}): it was created, opened, held at one gateway, captured, and told to
the merchant by three webhooks. From that this table computes the replicas of each process, and the cores of Postgres and NATS, that carry so many
payments a second with ${USED * 100} % of each core in use. Two replicas are the least, for the sake of losses. Count a group of five slots as five payments: it costs less,
since it is created once.`,
    table.join('\n'),
    `The payments of this table are at one gateway, \`gateway-a\`; another one's adapter has the same part of its own payments. Requests that pay nothing, such as
lists and pages that are looked at, come on top.`,
    '## What to scale first',
    `1. ${first}, ${second} and ${third} do most of a payment's work, in this order. Postgres is one server: it gets more cores and a faster disk first, since each commit waits
   for the disk.
2. \`api-gateway\` and \`checkout\` follow the CPU by themselves (\`autoscaling\`), \`webhook-dispatcher\` what waits (\`webhookScaling\`): slow endpoints of merchants need more
   of its replicas than the table says, while its CPU is idle.
3. Adapters wait for gateways. Where these answer slowly, their limits of calls count before their CPU does.
4. NATS has three servers for the sake of losses, not of speed.`,
    '## Connections and memory',
    `Each replica has a pool of its own size (\`DATABASE_CONNECTIONS\`), and a process with an outbox one connection more. The last row is what the replicas of the table may
open. An upgrade adds a replica to each process for a while, and autoscaling more: \`postgres.maxConnections\` of the
[chart](../charts/group-payments/README.md) is compared with all of that before it installs.`,
    `A pooler in transaction mode (\`postgres.poolerUrl\`) lets many replicas share few connections: Postgres then has those of the pooler and one of each replica
with an outbox, whose relay holds the lock of a session there. It is tried with PgBouncer 1.24 (\`test/operation/pooler.long.test.ts\`), which keeps prepared statements
from 1.21 on. It needs \`pool_mode = transaction\`, \`max_prepared_statements = 200\` or more, the users' passwords by \`auth_query\`, a \`default_pool_size\` for the role of
each service, whose sum Postgres has beside the relays, and \`max_client_conn\` above the pools of all replicas. What a service sets for its sessions belongs to
its role, which the migrations change. After an upgrade whose migrations change tables, \`RECONNECT\` in PgBouncer's console ends the plans that it
keeps of the former tables. The \`admin-url\` of the migrations names Postgres itself.`,
    'A replica asks for 160 MiB, and more than 384 MiB ends it; [benchmarks](benchmarks.md) say what the largest process took at rest and under load (P15).',
  ].join('\n\n');
  const style = await resolveConfig('sizing.md', { config: join(root, '.configs/prettier.json') });
  return format(text, { ...style, parser: 'markdown' });
}
