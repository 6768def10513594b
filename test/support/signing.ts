import { generateKeyPairSync, randomBytes, randomUUID, sign } from 'node:crypto';
import { SESSION_TOKEN, type SessionClaims } from '@gp/contracts';
import { askDatabase } from './ledger.ts';
import type { StackFile } from './stack.ts';

export type Signer = (claims: Omit<SessionClaims, 'jti'>, expiresInSeconds: number) => string;

/**
 * Publishes a signing key of our own among those of checkout, and signs session tokens with it: for tokens that checkout
 * does not issue, such as one that has ended. It is older than every other key, so checkout itself never signs with it.
 */
export async function openSigner(stack: StackFile): Promise<Signer> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const kid = `test_${randomUUID()}`;
  await askDatabase(
    stack,
    'checkout',
    `insert into signing_keys (kid, mode, x, sealed, sealed_with, signs_from)
     values ($1, 'test', $2, $3, 'nobody', now() - interval '1 day')`,
    [kid, publicKey.export({ format: 'jwk' }).x, randomBytes(32)],
  );
  const { alg, typ, iss, aud } = SESSION_TOKEN;
  return (claims, expiresInSeconds) => {
    const exp = Math.floor(Date.now() / 1_000) + expiresInSeconds;
    const payload = { ...claims, jti: randomUUID(), iss, aud, iat: exp - 1_800, exp };
    const text = [{ alg, typ, kid }, payload].map(encoded).join('.');
    return `${text}.${sign(null, Buffer.from(text), privateKey).toString('base64url')}`;
  };
}

const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');
