import { setTimeout as delay } from 'node:timers/promises';
import type { SentEvent } from '@gp/contracts';
import { toScope, type Caller } from '../callers/caller.ts';
import type { ServiceCalls } from '../ports.ts';

/** What a stream sends next. `ready` says after which event it begins. */
export type StreamMessage =
  | { readonly kind: 'ready'; readonly lastEventId: string }
  | { readonly kind: 'event'; readonly event: SentEvent }
  | { readonly kind: 'heartbeat' };

export type FollowEvents = (o: {
  readonly caller: Caller;
  /** The id of an event; NOTHING for all events, undefined for those that arrive from now on. */
  readonly after: string | undefined;
  /** Whether the caller may still read events: its key may have ended. */
  readonly isAllowed: () => Promise<boolean>;
  readonly signal: AbortSignal;
}) => Promise<AsyncIterable<StreamMessage>>;

/** The id before every event. */
export const NOTHING = '00000000-0000-0000-0000-000000000000';

/** The delay of an event in a stream is this at most; a stream costs one query of an index in this time. */
const POLL_MS = 1_000;
const HEARTBEAT_MS = 15_000;
/** Metadata may make an event 20 kB, and a message on the bus may have 1 MB. */
const AT_ONCE = 20;

/**
 * Follows the events of a caller's merchant and mode in the order of their arrival, each once. Rejects with `not_found` for
 * an event that they do not have. A reader is sent the next message when it has taken the one before: nothing is queued for
 * a slow one. The stream ends when the caller may no longer read, and when the events cannot be read; the reader then
 * continues with a new one after the last event that it got.
 */
export function followEvents(o: {
  readonly services: Pick<ServiceCalls, 'locateEvent' | 'followEvents'>;
  readonly pollMs?: number;
  readonly heartbeatMs?: number;
}): FollowEvents {
  const { services, pollMs = POLL_MS, heartbeatMs = HEARTBEAT_MS } = o;

  return async ({ caller, after, isAllowed, signal }) => {
    const scope = toScope(caller);
    const begin =
      after === NOTHING
        ? { after: null }
        : await services.locateEvent({ ...scope, ...(after !== undefined && { id: after }) });

    async function* messages(): AsyncGenerator<StreamMessage> {
      let place = begin.after;
      let sentAt = performance.now();
      yield { kind: 'ready', lastEventId: place?.id ?? NOTHING };
      while (!signal.aborted && (await isAllowed())) {
        const found = await services
          .followEvents({ ...scope, after: place, limit: AT_ONCE })
          .catch(() => undefined);
        if (!found) return;
        for (const event of found.events) yield { kind: 'event', event };
        place = found.next;
        if (found.events.length === AT_ONCE) continue;
        if (found.events.length > 0) sentAt = performance.now();
        else if (performance.now() - sentAt >= heartbeatMs) {
          yield { kind: 'heartbeat' };
          sentAt = performance.now();
        }
        await delay(pollMs, undefined, { signal }).catch(() => undefined);
      }
    }
    return messages();
  };
}
