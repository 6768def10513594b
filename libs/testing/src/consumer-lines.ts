type ConsumerConfiguration = {
  readonly durable: string;
  readonly stream: string;
  readonly filters: readonly string[];
  readonly maxInFlight: number;
  readonly ackWaitMs?: number | undefined;
  readonly toOrderingKey?: unknown;
};

/**
 * Returns the server's settings of durable consumers, one line each: name, stream, filters, messages in flight, ms
 * until redelivery, and `in order` where messages of one key are handled in sequence. A change of one of these
 * reaches consumers that run already, so a test compares them with the released ones.
 */
export function consumerLines(consumers: readonly ConsumerConfiguration[]): string[] {
  return consumers.map(({ durable, stream, filters, maxInFlight, ackWaitMs, toOrderingKey }) =>
    [
      durable,
      stream,
      filters.join(','),
      maxInFlight,
      ackWaitMs ?? '-',
      toOrderingKey ? 'in order' : 'any order',
    ].join(' | '),
  );
}
