import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Mode } from '@gp/contracts';
import type { Db } from '@gp/pg';
import { eventually } from '@gp/testing';
import { uuidv7 } from 'uuidv7';
import { applyCallbacks } from '../src/app/apply-callbacks.ts';
import { insertCallback } from '../src/db/callbacks.ts';
import { insertGatewayCall } from '../src/db/gateway-calls.ts';
import type { QueryAnswer } from '../src/domain/payment.ts';
import { openGatewayDatabase, type GatewayDatabase } from './support/database.ts';
import { held, newDoor, openFairAdapter } from './support/fair-adapter.ts';

const { signal } = new AbortController();
let database: GatewayDatabase;
let db: Db;

beforeAll(async () => {
  database = await openGatewayDatabase();
  db = database.db;
});
afterAll(() => database?.close());
beforeEach(() => database.asOwner('truncate psp_attempts, callbacks, outbox cascade'));

type Who = { readonly merchantId: string; readonly mode?: Mode };

/** A prepared payment with so many callbacks; returns the gateway's name of it. */
async function hears({ merchantId, mode = 'test' }: Who, callbacks = 1): Promise<string> {
  const [groupId, intentId, attemptId] = [uuidv7(), uuidv7(), uuidv7()];
  const pspReference = `pi_${attemptId}`;
  const call = {
    ...{ mode, merchantId, groupId, intentId, attemptId, operationId: attemptId, pspReference },
    ...{ seq: 1, credentialVersion: 1, amountMinor: 1_500n, currency: 'EUR', sandboxFault: null },
    ...{ traceparent: null, notAfter: null, unlessAuthorised: false, returnUrl: null },
  };
  await insertGatewayCall(db, { ...call, operation: 'prepare' }, 60);
  for (let i = 0; i < callbacks; i += 1)
    await insertCallback(db, {
      ...{
        id: uuidv7(),
        mode,
        merchant_id: merchantId,
        credential_version: 1,
        account: `acct_${merchantId}`,
      },
      ...{ event_id: uuidv7(), event_type: 'authorised', attempt_id: attemptId, psp_reference: pspReference },
      ...{
        is_disputed: null,
        traceparent: null,
        state: 'stored',
        signers: [{ merchant_id: merchantId, mode }],
      },
    });
  return pspReference;
}

async function countApplied(merchantId: string): Promise<number> {
  const { rows } = await db.pool.query<{ n: number }>(
    `select count(*)::int as n from callbacks where merchant_id = $1 and state = 'applied'`,
    [merchantId],
  );
  return rows[0]?.n ?? 0;
}

describe('callbacks of many merchants', () => {
  it('callbacks of one merchant are applied while hundreds of another, whose queries hang, are due before (N1)', async () => {
    const door = newDoor();
    const busy = { merchantId: 'busy' };
    for (let i = 0; i < 200; i += 1) await hears(busy);
    await hears({ merchantId: 'quiet' });
    const adapter = openFairAdapter(db, {
      query: async ({ merchantId, pspReference }) => {
        if (merchantId === 'busy') await door.pass();
        return held(String(pspReference));
      },
    });
    const applying = applyCallbacks(adapter);
    await applying.runOnce(signal);
    await eventually(async () => (await countApplied('quiet')) === 1 || undefined);
    await eventually(() => door.waiting() === 4 || undefined);
    expect(await countApplied('busy')).toBe(0);
    door.open();
    await applying.idle();
    expect(await countApplied('busy')).toBe(200);
  });

  it('callbacks of live mode are applied while queries of many test merchants hang (N1)', async () => {
    const door = newDoor();
    for (let i = 0; i < 12; i += 1) await hears({ merchantId: `test${i}` });
    const adapter = openFairAdapter(
      db,
      {
        query: async ({ mode, pspReference }) => {
          if (mode === 'test') await door.pass();
          return held(String(pspReference));
        },
      },
      { gatewayConcurrency: 8, merchantConcurrency: 2 },
    );
    const applying = applyCallbacks(adapter);
    await applying.runOnce(signal);
    await eventually(() => door.waiting() === 8 || undefined);
    await hears({ merchantId: 'shop', mode: 'live' });
    await applying.runOnce(signal);
    await eventually(async () => (await countApplied('shop')) === 1 || undefined);
    door.open();
    await applying.idle();
  });

  it('callbacks of a merchant without budget take no permit and are not claimed (N1)', async () => {
    await hears({ merchantId: 'spent' });
    await hears({ merchantId: 'spent' });
    const adapter = openFairAdapter(
      db,
      { query: ({ pspReference }) => Promise.resolve(held(String(pspReference))) },
      { gatewayConcurrency: 1, merchantConcurrency: 1, perSecond: 0.1, burst: 1 },
    );
    const applying = applyCallbacks(adapter);
    await applying.runOnce(signal);
    await eventually(async () => (await countApplied('spent')) === 1 || undefined);
    await hears({ merchantId: 'quiet' });
    await applying.runOnce(signal);
    await eventually(async () => (await countApplied('quiet')) === 1 || undefined);
    const { rows } = await db.pool.query(`select tries from callbacks where state = 'stored'`);
    expect(rows).toEqual([{ tries: 0 }]);
    await applying.close();
  });

  it('callbacks about one payment are served by one query (N1)', async () => {
    await hears({ merchantId: 'shop' }, 12);
    let looks = 0;
    const adapter = openFairAdapter(db, {
      query: ({ pspReference }) => Promise.resolve(((looks += 1), held(String(pspReference)))),
    });
    const applying = applyCallbacks(adapter);
    await applying.runOnce(signal);
    await applying.idle();
    expect([looks, await countApplied('shop')]).toEqual([1, 12]);
  });
});

describe('a callback whose look brought nothing', () => {
  /** Looks at a callback that had so many tries; returns the seconds until its next one, and its tries. */
  async function look(tries: number, answer: QueryAnswer) {
    await hears({ merchantId: 'shop' });
    await db.pool.query('update callbacks set tries = $1', [tries]);
    const applying = applyCallbacks(openFairAdapter(db, { query: () => Promise.resolve(answer) }));
    await applying.runOnce(signal);
    await applying.idle();
    const { rows } = await db.pool.query<{ seconds: number; tries: number }>(
      `select ceil(extract(epoch from due_at - clock_timestamp()))::int as seconds, tries from callbacks`,
    );
    return rows[0];
  }

  it('a callback whose query found nothing waits for the breaker and no longer, whatever the number of tries (N4)', async () => {
    const refused: QueryAnswer = { kind: 'retryable', reason: 'breaker open', retryAfterSeconds: 5 };
    expect(await look(9, refused)).toEqual({ seconds: 5, tries: 4 });
  });

  it('a callback whose query found nothing is tried again within seconds when the gateway did not answer (N4)', async () => {
    expect(await look(9, { kind: 'unknown', reason: 'timeout' })).toEqual({ seconds: 8, tries: 4 });
  });

  it('a callback whose query found nothing waits twice as long each time when the gateway does not know its payment', async () => {
    expect(await look(4, { kind: 'absent' })).toEqual({ seconds: 16, tries: 5 });
  });
});
