import { createHmac, createSecretKey } from 'node:crypto';
import { clientNetwork } from '@gp/http';
import type { Caller } from '../callers/caller.ts';

/**
 * Returns a function that names the client behind an address without keeping the address: by the HMAC of its
 * network, the same in every replica. Only a payer's browser is a client; a secret key is used by the merchant's
 * server, whose one address stands for all of its payers.
 */
export function createClientNamer(secret: string): (address: string, caller: Caller) => string | undefined {
  const name = createNamer(secret);
  return (address, { kind }) => (kind === 'secret_key' ? undefined : name(clientNetwork(address)));
}

/** Returns a function that names a payer of a group, by the HMAC of group and e-mail address. */
export function createPayerNamer(secret: string): (groupId: string, email: string) => string {
  const name = createNamer(secret);
  return (groupId, email) => name(`${groupId} ${email.trim().toLowerCase()}`);
}

function createNamer(secret: string): (text: string) => string {
  const key = createSecretKey(secret, 'base64');
  return (text) => createHmac('sha256', key).update(text).digest('base64url').slice(0, 22);
}
