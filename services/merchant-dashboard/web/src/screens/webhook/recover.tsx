import { Button, Group, Loader, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import type { Endpoint, Recovery } from '../../../../src/http/api.ts';
import { useModeApi, useRead } from '../../api/mode-api.ts';
import { FailureNote } from '../../parts/failure-note.tsx';
import { Section } from '../../parts/section.tsx';
import { toPeriod } from './period.ts';

const WATCH_MS = 1_000;

/** Sends again the events that the endpoint missed in a period. */
export function Recover({ endpoint }: { endpoint: Endpoint }) {
  const api = useModeApi();
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const recover = useMutation({
    mutationFn: () =>
      api.send<Recovery>(`/webhooks/${endpoint.id}/recover`, { method: 'POST', body: toPeriod(from, to) }),
    onSettled: () => api.changed('/webhooks'),
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    recover.mutate();
  };
  return (
    <Section title="Recover a period">
      <Text size="sm" c="dimmed" mb="sm">
        What failed, was kept while the endpoint was off, or was never sent to it, is sent again: oldest
        first. At most 30 days back.
      </Text>
      <form onSubmit={submit}>
        <Group align="flex-end" gap="sm">
          <TextInput
            type="date"
            label="From"
            required
            value={from}
            onChange={(event) => setFrom(event.currentTarget.value)}
          />
          <TextInput
            type="date"
            label="To (today if empty)"
            value={to}
            onChange={(event) => setTo(event.currentTarget.value)}
          />
          <Button type="submit" variant="default" loading={recover.isPending}>
            Recover
          </Button>
        </Group>
      </form>
      {recover.isError && <FailureNote error={recover.error} />}
      {recover.data && <Progress endpoint={endpoint} started={recover.data} />}
    </Section>
  );
}

function Progress({ endpoint, started }: { endpoint: Endpoint; started: Recovery }) {
  const { data = started, error } = useRead<Recovery>(`/webhooks/${endpoint.id}/recoveries/${started.id}`, {
    refetchInterval: ({ state }) => ((state.data ?? started).status === 'running' ? WATCH_MS : false),
  });
  const count = data.recovered === 1 ? '1 delivery' : `${data.recovered} deliveries`;
  if (error) return <FailureNote error={error} />;
  return (
    <Group gap="xs" mt="md" role="status">
      {data.status === 'running' && <Loader size="xs" />}
      <Text size="sm">
        {data.status === 'running' && `${count} sent again so far…`}
        {data.status === 'done' && `Done: ${count} sent again.`}
        {data.status === 'cancelled' &&
          `Ended early: the endpoint was deleted. ${count} had been sent again.`}
      </Text>
    </Group>
  );
}
