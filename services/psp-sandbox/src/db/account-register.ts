import type { Queryable } from '@gp/pg';
import type { Account, Accounts } from '../app/ports.ts';
import { secretHash, type Seal } from '../app/secrets.ts';
import {
  findAccount,
  findAccountByPublicId,
  findAccountBySecret,
  findWebhookEndpoint,
  upsertAccount,
  upsertEndpoint,
  type AccountRow,
} from './accounts.ts';

/** The register of accounts in Postgres; secrets are sealed on their way in. */
export function accountRegister(db: Queryable, { seal, open }: Seal): Accounts {
  const accountOf = (row: AccountRow): Account => ({
    gateway: row.gateway,
    account: row.account,
    publicIds: row.public_ids,
    secrets: JSON.parse(open(row.sealed_secrets)) as Record<string, string>,
  });
  return {
    async open(fresh, name, webhookUrl) {
      const row = await upsertAccount(db, {
        gateway: fresh.gateway,
        account: fresh.account,
        name,
        public_ids: { ...fresh.publicIds },
        sealed_secrets: seal(JSON.stringify(fresh.secrets)),
        secretHashes: fresh.authenticatesWith.map(secretHash),
        webhook_url: webhookUrl,
      });
      return accountOf(row);
    },
    async find(gateway, account) {
      const row = await findAccount(db, gateway, account);
      return row && accountOf(row);
    },
    async findBySecret(gateway, secret) {
      const row = await findAccountBySecret(db, gateway, secretHash(secret));
      return row && accountOf(row);
    },
    async findByPublicIds(gateway, ids) {
      const row = await findAccountByPublicId(db, gateway, { ...ids });
      return row && accountOf(row);
    },
    setEndpoint: (gateway, endpoint) => upsertEndpoint(db, gateway, endpoint.url, seal(endpoint.secret)),
    async endpointOf(gateway, account) {
      const own = await findAccount(db, gateway, account);
      const secret = own && accountOf(own).secrets['webhook_secret'];
      if (own?.webhook_url && secret) return { url: own.webhook_url, secret };
      const shared = await findWebhookEndpoint(db, gateway);
      return shared && { url: shared.url, secret: open(shared.sealed_secret) };
    },
  };
}
