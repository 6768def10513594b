import { eventStream, formatEvent, type Route } from '@gp/http';
import type { StreamMessage } from '../../app/live/change-streams.ts';
import type { WebParts } from '../../app/ports.ts';
import type { ChangedEvent, ReadyEvent } from '../api.ts';
import { guards } from '../request/guards.ts';
import { perMode } from '../request/per-mode.ts';

/** Routes of a mode's changes: streams from which pages learn what to load again. */
export function changeRoutes({ db, changes }: WebParts): Route[] {
  const { followed } = guards(db);
  return perMode(({ mode, at }) => [
    followed('read', ['GET', at('changes')], async ({ signal }, member) =>
      eventStream(changes.open({ member, mode, signal }), formatMessage),
    ),
  ]);
}

function formatMessage(message: StreamMessage): string {
  switch (message.kind) {
    case 'ready':
      return formatEvent('ready', { quiet_ms: message.quietMs } satisfies ReadyEvent);
    case 'changed':
      return formatEvent('changed', { group_payments: message.groupIds } satisfies ChangedEvent);
    case 'missed':
    case 'heartbeat':
    case 'end':
      return formatEvent(message.kind, {});
  }
}
