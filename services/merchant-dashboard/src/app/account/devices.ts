import * as rows from '../../db/devices.ts';
import type { User } from '../../db/users.ts';
import { letters } from '../mail/letters.ts';
import type { WebParts } from '../ports.ts';
import { hashSecret, newSecret } from './secrets.ts';
import type { Place } from './sessions.ts';

/**
 * Returns a name for the counters of a device on which the user with this e-mail has logged in before; undefined
 * for any other device.
 */
export async function findDeviceCounter(
  { db }: Pick<WebParts, 'db'>,
  email: string,
  device: string | undefined,
): Promise<string | undefined> {
  if (device === undefined) return undefined;
  const hash = hashSecret(device);
  return (await rows.isDeviceOf(db, hash, email)) ? `${hash.toString('hex')} ${email}` : undefined;
}

type Known = Pick<User, 'id' | 'email'>;

/**
 * Remembers that a user logged in on a device and returns the secret for its cookie. A device that is new to a user
 * who has others is announced to the user by mail.
 */
export function saveDeviceOfUser(
  parts: Pick<WebParts, 'db' | 'mailer' | 'addresses'>,
): (user: Known, device: string | undefined, place: Place) => Promise<string> {
  const write = letters(parts.addresses.dashboard);
  return async ({ id, email }, device, place) => {
    // Only a secret that was issued here is kept, never one that an attacker planted.
    const isIssued = device !== undefined && (await rows.isKnownDevice(parts.db, hashSecret(device)));
    const secret = isIssued ? device : newSecret().secret;
    const { wasKnown, others } = await rows.saveDevice(parts.db, hashSecret(secret), id);
    if (!wasKnown && others > 0) parts.mailer?.send(write.newDevice(email, place));
    return secret;
  };
}
