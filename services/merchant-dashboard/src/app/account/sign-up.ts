import { clientNetwork } from '@gp/http';
import { insertSignUp, takeSignUp } from '../../db/mailed.ts';
import { findUserByEmail } from '../../db/users.ts';
import { normalEmail, storeMerchant } from './create-merchant.ts';
import type { NewMerchant } from '../input/input.ts';
import { letters } from '../mail/letters.ts';
import { requireMailer } from '../mail/mail.ts';
import type { WebParts } from '../ports.ts';
import { followLink, staleLink } from './links.ts';
import { hashSecret, newSecret } from './secrets.ts';
import { countTry } from './tries.ts';

/**
 * Sends a link that finishes a sign-up. An address that has an account causes the same work and the same response:
 * the account's owner gets a mail about it, and the client gets the same response. Rejects with `rate_limited`.
 */
export function signUp(parts: WebParts): (o: NewMerchant, address: string) => Promise<void> {
  const { db, limits, passwords } = parts;
  const write = letters(parts.addresses.dashboard);
  return async (o, address) => {
    const mailer = requireMailer(parts);
    const email = normalEmail(o.email);
    const merchantName = o.merchant_name.trim();
    const network = clientNetwork(address);
    await countTry(db, { what: 'address', of: network, limit: limits.perAddress });
    await countTry(db, { what: 'mailbox', of: email, limit: limits.perMailbox });
    const password_hash = await passwords.hash(o.password, [email, merchantName], network);
    const { secret, hash } = newSecret();
    await insertSignUp(db, hash, { merchant_name: merchantName, email, password_hash });
    const known = await findUserByEmail(db, email);
    mailer.send(known ? write.alreadySignedUp(email) : write.signUp(email, { secret }));
  };
}

/**
 * Creates the merchant of the owner who followed the link; `unauthorized` for a link that was used or is too old.
 */
export function confirmSignUp(
  parts: WebParts,
): (secret: string, address: string) => Promise<{ merchantId: string; userId: string; email: string }> {
  const confirm = (secret: string) =>
    storeMerchant(parts.db, async (tx) => {
      const wanted = await takeSignUp(tx, hashSecret(secret));
      if (!wanted) throw staleLink();
      const { merchant_name: name, email, password_hash: passwordHash } = wanted;
      return { name, email, passwordHash };
    });
  return (secret, address) => followLink(parts, address, () => confirm(secret));
}
