import type { PspCode } from '@gp/gateway-registry';
import type { SealedColumn } from '@gp/sealed-rows';

/** Returns what a row of credentials is sealed with: it opens for no other gateway, merchant, mode or version. */
export const buildSealIdentity = (psp: PspCode, merchantId: string, mode: string, version: number): string =>
  JSON.stringify([psp, merchantId, mode, version]);

/** Lists what an adapter stores sealed. */
export const listSealedColumns = (psp: PspCode): SealedColumn[] => [
  {
    table: 'credentials',
    key: ['merchant_id', 'mode', 'version'],
    keyId: 'key_id',
    bytes: 'sealed',
    identity: ([merchantId = '', mode = '', version]) =>
      buildSealIdentity(psp, merchantId, mode, Number(version)),
  },
];
