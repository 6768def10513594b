import type { FriendsPage } from '@gp/checkout-web/bootstrap';
import { readsAsLink } from '@gp/mail';
import type { PageParts } from './open-page.ts';
import { showBrand, showGroup, showSentences, type Written } from './show-group.ts';

/**
 * Returns what the page shows on which payers invite others; rejects with `not_found` for an unknown token. `slot`: the number of
 * the slot that the link is to be for; where it is not available, the link is the one for all. Changes nothing.
 */
export function openFriends(
  parts: Pick<PageParts, 'ledger' | 'findBrand' | 'writeMinimum' | 'home'>,
): (pageToken: string, wishes: Written & { readonly slot: number | undefined }) => Promise<FriendsPage> {
  return async (pageToken, { slot, ...written }) => {
    const found = await parts.ledger.findGroupByPageToken(pageToken);
    const { group, slots } = found;
    const brand = await parts.findBrand(group);
    const isFree = slots.some(({ sequence_no, state }) => sequence_no === slot && state === 'unassigned');
    const path = `/c/${pageToken}`;
    return {
      mode: group.mode,
      locale: written.locale,
      written_as: written.written,
      ...showBrand(brand),
      group: showGroup(found),
      ...showSentences(parts.writeMinimum, found, written),
      server_time: new Date().toISOString(),
      path,
      link: `${parts.home}${path}${isFree ? `?slot=${slot}` : ''}`,
      ...(isFree && slot !== undefined && { slot }),
      called: readsAsLink(group.group_name) ? group.merchant_order_id : group.group_name,
    };
  };
}
