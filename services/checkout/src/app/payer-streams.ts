import { AppError } from '@gp/errors';
import { openPulse, type ProvenToken } from '@gp/http';
import { metrics } from '@gp/telemetry';
import { findChanges, type GroupPicture, type PictureUpdate } from '../domain/picture.ts';
import type { LiveGroups } from './live-groups.ts';

/** `session_ended`: the token ended or was revoked. `final`: the group no longer changes, except by a refund. */
export type End = 'session_ended' | 'final';

/** The next message of a stream. */
export type StreamMessage =
  | PictureUpdate
  | { readonly kind: 'heartbeat'; readonly rev: number }
  | { readonly kind: 'end'; readonly reason: End };

export type PayerStreams = {
  /**
   * Opens a stream for the holder of a token; `knownRev` is the last version the holder has seen. It ends with an
   * `end`, or when `signal` aborts. A slow reader gets the newest picture and not all that were in between.
   * Rejects with `rate_limited` and `service_unavailable` when there are too many, and when the look-up of the
   * group does.
   */
  open(o: {
    proven: ProvenToken & { readonly token: string };
    /** The network of the reader. */
    address: string;
    knownRev: number | undefined;
    signal: AbortSignal;
  }): Promise<AsyncIterable<StreamMessage>>;
  /** Verifies the tokens of the open streams of a group, or of all, again: some may have been revoked. */
  recheck(groupId?: string): Promise<void>;
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

type Stream = {
  readonly groupId: string;
  readonly token: string;
  readonly jti: string;
  readonly epoch: number;
  readonly address: string;
  end(reason: End): void;
};

/** The live streams of this process; each ends with its token. */
export function payerStreams(o: {
  live: LiveGroups;
  isGood: (token: string) => Promise<boolean>;
  limits: StreamLimits;
  heartbeatMs?: number;
}): PayerStreams {
  const streams = new Set<Stream>();
  let actOnFirst = (): void => undefined;
  const count = (is: (stream: Stream) => boolean): number => [...streams].filter(is).length;

  const refuseCrowd = (of: Pick<Stream, 'groupId' | 'jti' | 'address'>): void => {
    if (streams.size >= o.limits.most)
      throw new AppError('service_unavailable', { retryAfterSeconds: BUSY_SECONDS });
    const isCrowded =
      count(({ jti }) => jti === of.jti) >= o.limits.perToken ||
      count(({ address }) => address === of.address) >= o.limits.perAddress ||
      count(({ groupId }) => groupId === of.groupId) >= o.limits.perGroup;
    if (isCrowded) throw new AppError('rate_limited', { retryAfterSeconds: BUSY_SECONDS });
  };

  return {
    async open({ proven, address, knownRev, signal }) {
      const { claims, token, endsAtMs } = proven;
      const { gp: group_id, jti, epoch, mid: merchant_id, mode } = claims;
      refuseCrowd({ groupId: group_id, jti, address });
      const source = openMessageSource(o.heartbeatMs ?? HEARTBEAT_MS, endsAtMs);
      const stream = { groupId: group_id, token, jti, epoch, address, end: source.end };
      streams.add(stream);
      if (streams.size === 1) actOnFirst();
      const release = (): void => {
        source.close();
        streams.delete(stream);
        open.set(streams.size);
      };
      const following = await o.live
        .follow({ merchant_id, mode, group_id }, source.wake)
        .catch((error: unknown) => {
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
      const concerned = [...streams].filter((stream) => groupId === undefined || stream.groupId === groupId);
      await Promise.all(
        concerned.map(async ({ token, end }) => (await o.isGood(token)) || end('session_ended')),
      );
    },
    async endRevoked(findEpochs) {
      const looked = [...streams];
      if (looked.length === 0) return false;
      const epochs = await findEpochs([...new Set(looked.map(({ groupId }) => groupId))]);
      for (const { groupId, epoch, end } of looked)
        if (epoch < (epochs.get(groupId) ?? 0)) end('session_ended');
      return true;
    },
    whenFirstOpens: (act) => void (actOnFirst = act),
  };
}

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
