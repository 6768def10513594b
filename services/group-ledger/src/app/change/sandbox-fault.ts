import type { Loaded } from '../../db/group/load-group.ts';
import type { Group } from '../../domain/index.ts';

const KEY = 'sandbox_fault';

/** The sandbox fault that the metadata of a slot or of the group names; live payments have none. */
export function findSandboxFault(loaded: Loaded, group: Group, intentId: string): string | null {
  if (group.mode !== 'test') return null;
  const slotIds = group.intents.find((intent) => intent.id === intentId)?.slotIds ?? [];
  const sources = [
    ...loaded.slotRows.filter((slot) => slotIds.includes(slot.id)).map((slot) => slot.metadata),
    loaded.row.metadata,
  ];
  const fault = sources.map((metadata) => metadata?.[KEY]).find((value) => typeof value === 'string');
  return fault === undefined ? null : fault.slice(0, 100);
}
