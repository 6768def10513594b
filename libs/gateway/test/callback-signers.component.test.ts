import { createHmac, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Mode } from '@gp/contracts';
import type { Db } from '@gp/pg';
import { sealWith, type Seal } from '@gp/seal';
import { createLogger } from '@gp/telemetry';
import { uuidv7 } from 'uuidv7';
import { openAccounts, type Accounts } from '../src/accounts.ts';
import type { Adapter } from '../src/adapter.ts';
import { applyCallbacks } from '../src/app/apply-callbacks.ts';
import { receiveCallback, type Received } from '../src/app/receive-callback.ts';
import { insertGatewayCall } from '../src/db/gateway-calls.ts';
import type { FindSigners, PaymentGateway, RawCallback, Truth } from '../src/index.ts';
import { admitAll, highConcurrency } from './support/calls.ts';
import { openGatewayDatabase, type GatewayDatabase } from './support/database.ts';

type Keys = { readonly name: string; readonly key: string };
type Event = {
  readonly id: string;
  readonly account: string;
  readonly mode: Mode | null;
  readonly attempt: string | null;
  readonly reference: string;
};

const { signal } = new AbortController();
const inner = sealWith({ encryptionKey: randomBytes(32).toString('base64') });
/** The work that a callback causes. */
const counted = { opened: 0, tried: 0 };
const seal: Seal = {
  ...inner,
  open(sealed, identity) {
    counted.opened += 1;
    return inner.open(sealed, identity);
  },
};

const signatureOf = (body: Buffer | string, secret: string) =>
  createHmac('sha256', secret).update(body).digest('hex');

/** Speaks the simplest protocol that names an account, a mode and a payment, and signs with the account's key. */
const gateway = {
  psp: 'gateway_a',
  credentials: { fields: ['name', 'key'], account: 'name', callbackSecret: 'key', refuse: () => undefined },
  async verifyCallback({ body, headers }: RawCallback, findSigners: FindSigners<Keys>) {
    const event = JSON.parse(body.toString()) as Event;
    const [signer, ...others] = await findSigners(event, (secret) => {
      counted.tried += 1;
      return signatureOf(body, secret) === headers['signature'];
    });
    if (!signer) return { kind: 'forged', reason: 'wrong signature' };
    return {
      ...{ kind: 'verified', signers: [signer, ...others], eventId: event.id, eventType: 'paid' },
      ...{ pspReference: event.reference, attemptId: event.attempt, isDisputed: null },
    };
  },
} as Partial<PaymentGateway<Keys>> as PaymentGateway<Keys>;

const held: Truth = {
  ...{
    pspReference: 'pi_1',
    status: 'authorised',
    amountMinor: 1_500n,
    capturedMinor: 0n,
    refundedMinor: 0n,
  },
  ...{ currency: 'EUR', captureBefore: null, isOpenToPayer: false, isDisputed: null, failure: null },
  actions: [],
};

let database: GatewayDatabase;
let db: Db;
let accounts: Accounts<Keys>;
let receive: (callback: RawCallback) => Promise<Received>;
let queried: string[];
let applyOnce: () => Promise<void>;

beforeAll(async () => {
  database = await openGatewayDatabase();
  db = database.db;
});
afterAll(() => database?.close());

beforeEach(async () => {
  await database.asOwner('truncate credentials, psp_attempts, callbacks, outbox cascade');
  accounts = openAccounts<Keys>({ db, seal, gateway });
  queried = [];
  const adapter = {
    ...{ psp: 'gateway_a', gateway, db, accounts, log: createLogger({ service: 'test', level: 'silent' }) },
    ...{ clock: { now: () => new Date() }, wakeRelay: () => undefined },
    settings: { leaseMs: 60_000, settleWindowMs: 0, acceptedWaitMs: 0, ...highConcurrency },
    calls: admitAll({
      query: (_payment: unknown, { merchantId, mode }: { merchantId: string; mode: Mode }) => {
        queried.push(`${mode} ${merchantId}`);
        return Promise.resolve({ kind: 'found', truth: held });
      },
    }),
  } as unknown as Adapter<Keys>;
  receive = receiveCallback(adapter, () => undefined);
  const loop = applyCallbacks(adapter);
  applyOnce = async () => {
    await db.pool.query('update callbacks set due_at = clock_timestamp()');
    // The second time for callbacks that were moved to the merchant of their payment.
    for (let pass = 0; pass < 2; pass++) {
      await loop.runOnce(signal);
      await loop.idle();
    }
  };
});

