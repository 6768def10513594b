import type { SealedColumn } from '@gp/sealed-rows';

/** What the dashboard stores sealed: the secrets of users' code generators, and mails on their way. */
export const sealedColumns: readonly SealedColumn[] = [
  {
    table: 'second_factors',
    key: ['user_id'],
    keyId: 'secret_key_id',
    bytes: 'secret_sealed',
    identity: ([userId = '']) => userId,
  },
  {
    table: 'mails',
    key: ['id'],
    keyId: 'message_key_id',
    bytes: 'message_sealed',
    identity: ([id = '']) => id,
  },
];
