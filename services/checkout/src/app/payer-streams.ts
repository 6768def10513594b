import { AppError } from '@gp/errors';
import { openPulse } from '@gp/http';
import { metrics } from '@gp/telemetry';
import { findChanges, type GroupPicture, type PictureUpdate } from '../domain/picture.ts';
import type { GroupScope, LiveGroups } from './live-groups.ts';

/** Who reads a stream, and until when: the holder of a token, or of a link that is a secret itself. */
export type Reader = {
  readonly scope: GroupScope;
  /** Streams of one key are limited together. */
  readonly key: string;
  /** The epoch of the token; undefined for a reader whom raising the group's epoch does not concern. */
  readonly epoch: number | undefined;
  readonly endsAtMs: number;
  /** Resolves with false once the token was revoked or the link replaced. */
  readonly isGood: () => Promise<boolean>;
};

/** `session_ended`: the token ended or was revoked. `final`: the group no longer changes, except by a refund. */
export type End = 'session_ended' | 'final';

/** The next message of a stream. */
export type StreamMessage =
  | PictureUpdate
  | { readonly kind: 'heartbeat'; readonly rev: number }
  | { readonly kind: 'end'; readonly reason: End };

export type PayerStreams = {
  /**
   * Opens a stream for a reader; `knownRev` is the last version the holder has seen. It ends with an
   * `end`, or when `signal` aborts. A slow reader gets the newest picture and not all that were in between.
   * Rejects with `rate_limited` and `service_unavailable` when there are too many, and when the look-up of the
   * group does.
   */
  open(o: {
    reader: Reader;
    /** The network of the reader. */
    address: string;
    knownRev: number | undefined;
    signal: AbortSignal;
  }): Promise<AsyncIterable<StreamMessage>>;
  /** Verifies the readers of the open streams of a group, or of all, again: some tokens may have been revoked. */
  recheck(groupId?: string): Promise<void>;
  /** Verifies the links of the open streams of a group, or of all, that have no token again; returns false when none is open. */
  recheckLinks(groupId?: string): Promise<boolean>;
  /**
   * Ends the streams of revoked tokens, whether or not the revocation was announced to this process; returns false when no
   * stream is open.
   */
  endRevoked(findEpochs: FindEpochs): Promise<boolean>;
  /** Calls `act` whenever a stream opens where none was open. */
  whenFirstOpens(act: () => void): void;
};

/** Returns the epochs of those of these groups that have one. */
export type FindEpochs = (groupIds: readonly string[]) => Promise<ReadonlyMap<string, number>>;

export type StreamLimits = {
  readonly most: number;
  readonly perGroup: number;
  readonly perAddress: number;
  readonly perToken: number;
};

const HEARTBEAT_MS = 20_000;
const BUSY_SECONDS = 10;

const open = metrics.gauge({
  name: 'gp_live_streams',
  help: 'Live streams open to payers now',
  unit: 'streams',
});

type Stream = Reader & {
  readonly address: string;
  end(reason: End): void;
};

/** The live streams of this process; each ends with its token. */
export function payerStreams(o: {
  live: LiveGroups;
  limits: StreamLimits;
  heartbeatMs?: number;
}): PayerStreams {
  const streams = new Set<Stream>();
  let actOnFirst = (): void => undefined;
  const count = (is: (stream: Stream) => boolean): number => [...streams].filter(is).length;

  const refuseCrowd = (of: Pick<Stream, 'scope' | 'key' | 'address'>): void => {
    if (streams.size >= o.limits.most)
      throw new AppError('service_unavailable', { retryAfterSeconds: BUSY_SECONDS });
    const isCrowded =
      count(({ key }) => key === of.key) >= o.limits.perToken ||
      count(({ address }) => address === of.address) >= o.limits.perAddress ||
      count(({ scope }) => scope.group_id === of.scope.group_id) >= o.limits.perGroup;
    if (isCrowded) throw new AppError('rate_limited', { retryAfterSeconds: BUSY_SECONDS });
  };

  const recheckThose = async (is: (stream: Stream) => boolean): Promise<boolean> => {
    const concerned = [...streams].filter(is);
    await Promise.all(concerned.map(async ({ isGood, end }) => (await isGood()) || end('session_ended')));
    return concerned.length > 0;
  };

  return {
    async open({ reader, address, knownRev, signal }) {
      refuseCrowd({ ...reader, address });
      const source = openMessageSource(o.heartbeatMs ?? HEARTBEAT_MS, reader.endsAtMs);
      const stream = { ...reader, address, end: source.end };
      streams.add(stream);
      if (streams.size === 1) actOnFirst();
      const release = (): void => {
        source.close();
        streams.delete(stream);
        open.set(streams.size);
      };
      const following = await o.live.follow(reader.scope, source.wake).catch((error: unknown) => {
        release();
        throw error;
      });
      open.set(streams.size);
      const close = (): void => {
        following.leave();
        release();
      };
      if (signal.aborted) close();
      else signal.addEventListener('abort', close, { once: true });
      return source.messages(following.picture, knownRev);
    },
    async recheck(groupId) {
      await recheckThose(isOf(groupId));
    },
    recheckLinks: (groupId) => recheckThose((stream) => stream.epoch === undefined && isOf(groupId)(stream)),
    async endRevoked(findEpochs) {
      const looked = [...streams];
      if (looked.length === 0) return false;
      const epochs = await findEpochs([...new Set(looked.map(({ scope }) => scope.group_id))]);
      for (const { scope, epoch = Infinity, end } of looked)
        if (epoch < (epochs.get(scope.group_id) ?? 0)) end('session_ended');
      return true;
    },
    whenFirstOpens: (act) => void (actOnFirst = act),
  };
}

/** Returns what picks the streams of a group, or all. */
const isOf =
  (groupId: string | undefined) =>
  ({ scope }: Stream): boolean =>
    groupId === undefined || scope.group_id === groupId;

/**
 * Produces the messages of one stream, one per request: nothing is queued. `close` ends its timers, and a reader
 * that still waits gets the end of the iteration.
 */
function openMessageSource(heartbeatMs: number, endsAtMs: number) {
  const pulse = openPulse(heartbeatMs);
  let reason: End | undefined;
  const end = (why: End): void => {
    reason ??= why;
    pulse.wake();
  };
  const ending = setTimeout(() => end('session_ended'), Math.max(0, endsAtMs - Date.now()));

  async function* messages(
    picture: () => GroupPicture,
    knownRev: number | undefined,
  ): AsyncGenerator<StreamMessage> {
    let sent = picture();
    yield sent.rev === knownRev ? { kind: 'heartbeat', rev: sent.rev } : { kind: 'snapshot', picture: sent };
    while (!pulse.isClosed && reason === undefined && !sent.facts.is_settled) {
      const isSilent = await pulse.silence();
      const now = picture();
      const update = findChanges(sent, now);
      sent = now;
      if (update) yield update;
      else if (isSilent) yield { kind: 'heartbeat', rev: sent.rev };
    }
    if (!pulse.isClosed) yield { kind: 'end', reason: reason ?? 'final' };
  }

  return {
    wake: pulse.wake,
    end,
    messages,
    close(): void {
      clearTimeout(ending);
      pulse.close();
    },
  };
}
