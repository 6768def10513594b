import { createHash } from 'node:crypto';

export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();
export const hashAddress = (email: string): Buffer => createHash('sha256').update(`mail ${email}`).digest();
