import { createHash } from 'node:crypto';

/** The form of command ids and fingerprints. */
export const digest = (text: string): string => createHash('sha256').update(text).digest('hex');
