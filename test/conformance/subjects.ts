import type { PspCode } from '@gp/contracts';
import { browserPayer, confirmingPayer, type Payer } from './payers.ts';

/** Where the played gateways are reached. */
export type SandboxAddresses = { readonly main: string; readonly gatewayA: string; readonly relay: string };

/** What the suite must know of a gateway. */
export type Subject = {
  readonly psp: PspCode;
  readonly folder: string;
  /** Who authorises: the payer's browser, or the adapter with the card it is given. */
  readonly authorisesFrom: 'browser' | 'server';
  readonly payer: Payer;
  /** The adapter's own settings. */
  readonly env: (sandbox: SandboxAddresses) => Readonly<Record<string, string>>;
  /** Which credential names the account, and which one is checked by the gateway. */
  readonly credentials: {
    readonly account: string;
    readonly key: string;
    readonly secrets: readonly string[];
  };
};

export const gatewayA: Subject = {
  psp: 'gateway_a',
  folder: 'services/gateway-adapters/gateway-a',
  authorisesFrom: 'browser',
  payer: browserPayer,
  env: (sandbox) => ({ GATEWAY_TEST_URL: sandbox.gatewayA }),
  credentials: { account: 'account_id', key: 'secret_key', secrets: ['secret_key', 'webhook_secret'] },
};

export const gatewayB: Subject = {
  psp: 'gateway_b',
  folder: 'services/gateway-adapters/gateway-b',
  authorisesFrom: 'server',
  payer: confirmingPayer,
  env: (sandbox) => ({
    GATEWAY_TEST_URL: `${sandbox.main}/gateway_b/processor`,
    RELAY_TEST_URL: sandbox.relay,
  }),
  credentials: {
    account: 'processing_channel_id',
    key: 'processor_secret_key',
    secrets: ['relay_api_key', 'processor_secret_key', 'webhook_secret'],
  },
};
