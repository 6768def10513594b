import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Mode } from '@gp/contracts';
import { findCurrency, type Currency } from '@gp/money';
import type { Db } from '@gp/pg';
import { sealWith } from '@gp/seal';
import { createLogger } from '@gp/telemetry';
import { rotateEncryptionKey } from '@gp/testing';
import { openAccounts, type Accounts } from '../src/accounts.ts';
import { guardedCalls, type Calls } from '../src/calls.ts';
import { listSealedColumns } from '../src/db/sealed-columns.ts';
import type { GatewayAccount, Answer, Payment, PaymentGateway } from '../src/index.ts';
import { openBudget } from '../src/token-bucket.ts';
import { openGatewayDatabase, type GatewayDatabase } from './support/database.ts';

type Keys = { readonly name: string; readonly shop: string; readonly key: string };

const scope = { merchantId: 'm1', mode: 'test' } as const;
const payment: Payment = {
  ...scope,
  ...{ groupId: 'g', intentId: 'i', attemptId: 'a', amountMinor: 1_500n, pspReference: 'p' },
  ...{ currency: findCurrency('EUR') as Currency, sandboxFault: null },
};
const encryptionKey = randomBytes(32).toString('base64');
const seal = sealWith({ encryptionKey });

let database: GatewayDatabase;
let db: Db;
let accounts: Accounts<Keys>;
let calls: Calls<Keys>;
/** The keys that the gateway accepts, and those it was called with. */
let living: readonly string[];
let heard: string[];

beforeAll(async () => {
  database = await openGatewayDatabase();
  db = database.db;
});
afterAll(() => database?.close());

beforeEach(async () => {
  await database.asOwner('truncate credentials');
  accounts = openReplica();
  const settings = {
    callTimeoutMs: 30_000,
    breaker: { resetMs: 1_000, volumeThreshold: 1_000, merchantThreshold: 1_000 },
  };
  const budget = openBudget(() => ({ perSecond: 1_000, burst: 1_000 }));
  const log = createLogger({ service: 'test', level: 'silent' });
  // In another process than the one that stores keys: it has to read the new ones all the same.
  calls = guardedCalls({ gateway, accounts: openReplica(), budget, settings, log });
  living = [];
  heard = [];
});

const answer = async <A>({ credentials: { key } }: GatewayAccount<Keys>, idempotencyKey: string, done: A) => {
  heard.push(`${key} ${idempotencyKey}`);
  if (living.includes(key)) return done;
  return { kind: 'retryable', reason: 'status 401', isKeyRefused: true } as const;
};
const approved: Answer = {
  ...{ kind: 'approved', pspReference: 'p', amountMinor: 1_500n, currency: 'EUR', captureBefore: null },
};

const gateway = {
  psp: 'gateway_a',
  credentials: {
    fields: ['name', 'shop', 'key'],
    account: 'name',
    callbackSecret: 'key',
    isSameAccount: (a, b) => a.shop === b.shop,
    refuse: () => undefined,
  },
  capture: (_payment, account, { idempotencyKey }) => answer(account, idempotencyKey, approved),
  query: (_payment, account) => answer(account, 'asks', { kind: 'absent' }),
} as Partial<PaymentGateway<Keys>> as PaymentGateway<Keys>;

const openReplica = (opening = seal) => openAccounts<Keys>({ db, seal: opening, gateway });
const put = async (
  name: string,
  key: string,
  o: { shop?: string; merchantId?: string; mode?: Mode } = {},
) => {
  const { shop = '1', ...other } = o;
  const stored = await accounts.put({ ...scope, ...other }, { name, shop, key }, { isVerified: true });
  return stored.version;
};
const begunWith = (version: number) => accounts.get({ ...scope, version });
const capture = async (version: number) =>
  (await calls.effect('capture', payment, await begunWith(version), 'k1')).kind;

describe('a rotation of the encryption key', () => {
  it('a rotation leaves every version of credentials readable, now under the new key alone (Y2)', async () => {
    const [first, second] = [await put('acct_1', 'old'), await put('acct_1', 'new')];
    await put('acct_1', 'live', { mode: 'live' });
    const columns = listSealedColumns(gateway.psp);
    const rotated = openReplica(await rotateEncryptionKey({ db, columns, previous: encryptionKey }));
    expect((await rotated.get({ ...scope, version: first })).credentials.key).toBe('old');
    expect((await rotated.get({ ...scope, version: second })).credentials.key).toBe('new');
    expect((await rotated.get({ ...scope, mode: 'live', version: 1 })).credentials.key).toBe('live');
    await expect(openReplica().get({ ...scope, version: first })).rejects.toThrow(/not configured/);
  });
});

describe('a payment whose key the merchant has replaced', () => {
  it('a payment whose key was replaced is captured on the same account with the new one, under the same idempotency key (B11)', async () => {
    const old = await put('acct_1', 'old');
    living = ['old'];
    expect(await capture(old)).toBe('approved');
    living = ['new'];
    expect(await capture(old)).toBe('retryable');
    await put('acct_1', 'newer, and dead');
    await put('acct_1', 'new');
    heard = [];
    expect(await capture(old)).toBe('approved');
    expect(heard).toEqual(['old k1', 'new k1']);
  });

  it('a payment whose key was replaced is queried with the new one', async () => {
    const old = await put('acct_1', 'old');
    await put('acct_1', 'new');
    living = ['new'];
    expect(await calls.query(payment, await begunWith(old))).toEqual({ kind: 'absent' });
  });

  it('a payment keeps its own key for as long as the gateway accepts it, whatever was entered since', async () => {
    const old = await put('acct_1', 'old');
    await put('acct_1', 'mistyped');
    living = ['old'];
    expect(await capture(old)).toBe('approved');
    expect(heard).toEqual(['old k1']);
  });

  it('a payment never moves to another account, merchant or mode (B11)', async () => {
    const old = await put('acct_1', 'old');
    await put('acct_2', 'of another account');
    await put('acct_1', 'of another shop', { shop: '2' });
    for (const other of [{ merchantId: 'm2' }, { mode: 'live' as const }]) {
      await put('acct_1', 'older', other);
      await put('acct_1', 'newer', other);
    }
    living = ['of another account', 'of another shop', 'older', 'newer'];
    expect(await capture(old)).toBe('retryable');
    expect(heard).toEqual(['old k1']);
  });
});

describe('the account a stranger names', () => {
  it.each([
    ['with a zero byte', 'acct_1\0'],
    ['longer than any', 'a'.repeat(100_000)],
  ])('an account name that fits no account belongs to no merchant: %s', async (_what, name) => {
    await put('acct_1', 'key');
    expect(await accounts.listSigners({ account: name, mode: null }, () => true)).toEqual([]);
  });
});
