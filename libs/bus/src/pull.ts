import { createInbox, nanos, type Msg, type NatsConnection, type Subscription } from '@gp/bundled/nats';
import type { Link } from './link.ts';
import type { BusLog } from './log.ts';
import { atMost, between, pause } from './pause.ts';

export type Pull = {
  /** Asks for more when there is room; to be called whenever room appears. */
  more(): void;
  /** Stops asking; what the server already sent still arrives before this resolves. */
  stop(): Promise<void>;
};

const EXPIRES_MS = 30_000;
const HEARTBEAT_MS = 5_000;
/**
 * Before a durable that is gone is created again. The server says that it is deleted before its files are; NATS
 * 2.14.0 and 2.14.1 block the stream for ever when the two meet (nats-server commit 4d392c02 mended it).
 */
const GONE_MS = { least: 1_000, most: 2_000 };

/**
 * Pulls as many messages as there is room for, one pull request at a time. The client's own `consume`
 * refills behind the handler's back and drops what is on the wire when stopped, which costs those messages
 * a whole ack_wait; this one asks for free room only and drains.
 */
export function openPull(o: {
  link: Link;
  inboxPrefix: string;
  stream: string;
  durable: string;
  /** Messages that may be sent to us now. */
  room: () => number;
  /** Makes the durable consumer stand; rejects when that is not possible now. */
  prepare: () => Promise<void>;
  onMessage: (msg: Msg) => void;
  log: BusLog;
}): Pull {
  const inbox = `${createInbox(o.inboxPrefix)}.`;
  const stopping = new AbortController();
  let subscription: Subscription | undefined;
  let isPrepared = false;
  let preparing: Promise<void> | undefined;
  /** Messages the open pull request may still bring; 0 when none is open. */
  let expected = 0;
  let serial = 0;
  let silence: NodeJS.Timeout | undefined;

  const restartSilenceTimer = (): void => {
    clearTimeout(silence);
    if (expected > 0) silence = setTimeout(restart, 2 * HEARTBEAT_MS + 1_000);
  };
  const restart = (afterMs = 0): void => {
    expected = 0;
    isPrepared = false;
    restartSilenceTimer();
    preparing ??= pause(afterMs, stopping.signal)
      .then(prepareUntilDone)
      .finally(() => (preparing = undefined));
  };
  const prepareUntilDone = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      if (!(await o.link.up(1_000))) continue;
      try {
        await o.prepare();
        isPrepared = true;
        return more();
      } catch (err) {
        o.log.warn({ consumer: o.durable, err }, 'the durable consumer is not ready');
        await pause(between(200, 1_000), stopping.signal);
      }
    }
  };
  const more = (): void => {
    const nc = o.link.live();
    if (!nc || !isPrepared || expected > 0 || stopping.signal.aborted) return;
    const batch = o.room();
    if (batch < 1) return;
    expected = batch;
    requestNext(nc, o, batch, `${inbox}${++serial}`);
    restartSilenceTimer();
  };
  const ended = (status: number, description: string): void => {
    expected = 0;
    restartSilenceTimer();
    const isGone = status === 503 || /consumer deleted|no responders/i.test(description);
    if (isGone) return restart(between(GONE_MS.least, GONE_MS.most));
    if (status === 404 || status === 408) return more();
    void pause(between(100, 300), stopping.signal).then(more);
  };

  const refused = (err: Error): void => {
    o.log.error({ consumer: o.durable, err }, 'subscription ended');
  };
  const receive = (msg: Msg): void => {
    if (!msg.subject.startsWith(inbox)) {
      expected = Math.max(0, expected - 1);
      restartSilenceTimer();
      o.onMessage(msg);
      // A whole burst is taken in before asking again, so that one request covers all the room.
      if (expected === 0) setImmediate(more);
    } else if (msg.subject === inbox + String(serial)) {
      const { code = 0, description = '' } = msg.headers ?? {};
      if (code === 100) restartSilenceTimer();
      else ended(code, description);
    }
  };

  const detach = o.link.attach((nc) => {
    subscription = nc.subscribe(`${inbox}*`, { callback: (err, msg) => (err ? refused(err) : receive(msg)) });
  });
  const unwatch = o.link.watch((isUp) => {
    if (!isUp) isPrepared = false;
    else restart();
  });
  if (o.link.live()) restart();

  return {
    more,
    async stop() {
      stopping.abort();
      detach();
      unwatch();
      if (o.link.live() && subscription) await atMost(2_000, subscription.drain());
      else subscription?.unsubscribe();
      expected = 0;
      restartSilenceTimer();
    },
  };
}

function requestNext(
  nc: NatsConnection,
  o: { stream: string; durable: string },
  batch: number,
  reply: string,
): void {
  const request = { batch, expires: nanos(EXPIRES_MS), idle_heartbeat: nanos(HEARTBEAT_MS) };
  nc.publish(`$JS.API.CONSUMER.MSG.NEXT.${o.stream}.${o.durable}`, JSON.stringify(request), { reply });
}
