import type { Queryable } from '@gp/pg';
import type { Seal } from '@gp/seal';
import type { Account, Accounts } from '../app/ports.ts';
import { secretHash } from '../app/secrets.ts';
import {
  findAccount,
  findAccountByPublicId,
  findAccountBySecret,
  findWebhookEndpoint,
  upsertAccount,
  upsertEndpoint,
  type AccountRow,
} from './accounts.ts';
import { accountIdentity, endpointIdentity } from './sealed-columns.ts';

/** Returns the register of accounts in Postgres; secrets are encrypted before they are stored. */
export function accountRegister(db: Queryable, seal: Seal): Accounts {
  const openSecrets = (row: AccountRow): Record<string, string> => {
    const sealed = { keyId: row.key_id, bytes: row.sealed_secrets };
    const text = seal.open(sealed, accountIdentity(row.gateway, row.account));
    return JSON.parse(text) as Record<string, string>;
  };
  const toAccount = (row: AccountRow): Account => ({
    gateway: row.gateway,
    account: row.account,
    publicIds: row.public_ids,
    secrets: openSecrets(row),
    ...(row.display_name !== null && { displayName: row.display_name }),
  });
  return {
    async open(fresh, { name, displayName, webhookUrl }) {
      const { gateway, account } = fresh;
      const { keyId, bytes } = seal.seal(JSON.stringify(fresh.secrets), accountIdentity(gateway, account));
      const row = await upsertAccount(db, {
        gateway,
        account,
        name,
        public_ids: { ...fresh.publicIds },
        key_id: keyId,
        sealed_secrets: bytes,
        secretHashes: fresh.authenticatesWith.map(secretHash),
        webhook_url: webhookUrl,
        display_name: displayName,
      });
      return toAccount(row);
    },
    async find(gateway, account) {
      const row = await findAccount(db, gateway, account);
      return row && toAccount(row);
    },
    async findBySecret(gateway, secret) {
      const row = await findAccountBySecret(db, gateway, secretHash(secret));
      return row && toAccount(row);
    },
    async findByPublicIds(gateway, ids) {
      const row = await findAccountByPublicId(db, gateway, { ...ids });
      return row && toAccount(row);
    },
    setEndpoint: (gateway, { url, secret }) =>
      upsertEndpoint(db, gateway, url, seal.seal(secret, endpointIdentity(gateway))),
    async findEndpoint(gateway, account) {
      const own = await findAccount(db, gateway, account);
      const secret = own && toAccount(own).secrets['webhook_secret'];
      if (own?.webhook_url && secret) return { url: own.webhook_url, secret };
      const shared = await findWebhookEndpoint(db, gateway);
      if (shared === undefined) return undefined;
      const sealed = { keyId: shared.key_id, bytes: shared.sealed_secret };
      return { url: shared.url, secret: seal.open(sealed, endpointIdentity(gateway)) };
    },
  };
}
