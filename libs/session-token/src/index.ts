export { signingKeySet } from './signing-key-set.ts';
export type { SigningKeySet } from './signing-key-set.ts';
export { verifyToken } from './verify-token.ts';
export type { ProvenToken, VerifyToken } from './verify-token.ts';
