import type { Mode } from '@gp/contracts';
import { statement, type Queryable } from '@gp/pg';

export type SealedCredentials = {
  readonly merchant_id: string;
  readonly mode: Mode;
  readonly version: number;
  readonly key_id: string;
  readonly sealed: Buffer;
};

const columns = 'merchant_id, mode, version, key_id, sealed';

// The primary key decides when two replicas store a merchant's next version at once.
const insert = statement<{ version: number }>(
  'gateway.insert-credentials',
  `insert into credentials (merchant_id, mode, version, account, key_id, sealed)
   values ($1, $2, $3, $4, $5, $6)
   on conflict (merchant_id, mode, version) do nothing returning version`,
);

const find = statement<SealedCredentials>(
  'gateway.find-credentials',
  `select ${columns} from credentials where merchant_id = $1 and mode = $2 and version = $3`,
);

const findNewest = statement<SealedCredentials>(
  'gateway.find-newest-credentials',
  `select ${columns} from credentials where merchant_id = $1 and mode = $2 order by version desc limit 1`,
);

// Older versions still sign callbacks of payments that started with them; nobody rotates ten times in a hold.
const listByAccount = statement<SealedCredentials>(
  'gateway.list-credentials-of-account',
  `select ${columns} from credentials where account = $1 order by version desc limit 10`,
);

// The primary key leads to a merchant's later versions; nobody enters ten in a hold.
const listNewer = statement<SealedCredentials>(
  'gateway.list-newer-credentials',
  `select ${columns} from credentials
   where merchant_id = $1 and mode = $2 and version > $3 and account = $4 order by version desc limit 10`,
);

const listNames = statement<{ account: string }>(
  'gateway.list-account-names',
  'select distinct account from credentials where merchant_id = $1 and mode = $2',
);

/** Returns false when that version exists already. */
export async function insertCredentials(
  db: Queryable,
  c: SealedCredentials & { readonly account: string },
): Promise<boolean> {
  const rows = await db.query(insert, [c.merchant_id, c.mode, c.version, c.account, c.key_id, c.sealed]);
  return rows.length > 0;
}

export async function findCredentials(
  db: Queryable,
  key: { merchantId: string; mode: Mode; version: number },
): Promise<SealedCredentials | undefined> {
  return (await db.query(find, [key.merchantId, key.mode, key.version]))[0];
}

export async function findNewestCredentials(
  db: Queryable,
  key: { merchantId: string; mode: Mode },
): Promise<SealedCredentials | undefined> {
  return (await db.query(findNewest, [key.merchantId, key.mode]))[0];
}

/** Newest first; several merchants may share one account of the gateway. */
export function listAccountCredentials(db: Queryable, account: string): Promise<SealedCredentials[]> {
  return db.query(listByAccount, [account]);
}

/** Returns the credentials that the merchant entered later under the same account name, newest first. */
export function listNewerCredentials(
  db: Queryable,
  than: { merchantId: string; mode: Mode; version: number; account: string },
): Promise<SealedCredentials[]> {
  return db.query(listNewer, [than.merchantId, than.mode, than.version, than.account]);
}

/** Returns every account name that the merchant has had at the gateway. */
export async function listAccountNames(
  db: Queryable,
  scope: { merchantId: string; mode: Mode },
): Promise<string[]> {
  return (await db.query(listNames, [scope.merchantId, scope.mode])).map(({ account }) => account);
}
