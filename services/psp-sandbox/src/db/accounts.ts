import type { PspCode } from '@gp/gateway-registry';
import { statement, type Queryable } from '@gp/pg';
import type { Sealed } from '@gp/seal';

/** An account as stored: its public fields, and its secrets encrypted. */
export type AccountRow = {
  gateway: PspCode;
  account: string;
  name: string;
  public_ids: Record<string, string>;
  key_id: string;
  sealed_secrets: Buffer;
  webhook_url: string | null;
  display_name: string | null;
};

export type NewAccount = AccountRow & { secretHashes: readonly string[] };

// A second request under the same name returns the first account; only what is shown and called is updated.
const upsert = statement<AccountRow>(
  'upsert-account',
  `insert into accounts as a
     (gateway, account, name, public_ids, key_id, sealed_secrets, secret_hashes, webhook_url, display_name)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
   on conflict on constraint account_names_are_unique
     do update set webhook_url = coalesce(excluded.webhook_url, a.webhook_url),
       display_name = coalesce(excluded.display_name, a.display_name)
   returning gateway, account, name, public_ids, key_id, sealed_secrets, webhook_url, display_name`,
);

const find = statement<AccountRow>(
  'find-account',
  `select gateway, account, name, public_ids, key_id, sealed_secrets, webhook_url, display_name from accounts
    where gateway = $1 and account = $2`,
);

// Index accounts_by_secret.
const findBySecret = statement<AccountRow>(
  'find-account-by-secret',
  `select gateway, account, name, public_ids, key_id, sealed_secrets, webhook_url, display_name from accounts
    where gateway = $1 and secret_hashes @> array[$2]`,
);

const findByPublicId = statement<AccountRow>(
  'find-account-by-public-id',
  `select gateway, account, name, public_ids, key_id, sealed_secrets, webhook_url, display_name from accounts
    where gateway = $1 and public_ids @> $2`,
);

const setEndpoint = statement(
  'set-webhook-endpoint',
  `insert into webhook_endpoints (gateway, url, key_id, sealed_secret) values ($1, $2, $3, $4)
   on conflict (gateway) do update
     set url = excluded.url, key_id = excluded.key_id, sealed_secret = excluded.sealed_secret`,
);

const findEndpoint = statement<{ url: string; key_id: string; sealed_secret: Buffer }>(
  'find-webhook-endpoint',
  'select url, key_id, sealed_secret from webhook_endpoints where gateway = $1',
);

export async function upsertAccount(q: Queryable, a: NewAccount): Promise<AccountRow> {
  const values = [
    a.gateway,
    a.account,
    a.name,
    a.public_ids,
    a.key_id,
    a.sealed_secrets,
    a.secretHashes,
    a.webhook_url,
    a.display_name,
  ];
  const [row] = await q.query(upsert, values);
  if (row === undefined) throw new Error('an upsert returned no row');
  return row;
}

export async function findAccount(
  q: Queryable,
  gateway: PspCode,
  account: string,
): Promise<AccountRow | undefined> {
  return (await q.query(find, [gateway, account]))[0];
}

export async function findAccountBySecret(
  q: Queryable,
  gateway: PspCode,
  secretHash: string,
): Promise<AccountRow | undefined> {
  return (await q.query(findBySecret, [gateway, secretHash]))[0];
}

export async function findAccountByPublicId(
  q: Queryable,
  gateway: PspCode,
  ids: Record<string, string>,
): Promise<AccountRow | undefined> {
  return (await q.query(findByPublicId, [gateway, ids]))[0];
}

export async function upsertEndpoint(
  q: Queryable,
  gateway: PspCode,
  url: string,
  secret: Sealed,
): Promise<void> {
  await q.query(setEndpoint, [gateway, url, secret.keyId, secret.bytes]);
}

export async function findWebhookEndpoint(q: Queryable, gateway: PspCode) {
  return (await q.query(findEndpoint, [gateway]))[0];
}
