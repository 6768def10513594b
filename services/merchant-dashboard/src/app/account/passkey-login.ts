import { AppError } from '@gp/errors';
import { clientNetwork } from '@gp/http';
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';
import { findRelyingParty } from '../../domain/relying-party.ts';
import type { WebParts } from '../ports.ts';
import { completeLogin, type From, type LoggedIn } from './log-in.ts';
import { acceptAnswer } from './passkey-answers.ts';
import { forLogin, issueChallenge } from './passkey-challenges.ts';
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
    await issueChallenge(db, options.challenge, forLogin);
    return options;
  };
}

/**
 * Logs in the user of a passkey: no password and no code is needed beside it. Throws the same `unauthorized` for every
 * answer that is not accepted.
 */
export function logInByPasskey(
  parts: WebParts,
): (response: AuthenticationResponseJSON, from: From) => Promise<LoggedIn> {
  const complete = completeLogin(parts);
  return async (response, from) => {
    const used = await acceptAnswer(parts, response, forLogin);
    if (!used) throw new AppError('unauthorized', { message: 'this passkey was not accepted' });
    return complete(used.user, from);
  };
}
