import type { CredentialsOf } from '@gp/gateway';
import type { manifest } from '../../manifest.ts';

/** The merchant's input, by the names that the manifest gives the fields. */
export type Credentials = CredentialsOf<typeof manifest>;
