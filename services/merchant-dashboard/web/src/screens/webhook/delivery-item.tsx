import { Anchor, Button, Group, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import type { Delivery, Endpoint } from '../../../../src/http/api.ts';
import { useModeApi } from '../../api/mode-api.ts';
import { FailureNote } from '../../parts/failure-note.tsx';
import { Instant } from '../../parts/instant.tsx';
import { NextAttempt } from '../../parts/next-attempt.tsx';
import { StateBadge } from '../../parts/state-badge.tsx';
import { Attempt } from './attempt.tsx';

type Props = { readonly endpoint: Endpoint; readonly delivery: Delivery; readonly mayResend: boolean };

/** Shows a delivery in a line; expanded, its attempts and a button that sends it once more. */
export function DeliveryItem({ endpoint, delivery, mayResend }: Props) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="delivery" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <span className="delivery-type">{delivery.event_type}</span>
        <StateBadge state={delivery.state} />
        <Text component="span" size="xs" c="dimmed">
          <Instant at={delivery.created_at} /> ·{' '}
          {delivery.attempt_count === 1 ? '1 attempt' : `${delivery.attempt_count} attempts`}
          {delivery.next_attempt_at && (
            <>
              {' '}
              · <NextAttempt at={delivery.next_attempt_at} />
            </>
          )}
        </Text>
      </summary>
      {isOpen && <Details endpoint={endpoint} delivery={delivery} mayResend={mayResend} />}
    </details>
  );
}

function Details({ endpoint, delivery, mayResend }: Props) {
  const api = useModeApi();
  const resend = useMutation({
    mutationFn: () =>
      api.send(`/webhooks/${endpoint.id}/deliveries/${delivery.id}/resend`, { method: 'POST', body: {} }),
    onSettled: () => api.changed('/webhooks'),
  });
  return (
    <div className="delivery-details">
      <Group justify="space-between" mb="sm">
        {delivery.is_test_event ? (
          <Text size="sm" c="dimmed">
            A test event
          </Text>
        ) : (
          <Anchor component={Link} to={`/${api.mode}/events/${delivery.event_id}`} size="sm">
            What was sent
          </Anchor>
        )}
        {mayResend && (
          <Button
            size="xs"
            variant="default"
            disabled={!endpoint.enabled}
            loading={resend.isPending || delivery.resend_pending}
            onClick={() => resend.mutate()}
          >
            Send again now
          </Button>
        )}
      </Group>
      {resend.isError && <FailureNote error={resend.error} />}
      {delivery.attempts.length === 0 && (
        <Text size="sm" c="dimmed">
          No attempt has ended yet.
        </Text>
      )}
      {delivery.attempts.map((attempt) => (
        <Attempt key={attempt.id} attempt={attempt} />
      ))}
    </div>
  );
}
