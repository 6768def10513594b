import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '@gp/testing';
import { Pool } from 'undici';
import { booksShow, newGroup, openApi, payer, paySlot } from '../../support/journey.ts';
import { openOwnStack, type OwnStack } from '../../support/own-stack.ts';
import { findMerchant } from '../../support/stack.ts';
import { askLedger } from '../../support/ledger.ts';
import type { Bench } from '../bench.ts';
import { cpuSecondsByProcess } from '../cpu.ts';
import { createPost } from '../load/create-post.ts';
import { GROUP_TABLES } from '../load/group-copies.ts';
import { growBooks } from '../load/grow.ts';
import { pace } from '../load/paced.ts';
import { computeSpread, round, type Figure } from '../ratios.ts';

const SMALL = 1_000;
/** From so many groups on it is a figure of its own. */
const MILLION = 1_000_000;
const CREATES_PER_SECOND = 60;
const READS = 25;
/** The processes compile and collect for some seconds after their start. */
const SETTLE_MS = 5_000;
const IDLE_MS = 8_000;
const COUNTED_WITHIN_MS = 10 * 60_000;
/** Who works when a group is created, and in the loops of a stack that rests. */
const WORKERS = ['postgres', 'group-ledger', 'scheduler'];

/** What one size costs. CPU in ms. */
type Costs = Readonly<Record<(typeof COSTS)[number]['name'], number>>;

const COSTS = [
  { name: 'createCpu', what: 'CPU of a create', most: 1.25 },
  { name: 'createWal', what: 'log of a create', most: 2.5 },
  { name: 'list', what: 'list', most: 1.2 },
  { name: 'listPaid', what: 'list of paid ones', most: 1.2 },
  { name: 'listNone', what: 'list of a state that none is in', most: 1.2 },
  { name: 'read', what: 'read', most: 1.2 },
  { name: 'loopsCpu', what: 'CPU of the loops (due timers, drift, cleaners)', most: 1.2 },
] as const;

/** P8: what a merchant's thousand groups and many more cost, in a stack of its own. */
export async function measureGrowth({ seconds, groups, say }: Bench): Promise<Figure[]> {
  const own = await openOwnStack({ GP_SET_NODE_ENV: 'production' });
  try {
    const groupId = await payOne(own);
    await grow(own, groupId, { from: 1, to: SMALL });
    const small = await measureCosts(own, groupId, seconds);
    say(`${SMALL} groups: ${describe(small)}`);
    const startedAt = performance.now();
    await grow(own, groupId, { from: SMALL, to: groups });
    const bytes = await readBooksSize(own);
    say(
      `${groups} groups are there after ${round((performance.now() - startedAt) / 1_000, 0)} s, ${round(bytes / groups / 1_024, 1)} kB each`,
    );
    const large = await measureCosts(own, groupId, seconds);
    say(`${groups} groups: ${describe(large)}`);
    const grown = COSTS.map((cost) => ({ ...cost, ratio: large[cost.name] / small[cost.name] }));
    return [
      {
        ...(groups < MILLION ? { id: 'P8' } : { id: 'P8-million' }),
        what: `one merchant's paid groups, ${SMALL} → ${groups}: ${COSTS.map(({ what }) => what).join(' · ')}`,
        value: grown
          .map(({ name, ratio }) => `${round(ratio)} (${round(small[name])} → ${round(large[name])})`)
          .concat(`${round(bytes / groups / 1_024, 1)} kB on disk for a group`)
          .join(' · '),
        goal: COSTS.map(({ most }) => `≤${most}`).join(' · '),
        reached: grown.every(({ ratio, most }) => ratio <= most),
        detail: Object.fromEntries(grown.map(({ name, ratio }) => [name, round(ratio)])),
      },
    ];
  } finally {
    await own.close();
  }
}

/** Copies groups while the ledger is stopped. It begins with the counts of their days when it starts, and has them afterwards. */
async function grow(
  { stack, opened }: OwnStack,
  groupId: string,
  range: { from: number; to: number },
): Promise<void> {
  const ledger = opened.processes.get('group-ledger');
  await ledger?.stop();
  await growBooks(stack, groupId, range);
  await ledger?.start();
  const findEnd = async () => {
    const ends = await askLedger(
      stack,
      `select end_day from group_counts_end where end_day > now() - interval '3 days'`,
      [],
    );
    return ends[0];
  };
  await eventually(findEnd, { withinMs: COUNTED_WITHIN_MS });
}

