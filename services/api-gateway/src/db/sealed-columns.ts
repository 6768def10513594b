import type { SealedColumn } from '@gp/sealed-rows';

/** What the edge stores sealed: the responses under idempotency keys, each bound to its command's id in hex. */
export const sealedColumns: readonly SealedColumn[] = [
  {
    table: 'idempotency_keys',
    key: ['command_id'],
    keyId: 'sealed_with',
    bytes: 'response',
    identity: ([commandId = '']) => commandId.replace(/^\\x/, ''),
  },
];
