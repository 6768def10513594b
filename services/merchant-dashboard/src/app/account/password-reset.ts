import { clientNetwork } from '@gp/http';
import { insertAudit } from '../../db/audit.ts';
import { findReset, insertReset, takeReset } from '../../db/mailed.ts';
import { deleteDevices } from '../../db/devices.ts';
import { deleteUserSessions } from '../../db/sessions.ts';
import { findUserByEmail, updatePassword } from '../../db/users.ts';
import { normalEmail } from './create-merchant.ts';
import { letters } from '../mail/letters.ts';
import { requireMailer } from '../mail/mail.ts';
import type { WebParts } from '../ports.ts';
import { followLink, staleLink } from './links.ts';
import { hashSecret, newSecret } from './secrets.ts';
import { countTry } from './tries.ts';

/**
 * Sends a link to choose a new password. An address without an account causes the same work and the same response.
 */
export function askPasswordReset(parts: WebParts): (email: string, address: string) => Promise<void> {
  const { db, limits } = parts;
  const write = letters(parts.addresses.dashboard);
  return async (entered, address) => {
    const mailer = requireMailer(parts);
    const email = normalEmail(entered);
    await countTry(db, { what: 'address', of: clientNetwork(address), limit: limits.perAddress });
    await countTry(db, { what: 'mailbox', of: email, limit: limits.perMailbox });
    const { secret, hash } = newSecret();
    await insertReset(db, hash, email);
    if (await findUserByEmail(db, email)) mailer.send(write.passwordReset(email, { secret }));
  };
}

/**
 * Sets the password of the user who followed the link, ends all of the user's sessions and deletes the known devices. A
 * second factor stays: an intruder who reads the user's mail has only one of the two factors. The password sent with an
 * unknown link is not hashed.
 */
export function resetPassword(
  parts: WebParts,
): (o: { secret: string; password: string }, address: string) => Promise<void> {
  const write = letters(parts.addresses.dashboard);
  const reset = async (secret: string, password: string, address: string) => {
    const found = await findReset(parts.db, hashSecret(secret));
    if (!found) throw staleLink();
    const passwordHash = await parts.passwords.hash(password, [found.email], clientNetwork(address));
    const email = await parts.db.transaction(async (tx) => {
      const user = await takeReset(tx, hashSecret(secret));
      if (!user) throw staleLink();
      await updatePassword(tx, user.user_id, passwordHash);
      await deleteUserSessions(tx, user.user_id, null);
      await deleteDevices(tx, user.user_id);
      const actor = { merchantId: user.merchant_id, name: user.email };
      await insertAudit(tx, actor, 'user.password_reset', {});
      return user.email;
    });
    parts.mailer?.send(write.passwordChanged(email));
  };
  return ({ secret, password }, address) =>
    followLink(parts, address, () => reset(secret, password, address));
}
