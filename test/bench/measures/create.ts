import { createPost } from '../load/create-post.ts';
import { createAsText } from '../load/create-statement.ts';
import { findPgbench, transactionsPerSecond } from '../load/pgbench.ts';
import { saturate } from '../load/wrk.ts';
import { ratios, round, computeSpread, type Figure } from '../ratios.ts';
import { openSideDatabase } from '../side-database.ts';
import { startPeer } from '../start-peer.ts';
import type { Bench } from '../bench.ts';

const CONNECTIONS = 64;
const CLIENTS = 16;

/** P1, P2: creates over HTTP with everything on, against the bare statement and two ways to do without services. */
export async function measureCreate({ stack, merchant, rounds, seconds, say }: Bench): Promise<Figure[]> {
  const pgbench = await findPgbench();
  if (!pgbench) return [missing('pgbench (Debian: postgresql-contrib)')];
  const side = await openSideDatabase(stack, 'bench_bare');
  const subject = createPost(stack.api, merchant.test_key);
  const peers = await Promise.all([startPeer('monolith', side.url), startPeer('naive', side.url)]);
  const rates = {
    api: [] as number[],
    bare: [] as number[],
    monolith: [] as number[],
    naive: [] as number[],
  };
  const load = { seconds, connections: CONNECTIONS };
  try {
    await saturate(subject, { ...load, seconds: 2 });
    for (let turn = 0; turn < rounds; turn++) {
      await side.empty();
      rates.bare.push(
        await transactionsPerSecond(pgbench, {
          url: side.url,
          script: createAsText(),
          seconds,
          clients: CLIENTS,
        }),
      );
      rates.api.push(await saturate(subject, load));
      const [monolith, naive] = peers;
      if (monolith) rates.monolith.push(await saturate(createPost(monolith.url, 'x'), load));
      if (naive) rates.naive.push(await saturate(createPost(naive.url, 'x'), load));
      say(`round ${turn + 1}: ${describe(rates)}`);
    }
  } finally {
    for (const peer of peers) peer.stop();
  }
  return [
    figure('P1', 'create over HTTP, everything on / bare statement', rates.api, rates.bare, 0.75),
    figure('P2a', 'create over HTTP / good monolith', rates.api, rates.monolith, 1.6),
    figure('P2b', 'create over HTTP / naive service', rates.api, rates.naive, 2.6),
  ];
}

function figure(id: string, what: string, subject: number[], reference: number[], goal: number): Figure {
  const ratio = ratios(subject, reference);
  return {
    id,
    what,
    value: `${round(ratio.median)} (${round(ratio.min)}–${round(ratio.max)})`,
    goal: `≥${goal}`,
    reached: ratio.median >= goal,
    detail: {
      ratio: round(ratio.median, 3),
      subject_per_second: round(computeSpread(subject).median, 0),
      reference_per_second: round(computeSpread(reference).median, 0),
    },
  };
}

function missing(what: string): Figure {
  return {
    id: 'P1',
    what: `not measured: ${what} is not installed`,
    value: '–',
    goal: '≥0.75',
    reached: false,
    detail: {},
  };
}

function describe(rates: Record<string, number[]>): string {
  return Object.entries(rates)
    .map(([name, values]) => `${name} ${Math.round(values.at(-1) ?? 0)}/s`)
    .join(', ');
}
