import { AppError, notFound, validationError } from '@gp/errors';
import type {
  PublicKeyCredentialCreationOptionsJSON,
  RegistrationResponseJSON,
  VerifiedRegistrationResponse,
} from '@simplewebauthn/server';
import { insertAudit } from '../../db/audit.ts';
import * as rows from '../../db/passkeys.ts';
import { deleteUserSessions } from '../../db/sessions.ts';
import { findRelyingParty } from '../../domain/relying-party.ts';
import { letters } from '../mail/letters.ts';
import type { WebParts } from '../ports.ts';
import { forRegistration, issueChallenge, takeChallenge } from './passkey-challenges.ts';
import type { Member } from './sessions.ts';

const MOST_PASSKEYS = 20;
const NAME = 'Group Payments';

/** The library takes some 10 MB, so it is loaded when a user first uses a passkey. */
export const loadWebAuthn = () => import('@simplewebauthn/server');

/** Returns a member's own passkeys, the oldest first. */
export function listPasskeys({ db }: Pick<WebParts, 'db'>, { id }: Member): Promise<rows.PasskeyRow[]> {
  return rows.listPasskeys(db, id);
}

/**
 * Begins to add a passkey: returns the options that the browser gives to the device. The device has to keep the key and
 * to verify its user, so that a passkey is two factors by itself.
 */
export function beginPasskey({
  db,
  addresses,
}: WebParts): (member: Member) => Promise<PublicKeyCredentialCreationOptionsJSON> {
  return async (member) => {
    const { id } = findRelyingParty(addresses.dashboard);
    const known = await rows.listPasskeys(db, member.id);
    if (known.length >= MOST_PASSKEYS)
      throw new AppError('conflict', { message: `there are ${MOST_PASSKEYS} passkeys already` });
    const { generateRegistrationOptions } = await loadWebAuthn();
    const options = await generateRegistrationOptions({
      rpName: NAME,
      rpID: id,
      userID: new Uint8Array(Buffer.from(member.id)),
      userName: member.email,
      attestationType: 'none',
      excludeCredentials: known.map(({ credential_id }) => ({ id: credential_id })),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
    await issueChallenge(db, options.challenge, forRegistration(member));
    return options;
  };
}

/** Adds the passkey that a device made for a challenge of this user; the user gets a mail. Returns its id. */
export function addPasskey(
  parts: WebParts,
): (member: Member, o: { name: string; response: RegistrationResponseJSON }) => Promise<string> {
  const write = letters(parts.addresses.dashboard);
  return async (member, { name, response }) => {
    const made = await verifyMade(parts, member, response);
    const { credential, credentialBackedUp: isSynced } = made;
    const id = await parts.db.transaction(async (tx) => {
      const transports = credential.transports ?? [];
      const { id: credentialId, publicKey, counter } = credential;
      const passkey = { userId: member.id, credentialId, publicKey, counter, transports, name, isSynced };
      const added = await rows.insertPasskey(tx, passkey);
      if (added === undefined) throw invalid();
      await deleteUserSessions(tx, member.id, member.sessionId);
      await insertAudit(tx, member, 'user.passkey_added', { name });
      return added;
    });
    parts.mailer?.send(write.loginChanged(member.email, `The passkey "${name}" was added`));
    return id;
  };
}

/** Removes one of a member's own passkeys; the user gets a mail. */
export function removePasskey(parts: WebParts): (member: Member, id: string) => Promise<void> {
  const write = letters(parts.addresses.dashboard);
  return async (member, id) => {
    const name = await parts.db.transaction(async (tx) => {
      const removed = await rows.deletePasskey(tx, member.id, id);
      if (removed === undefined) throw notFound('passkey');
      await insertAudit(tx, member, 'user.passkey_removed', { name: removed });
      return removed;
    });
    parts.mailer?.send(write.loginChanged(member.email, `The passkey "${name}" was removed`));
  };
}

async function verifyMade(
  { db, addresses }: WebParts,
  member: Member,
  response: RegistrationResponseJSON,
): Promise<NonNullable<VerifiedRegistrationResponse['registrationInfo']>> {
  const { id: expectedRPID, origin: expectedOrigin } = findRelyingParty(addresses.dashboard);
  const expectedChallenge = await takeChallenge(
    db,
    response.response.clientDataJSON,
    forRegistration(member),
  );
  if (expectedChallenge === undefined) throw invalid();
  const { verifyRegistrationResponse } = await loadWebAuthn();
  const wanted = { expectedChallenge, expectedOrigin, expectedRPID, requireUserVerification: true };
  // The library throws for everything that it cannot read or that is not as wanted.
  const verified = await verifyRegistrationResponse({ response, ...wanted }).catch(() => undefined);
  if (!verified?.verified) throw invalid();
  return verified.registrationInfo;
}

const invalid = (): AppError => validationError('response', 'is no passkey that was made for this request');
