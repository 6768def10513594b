import type { Mode } from '@gp/contracts';
import { AppError, validationError } from '@gp/errors';
import type { Db } from '@gp/pg';
import type { Seal } from '@gp/seal';
import {
  countUnusedCredentials,
  findCredentials,
  findNewestCredentials,
  insertCredentials,
  listNewerCredentials,
  listVerifiedCredentials,
  markCredentialsVerified,
  type CredentialsKey,
  type SealedCredentials,
} from './db/credentials.ts';
import { buildSealIdentity } from './db/sealed-columns.ts';
import type { GatewayAccount } from './domain/payment.ts';
import type { FindSigners, PaymentGateway } from './gateway.ts';

export type Accounts<C> = {
  /** Returns exactly the version a payment began with; rejects with `no_active_gateway` when there is none. */
  get(key: CredentialsKey): Promise<GatewayAccount<C>>;
  /**
   * Returns the same account with the newest keys entered since, for when its own are refused; undefined when
   * there are none.
   */
  renewed(account: GatewayAccount<C>): Promise<GatewayAccount<C> | undefined>;
  /**
   * Returns every account of this name whose callback secret satisfies `isSigner`, of any merchant, a merchant's newest
   * version first. Credentials that the gateway never confirmed are left out, and each distinct secret is tried once.
   */
  listSigners: FindSigners<C>;
  /** Returns the entered fields that the gateway knows; throws a validation error that names the field. */
  check(entered: Readonly<Record<string, string>>, mode: Mode): C;
  /**
   * Stores checked credentials as the next version; entering the newest ones again keeps their version. Throws a
   * validation error when the merchant has too many versions that no payment uses.
   */
  put(
    scope: { merchantId: string; mode: Mode },
    credentials: C,
    o: { readonly isVerified: boolean },
  ): Promise<{ readonly version: number; readonly isVerified: boolean }>;
  /** Records that the gateway confirmed this version. */
  markVerified(key: CredentialsKey): Promise<void>;
};

/** The versions of a merchant in one mode that no payment uses; more are refused. */
export const MOST_UNUSED_VERSIONS = 20;

/** Opened versions kept in memory: they never change, and a busy merchant uses one. */
const CACHED = 1_000;
const MAX_LENGTH = 500;

/** Stores merchants' credentials: sealed in the database, opened here and nowhere else. */
export function openAccounts<C extends Readonly<Record<string, string>>>(o: {
  db: Db;
  seal: Seal;
  gateway: Pick<PaymentGateway<C>, 'psp' | 'credentials'>;
}): Accounts<C> {
  const { db, seal, gateway } = o;
  const opened = new Map<string, GatewayAccount<C>>();
  const identify = (merchantId: string, mode: Mode, version: number): string =>
    buildSealIdentity(gateway.psp, merchantId, mode, version);

  const open = (row: SealedCredentials): GatewayAccount<C> => {
    const { merchant_id: merchantId, mode, version } = row;
    const identity = identify(merchantId, mode, version);
    const known = opened.get(identity);
    if (known) return known;
    const text = seal.open({ keyId: row.key_id, bytes: row.sealed }, identity);
    const account = { merchantId, mode, version, credentials: JSON.parse(text) as C };
    const oldest = opened.keys().next().value;
    if (opened.size >= CACHED && oldest !== undefined) opened.delete(oldest);
    opened.set(identity, account);
    return account;
  };

  async function insert(
    scope: { merchantId: string; mode: Mode },
    version: number,
    o: { readonly credentials: C; readonly isVerified: boolean },
  ): Promise<boolean> {
    if ((await countUnusedCredentials(db, scope)) >= MOST_UNUSED_VERSIONS) throw tooManyVersions();
    const { merchantId: merchant_id, mode } = scope;
    const identity = identify(merchant_id, mode, version);
    const { keyId: key_id, bytes: sealed } = seal.seal(JSON.stringify(o.credentials), identity);
    const account = o.credentials[gateway.credentials.account] ?? '';
    const row = { merchant_id, mode, version, key_id, sealed, account, is_verified: o.isVerified };
    return insertCredentials(db, row);
  }

  return {
    async get(key) {
      const cached = opened.get(identify(key.merchantId, key.mode, key.version));
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
    async listSigners({ account, mode }, isSigner) {
      // Strangers send names, too: a text that Postgres cannot hold is no account's name.
      if (account.length > MAX_LENGTH || account.includes('\0')) return [];
      const { callbackSecret } = gateway.credentials;
      const bySecret = Map.groupBy(
        (await listVerifiedCredentials(db, { account, mode })).map(open),
        ({ credentials }) => credentials[callbackSecret] ?? '',
      );
      return [...bySecret].flatMap(([secret, accounts]) => (isSigner(secret) ? accounts : []));
    },
    check: (entered, mode) => check(gateway.credentials, entered, mode),
    async put(scope, credentials, { isVerified }) {
      for (;;) {
        const newest = await findNewestCredentials(db, scope);
        if (newest && isSame(open(newest).credentials, credentials)) {
          const { version } = newest;
          if (isVerified) await markCredentialsVerified(db, { ...scope, version });
          return { version, isVerified: isVerified || newest.is_verified };
        }
        const version = (newest?.version ?? 0) + 1;
        if (await insert(scope, version, { credentials, isVerified })) return { version, isVerified };
      }
    },
    markVerified: (key) => markCredentialsVerified(db, key),
  };
}

const tooManyVersions = (): AppError =>
  new AppError('validation_error', {
    message: `there may be at most ${MOST_UNUSED_VERSIONS} sets of keys in each mode that no payment uses; those that were replaced are deleted after a day`,
  });

/** Keeps the known fields only; a validation error names the field and never repeats its value. */
function check<C extends Readonly<Record<string, string>>>(
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
