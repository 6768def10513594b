import type { Bus } from '@gp/bus';
import { groupChanged, type PayloadOf } from '@gp/contracts';
import type { LedgerParts } from '../app/change/change-group.ts';

/** Tells of changes to whoever follows a group at this moment; costs nothing but a few bytes where nobody does. */
export function publishChanges(bus: Bus): LedgerParts['publishChange'] {
  return (group_id, version) => {
    const note: PayloadOf<typeof groupChanged> = { group_id, version };
    bus.announce(`${groupChanged.subject}.${group_id}`, note);
  };
}
