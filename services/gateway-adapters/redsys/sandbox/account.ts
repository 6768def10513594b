import { randomBytes, randomInt } from 'node:crypto';
import type { Account } from '@gp/psp-sandbox/kit';

/** A merchant's connection as the dashboard's form wants it: every field a text. */
export type Credentials = { merchant_code: string; terminal: string; secret_key: string };

/** What a terminal does when the payer's browser goes back: as a bank sets it up for the merchant. */
const TERMINALS: Readonly<Record<string, { sendsParameters: boolean }>> = {
  '1': { sendsParameters: true },
  '2': { sendsParameters: false },
};

export const hasTerminal = (terminal: string): boolean => Object.hasOwn(TERMINALS, terminal);
export const sendsParameters = (terminal: string): boolean => TERMINALS[terminal]?.sendsParameters ?? false;

/** A new merchant with a key of 24 bytes; both of his terminals share it. */
export function newAccount(): Account & { authenticatesWith: readonly string[] } {
  return {
    gateway: 'gateway_c',
    account: String(randomInt(100_000_000, 1_000_000_000)),
    publicIds: {},
    secrets: { secret_key: randomBytes(24).toString('base64') },
    // Nobody logs in with the key: it signs.
    authenticatesWith: [],
  };
}

export function listCredentials({ account, secrets }: Account): Credentials {
  return { merchant_code: account, terminal: '1', secret_key: secrets['secret_key'] ?? '' };
}
