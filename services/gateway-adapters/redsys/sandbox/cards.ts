import { findCardBehaviours, type CardBehaviour } from '@gp/gateway-registry';
import { magicValues, manifest } from '../manifest.ts';

/** The vendor's published test cards; the other gateways' numbers have the same meaning here as there. */
export const ownCards: ReadonlyMap<string, CardBehaviour> = findCardBehaviours(manifest.testCards);

/** Returns whether the vendor's test host declines the payment whatever the card. */
export const isMagicDenial = (amountMinor: bigint, cvv: string): boolean =>
  cvv === magicValues.deniedCode ||
  magicValues.deniedEndings.some((ending) => String(amountMinor).endsWith(ending));
