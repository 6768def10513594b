import type { ConsumerInfo, JetStreamManager } from '@gp/bundled/nats';
import type { StreamName } from '@gp/contracts';

/** The last sequence of each stream at one moment. */
export type Published = Readonly<Record<string, number>>;

type Consumer = { readonly stream: StreamName; readonly durable: string };

const STREAMS: readonly StreamName[] = ['COMMANDS', 'EVENTS'];

export async function lastSequences(jsm: JetStreamManager): Promise<Published> {
  const infos = await Promise.all(STREAMS.map((name) => jsm.streams.info(name)));
  return Object.fromEntries(infos.map(({ config, state }) => [config.name, state.last_seq]));
}

/** How many messages a durable consumer has not acknowledged yet, delivered or not. */
export type Lag = { readonly durable: string; readonly messages: number };

/** Returns the lag of each of these consumers, replicas included. */
export function measureLags(jsm: JetStreamManager, consumers: readonly Consumer[]): Promise<Lag[]> {
  return Promise.all(
    consumers.map(async ({ stream, durable }) => {
      const { num_pending, num_ack_pending } = await jsm.consumers.info(stream, durable);
      return { durable, messages: num_pending + num_ack_pending };
    }),
  );
}

/** Returns whether all of these consumers have acknowledged their messages up to `published`. */
export async function arePast(
  jsm: JetStreamManager,
  consumers: readonly Consumer[],
  published: Published,
): Promise<boolean> {
  const infos = await Promise.all(
    consumers.map(({ stream, durable }) => jsm.consumers.info(stream, durable)),
  );
  return infos.every((info) => isPast(info, published[info.stream_name] ?? 0));
}

// The ack floor does not move for messages of other consumers, so a consumer without pending messages counts as
// past.
function isPast(info: ConsumerInfo, sequence: number): boolean {
  return (info.num_pending === 0 && info.num_ack_pending === 0) || info.ack_floor.stream_seq >= sequence;
}