const put = async (
  merchantId: string,
  key: string,
  o: { mode?: Mode; name?: string; isVerified?: boolean } = {},
) => {
  const { mode = 'test', name = 'acct_1', isVerified = true } = o;
  return (await accounts.put({ merchantId, mode }, { name, key }, { isVerified })).version;
};

/** A payment that was prepared with a version of a merchant's keys. */
async function prepare(merchantId: string, o: { mode?: Mode; version?: number } = {}): Promise<string> {
  const { mode = 'test', version = 1 } = o;
  const [attemptId, groupId, intentId, operationId] = [uuidv7(), uuidv7(), uuidv7(), uuidv7()];
  await insertGatewayCall(
    db,
    {
      ...{ mode, merchantId, groupId, intentId, attemptId, operationId, pspReference: `pi_${attemptId}` },
      ...{ operation: 'prepare', seq: 1, credentialVersion: version, amountMinor: 1_500n, currency: 'EUR' },
      ...{ sandboxFault: null, traceparent: null, notAfter: null, unlessAuthorised: false, returnUrl: null },
    },
    60,
  );
  return attemptId;
}

const send = (attempt: string | null, key: string, o: Partial<Event> = {}) => {
  const event = { id: 'evt_1', account: 'acct_1', mode: 'test', attempt, reference: `pi_${attempt}`, ...o };
  const body = Buffer.from(JSON.stringify(event));
  return receive({ body, headers: { signature: signatureOf(body, key) }, receivedAt: new Date() });
};

const stored = async () =>
  (
    await db.pool.query<{ text: string }>(
      `select concat_ws(' ', mode, merchant_id, state) as text from callbacks order by received_at`,
    )
  ).rows.map(({ text }) => text);

describe('B13 connections of strangers under the name of an account', () => {
  it('a stranger’s 1,000 unconfirmed connections under the name of an account change nothing for its callbacks (B13)', async () => {
    await put('victim', 'whsec_victim');
    await db.pool.query(
      `insert into credentials (merchant_id, mode, version, account, key_id, sealed, verified_at)
       select 'stranger', 'test', n, 'acct_1', 'none', '', null from generate_series(1, 1000) n`,
    );
    const attempt = await prepare('victim');
    accounts = openAccounts<Keys>({ db, seal, gateway });
    Object.assign(counted, { opened: 0, tried: 0 });
    expect(await send(attempt, 'whsec_victim')).toBe('stored');
    expect(counted.tried).toBe(1);
    expect(counted.opened).toBeLessThanOrEqual(1);
  });

  it('a stranger’s confirmed connections cannot hide an account: each distinct secret is tried once, each version opened once (B13)', async () => {
    await put('victim', 'whsec_victim');
    for (let n = 0; n < 60; n++) {
      // A higher version than the victim's must not count for more.
      await put(`sharer-${n}`, `whsec_${n % 3}`, { name: 'acct_2' });
      await put(`sharer-${n}`, `whsec_${n % 3}`);
    }
    for (const [at, known] of [40, 0].entries()) {
      const attempt = await prepare('victim');
      if (at === 0) accounts = openAccounts<Keys>({ db, seal, gateway });
      Object.assign(counted, { opened: 0, tried: 0 });
      expect(await send(attempt, 'whsec_victim', { id: `evt_${at}` })).toBe('stored');
      expect(counted.tried).toBe(4);
      expect(counted.opened).toBeLessThanOrEqual(known === 0 ? 0 : 61);
    }
  });

  it('a connection of the other mode verifies nothing: a test secret signs no live callback, nor the reverse (B13)', async () => {
    await put('m1', 'whsec_test', { mode: 'test' });
    await put('m1', 'whsec_live', { mode: 'live' });
    Object.assign(counted, { opened: 0, tried: 0 });
    expect(await send(await prepare('m1'), 'whsec_test', { mode: 'live' })).toBe('forged');
    expect(await send(await prepare('m1', { mode: 'live' }), 'whsec_live', { mode: 'test' })).toBe('forged');
    expect(counted.tried).toBe(2);
    const live = await accounts.listSigners({ account: 'acct_1', mode: 'live' }, () => true);
    expect(live.map(({ mode }) => mode)).toEqual(['live']);
  });
});

