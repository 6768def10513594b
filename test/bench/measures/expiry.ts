import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { send, type Group, type MerchantApi } from '../../support/api.ts';
import type { BookedPayment } from '../../support/books.ts';
import { openApi, newGroup, payer, paySlot } from '../../support/journey.ts';
import { findMerchant } from '../../support/stack.ts';
import type { Bench } from '../bench.ts';
import { round, type Figure } from '../ratios.ts';

const GROUPS = 5_000;
/** Every so many groups one has a payer who waits in vain. */
const HELD_EVERY = 20;
const WINDOW_MS = 20_000;
/** Groups that expire later than this are missing from the figure. */
const MOST_LATE_MS = 6_000;
/** Groups by which it learns how long the machine takes to create one. */
const TRIED = 500;
/** How much longer than they did the others may take. */
const ROOM = 1.5;
/** Time to place the holds, which the budget of the account spreads, before the first group expires. */
const HOLDS_MS = 15_000;
/** When the groups that were tried expire: after the others. */
const LATER_MS = 3_600_000;
const AT_ONCE = 24;
/** Calls that an account of the gateway may make per second, and at once after a pause. */
const BUDGET = { perSecond: 20, burst: 20 };

/** Many groups expire in 20 s: how late that is (L4), and whether their holds are released within the budget. */
export async function measureExpiry({ stack, say }: Bench): Promise<Figure[]> {
  const api = openApi(stack, findMerchant(stack, 'gateway_b'));
  const startedAt = Date.now();
  await createGroups(api, TRIED, () => startedAt + LATER_MS);
  const leadMs = ((Date.now() - startedAt) / TRIED) * GROUPS * ROOM + HOLDS_MS;
  const opensAt = Date.now() + leadMs;
  const groups = await createGroups(api, GROUPS, (index) => opensAt + (index / GROUPS) * WINDOW_MS);
  say(
    `${groups.length} groups created, ${Math.round((opensAt - Date.now()) / 1000)} s before the first expires`,
  );
  const held = groups.filter((_, index) => index % HELD_EVERY === 0);
  const payments = await mapInTurns(held, async (group, index) =>
    paySlot(stack, api, group, 0, payer(`h${index}`)),
  );
  if (Date.now() > opensAt) throw new Error('this machine is too slow to prepare the expiries in time');
  say(`${payments.length} holds placed`);
  await delay(opensAt + WINDOW_MS + MOST_LATE_MS - Date.now());
  const late = await latenesses(stack.postgres, groups);
  const released = await releases(stack.sandbox, new Set(payments.map((pay) => pay.payment_intent_id)));
  const p99 = late[Math.floor(late.length * 0.99)] ?? NaN;
  const isComplete = late.length === groups.length && released.count === payments.length;
  say(`${late.length} expired, ${released.count} of ${payments.length} holds released`);
  return [
    {
      id: 'expiry-burst',
      what: `${GROUPS} groups expire in 20 s: time → expired, holds released`,
      value: `p99 ${round(p99 / 1000)} s; ${released.perSecond}/s`,
      goal: `≤5 s; ≤${BUDGET.perSecond + BUDGET.burst}/s`,
      reached: isComplete && p99 <= 5_000 && released.perSecond <= BUDGET.perSecond + BUDGET.burst,
      detail: {
        expired: late.length,
        holds_released: released.count,
        late_ms_median: late[Math.floor(late.length / 2)] ?? NaN,
        late_ms_max: late.at(-1) ?? NaN,
      },
    },
  ];
}

/** Creates so many groups; `expiry` says when each of them expires, epoch ms. */
function createGroups(api: MerchantApi, count: number, expiry: (index: number) => number): Promise<Group[]> {
  const places = Array.from({ length: count }, (_, index) => index);
  return mapInTurns(places, (index) =>
    newGroup(api, 2, { expires_at: new Date(expiry(index)).toISOString() }),
  );
}

/** Works through the items, a fixed number at a time; returns the results in their order. */
async function mapInTurns<I, O>(
  items: readonly I[],
  work: (item: I, index: number) => Promise<O>,
): Promise<O[]> {
  const results: O[] = [];
  const rest = items.entries();
  const worker = async (): Promise<void> => {
    for (const [index, item] of rest) results[index] = await work(item, index);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return results;
}

/** How late each group expired, in ms by the database's clock, ascending. */
async function latenesses(url: string, groups: readonly Group[]): Promise<number[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ late: number }>(
      `select (extract(epoch from t.decided_at - g.expires_at) * 1000)::float8 as late
         from group_ledger.transitions t join group_ledger.groups g on g.id = t.group_id
        where t.entity = 'group' and t.state_to = 'expired' and g.id = any ($1)
        order by 1`,
      [groups.map(({ group_payment }) => group_payment.id)],
    );
    return rows.map(({ late }) => late);
  } finally {
    await client.end();
  }
}

/** Waits for the releases; returns how many there were and the most in one second. */
async function releases(
  sandbox: string,
  payments: ReadonlySet<string>,
): Promise<{ count: number; perSecond: number }> {
  for (const giveUpAt = Date.now() + 300_000; ; await delay(2_000)) {
    const { body } = await send('GET', `${sandbox}/control/books?gateway=gateway_b&limit=50000`);
    const ours = (body['payments'] as BookedPayment[]).filter((p) => payments.has(p.payment_intent_id));
    const voided = ours.filter(({ status }) => status === 'voided');
    if (voided.length < payments.size && Date.now() < giveUpAt) continue;
    const seconds = voided
      .flatMap(({ calls }) => calls.filter(({ operation }) => operation === 'void'))
      .map(({ at }) => at.slice(0, 19));
    const most = Math.max(
      0,
      ...[...Map.groupBy(seconds, (second) => second).values()].map((all) => all.length),
    );
    return { count: voided.length, perSecond: most };
  }
}
