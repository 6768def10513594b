import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Replica } from '@gp/stack';
import type { Pay } from '../support/api.ts';
import { openApi, booksShow, effects, newGroup, payer, paySlot } from '../support/journey.ts';
import { askDatabase } from '../support/ledger.ts';
import { openOwnStack, type OwnStack } from '../support/own-stack.ts';
import { brokenPromises } from '../support/promises.ts';
import { findMerchant } from '../support/stack.ts';
import { switchGateway } from '../support/switch-gateway.ts';
import { openSlowEndpoints } from '../support/webhook-load.ts';

/** Requests one dispatcher may have under way: as many may be repeated when it is killed. */
const IN_FLIGHT = 40;
/**
 * Short times, so that what a dead dispatcher had in hand falls due again soon; but a living one must not lose patience
 * with an endpoint that a busy machine holds up.
 */
const dispatcher = {
  MAX_IN_FLIGHT: String(IN_FLIGHT),
  DEADLINE_MS: '10000',
  CONNECT_TIMEOUT_MS: '10000',
  LEASE_MS: '15000',
};

let own: OwnStack;
beforeAll(async () => {
  own = await openOwnStack();
});
afterAll(() => own?.close());

/** `kill -9`, without a restart. */
async function dies(replica: { kill(): Promise<void>; stop(): Promise<void> }): Promise<void> {
  await replica.kill();
  await replica.stop();
}

const first = (name: string) => {
  const found = own.opened.processes.get(name);
  if (!found) throw new Error(`no process ${name}`);
  return found;
};

describe('four dispatchers share slow endpoints, and two are killed under load', () => {
  it('two killed dispatchers lose no delivery, and only the deliveries they had in hand are repeated', async () => {
    await first('webhook-dispatcher').stop();
    const replicas: Replica[] = [];
    for (let number = 0; number < 4; number++)
      replicas.push(await own.opened.startReplica('webhook-dispatcher', dispatcher));
    const endpoints = await openSlowEndpoints(own.stack, findMerchant(own.stack, 'gateway_a'), {
      count: 20,
      answerAfterMs: 300,
    });
    try {
      const owed = await endpoints.publish(50);
      await endpoints.heard(owed / 4, 60_000);
      expect(endpoints.arrivals.size).toBeLessThan(owed);
      await Promise.all(replicas.slice(0, 2).map(dies));
      await endpoints.heard(owed, 60_000);
      expect(endpoints.repeats()).toBeLessThanOrEqual(2 * IN_FLIGHT);
      await allDelivered(owed);
    } finally {
      await endpoints.close();
    }
  }, 180_000);

  /** The last answers are recorded a moment after they came. */
  async function allDelivered(owed: number): Promise<void> {
    const sql = 'select status, count(*)::int as count from deliveries group by status';
    const expected = [{ status: 'delivered', count: owed }];
    for (const giveUpAt = Date.now() + 30_000; ; await delay(100)) {
      const found = await askDatabase(own.stack, 'webhooks', sql);
      if (JSON.stringify(found) === JSON.stringify(expected)) return;
      if (Date.now() > giveUpAt) return expect(found).toEqual(expected);
    }
  }
});

const doubled = ['gateway-a', 'gateway-b', 'gateway-c', 'group-ledger'] as const;

describe(`two of each of ${doubled.join(', ')}, of which one is killed while bills are paid`, () => {
  it('the books show one authorisation and one capture for each payment', async () => {
    const { stack } = own;
    const merchant = findMerchant(stack, 'multi');
    const api = openApi(stack, merchant);
    const second = new Map<string, Replica>();
    // Payers come back to the installation's address, which is the first process here.
    const env = { PUBLIC_URL: `http://127.0.0.1:${own.opened.ports.callbacks.gateway_c}` };
    for (const name of doubled) second.set(name, await own.opened.startReplica(name, env));
    const pays: Pay[] = [];
    const payBill = async (bill: number): Promise<string> => {
      const group = await newGroup(api, 3);
      const paid = [0, 1, 2].map((slot) => paySlot(stack, api, group, slot, payer(`b${bill}-${slot}`)));
      pays.push(...(await Promise.all(paid)));
      return group.group_payment.id;
    };
    const groups: string[] = [];
    for (const [turn, name] of doubled.entries()) {
      await switchGateway(stack, merchant, ['gateway_a', 'gateway_b', 'gateway_c'][turn % 3] as string);
      const bills = [0, 1, 2].map((bill) => payBill(turn * 3 + bill));
      // Once one bill is held its captures begin, while the others are still being paid.
      await Promise.race(bills);
      await dies(second.get(name) as Replica);
      groups.push(...(await Promise.all(bills)));
    }
    for (const id of groups) await api.becomes(id, ['paid'], 90_000);
    expect(new Set(pays.map(({ psp_code }) => psp_code)).size).toBe(3);
    for (const pay of pays) {
      const booked = await booksShow(stack, pay, 'captured');
      expect([effects(booked, 'authorise'), effects(booked, 'capture')]).toEqual([1, 1]);
      expect(Number(booked.captured_minor)).toBe(1_000);
    }
    expect(await brokenPromises(stack)).toEqual([]);
  }, 240_000);
});
