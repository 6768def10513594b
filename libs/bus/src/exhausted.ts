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
  /** Resolves true when the message was stored; false leaves it in the stream. */
  readonly keep: (dead: DeadMessage) => Promise<boolean>;
};

const ADVISORY = '$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES';

/**
 * Watches for messages of a durable consumer that the server gives up because they reached its delivery limit
 * without a result: without this they would just not be delivered any more. One replica stores each as a dead
 * letter. Returns a function that stops the watch.
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

/**
 * Stores the stream's own copy as a dead letter, then removes a command, because no other consumer may get it.
 */
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
