import type { PspCode } from '../../../../src/http/api.ts';

/** What a merchant enters for a gateway, under the name its adapter knows. */
export type Field = { readonly name: string; readonly label: string; readonly isSecret: boolean };

export type GatewayKind = {
  readonly psp: PspCode;
  readonly name: string;
  /** What it is like, for who has to choose. */
  readonly about: string;
  readonly fields: readonly Field[];
};

const shown = (name: string, label: string): Field => ({ name, label, isSecret: false });
const hidden = (name: string, label: string): Field => ({ name, label, isSecret: true });

/** The gateways one can connect. Secrets are written and never read again. */
export const GATEWAYS: readonly GatewayKind[] = [
  {
    psp: 'gateway_a',
    name: 'Gateway A',
    about: 'Card form on our page, 3-D Secure in place, refunds from here.',
    fields: [
      shown('account_id', 'Account id'),
      shown('publishable_key', 'Publishable key'),
      hidden('secret_key', 'Secret key'),
      hidden('webhook_secret', 'Webhook signing secret'),
    ],
  },
  {
    psp: 'gateway_b',
    name: 'Gateway B',
    about: 'Encrypted card field on our page, refunds from here.',
    fields: [
      shown('team_id', 'Team id'),
      shown('app_id', 'App id'),
      hidden('relay_api_key', 'Relay API key'),
      hidden('processor_secret_key', 'Processor secret key'),
      shown('processing_channel_id', 'Processing channel id'),
      hidden('webhook_secret', 'Webhook signing secret'),
    ],
  },
  {
    psp: 'gateway_c',
    name: 'Gateway C',
    about: 'Payers go to the bank’s own page. Refunds are made at the bank.',
    fields: [
      shown('merchant_code', 'Merchant code'),
      shown('terminal', 'Terminal'),
      hidden('secret_key', 'Secret key'),
      shown('return_url', 'Return address'),
      shown('signature_version', 'Signature version'),
    ],
  },
];
