import { metrics } from '@gp/telemetry';

type Lags = () => Promise<readonly { readonly durable: string; readonly messages: number }[]>;

/** Two scrapers, or a dashboard beside an alert, cost the bus one request for each consumer. */
const FRESH_MS = 2_000;

/**
 * Exports the lag of this process' durable consumers. Replicas share a consumer and report the same lag, so use
 * their maximum, never the sum.
 */
export function measureConsumers(lags: Lags): void {
  metrics.levels({
    name: 'gp_bus_consumer_lag_messages',
    help: 'Messages that a durable consumer has not acknowledged yet; each replica says the same figure',
    unit: 'messages',
    labels: ['durable'],
    read: metrics.cached(
      async () => (await lags()).map(({ durable, messages }) => ({ labels: { durable }, value: messages })),
      FRESH_MS,
    ),
  });
}
