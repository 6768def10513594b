import { Group, NativeSelect, Text } from '@mantine/core';
import type { DeliveryPage, Endpoint } from '../../../../src/http/api.ts';
import { formatQuery, useRead } from '../../api/mode-api.ts';
import { useFilters } from '../../parts/address.ts';
import { Downloads } from '../../parts/downloads.tsx';
import { FailureNote } from '../../parts/failure-note.tsx';
import { Pager, SkeletonRows } from '../../parts/rows.tsx';
import { Section } from '../../parts/section.tsx';
import { useMode } from '../../shell/mode.ts';
import { EVENT_TYPES } from '../webhooks/event-types.ts';
import { DeliveryItem } from './delivery-item.tsx';

const STATES = ['pending', 'delivered', 'failed', 'held'];
/** The interval at which the list is refreshed while a delivery is under way, ms. */
const WATCH_MS = 2_000;

/** Shows the endpoint's deliveries, newest first, each with its attempts. */
export function Deliveries({ endpoint, mayResend }: { endpoint: Endpoint; mayResend: boolean }) {
  const mode = useMode();
  const { filters, cursor, set, isFiltered } = useFilters(['state', 'event_type']);
  const path = `/webhooks/${endpoint.id}/deliveries${formatQuery({ ...filters, cursor })}`;
  const page = useRead<DeliveryPage>(path, {
    refetchInterval: ({ state: { data } }) => (data?.deliveries.some(isUnderWay) ? WATCH_MS : false),
  });
  const deliveries = page.data?.deliveries ?? [];
  const download = (
    <Downloads
      of="deliveries"
      size="xs"
      files={[
        {
          title: 'Deliveries',
          path: `/api/${mode}/webhooks/${endpoint.id}/deliveries/export`,
          query: filters,
        },
      ]}
    />
  );
  return (
    <Section title="Deliveries" actions={download}>
      <Group gap="sm" mb="sm">
        <NativeSelect
          label="State"
          size="xs"
          data={[{ value: '', label: 'Any' }, ...STATES]}
          value={filters.state}
          onChange={(event) => set('state', event.currentTarget.value)}
        />
        <NativeSelect
          label="Event"
          size="xs"
          data={[{ value: '', label: 'Any' }, ...EVENT_TYPES]}
          value={filters.event_type}
          onChange={(event) => set('event_type', event.currentTarget.value)}
        />
      </Group>
      {page.isError && <FailureNote error={page.error} onRetry={() => void page.refetch()} />}
      {page.isPending && <SkeletonRows count={4} />}
      {page.data && deliveries.length === 0 && (
        <Text c="dimmed" size="sm">
          {isFiltered || page.data.next_cursor !== null
            ? 'None here fits.'
            : mayResend
              ? 'Nothing was sent yet. Send a test event, or pay a group payment.'
              : 'Nothing was sent yet.'}
        </Text>
      )}
      {deliveries.map((delivery) => (
        <DeliveryItem key={delivery.id} endpoint={endpoint} delivery={delivery} mayResend={mayResend} />
      ))}
      {page.data && <Pager next={page.data.next_cursor} />}
    </Section>
  );
}

const isUnderWay = (delivery: DeliveryPage['deliveries'][number]): boolean =>
  delivery.resend_pending || delivery.state === 'pending';
