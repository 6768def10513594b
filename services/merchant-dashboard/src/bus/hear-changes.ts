import type { Bus } from '@gp/bus';
import { groupChanged } from '@gp/contracts';
import type { ChangeStreams, GroupChange } from '../app/live/change-streams.ts';

/**
 * Hears the ledger's notes in every replica and tells the live streams. After the connection was lost, the streams are
 * told that notes were missed.
 */
export function hearChanges(bus: Bus, streams: Pick<ChangeStreams, 'take' | 'missAll'>): void {
  bus.listen(`${groupChanged.subject}.*`, ({ payload }) => {
    if (isGroupChange(payload)) streams.take(payload);
  });
  bus.whenConnected(() => streams.missAll());
}

/** A ledger of before an upgrade names neither merchant nor mode; its notes are left out. */
function isGroupChange(payload: unknown): payload is GroupChange {
  if (typeof payload !== 'object' || payload === null) return false;
  const { merchant_id, mode, group_id } = payload as Partial<Record<keyof GroupChange, unknown>>;
  return (
    typeof merchant_id === 'string' && typeof group_id === 'string' && (mode === 'test' || mode === 'live')
  );
}