/** Bytes of the tables that keep groups for good, with their indexes. */
async function readBooksSize({ stack }: OwnStack): Promise<number> {
  const [size] = await askLedger<{ bytes: string }>(
    stack,
    `select sum(pg_total_relation_size(('group_ledger.' || t)::regclass)) as bytes from unnest($1::text[]) as t`,
    [GROUP_TABLES],
  );
  return Number(size?.bytes);
}

const describe = (costs: Costs) => COSTS.map(({ name, what }) => `${what} ${round(costs[name])}`).join(', ');

async function payOne({ stack }: OwnStack): Promise<string> {
  const api = openApi(stack, findMerchant(stack, 'gateway_a'));
  const group = await newGroup(api, 1);
  const pay = await paySlot(stack, api, group, 0, payer('grown'));
  await booksShow(stack, pay, 'captured');
  await api.becomes(group.group_payment.id, ['paid']);
  return group.group_payment.id;
}

async function measureCosts(own: OwnStack, groupId: string, seconds: number): Promise<Costs> {
  const { stack } = own;
  const { test_key } = findMerchant(stack, 'gateway_a');
  const pool = new Pool(stack.api, { connections: 16 });
  const headers = { authorization: `Bearer ${test_key}` };
  const get = async (path: string): Promise<number> => {
    const times: number[] = [];
    for (let index = 0; index < READS; index++) {
      const at = performance.now();
      const answer = await pool.request({ method: 'GET', path, headers });
      await answer.body.dump();
      if (answer.statusCode !== 200) throw new Error(`${path} answers ${answer.statusCode}`);
      times.push(performance.now() - at);
    }
    return computeSpread(times).median;
  };
  const post = createPost(stack.api, test_key);
  const create = async (): Promise<void> => {
    const answer = await pool.request({
      method: 'POST',
      path: new URL(post.url).pathname,
      headers: post.headers,
      body: post.body,
    });
    await answer.body.dump();
    if (answer.statusCode !== 201) throw new Error(`a create was answered with ${answer.statusCode}`);
  };
  const load = (length: number) =>
    pace({ count: CREATES_PER_SECOND * length, perSecond: CREATES_PER_SECOND, work: create });
  try {
    await delay(SETTLE_MS);
    const rest = await measureUse(own, () => delay(IDLE_MS));
    await load(2);
    const busy = await measureUse(own, () => load(seconds));
    const creates = CREATES_PER_SECOND * seconds;
    const more = (of: (use: Use) => number) =>
      (of(busy) - (of(rest) * busy.seconds) / rest.seconds) / creates;
    return {
      createCpu: more(({ cpuMs }) => cpuMs),
      createWal: more(({ walBytes }) => walBytes),
      list: await get('/v1/group-payments?limit=20'),
      listPaid: await get('/v1/group-payments?limit=20&state=paid'),
      listNone: await get('/v1/group-payments?limit=20&state=refund_failed'),
      read: await get(`/v1/group-payments/${groupId}`),
      loopsCpu: rest.cpuMs / rest.seconds,
    };
  } finally {
    await pool.close();
  }
}

type Use = { readonly seconds: number; readonly cpuMs: number; readonly walBytes: number };

async function measureUse({ stack }: OwnStack, work: () => Promise<unknown>): Promise<Use> {
  const startedAt = performance.now();
  const before = await readUse();
  await work();
  const after = await readUse();
  return {
    seconds: (performance.now() - startedAt) / 1_000,
    cpuMs: after.cpuMs - before.cpuMs,
    walBytes: after.walBytes - before.walBytes,
  };

  async function readUse(): Promise<Omit<Use, 'seconds'>> {
    const byProcess = await cpuSecondsByProcess(stack);
    const [log] = await askLedger<{ bytes: string }>(
      stack,
      `select pg_current_wal_lsn() - '0/0'::pg_lsn as bytes`,
    );
    const cpuSeconds = WORKERS.reduce((sum, name) => sum + (byProcess.get(name) ?? 0), 0);
    return { cpuMs: 1_000 * cpuSeconds, walBytes: Number(log?.bytes) };
  }
}
