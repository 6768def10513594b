import { metrics } from '@gp/telemetry';

type Lags = () => Promise<readonly { readonly durable: string; readonly messages: number }[]>;

/** Two scrapers, or a dashboard beside an alert, cost the bus one question for each consumer. */
const FRESH_MS = 2_000;

/**
 * Exports how far this process' durable consumers are behind. Replicas share a consumer and say the same, so the
 * greatest of them counts, never the sum.
 */
export function measureConsumers(lags: Lags): void {
  metrics.levels({
    name: 'gp_bus_consumer_lag_messages',
    help: 'Messages that a durable consumer has not acknowledged yet; each replica says the same figure',
    unit: 'messages',
    labels: ['durable'],
    read: metrics.remembered(
      async () => (await lags()).map(({ durable, messages }) => ({ labels: { durable }, value: messages })),
      FRESH_MS,
    ),
  });
}
