import type { PspCode } from '@gp/contracts';
import { browserPayer, confirmingPayer, leavingPayer, type Payer } from './payers.ts';

/** Where the played gateways are reached. */
export type SandboxAddresses = { readonly main: string; readonly gatewayA: string; readonly relay: string };

/** What the suite must know of a gateway. */
export type Subject = {
  readonly psp: PspCode;
  readonly folder: string;
  /** Who authorises: the payer's browser, or the adapter with the card it is given. */
  readonly authorisesFrom: 'browser' | 'server';
  readonly payer: Payer;
  /** The call of ours that a payment begins with, and that an open breaker refuses; null where there is none. */
  readonly begins: 'prepare' | 'authorise' | null;
  /** What is no call of ours at this gateway, or nothing it can do. */
  readonly lacks: readonly Lack[];
  /** The adapter's own settings. */
  readonly env: (sandbox: SandboxAddresses) => Readonly<Record<string, string>>;
  /** Which credential names the account, and which one is checked by the gateway. */
  readonly credentials: {
    readonly account: string;
    readonly key: string;
    /** Another key that could be one. */
    readonly spoil: (key: string) => string;
    /** Whether a key tells which mode it is for. */
    readonly isModeVisible: boolean;
    readonly secrets: readonly string[];
  };
};

/**
 * `refunds`: none through its API. `later`: it does at once whatever it accepts. `word of lapses`, `word of disputes`:
 * nobody is told of those, so a hold that died is found by asking.
 */
export type Lack = 'refunds' | 'later' | 'word of lapses' | 'word of disputes';

const longer = (key: string): string => `${key}x`;

export const gatewayA: Subject = {
  psp: 'gateway_a',
  folder: 'services/gateway-adapters/stripe',
  authorisesFrom: 'browser',
  payer: browserPayer,
  begins: 'prepare',
  lacks: [],
  env: (sandbox) => ({ GATEWAY_TEST_URL: sandbox.gatewayA }),
  credentials: {
    account: 'account_id',
    key: 'secret_key',
    spoil: longer,
    isModeVisible: true,
    secrets: ['secret_key', 'webhook_secret'],
  },
};

export const gatewayB: Subject = {
  psp: 'gateway_b',
  folder: 'services/gateway-adapters/checkout-com',
  authorisesFrom: 'server',
  payer: confirmingPayer,
  begins: 'authorise',
  lacks: [],
  env: (sandbox) => ({
    GATEWAY_TEST_URL: `${sandbox.main}/gateway_b/processor`,
    RELAY_TEST_URL: sandbox.relay,
  }),
  credentials: {
    account: 'processing_channel_id',
    key: 'processor_secret_key',
    spoil: longer,
    isModeVisible: true,
    secrets: ['relay_api_key', 'processor_secret_key', 'webhook_secret'],
  },
};

export const gatewayC: Subject = {
  psp: 'gateway_c',
  folder: 'services/gateway-adapters/redsys',
  authorisesFrom: 'browser',
  payer: leavingPayer,
  begins: null,
  lacks: ['refunds', 'later', 'word of lapses', 'word of disputes'],
  env: (sandbox) => ({ GATEWAY_TEST_URL: `${sandbox.main}/gateway_c/sis` }),
  credentials: {
    account: 'merchant_code',
    key: 'secret_key',
    spoil: (key) => key.split('').reverse().join(''),
    isModeVisible: false,
    secrets: ['secret_key'],
  },
};
