import type { SealedColumn } from '@gp/sealed-rows';

/** The row a sealed secret belongs to. */
export const endpointIdentity = (endpointId: string): string => `webhooks.endpoints/${endpointId}/secret`;

const secret = { keyId: 'secret_key_id', bytes: 'secret_sealed' };
const identity = ([endpointId = '']: readonly string[]): string => endpointIdentity(endpointId);

/** What the dispatcher stores sealed: secrets in use, and rolled ones that still sign. */
export const sealedColumns: readonly SealedColumn[] = [
  { table: 'endpoints', key: ['id'], ...secret, identity },
  { table: 'retired_secrets', key: ['endpoint_id', 'retired_at'], ...secret, identity },
];
