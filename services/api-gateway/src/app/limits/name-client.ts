import { createHmac } from 'node:crypto';
import { clientNetwork } from '../../domain/client-network.ts';
import type { Caller } from '../callers/caller.ts';

/**
 * Returns a function that names the client behind an address without keeping the address: by the HMAC of its
 * network, the same in every replica. Only a payer's browser is a client; a secret key is used by the merchant's
 * server, whose one address stands for all of its payers.
 */
export function createClientNamer(secret: string): (address: string, caller: Caller) => string | undefined {
  const key = Buffer.from(secret, 'base64');
  return (address, { kind }) => {
    if (kind === 'secret_key') return undefined;
    const digest = createHmac('sha256', key).update(clientNetwork(address)).digest('base64url');
    return digest.slice(0, 22);
  };
}
