import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import { insertAudit } from '../../db/audit.ts';
import * as rows from '../../db/passkeys.ts';
import { findRelyingParty } from '../../domain/relying-party.ts';
import type { WebParts } from '../ports.ts';
import { takeChallenge } from './passkey-challenges.ts';
import { loadWebAuthn } from './passkeys.ts';

/**
 * Uses up the challenge that a device signed, and returns the passkey whose device has verified its user. Returns
 * undefined for a passkey that is unknown or of another user than the holder, for an answer that is wrong or was used,
 * and for a count that does not grow, which a copy of the device would send; the last is in the audit log.
 */
export async function acceptAnswer(
  parts: WebParts,
  response: AuthenticationResponseJSON,
  holder: rows.ChallengeHolder,
): Promise<rows.KnownPasskey | undefined> {
  const known = await rows.findPasskey(parts.db, response.id);
  if (!known || (holder.userId !== null && holder.userId !== known.user.id)) return undefined;
  const counter = await verifyCounter(parts, known, { response, holder });
  if (counter === undefined) return undefined;
  // The database compares the counts, so that of two equal ones one is refused.
  if (await rows.usePasskey(parts.db, known.id, counter)) return known;
  const actor = { merchantId: known.user.merchantId, name: known.user.email };
  await insertAudit(parts.db, actor, 'user.passkey_refused', { passkey_id: known.id, counter });
  return undefined;
}

/** Returns the count of the device that signed; undefined when the answer is not accepted. */
async function verifyCounter(
  { db, addresses }: WebParts,
  { publicKey }: rows.KnownPasskey,
  { response, holder }: { response: AuthenticationResponseJSON; holder: rows.ChallengeHolder },
): Promise<number | undefined> {
  const { id: expectedRPID, origin: expectedOrigin } = findRelyingParty(addresses.dashboard);
  const expectedChallenge = await takeChallenge(db, response.response.clientDataJSON, holder);
  if (expectedChallenge === undefined) return undefined;
  const { verifyAuthenticationResponse } = await loadWebAuthn();
  const wanted = { expectedChallenge, expectedOrigin, expectedRPID, requireUserVerification: true };
  const credential = { id: response.id, publicKey: new Uint8Array(publicKey), counter: 0 };
  // The library throws for everything that it cannot read or that is not as wanted.
  const verified = await verifyAuthenticationResponse({ response, credential, ...wanted }).catch(
    () => undefined,
  );
  return verified?.verified ? verified.authenticationInfo.newCounter : undefined;
}
