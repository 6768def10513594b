import { AppError, validationError } from '@gp/errors';
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';
import { listPasskeys } from '../../db/passkeys.ts';
import { findRelyingParty } from '../../domain/relying-party.ts';
import type { WebParts } from '../ports.ts';
import { acceptAnswer } from './passkey-answers.ts';
import { forProof, issueChallenge } from './passkey-challenges.ts';
import { loadWebAuthn } from './passkeys.ts';
import { nameSessionCounter } from './second-factor.ts';
import { recordProof, type Member } from './sessions.ts';
import { countTry } from './tries.ts';

/**
 * Begins to prove a member's identity again: returns the options for the browser, which name the member's passkeys.
 * `conflict` for a member without one, `rate_limited` after too many of one session.
 */
export function beginPasskeyProof({
  db,
  limits,
  addresses,
}: WebParts): (member: Member) => Promise<PublicKeyCredentialRequestOptionsJSON> {
  return async (member) => {
    const { id: rpID } = findRelyingParty(addresses.dashboard);
    const passkeys = await listPasskeys(db, member.id);
    if (passkeys.length === 0) throw new AppError('conflict', { message: 'you have no passkey' });
    await countTry(db, { what: 'passkey', of: nameSessionCounter(member), limit: limits.perAddress });
    const { generateAuthenticationOptions } = await loadWebAuthn();
    const allowCredentials = passkeys.map(({ credential_id }) => ({ id: credential_id }));
    const options = await generateAuthenticationOptions({
      rpID,
      allowCredentials,
      userVerification: 'required',
    });
    await issueChallenge(db, options.challenge, forProof(member));
    return options;
  };
}

/**
 * Proves a member's identity by a passkey of the member, whose device signed a challenge of this session; returns the
 * instant until which the proof is valid. `validation_error` for every answer that is not accepted.
 */
export function proveByPasskey(
  parts: WebParts,
): (member: Member, response: AuthenticationResponseJSON) => Promise<Date> {
  return async (member, response) => {
    if (!(await acceptAnswer(parts, response, forProof(member))))
      throw validationError('response', 'is of no passkey that confirms this session');
    return recordProof(parts.db, member);
  };
}
