import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Db } from '@gp/pg';
import { sealWith } from '@gp/seal';
import { createLogger } from '@gp/telemetry';
import { uuidv7 } from 'uuidv7';
import { MOST_UNUSED_VERSIONS, openAccounts } from '../src/accounts.ts';
import type { Adapter } from '../src/adapter.ts';
import { checkCredentials } from '../src/app/check-credentials.ts';
import { enterCredentials } from '../src/app/enter-credentials.ts';
import { reapCredentials } from '../src/app/reap-credentials.ts';
import { guardedCalls } from '../src/calls.ts';
import { insertGatewayCall } from '../src/db/gateway-calls.ts';
import type { CredentialsVerdict, PaymentGateway } from '../src/index.ts';
import { openBudget } from '../src/token-bucket.ts';
import { openGatewayDatabase, type GatewayDatabase } from './support/database.ts';

type Keys = { readonly name: string; readonly key: string };

const { signal } = new AbortController();
const scope = { merchant_id: 'm1', mode: 'test' } as const;
const seal = sealWith({ encryptionKey: randomBytes(32).toString('base64') });
const log = createLogger({ service: 'test', level: 'silent' });

let database: GatewayDatabase;
let db: Db;
/** The gateway's answer for each key, and the keys that were verified. */
let verdict: (key: string) => Promise<CredentialsVerdict<Keys>>;
let asked: string[];

const gateway = {
  psp: 'gateway_a',
  credentials: { fields: ['name', 'key'], account: 'name', callbackSecret: 'key', refuse: () => undefined },
  verify: (account) => {
    asked.push(account.credentials.key);
    return verdict(account.credentials.key);
  },
} as Partial<PaymentGateway<Keys>> as PaymentGateway<Keys>;

let adapter: Adapter<Keys>;
beforeAll(async () => {
  database = await openGatewayDatabase();
  db = database.db;
  const accounts = openAccounts<Keys>({ db, seal, gateway });
  const breaker = { resetMs: 1_000, volumeThreshold: 1_000, merchantThreshold: 1_000 };
  const settings = { callTimeoutMs: 30_000, breaker };
  const budget = openBudget(() => ({ perSecond: 1_000, burst: 1_000 }));
  const calls = guardedCalls({ gateway, accounts, budget, settings, log });
  adapter = { psp: 'gateway_a', db, log, accounts, calls } as unknown as Adapter<Keys>;
});
afterAll(() => database?.close());
beforeEach(async () => {
  await database.asOwner('truncate credentials, psp_attempts, callbacks');
  verdict = () => Promise.resolve({ kind: 'valid' });
  asked = [];
});

const enter = (key: string, deadline = Date.now() + 30_000) =>
  enterCredentials(adapter)({ ...scope, credentials: { name: 'acct_1', key } }, { deadline });
const versions = async () =>
  (
    await db.pool.query<{ text: string }>(
      `select version || case when verified_at is null then '?' else '' end as text from credentials order by version`,
    )
  ).rows.map(({ text }) => text);

describe('B15 entered credentials', () => {
  it('entered credentials are stored as confirmed when the gateway accepts them (B15)', async () => {
    expect(await enter('good')).toEqual({ version: 1, verified: true });
    expect(await versions()).toEqual(['1']);
  });

  it('entered credentials are refused with the field, and not stored, when the gateway refuses them (B15)', async () => {
    verdict = () => Promise.resolve({ kind: 'invalid', param: 'key', reason: 'is not accepted' });
    await expect(enter('bad')).rejects.toMatchObject({
      code: 'validation_error',
      message: 'Validation error: key: is not accepted',
      data: { param: 'key' },
    });
    expect(await versions()).toEqual([]);
  });

  it('entered credentials are stored as not confirmed when the gateway cannot be asked, and confirmed by a later check (B15)', async () => {
    verdict = () => Promise.reject(new Error('ECONNREFUSED'));
    expect(await enter('good')).toEqual({ version: 1, verified: false });
    expect(await versions()).toEqual(['1?']);
    verdict = () => Promise.resolve({ kind: 'unknown' });
    await expect(checkCredentials(adapter)({ ...scope, version: 1 })).rejects.toMatchObject({
      code: 'gateway_unavailable',
    });
    expect(await versions()).toEqual(['1?']);
    verdict = () => Promise.resolve({ kind: 'valid' });
    expect(await checkCredentials(adapter)({ ...scope, version: 1 })).toEqual({ valid: true, reason: null });
    expect(await versions()).toEqual(['1']);
  });

  it('entered credentials are not checked when the caller has no time left for the reply (B15)', async () => {
    expect(await enter('good', Date.now() + 500)).toEqual({ version: 1, verified: false });
    expect(asked).toEqual([]);
  });
});

/** A payment that uses a version. */
async function use(version: number): Promise<void> {
  const [attemptId, groupId, intentId, operationId] = [uuidv7(), uuidv7(), uuidv7(), uuidv7()];
  await insertGatewayCall(
    db,
    {
      ...{ mode: 'test', merchantId: 'm1', groupId, intentId, attemptId, operationId },
      ...{ operation: 'prepare', seq: 1, credentialVersion: version, amountMinor: 1_500n, currency: 'EUR' },
      ...{ pspReference: null, sandboxFault: null, traceparent: null, notAfter: null },
      ...{ unlessAuthorised: false, returnUrl: null },
    },
    60,
  );
}

const age = (hours: number) =>
  db.pool.query(`update credentials set created_at = created_at - make_interval(hours => $1)`, [hours]);
const reap = () => reapCredentials(db).runOnce(signal);

describe('B16 versions of credentials', () => {
  it('a replaced version of credentials is deleted a day later, unless a payment uses it (B16)', async () => {
    for (const key of ['one', 'two', 'three', 'four']) await enter(key);
    await use(2);
    await age(25);
    await enter('five');
    await reap();
    expect(await versions()).toEqual(['2', '4', '5']);
    await age(25);
    await reap();
    expect(await versions()).toEqual(['2', '5']);
  });

  it('a version of credentials stays while a waiting callback was signed with it (B16)', async () => {
    await enter('one');
    await enter('two');
    await age(25);
    await db.pool.query(
      `insert into callbacks (id, mode, merchant_id, credential_version, account, event_id, event_type, psp_reference)
       values (gen_random_uuid(), 'test', 'm1', 1, 'acct_1', 'evt_1', 'paid', 'pi_1')`,
    );
    await reap();
    expect(await versions()).toEqual(['1', '2']);
  });

  it('a version that is not confirmed replaces none that is (B16)', async () => {
    await enter('one');
    verdict = () => Promise.resolve({ kind: 'unknown' });
    await enter('two');
    await enter('three');
    await age(25);
    await reap();
    expect(await versions()).toEqual(['1', '3?']);
  });

  it('versions that no payment uses are refused beyond a number, in this mode of this merchant alone (B16)', async () => {
    for (let n = 0; n < MOST_UNUSED_VERSIONS; n++) await enter(`key ${n}`);
    await expect(enter('one more')).rejects.toMatchObject({ code: 'validation_error' });
    expect(await enter(`key ${MOST_UNUSED_VERSIONS - 1}`)).toEqual({
      version: MOST_UNUSED_VERSIONS,
      verified: true,
    });
    for (const other of [{ merchant_id: 'm2' }, { mode: 'live' as const }])
      await enterCredentials(adapter)(
        { ...scope, ...other, credentials: { name: 'acct_1', key: 'k' } },
        { deadline: Date.now() + 30_000 },
      );
    await use(1);
    expect(await enter('one more')).toMatchObject({ version: MOST_UNUSED_VERSIONS + 1 });
  });
});
