import type { Mode } from '@gp/contracts';
import { AppError, validationError } from '@gp/errors';
import type { Db } from '@gp/pg';
import type { Seal } from '@gp/seal';
import {
  findCredentials,
  findNewestCredentials,
  insertCredentials,
  listAccountCredentials,
  listNewerCredentials,
  type SealedCredentials,
} from './db/credentials.ts';
import type { Account } from './domain/payment.ts';
import type { PaymentGateway } from './gateway.ts';

export type Accounts<C> = {
  /** Returns exactly the version a payment began with; rejects with `no_active_gateway` when there is none. */
  get(key: { merchantId: string; mode: Mode; version: number }): Promise<Account<C>>;
  /**
   * Returns the same account with the newest keys entered since, for when its own are refused; undefined when
   * there are none.
   */
  renewed(account: Account<C>): Promise<Account<C> | undefined>;
  /** Returns all accounts of this name at the gateway, newest version first. */
  named(account: string): Promise<readonly Account<C>[]>;
  /** Stores credentials as the next version; entering the newest ones again keeps their version. */
  put(scope: { merchantId: string; mode: Mode }, entered: Readonly<Record<string, string>>): Promise<number>;
};

/** Opened versions kept in memory: they never change, and a busy merchant uses one. */
const CACHED = 200;
const MAX_LENGTH = 500;

/** Stores merchants' credentials: sealed in the database, opened here and nowhere else. */
export function openAccounts<C extends Readonly<Record<string, string>>>(o: {
  db: Db;
  seal: Seal;
  gateway: Pick<PaymentGateway<C>, 'psp' | 'credentials'>;
}): Accounts<C> {
  const { db, seal, gateway } = o;
  const opened = new Map<string, Account<C>>();
  const buildSealIdentity = (merchantId: string, mode: Mode, version: number): string =>
    JSON.stringify([gateway.psp, merchantId, mode, version]);

  const open = (row: SealedCredentials): Account<C> => {
    const { merchant_id: merchantId, mode, version } = row;
    const identity = buildSealIdentity(merchantId, mode, version);
    const known = opened.get(identity);
    if (known) return known;
    const text = seal.open({ keyId: row.key_id, bytes: row.sealed }, identity);
    const account = { merchantId, mode, version, credentials: JSON.parse(text) as C };
    const oldest = opened.keys().next().value;
    if (opened.size >= CACHED && oldest !== undefined) opened.delete(oldest);
    opened.set(identity, account);
    return account;
  };

  return {
    async get(key) {
      const cached = opened.get(buildSealIdentity(key.merchantId, key.mode, key.version));
      if (cached) return cached;
      const row = await findCredentials(db, key);
      if (!row) throw new AppError('no_active_gateway');
      return open(row);
    },
    async renewed({ merchantId, mode, version, credentials }) {
      const { account: field, isSameAccount } = gateway.credentials;
      const account = credentials[field] ?? '';
      const newer = await listNewerCredentials(db, { merchantId, mode, version, account });
      return newer.map(open).find((one) => isSameAccount?.(credentials, one.credentials) ?? true);
    },
    async named(account) {
      // Strangers send names, too: a text that Postgres cannot hold is no account's name.
      if (account.length > MAX_LENGTH || account.includes('\0')) return [];
      return (await listAccountCredentials(db, account)).map(open);
    },
    async put(scope, entered) {
      const credentials = checked(gateway.credentials, entered, scope.mode);
      for (;;) {
        const newest = await findNewestCredentials(db, scope);
        if (newest && isSame(open(newest).credentials, credentials)) return newest.version;
        const version = (newest?.version ?? 0) + 1;
        const identity = buildSealIdentity(scope.merchantId, scope.mode, version);
        const { keyId, bytes } = seal.seal(JSON.stringify(credentials), identity);
        const row = {
          merchant_id: scope.merchantId,
          mode: scope.mode,
          version,
          key_id: keyId,
          sealed: bytes,
        };
        const account = credentials[gateway.credentials.account] ?? '';
        if (await insertCredentials(db, { ...row, account })) return version;
      }
    },
  };
}

/** Keeps the known fields only; a validation error names the field and never repeats its value. */
function checked<C extends Readonly<Record<string, string>>>(
  shape: PaymentGateway<C>['credentials'],
  entered: Readonly<Record<string, string>>,
  mode: Mode,
): C {
  const picked: Record<string, string> = {};
  for (const field of shape.fields) {
    const value = entered[field]?.trim() ?? '';
    if (value === '' && !shape.optional?.includes(field)) throw validationError(field, 'is required');
    if (value.length > MAX_LENGTH) throw validationError(field, `must have at most ${MAX_LENGTH} characters`);
    picked[field] = value;
  }
  const credentials = picked as C;
  const refusal = shape.refuse(credentials, mode);
  if (refusal) throw validationError(refusal.param, refusal.reason);
  return credentials;
}

function isSame(a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>>): boolean {
  return Object.keys(a).length === Object.keys(b).length && Object.entries(a).every(([k, v]) => b[k] === v);
}
