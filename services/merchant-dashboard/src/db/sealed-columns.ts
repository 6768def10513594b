import type { SealedColumn } from '@gp/sealed-rows';

/** What the dashboard stores sealed: the secrets of users' code generators. */
export const sealedColumns: readonly SealedColumn[] = [
  {
    table: 'second_factors',
    key: ['user_id'],
    keyId: 'secret_key_id',
    bytes: 'secret_sealed',
    identity: ([userId = '']) => userId,
  },
];
