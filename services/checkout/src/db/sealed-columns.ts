import type { SealedColumn } from '@gp/sealed-rows';

/** What checkout stores sealed: the private halves of the keys that sign session tokens. */
export const sealedColumns: readonly SealedColumn[] = [
  {
    table: 'signing_keys',
    key: ['kid'],
    keyId: 'sealed_with',
    bytes: 'sealed',
    identity: ([kid = '']) => kid,
  },
];
