import type { Bus } from '@gp/bus';
import { groupChanged, type PayloadOf } from '@gp/contracts';
import type { LedgerParts } from '../app/change/change-group.ts';

/** Publishes that a group changed, for the pages that follow it at this moment; costs a few bytes where none does. */
export function publishChanges(bus: Bus): LedgerParts['publishChange'] {
  return (group_id, version) => {
    const note: PayloadOf<typeof groupChanged> = { group_id, version };
    bus.announce(`${groupChanged.subject}.${group_id}`, note);
  };
}
