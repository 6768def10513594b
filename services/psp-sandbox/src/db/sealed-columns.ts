import type { SealedColumn } from '@gp/sealed-rows';

export const accountIdentity = (gateway: string, account: string): string =>
  JSON.stringify(['accounts', gateway, account]);
export const endpointIdentity = (gateway: string): string => JSON.stringify(['webhook_endpoints', gateway]);

/** What the sandbox stores sealed: the secrets of its accounts and of the gateways' own webhook endpoints. */
export const sealedColumns: readonly SealedColumn[] = [
  {
    table: 'accounts',
    key: ['gateway', 'account'],
    keyId: 'key_id',
    bytes: 'sealed_secrets',
    identity: ([gateway = '', account = '']) => accountIdentity(gateway, account),
  },
  {
    table: 'webhook_endpoints',
    key: ['gateway'],
    keyId: 'key_id',
    bytes: 'sealed_secret',
    identity: ([gateway = '']) => endpointIdentity(gateway),
  },
];
