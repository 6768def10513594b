import type { StreamContract } from '@gp/contracts';
import type { ConsumeOptions } from './consume.ts';
import type { InboundMessage } from './delivery.ts';

/** The options of a subscription that its contract does not set. */
export type SubscribeOptions<P> = Omit<
  ConsumeOptions,
  'stream' | 'filters' | 'payload' | 'handler' | 'toOrderingKey'
> & {
  /** Messages of one key are handled in sequence; without it all run side by side. */
  toOrderingKey?: (payload: P, m: InboundMessage) => string;
};

/**
 * Builds a subscription to a contract: stream, filters and the payload's schema and type are the contract's. The
 * bus has checked the payload when `handler` is called; it must be idempotent by `m.id`.
 */
export function on<P>(
  contract: StreamContract<P>,
  { toOrderingKey, ...options }: SubscribeOptions<P>,
  handler: (payload: P, m: InboundMessage) => Promise<unknown>,
): ConsumeOptions {
  const { stream, filters, payload } = contract;
  return {
    ...options,
    stream,
    filters,
    payload,
    handler: async (m) => void (await handler(m.payload as P, m)),
    ...(toOrderingKey && { toOrderingKey: (m) => toOrderingKey(m.payload as P, m) }),
  };
}

/** Uses the subject as the key: facts about one thing are handled in their order. */
export function bySubject(_payload: unknown, m: InboundMessage): string {
  return m.subject;
}
