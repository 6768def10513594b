import { Anchor, Button, Group, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { GroupPaymentDetail, TimelineEntry } from '../../../../src/http/api.ts';
import { useModeApi, useRead } from '../../api/mode-api.ts';
import { FailureNote } from '../../parts/failure-note.tsx';
import { Instant } from '../../parts/instant.tsx';
import { NextAttempt } from '../../parts/next-attempt.tsx';
import { Section } from '../../parts/section.tsx';
import { StateBadge } from '../../parts/state-badge.tsx';
import { useMay } from '../../shell/session.ts';

/** The interval at which the deliveries are read again while one is under way, ms. */
const WATCH_MS = 2_000;

type Sent = TimelineEntry & { readonly webhook: NonNullable<TimelineEntry['webhook']> };

/** Shows to which endpoints an event was sent and how each answered, and sends it to one of them again. */
export function EventDeliveries({ eventId, groupId }: { eventId: string; groupId: string }) {
  const { data, error, refetch } = useRead<GroupPaymentDetail>(`/group-payments/${groupId}`, {
    refetchInterval: ({ state }) =>
      listSent(state.data, eventId).some(({ what }) => what === 'pending') ? WATCH_MS : false,
  });
  const sent = listSent(data, eventId);
  const isKnown = data && !data.is_webhooks_missing;
  return (
    <Section title="Deliveries">
      {error && <FailureNote error={error} onRetry={() => void refetch()} />}
      {data?.is_webhooks_missing && <Text size="sm">Webhook deliveries cannot be read at the moment.</Text>}
      {isKnown && sent.length === 0 && (
        <Text size="sm" c="dimmed">
          No endpoint was sent this event.
        </Text>
      )}
      {sent.map((entry) => (
        <SentTo key={entry.webhook.endpoint_id} entry={entry} />
      ))}
    </Section>
  );
}

function listSent(detail: GroupPaymentDetail | undefined, eventId: string): Sent[] {
  return (detail?.timeline ?? []).filter(
    (entry): entry is Sent => entry.webhook !== null && entry.webhook.event_id === eventId,
  );
}

function SentTo({ entry: { what, at, webhook } }: { entry: Sent }) {
  const api = useModeApi();
  const mayResend = useMay('webhooks.resend');
  const { endpoint_id, event_id, url, attempts, next_attempt_at } = webhook;
  const resend = useMutation({
    // The id of a delivery is that of its event.
    mutationFn: () =>
      api.send(`/webhooks/${endpoint_id}/deliveries/${event_id}/resend`, { method: 'POST', body: {} }),
    onSettled: () => Promise.all([api.changed('/webhooks'), api.changed('/group-payments')]),
  });
  return (
    <>
      <Group justify="space-between" gap="xs" mb="xs">
        <div>
          <Anchor component={Link} to={`/${api.mode}/webhooks/${endpoint_id}`} size="sm">
            {url}
          </Anchor>{' '}
          <StateBadge state={what} />
          <Text size="xs" c="dimmed">
            <Instant at={at} /> · {attempts === 1 ? '1 attempt' : `${attempts} attempts`}
            {next_attempt_at && (
              <>
                {' '}
                · <NextAttempt at={next_attempt_at} />
              </>
            )}
          </Text>
        </div>
        {mayResend && (
          <Button
            size="xs"
            variant="default"
            aria-label={`Send again now to ${url}`}
            loading={resend.isPending}
            onClick={() => resend.mutate()}
          >
            Send again now
          </Button>
        )}
      </Group>
      {resend.isError && <FailureNote error={resend.error} />}
      {resend.isSuccess && (
        <Text size="xs" c="dimmed" role="status">
          It is being sent.
        </Text>
      )}
    </>
  );
}
