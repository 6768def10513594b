import { randomBytes, randomInt } from 'node:crypto';
import type { Account } from '@gp/psp-sandbox/kit';

/** A merchant's connection in the format of the dashboard's form: every field is a text. */
export type Credentials = { merchant_code: string; terminal: string; secret_key: string };

/** The behaviour of a terminal when the payer's browser returns, as a bank configures it for the merchant. */
const TERMINALS: Readonly<Record<string, { sendsParameters: boolean }>> = {
  '1': { sendsParameters: true },
  '2': { sendsParameters: false },
};

export const hasTerminal = (terminal: string): boolean => Object.hasOwn(TERMINALS, terminal);
export const sendsParameters = (terminal: string): boolean => TERMINALS[terminal]?.sendsParameters ?? false;

/** Creates a merchant with a key of 24 bytes, which both of the merchant's terminals share. */
export function newAccount(): Account & { authenticatesWith: readonly string[] } {
  return {
    gateway: 'gateway_c',
    account: String(randomInt(100_000_000, 1_000_000_000)),
    publicIds: {},
    secrets: { secret_key: randomBytes(24).toString('base64') },
    // The key does not authenticate requests: it signs.
    authenticatesWith: [],
  };
}

export function listCredentials({ account, secrets }: Account): Credentials {
  return { merchant_code: account, terminal: '1', secret_key: secrets['secret_key'] ?? '' };
}
