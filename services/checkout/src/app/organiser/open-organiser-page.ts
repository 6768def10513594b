import type { OrganiserBootstrap } from '@gp/checkout-web/bootstrap';
import type { OrganiserReminders } from '../mails/organiser-reminders.ts';
import type { PageParts } from '../open-page.ts';
import { showBrand, showGroup, showSentences, type Written } from '../show-group.ts';
import type { OrganisedGroup, OrganiserCalls } from './ports.ts';

export type OrganiserParts = {
  readonly calls: OrganiserCalls;
  readonly findBrand: PageParts['findBrand'];
  readonly writeMinimum: PageParts['writeMinimum'];
  /** Undefined where the installation sends no mails. */
  readonly reminders: OrganiserReminders | undefined;
};

/** Returns the data the organiser's page starts with; rejects with `not_found` for an unknown token. Changes nothing. */
export function openOrganiserPage(
  parts: OrganiserParts,
): (token: string, written: Written) => Promise<OrganiserBootstrap> {
  return async (token, texts) => {
    const found = await parts.calls.findOrganised(token);
    const { group, may, latestExpiresAt } = found;
    const [brand, remindable] = await Promise.all([parts.findBrand(group), countRemindable(parts, found)]);
    return {
      kind: 'organiser',
      mode: group.mode,
      locale: texts.locale,
      written_as: texts.written,
      ...showBrand(brand),
      group: showGroup(found),
      ...showSentences(parts.writeMinimum, found, texts),
      may,
      latest_expires_at: latestExpiresAt,
      remindable,
      path: `/o/${token}`,
      payers_path: `/c/${group.page_token}`,
      server_time: new Date().toISOString(),
    };
  };
}

/** Returns how many payers a reminder of this organiser would reach now. */
export async function countRemindable(
  { reminders }: Pick<OrganiserParts, 'reminders'>,
  found: OrganisedGroup,
): Promise<number> {
  return found.may.includes('remind') && reminders !== undefined ? reminders.count(found) : 0;
}
