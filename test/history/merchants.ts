import { setTimeout as delay } from 'node:timers/promises';
import type { Merchant } from '../support/stack.ts';
import { switchGateway } from '../support/switch-gateway.ts';
import type { Client } from './client.ts';
import { closed, type Crowd } from './payers.ts';
import type { Random } from './random.ts';

const CURRENCIES = [
  { code: 'EUR', total: (cents: number) => cents / 100 },
  { code: 'JPY', total: (units: number) => units },
] as const;

/** How many groups are open at a time: few enough that payers meet in the same one. */
const OPEN_AT_ONCE = 24;

/** Half of the groups live so long: they are paid on a slow machine too, unless their merchant travels past them. */
const PATIENT_SECONDS = 600;

/** How far merchants travel, seconds: a moment, past the life of groups and first retries, past forms and whole retry schedules. */
const JOURNEYS: readonly (readonly [number, number])[] = [
  [1, 8],
  [20, 90],
  [600, 7_200],
];

/** Creates the run's groups, as places become free, and leaves each open to payers until it expires. */
export async function openGroups(
  crowd: Crowd,
  clients: readonly Client[],
  o: { groups: number; maxSlots: number; lifeSeconds: readonly [number, number] },
  random: Random,
): Promise<void> {
  for (let made = 0; made < o.groups && !crowd.isOver();) {
    if (crowd.open.length >= OPEN_AT_ONCE) {
      await delay(100);
      continue;
    }
    made += 1;
    const client = random.pick(clients);
    const life = random.chance(0.5) ? PATIENT_SECONDS : random.between(...o.lifeSeconds);
    const expiresAt = new Date((await client.now()) + life * 1_000).toISOString();
    const body = newGroup(expiresAt, random.between(1, o.maxSlots), random);
    const group = await client.create(body);
    if (group) offer(crowd, { group, client }, life);
  }
}

function offer(crowd: Crowd, target: Crowd['open'][number], lifeSeconds: number): void {
  crowd.open.push(target);
  // A little longer than its life: some requests always come too late.
  setTimeout(() => closed(crowd, target), (lifeSeconds + 1) * 1_000).unref();
}

function newGroup(expires_at: string, slots: number, random: Random) {
  const currency = random.pick(CURRENCIES);
  const shares = Array.from({ length: slots }, () => random.between(500, 5_000));
  const sum = shares.reduce((total, share) => total + share, 0);
  return {
    group_name: 'History',
    total_amount: currency.total(sum),
    currency: currency.code,
    expires_at,
    distribution: random.chance(0.5)
      ? { type: 'equally', number_of_slots: slots }
      : { type: 'custom', slots: shares.map((share) => ({ amount: currency.total(share) })) },
    ...(random.chance(0.3) && { capture_at_expiry: { minimum_slots: random.between(1, slots) } }),
    ...(random.chance(0.4) && { tips: { max_amount: currency.total(500) } }),
  };
}

/** Gives money back now and then: of whole groups and of single slots, in any state and of any part of the history. */
export async function refundNowAndThen(
  crowd: Crowd,
  clientOf: (merchant: string) => Client,
  random: Random,
): Promise<void> {
  while (!crowd.isOver()) {
    await delay(random.between(300, 900));
    if (crowd.record.created.length === 0) continue;
    const { merchant, group_id, slot_ids } = random.pick(crowd.record.created);
    const body = random.chance(0.5) ? {} : { slot_ids: random.some(slot_ids, 1) };
    await clientOf(merchant).refund(group_id, body);
  }
}

/**
 * Merchants whose test clock is advanced now and then, while people pay them: groups and holds fall due that would
 * outlast the run.
 */
export async function travelNowAndThen(
  crowd: Crowd,
  clients: readonly Client[],
  pauseMs: readonly [number, number],
  random: Random,
): Promise<void> {
  while (!crowd.isOver()) {
    await delay(random.between(...pauseMs));
    const seconds = random.between(...random.pick(JOURNEYS));
    await random.pick(clients).travel(seconds);
  }
}

/** A merchant who cannot decide which gateway to use. */
export async function switchGateways(
  crowd: Crowd,
  merchant: Merchant,
  gateways: readonly string[],
  random: Random,
): Promise<void> {
  while (!crowd.isOver()) {
    await switchGateway(crowd.stack, merchant, random.pick(gateways)).catch(() => undefined);
    await delay(random.between(1_000, 3_000));
  }
}
