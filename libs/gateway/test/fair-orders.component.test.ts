import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { InboundMessage } from '@gp/bus';
import type { GatewayOperation, Mode } from '@gp/contracts';
import type { Db } from '@gp/pg';
import { eventually } from '@gp/testing';
import { uuidv7 } from 'uuidv7';
import { carryOutOrders } from '../src/app/carry-out-orders.ts';
import { subscriptions } from '../src/bus/subscriptions.ts';
import type { Answer, Payment } from '../src/domain/payment.ts';
import { openGatewayDatabase, type GatewayDatabase } from './support/database.ts';
import { newDoor, openFairAdapter, type FairAdapter } from './support/fair-adapter.ts';

const { signal } = new AbortController();
let database: GatewayDatabase;
let db: Db;

beforeAll(async () => {
  database = await openGatewayDatabase();
  db = database.db;
});
afterAll(() => database?.close());
beforeEach(() =>
  database.asOwner('truncate psp_attempts, waiting_orders, dead_letters, operator_tasks, outbox cascade'),
);

type Order = {
  merchantId: string;
  mode?: Mode;
  operation?: 'capture' | 'void' | 'query';
  intentId?: string;
  seq?: number;
};

/** Delivers an order as the bus does. */
async function deliver(adapter: FairAdapter, o: Order): Promise<void> {
  const { merchantId, mode = 'test', operation = 'capture', intentId = uuidv7(), seq = 1 } = o;
  const payload: GatewayOperation = {
    ...{ mode, merchant_id: merchantId, group_id: uuidv7(), intent_id: intentId, attempt_id: intentId },
    ...{ operation, operation_id: uuidv7(), seq, credential_version: 1, psp_reference: `pi_${intentId}` },
    ...{
      amount_minor: '1500',
      currency: 'EUR',
      not_after: null,
      unless_authorised: false,
      sandbox_fault: null,
    },
  };
  const subscription = subscriptions(adapter).find(({ durable }) => durable.endsWith(`-${operation}`));
  const message: InboundMessage = {
    ...{ id: uuidv7(), subject: `cmd.gateway_a.payment.${operation}.v1`, payload, deliveryCount: 1 },
    working: () => undefined,
  };
  await subscription?.handler(message);
}

const approved = ({ pspReference, amountMinor, currency }: Payment): Answer => ({
  ...{ kind: 'approved', pspReference: String(pspReference), amountMinor, currency: currency.code },
  captureBefore: null,
});

/** Returns how many outcomes the ledger was sent of a merchant's orders. */
async function countOutcomes(merchantId: string): Promise<number> {
  const { rows } = await db.pool.query<{ n: number }>(
    `select count(*)::int as n from outbox where payload ->> 'merchant_id' = $1 and payload ->> 'status' = 'captured'`,
    [merchantId],
  );
  return rows[0]?.n ?? 0;
}

async function countWaiting(): Promise<number> {
  const { rows } = await db.pool.query<{ n: number }>('select count(*)::int as n from waiting_orders');
  return rows[0]?.n ?? 0;
}

