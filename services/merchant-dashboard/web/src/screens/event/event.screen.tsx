import { Anchor, Skeleton, Text } from '@mantine/core';
import { Link, useParams } from 'react-router';
import type { Event as SentEvent } from '../../../../src/http/api.ts';
import { useRead } from '../../api/mode-api.ts';
import { FailureNote } from '../../parts/failure-note.tsx';
import { Instant } from '../../parts/instant.tsx';
import { JsonView } from '../../parts/json-view.tsx';
import { Page } from '../../parts/page.tsx';
import { useMode } from '../../shell/mode.ts';
import { EVENT_MEANINGS } from '../webhooks/event-types.ts';
import { EventDeliveries } from './event-deliveries.tsx';

/** Shows one event, exactly as it was sent to its receivers. */
export default function Event() {
  const { id = '' } = useParams();
  const mode = useMode();
  const event = useRead<SentEvent>(`/events/${id}`);
  const groupId = event.data?.data['group_payment_id'];
  return (
    <Page title={event.data?.type ?? 'Event'} lead={event.data && EVENT_MEANINGS[event.data.type]}>
      {event.isError && <FailureNote error={event.error} onRetry={() => void event.refetch()} />}
      {event.isPending && <Skeleton height={360} role="status" aria-label="Loading" />}
      {event.data && (
        <>
          <Text size="sm" mb="md">
            <Instant at={event.data.created} />
            {' · '}
            <Anchor component={Link} to={`/${mode}/group-payments/${String(groupId)}`} size="sm">
              Its group payment
            </Anchor>
          </Text>
          {typeof groupId === 'string' && <EventDeliveries eventId={id} groupId={groupId} />}
          <JsonView value={event.data} label="Body of the event" />
        </>
      )}
      <Anchor component={Link} to={`/${mode}/events`} mt="md" display="inline-block">
        All events
      </Anchor>
    </Page>
  );
}
