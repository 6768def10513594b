import { setTimeout as delay } from 'node:timers/promises';
import type { Mode } from '@gp/contracts';
import { AppError } from '@gp/errors';
import { openPulse } from '@gp/http';
import { metrics } from '@gp/telemetry';
import { quietTimes } from './quiet-times.ts';

/** A change of a group payment, as the ledger announces it. */
export type GroupChange = { readonly merchant_id: string; readonly mode: Mode; readonly group_id: string };

/** The next message of a stream. It names what changed, and never what it is now: roles differ in what they may see. */
export type StreamMessage =
  /** The stream hears everything from now on. Nothing was heard of for `quietMs` before. */
  | { readonly kind: 'ready'; readonly quietMs: number }
  | { readonly kind: 'changed'; readonly groupIds: readonly string[] }
  /** Changes were not heard of, or are too many to name. */
  | { readonly kind: 'missed' }
  | { readonly kind: 'heartbeat' }
  /** The session has ended, or gives no access any more. */
  | { readonly kind: 'end' };

/** The user of a session. */
type Follower = { readonly id: string; readonly merchantId: string; readonly sessionId: string };

export type StreamLimits = {
  readonly most: number;
  readonly perMerchant: number;
  readonly perUser: number;
  readonly perSession: number;
};

export type ChangeStreams = {
  /**
   * Opens a stream of the changes of a member's merchant in a mode. It ends when the session does, or when `signal`
   * aborts. Throws `rate_limited` and `service_unavailable` when there are too many.
   */
  open(o: { member: Follower; mode: Mode; signal: AbortSignal }): AsyncIterable<StreamMessage>;
  /** Tells the streams of the change's merchant and mode. */
  take(change: GroupChange): void;
  /** Tells all streams that changes were missed. */
  missAll(): void;
  /** Ends the streams whose session is none of those that `findLive` returns. */
  endDead(findLive: (sessionIds: readonly string[]) => Promise<ReadonlySet<string>>): Promise<void>;
  /** Returns whether a stream is open. */
  hasAny(): boolean;
  /** Calls `act` whenever a stream opens where none was open. */
  whenFirstOpens(act: () => void): void;
};

/** Shorter than the idle time that proxies allow a connection. */
const HEARTBEAT_MS = 20_000;
/** The least time between two messages with changes: pages load the same thing once a second at most. */
const PACE_MS = 500;
/** More changes than a page shows: loading everything again is then cheaper than comparing. */
const MOST_NAMED = 100;
const BUSY_SECONDS = 10;

const streamsNow = metrics.gauge({
  name: 'gp_dashboard_streams',
  help: 'Live streams open to members of merchants now',
  unit: 'streams',
});

/** The live streams of this process, by merchant and mode. */
export function changeStreams(o: {
  limits: StreamLimits;
  heartbeatMs?: number;
  paceMs?: number;
}): ChangeStreams {
  const { limits, heartbeatMs = HEARTBEAT_MS, paceMs = PACE_MS } = o;
  const all = new Set<Stream>();
  const byScope = new Map<string, Set<Stream>>();
  const quiet = quietTimes();
  let actOnFirst: () => void = () => undefined;

  const add = (scope: string, stream: Stream): void => {
    byScope.set(scope, (byScope.get(scope) ?? new Set()).add(stream));
    streamsNow.set(all.add(stream).size);
    if (all.size === 1) actOnFirst();
  };
  const remove = (scope: string, stream: Stream): void => {
    const beside = byScope.get(scope);
    beside?.delete(stream);
    if (beside?.size === 0) byScope.delete(scope);
    all.delete(stream);
    streamsNow.set(all.size);
  };

  return {
    open({ member, mode, signal }) {
      refuseCrowd([...all], limits, member);
      const scope = formatScope(member.merchantId, mode);
      const stream = openStream({ member, heartbeatMs, paceMs, signal });
      add(scope, stream);
      const close = (): void => {
        stream.close();
        remove(scope, stream);
      };
      if (signal.aborted) close();
      else signal.addEventListener('abort', close, { once: true });
      return stream.messages(quiet.measure(scope));
    },
    take({ merchant_id, mode, group_id }) {
      const scope = formatScope(merchant_id, mode);
      quiet.note(scope);
      for (const stream of byScope.get(scope) ?? []) stream.add(group_id);
    },
    missAll() {
      quiet.forget();
      for (const stream of all) stream.miss();
    },
    async endDead(findLive) {
      const looked = [...all];
      if (looked.length === 0) return;
      const live = await findLive([...new Set(looked.map(({ member }) => member.sessionId))]);
      for (const { member, end } of looked) if (!live.has(member.sessionId)) end();
    },
    hasAny: () => all.size > 0,
    whenFirstOpens: (act) => void (actOnFirst = act),
  };
}

const formatScope = (merchantId: string, mode: Mode): string => `${mode}:${merchantId}`;

function refuseCrowd(streams: readonly Stream[], limits: StreamLimits, of: Follower): void {
  if (streams.length >= limits.most)
    throw new AppError('service_unavailable', { retryAfterSeconds: BUSY_SECONDS });
  const count = (name: keyof Follower): number =>
    streams.filter(({ member }) => member[name] === of[name]).length;
  if (
    count('sessionId') >= limits.perSession ||
    count('id') >= limits.perUser ||
    count('merchantId') >= limits.perMerchant
  )
    throw new AppError('rate_limited', { retryAfterSeconds: BUSY_SECONDS });
}

type Stream = ReturnType<typeof openStream>;

/** One stream. Changes wait as ids that its next message names; a slow reader gets fewer and larger messages. */
function openStream(o: { member: Follower; heartbeatMs: number; paceMs: number; signal: AbortSignal }) {
  const pulse = openPulse(o.heartbeatMs);
  const groupIds = new Set<string>();
  let hasMissed = false;
  let isOver = false;

  const takeNext = (): StreamMessage | undefined => {
    if (!hasMissed && groupIds.size === 0) return undefined;
    const next: StreamMessage = hasMissed ? { kind: 'missed' } : { kind: 'changed', groupIds: [...groupIds] };
    hasMissed = false;
    groupIds.clear();
    return next;
  };

  async function* messages(quietMs: number): AsyncGenerator<StreamMessage> {
    yield { kind: 'ready', quietMs };
    while (!pulse.isClosed && !isOver) {
      const isSilent = await pulse.silence();
      const next = takeNext();
      if (next) {
        yield next;
        await delay(o.paceMs, undefined, { signal: o.signal }).catch(() => undefined);
      } else if (isSilent) yield { kind: 'heartbeat' };
    }
    if (!pulse.isClosed) yield { kind: 'end' };
  }

  return {
    member: o.member,
    messages,
    add: (groupId: string): void => {
      groupIds.add(groupId);
      hasMissed ||= groupIds.size > MOST_NAMED;
      if (hasMissed) groupIds.clear();
      pulse.wake();
    },
    miss: (): void => {
      hasMissed = true;
      pulse.wake();
    },
    end: (): void => {
      isOver = true;
      pulse.wake();
    },
    close: (): void => pulse.close(),
  };
}
