import { Alert, Text } from '@mantine/core';
import type { Endpoint, EndpointHealth } from '../../../../src/http/api.ts';
import { Icon } from '../../parts/icon.tsx';
import { Distance } from '../../parts/instant.tsx';
import { NextAttempt } from '../../parts/next-attempt.tsx';
import { useMay } from '../../shell/session.ts';
import { describeWaiting } from './waiting.ts';

/** Shows why deliveries to an endpoint wait; nothing while it acknowledges them. */
export function WaitingNote({
  endpoint,
  health,
}: {
  endpoint: Endpoint;
  health: EndpointHealth | undefined;
}) {
  const waiting = describeWaiting(endpoint, health, useMay('webhooks.manage'));
  if (!waiting) return null;
  const { title, sentences, nextAttemptAt } = waiting;
  const since = endpoint.enabled ? health?.failing_since : null;
  return (
    <Alert color="yellow" mb="md" icon={<Icon name="warning" />} title={title}>
      <Text size="sm">
        {since != null && (
          <>
            First failure: <Distance to={since} />. Nothing has been acknowledged since.{' '}
          </>
        )}
        {sentences.join(' ')}
        {nextAttemptAt !== null && (
          <>
            {' '}
            The oldest: <NextAttempt at={nextAttemptAt} />.
          </>
        )}
      </Text>
    </Alert>
  );
}
