import { AppError } from '@gp/errors';
import { clientNetwork } from '@gp/http';
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';
import { insertAudit } from '../../db/audit.ts';
import * as rows from '../../db/passkeys.ts';
import { findRelyingParty } from '../../domain/relying-party.ts';
import type { WebParts } from '../ports.ts';
import { completeLogin, type From, type LoggedIn } from './log-in.ts';
import { issueChallenge, takeChallenge } from './passkey-challenges.ts';
import { loadWebAuthn } from './passkeys.ts';
import { countTry } from './tries.ts';

/**
 * Begins a login by passkey: returns the options that the browser gives to devices, which name no user. `rate_limited`
 * after too many from one network.
 */
export function beginPasskeyLogin({
  db,
  limits,
  addresses,
}: WebParts): (address: string) => Promise<PublicKeyCredentialRequestOptionsJSON> {
  return async (address) => {
    const { id: rpID } = findRelyingParty(addresses.dashboard);
    await countTry(db, { what: 'passkey', of: clientNetwork(address), limit: limits.perAddress });
    const { generateAuthenticationOptions } = await loadWebAuthn();
    const options = await generateAuthenticationOptions({ rpID, userVerification: 'required' });
    await issueChallenge(db, options.challenge, null);
    return options;
  };
}

/**
 * Logs in the user of a passkey whose device has verified its user: no password and no code is needed beside it. Throws
 * the same `unauthorized` for a passkey that is unknown, an answer that is wrong or was used, and a count that does not
 * grow, which a copy of the device would send; the last is in the audit log.
 */
export function logInByPasskey(
  parts: WebParts,
): (response: AuthenticationResponseJSON, from: From) => Promise<LoggedIn> {
  const complete = completeLogin(parts);
  return async (response, from) => {
    const known = await rows.findPasskey(parts.db, response.id);
    if (!known) throw refused();
    const counter = await verifyCounter(parts, known, response);
    if (!(await rows.usePasskey(parts.db, known.id, counter))) {
      const actor = { merchantId: known.user.merchantId, name: known.user.email };
      await insertAudit(parts.db, actor, 'user.passkey_refused', { passkey_id: known.id, counter });
      throw refused();
    }
    return complete(known.user, from);
  };
}

/** Returns the count of the device that signed. The database compares it, so that of two equal ones one is refused. */
async function verifyCounter(
  { db, addresses }: WebParts,
  { publicKey }: rows.KnownPasskey,
  response: AuthenticationResponseJSON,
): Promise<number> {
  const { id: expectedRPID, origin: expectedOrigin } = findRelyingParty(addresses.dashboard);
  const expectedChallenge = await takeChallenge(db, response.response.clientDataJSON, null);
  if (expectedChallenge === undefined) throw refused();
  const { verifyAuthenticationResponse } = await loadWebAuthn();
  const wanted = { expectedChallenge, expectedOrigin, expectedRPID, requireUserVerification: true };
  const credential = { id: response.id, publicKey: new Uint8Array(publicKey), counter: 0 };
  const verified = await verifyAuthenticationResponse({ response, credential, ...wanted }).catch(
    () => undefined,
  );
  if (!verified?.verified) throw refused();
  return verified.authenticationInfo.newCounter;
}

const refused = (): AppError => new AppError('unauthorized', { message: 'this passkey was not accepted' });
