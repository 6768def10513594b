import type { GatewayManifest } from '@gp/gateway-registry';

/** The names of a manifest's credential fields, in the two lists that CredentialShape wants. */
export function credentialFields<F extends string>(manifest: {
  readonly credentials: readonly (GatewayManifest['credentials'][number] & { readonly name: F })[];
}): { readonly fields: readonly F[]; readonly optional: readonly F[] } {
  const { credentials } = manifest;
  return {
    fields: credentials.map(({ name }) => name),
    optional: credentials.filter(({ isOptional }) => isOptional).map(({ name }) => name),
  };
}
