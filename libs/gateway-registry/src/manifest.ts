import type { GatewayManifest } from './manifest-type.ts';

export { PAYER_NAME_PATTERN } from '@gp/primitives';
export { COMMON_TEST_CARDS } from './common-test-cards.ts';
export { APPROVED, CHALLENGED, declineFor, listTestCards } from './test-cards.ts';

/** Checks a manifest against its type and keeps the exact types of its values. */
export function defineManifest<const M extends GatewayManifest>(manifest: M): M {
  return manifest;
}
