import { jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import type { DeadMessage } from './delivery.ts';
import type { Link } from './link.ts';
import type { BusLog } from './log.ts';
import type { StreamName } from './streams.ts';
import type { Mode } from './publish.ts';
import { MODE, MSG_ID, parseJson, TRACEPARENT } from './wire.ts';

type Watched = {
  readonly link: Link;
  readonly log: BusLog;
  readonly stream: StreamName;
  readonly durable: string;
  /** Resolves true when the message was kept; false leaves it where it is. */
  readonly keep: (dead: DeadMessage) => Promise<boolean>;
};

const ADVISORY = '$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES';

/**
 * Hears when the server itself gives a message of a durable up, because it was delivered as often as it ever will be and
 * nobody came to a verdict: without this it would just stop coming. One replica keeps it as a dead letter. Answers how to
 * stop listening.
 */
export function watchExhausted(o: Watched): () => void {
  const subject = `${ADVISORY}.${o.stream}.${o.durable}`;
  let unsubscribe = (): void => undefined;
  const detach = o.link.attach((nc) => {
    const subscription = nc.subscribe(subject, {
      queue: o.durable,
      callback: (err, msg) => {
        if (err) return o.log.error({ subject, err }, 'subscription ended');
        const { stream_seq: seq, deliveries } = parseJson(msg.string()) as Advisory;
        o.log.error({ consumer: o.durable, seq, deliveries }, 'the server gave a message up');
        rescue(nc, o, { seq, deliveries }).catch((error: unknown) =>
          o.log.error({ consumer: o.durable, seq, err: error }, 'the message given up could not be kept'),
        );
      },
    });
    unsubscribe = () => subscription.unsubscribe();
  });
  return () => {
    detach();
    unsubscribe();
  };
}

type Advisory = { readonly stream_seq: number; readonly deliveries: number };

/** Buries the message from the stream's own copy; a command is then removed, as nobody else is to get it. */
async function rescue(
  nc: NatsConnection,
  { stream, durable, keep }: Watched,
  { seq, deliveries }: { seq: number; deliveries: number },
): Promise<void> {
  const { streams } = await jetstreamManager(nc, { checkAPI: false });
  const stored = await streams.getMessage(stream, { seq });
  if (!stored) return;
  const text = new TextDecoder().decode(stored.data);
  const { header } = stored;
  const [mode, traceparent] = [header.get(MODE) as Mode | '', header.get(TRACEPARENT)];
  const isKept = await keep({
    id: header.get(MSG_ID) || `${stream}:${seq}`,
    subject: stored.subject,
    payload: parseJson(text) ?? text,
    ...(mode && { mode }),
    ...(traceparent && { traceparent }),
    deliveryCount: deliveries,
    consumer: durable,
    stream,
    reason: 'every delivery ended without a verdict',
  });
  if (isKept && stream === 'COMMANDS') await streams.deleteMessage(stream, seq);
}