describe('B14 merchants who share an account', () => {
  it('two merchants who share an account both get their callbacks: the payment that a callback names decides (B14)', async () => {
    await put('m1', 'whsec_shared');
    await put('m2', 'whsec_shared');
    await send(await prepare('m1'), 'whsec_shared', { id: 'evt_1' });
    await send(await prepare('m2'), 'whsec_shared', { id: 'evt_2' });
    expect(await stored()).toEqual(['test m1 stored', 'test m2 stored']);
    await applyOnce();
    expect(queried.sort()).toEqual(['test m1', 'test m2']);
    expect(await stored()).toEqual(['test m1 applied', 'test m2 applied']);
  });

  it('two merchants who share an account both get callbacks that name the payment only by the gateway’s reference (B14)', async () => {
    await put('m1', 'whsec_shared');
    await put('m2', 'whsec_shared');
    const attempt = await prepare('m2');
    await send(null, 'whsec_shared', { reference: `pi_${attempt}` });
    await applyOnce();
    expect(await stored()).toEqual(['test m2 applied']);
  });

  it('a callback before its payment belongs to nobody, and is found when the payment exists (B14)', async () => {
    await put('m1', 'whsec_shared');
    await put('m2', 'whsec_shared');
    const late = uuidv7();
    await send(late, 'whsec_shared');
    await applyOnce();
    expect(queried).toEqual([]);
    const attempt = await prepare('m2');
    await db.pool.query('update psp_attempts set attempt_id = $1, psp_reference = $2 where attempt_id = $3', [
      late,
      `pi_${late}`,
      attempt,
    ]);
    await applyOnce();
    expect(queried).toEqual(['test m2']);
    expect(await stored()).toEqual(['test m2 applied']);
  });

  it('an event at the endpoints of both merchants counts for the one whose secret signed it (B14)', async () => {
    await put('m1', 'whsec_1');
    await put('m2', 'whsec_2');
    const attempt = await prepare('m2');
    expect(await send(attempt, 'whsec_1')).toBe('stored');
    await applyOnce();
    expect(queried).toEqual([]);
    expect(await send(attempt, 'whsec_2')).toBe('stored');
    expect(await send(attempt, 'whsec_2')).toBe('known');
    await applyOnce();
    expect(queried).toEqual(['test m2']);
    expect(await stored()).toEqual(['test m2 applied']);
    expect(await send(attempt, 'whsec_1')).toBe('known');
  });

  it("a merchant’s own secret verifies nothing about another merchant's payment (B5, B14)", async () => {
    await put('m1', 'whsec_1');
    await put('m2', 'whsec_2');
    await send(await prepare('m1'), 'whsec_2');
    await applyOnce();
    expect(queried).toEqual([]);
  });
});

describe('B15 credentials that the gateway has not confirmed', () => {
  it('credentials that the gateway has not confirmed verify no callback (B15)', async () => {
    const version = await put('m1', 'whsec_1', { isVerified: false });
    const attempt = await prepare('m1');
    expect(await send(attempt, 'whsec_1')).toBe('forged');
    await accounts.markVerified({ merchantId: 'm1', mode: 'test', version });
    expect(await send(attempt, 'whsec_1')).toBe('stored');
  });

  it('credentials that the gateway has not confirmed replace no key of a payment (B15)', async () => {
    const version = await put('m1', 'old');
    await put('m1', 'new', { isVerified: false });
    const account = await accounts.get({ merchantId: 'm1', mode: 'test', version });
    expect(await accounts.renewed(account)).toBeUndefined();
  });

  it('credentials are confirmed by entering them again, and stay confirmed when the gateway cannot be asked then (B15)', async () => {
    const scope = { merchantId: 'm1', mode: 'test' } as const;
    const keys = { name: 'acct_1', key: 'one' };
    expect(await accounts.put(scope, keys, { isVerified: false })).toEqual({ version: 1, isVerified: false });
    expect(await accounts.put(scope, keys, { isVerified: true })).toEqual({ version: 1, isVerified: true });
    expect(await accounts.put(scope, keys, { isVerified: false })).toEqual({ version: 1, isVerified: true });
  });

  it('credentials count as confirmed when an older release stored them (B15)', async () => {
    const { keyId, bytes } = inner.seal(
      JSON.stringify({ name: 'acct_1', key: 'whsec_old' }),
      JSON.stringify(['gateway_a', 'm1', 'test', 1]),
    );
    await db.pool.query(
      `insert into credentials (merchant_id, mode, version, account, key_id, sealed)
       values ('m1', 'test', 1, 'acct_1', $1, $2)`,
      [keyId, bytes],
    );
    expect(await send(await prepare('m1'), 'whsec_old')).toBe('stored');
  });
});
