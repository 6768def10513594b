import { randomBytes } from 'node:crypto';
import { openBus } from '@gp/bus';
import { createGroup, type CommandOf } from '@gp/contracts';
import type { Bench } from '../bench.ts';
import { createAsText } from '../load/create-statement.ts';
import { findPgbench, transactionsPerSecond } from '../load/pgbench.ts';
import { compare, notRun, round, type Figure } from '../ratios.ts';
import { openSideDatabase } from '../side-database.ts';

/** What one statement of the ledger takes at most. */
const GROUPS_A_STATEMENT = 50;
const AT_ONCE = 512;
const LIFE_MS = 6 * 3_600_000;
const GOAL = {
  id: 'P10-ledger',
  what: `creates over the bus, ledger alone / the bare statement of ${GROUPS_A_STATEMENT} groups in pgbench`,
  goal: 0.35,
};

/** P10-ledger: creates over the bus, without the edge, against the ledger's statement of fifty groups in pgbench. */
export async function measureLedger(bench: Bench): Promise<Figure[]> {
  const { stack, rounds, seconds, say } = bench;
  const pgbench = await findPgbench();
  if (!pgbench) return [notRun(GOAL, 'pgbench (Debian: postgresql-contrib)')];
  const side = await openSideDatabase(stack, 'bench_bare');
  const [ledger, bare]: [number[], number[]] = [[], []];
  for (let turn = 0; turn < rounds; turn++) {
    await side.empty();
    const load = { url: side.url, script: createAsText(GROUPS_A_STATEMENT), seconds, clients: 4 };
    bare.push(GROUPS_A_STATEMENT * (await transactionsPerSecond(pgbench, load)));
    ledger.push(await createsPerSecond(bench));
    say(
      `round ${turn + 1}: ledger ${round(ledger.at(-1) ?? NaN, 0)}/s, bare ${round(bare.at(-1) ?? NaN, 0)}/s`,
    );
  }
  return [compare(GOAL, ledger, bare)];
}

/** Creates of one client that keeps `AT_ONCE` commands under way, as the edge sends them. */
async function createsPerSecond({ stack, merchant, seconds }: Bench): Promise<number> {
  const bus = await openBus({
    servers: stack.nats,
    name: 'bench-ledger',
    nkeySeed: stack.nats_seeds.administrator,
  });
  const create = bus.coalesce(createGroup);
  let [made, isOver] = [0, false];
  const createOnAndOn = async (): Promise<void> => {
    while (!isOver) {
      await create(newCommand(merchant.merchant_id));
      made += 1;
    }
  };
  const startedAt = performance.now();
  setTimeout(() => void (isOver = true), seconds * 1_000);
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, createOnAndOn));
    return made / ((performance.now() - startedAt) / 1_000);
  } finally {
    await bus.close();
  }
}

const newId = () => randomBytes(32).toString('hex');

function newCommand(merchant_id: string): CommandOf<typeof createGroup> {
  return {
    command_id: newId(),
    fingerprint: newId(),
    merchant_id,
    mode: 'test',
    group_name: 'Dinner',
    total_minor: '5000',
    currency: 'EUR',
    expires_at: new Date(Date.now() + LIFE_MS).toISOString(),
    metadata: {},
    distribution: { type: 'equally', number_of_slots: 5 },
  };
}
