import type { GatewayManifest } from '@gp/gateway-registry';

/** Returns the names of a manifest's credential fields, as the two lists of CredentialShape. */
export function credentialFields<F extends string>(manifest: {
  readonly credentials: readonly (GatewayManifest['credentials'][number] & { readonly name: F })[];
}): { readonly fields: readonly F[]; readonly optional: readonly F[] } {
  const { credentials } = manifest;
  return {
    fields: credentials.map(({ name }) => name),
    optional: credentials.filter(({ isOptional }) => isOptional).map(({ name }) => name),
  };
}
