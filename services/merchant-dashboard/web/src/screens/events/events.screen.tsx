import { Button, Group, NativeSelect, Text, TextInput } from '@mantine/core';
import type { EventPage, ListedEvent } from '../../../../src/http/api.ts';
import { formatQuery, useRead } from '../../api/mode-api.ts';
import { useFilters } from '../../parts/address.ts';
import { DayFields } from '../../parts/day-fields.tsx';
import { Downloads } from '../../parts/downloads.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { FailureNote } from '../../parts/failure-note.tsx';
import { Instant } from '../../parts/instant.tsx';
import { Page } from '../../parts/page.tsx';
import { Pager, Rows, SkeletonRows } from '../../parts/rows.tsx';
import { SavedFilters } from '../../parts/saved-filters.tsx';
import { useMode } from '../../shell/mode.ts';
import { EVENT_MEANINGS, EVENT_TYPES } from '../webhooks/event-types.ts';

const FILTERS = ['type', 'group_payment_id', 'created_after', 'created_before', 'delivered'] as const;
const COLUMNS = [
  ['Event', 'minmax(0, 2fr)'],
  ['What it tells', 'minmax(0, 2fr)'],
  ['Group payment', 'minmax(0, 1fr)'],
  ['When', '170px'],
] as const;

/** Shows all events of the last 30 days, as they were sent to receivers. */
export default function Events() {
  const mode = useMode();
  const address = useFilters(FILTERS);
  const page = useRead<EventPage>(`/events${formatQuery({ ...address.filters, cursor: address.cursor })}`);
  const events = page.data?.events ?? [];
  const isEmpty = page.data && events.length === 0 && page.data.next_cursor === null;
  const download = (
    <Downloads
      of="events"
      files={[{ title: 'Events', path: `/api/${mode}/events/export`, query: address.filters }]}
    />
  );
  return (
    <Page
      title="Events"
      lead="What happened in the last 30 days, whether or not an endpoint was told."
      actions={download}
    >
      <EventFilters address={address} />
      {page.isError && <FailureNote error={page.error} onRetry={() => void page.refetch()} />}
      {page.isPending && <SkeletonRows />}
      {isEmpty && (
        <EmptyState icon="list" title={address.isFiltered ? 'Nothing matches' : 'No events yet'}>
          {address.isFiltered
            ? 'No event of the last 30 days fits what you are looking for.'
            : 'An event is written whenever money of a group payment is held, captured, given back or fails.'}
        </EmptyState>
      )}
      {events.length > 0 && (
        <Rows
          label="Events"
          columns={COLUMNS}
          items={events}
          toKey={({ id }) => id}
          toHref={({ id }) => `/${mode}/events/${id}`}
          cells={renderCells}
        />
      )}
      {page.data && <Pager next={page.data.next_cursor} />}
    </Page>
  );
}

const renderCells = (event: ListedEvent) => [
  event.type,
  EVENT_MEANINGS[event.type],
  <GroupOfEvent key="group" event={event} />,
  <Instant key="created" at={event.created} />,
];

/** The name of an event's group payment, where it is known, and its id. */
function GroupOfEvent({ event: { data, group_name } }: { event: ListedEvent }) {
  const id = data['group_payment_id'];
  const shown = typeof id === 'string' ? id : '';
  if (group_name === null) return shown;
  return (
    <>
      {group_name}
      <Text component="span" display="block" size="xs" c="dimmed" truncate>
        {shown}
      </Text>
    </>
  );
}

function EventFilters({ address }: { address: ReturnType<typeof useFilters<(typeof FILTERS)[number]>> }) {
  const { filters, set, isFiltered, clear } = address;
  return (
    <Group align="flex-end" gap="sm" mb="md">
      <NativeSelect
        label="Type"
        size="xs"
        data={[{ value: '', label: 'Any' }, ...EVENT_TYPES]}
        value={filters.type}
        onChange={(event) => set('type', event.currentTarget.value)}
      />
      <NativeSelect
        label="Delivered"
        size="xs"
        data={[
          { value: '', label: 'Any' },
          { value: 'true', label: 'To every endpoint' },
          { value: 'false', label: 'Not to all' },
        ]}
        value={filters.delivered}
        onChange={(event) => set('delivered', event.currentTarget.value)}
      />
      <DayFields address={address} />
      <TextInput
        label="Group payment"
        size="xs"
        placeholder="its id"
        value={filters.group_payment_id}
        onChange={(event) => set('group_payment_id', event.currentTarget.value.trim())}
      />
      <SavedFilters list="events" address={address} />
      {isFiltered && (
        <Button variant="subtle" size="xs" onClick={clear}>
          Clear
        </Button>
      )}
    </Group>
  );
}
