import { hash, verify } from '@node-rs/argon2';

/** OWASP's first choice for argon2id: 19 MiB, two passes, one lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Checked for an unknown e-mail, so that its response takes as long as that for a wrong password. */
const decoy = hash('a password nobody has', cost);

export function hashPassword(password: string): Promise<string> {
  return hash(password, cost);
}

/** Returns whether the password is the stored one; without a stored one, returns false after the same work. */
export async function isPassword(stored: string | undefined, password: string): Promise<boolean> {
  const matches = await verify(stored ?? (await decoy), password);
  return matches && stored !== undefined;
}