describe('orders of many merchants', () => {
  it('orders of one merchant are carried out while 60 captures of another hang (N2)', async () => {
    const door = newDoor();
    const adapter = openFairAdapter(db, {
      capture: async (payment) => {
        if (payment.merchantId === 'busy') await door.pass();
        return approved(payment);
      },
    });
    for (let i = 0; i < 60; i += 1) await deliver(adapter, { merchantId: 'busy' });
    await deliver(adapter, { merchantId: 'quiet' });
    const ordering = carryOutOrders(adapter);
    await ordering.runOnce(signal);
    await eventually(async () => (await countOutcomes('quiet')) === 1 || undefined);
    await eventually(() => door.waiting() === 4 || undefined);
    expect(await countOutcomes('busy')).toBe(0);
    door.open();
    await ordering.idle();
    expect([await countOutcomes('busy'), await countWaiting()]).toEqual([60, 0]);
  });

  it('orders of live mode are carried out while captures of many test merchants hang (N2)', async () => {
    const door = newDoor();
    const adapter = openFairAdapter(
      db,
      {
        capture: async (payment) => {
          if (payment.mode === 'test') await door.pass();
          return approved(payment);
        },
      },
      { gatewayConcurrency: 8, merchantConcurrency: 2 },
    );
    for (let i = 0; i < 12; i += 1) await deliver(adapter, { merchantId: `test${i}` });
    const ordering = carryOutOrders(adapter);
    await ordering.runOnce(signal);
    await eventually(() => door.waiting() === 8 || undefined);
    await deliver(adapter, { merchantId: 'shop', mode: 'live' });
    await ordering.runOnce(signal);
    await eventually(async () => (await countOutcomes('shop')) === 1 || undefined);
    door.open();
    await ordering.idle();
  });

  it('a merchant with own limits has as many orders in hand as they say, and another one as many as everybody', async () => {
    const atOnce = new Map<string, number>();
    const door = newDoor();
    const adapter = openFairAdapter(
      db,
      {
        capture: async (payment) => {
          atOnce.set(payment.merchantId, (atOnce.get(payment.merchantId) ?? 0) + 1);
          await door.pass();
          return approved(payment);
        },
      },
      { gatewayConcurrency: 16, merchantConcurrency: 1, merchantLimits: { big: '1000:3' } },
    );
    for (let i = 0; i < 5; i += 1)
      for (const merchantId of ['big', 'other']) await deliver(adapter, { merchantId });
    const ordering = carryOutOrders(adapter);
    await ordering.runOnce(signal);
    await eventually(() => door.waiting() === 4 || undefined);
    expect(Object.fromEntries(atOnce)).toEqual({ big: 3, other: 1 });
    door.open();
    await ordering.idle();
  });

  it('orders of a merchant without budget take no permit and are not claimed (N2)', async () => {
    const adapter = openFairAdapter(
      db,
      { capture: (payment) => Promise.resolve(approved(payment)) },
      { gatewayConcurrency: 1, merchantConcurrency: 1, perSecond: 0.1, burst: 1 },
    );
    for (const merchantId of ['spent', 'spent']) await deliver(adapter, { merchantId });
    const ordering = carryOutOrders(adapter);
    await ordering.runOnce(signal);
    await eventually(async () => (await countOutcomes('spent')) === 1 || undefined);
    await deliver(adapter, { merchantId: 'quiet' });
    await ordering.runOnce(signal);
    await eventually(async () => (await countOutcomes('quiet')) === 1 || undefined);
    await eventually(async () => (await countWaiting()) === 1 || undefined);
    const { rows } = await db.pool.query('select hand_outs from waiting_orders');
    expect(rows).toEqual([{ hand_outs: 0 }]);
    await ordering.close();
  });

  it('orders of one intent keep their sequence (N2)', async () => {
    const seen: string[] = [];
    const adapter = openFairAdapter(db, {
      query: () => Promise.resolve({ kind: 'unknown', reason: 'silent' }),
      void: (payment) => Promise.resolve((seen.push(payment.attemptId), approved(payment))),
    });
    const intents = [uuidv7(), uuidv7()];
    for (const intentId of intents)
      await deliver(adapter, { merchantId: 'shop', operation: 'void', intentId });
    const { rows } = await db.pool.query<{ position: string }>(
      'select position from waiting_orders order by position',
    );
    // The first order of the first intent is in hand elsewhere: only the other intent's may be taken.
    await db.pool.query(
      `update waiting_orders set due_at = clock_timestamp() + interval '1 hour' where position = $1`,
      [rows[0]?.position],
    );
    await deliver(adapter, { merchantId: 'shop', operation: 'void', intentId: String(intents[0]), seq: 2 });
    const ordering = carryOutOrders(adapter);
    await ordering.runOnce(signal);
    await ordering.idle();
    expect(seen).toEqual([intents[1]]);
    expect(await countWaiting()).toBe(2);
  });
});

describe('an order that fails', () => {
  const fails = (): FairAdapter => {
    const adapter = openFairAdapter(db, {});
    return {
      ...adapter,
      accounts: { ...adapter.accounts, get: () => Promise.reject(new TypeError('a fault of ours')) },
    };
  };

  /** One pass in which every order is due. */
  async function pass(adapter: FairAdapter): Promise<void> {
    await db.pool.query('update waiting_orders set due_at = clock_timestamp()');
    const ordering = carryOutOrders(adapter);
    await ordering.runOnce(signal);
    await ordering.idle();
  }

  it('an order that fails becomes a dead letter after ten failures (N2)', async () => {
    const adapter = fails();
    await deliver(adapter, { merchantId: 'shop', operation: 'query' });
    for (let i = 0; i < 9; i += 1) await pass(adapter);
    expect(await countWaiting()).toBe(1);
    await pass(adapter);
    expect(await countWaiting()).toBe(0);
    const { rows } = await db.pool.query('select consumer, reason from dead_letters');
    expect(rows).toEqual([{ consumer: 'gateway_a-query', reason: 'TypeError: a fault of ours' }]);
  });

  it('an order is not given up because kills ended its processing (N2)', async () => {
    const adapter = openFairAdapter(db, {
      capture: (payment) => Promise.resolve(approved(payment)),
    });
    await deliver(adapter, { merchantId: 'shop' });
    await db.pool.query('update waiting_orders set hand_outs = 40');
    await pass(adapter);
    expect([await countOutcomes('shop'), await countWaiting()]).toEqual([1, 0]);
  });
});
