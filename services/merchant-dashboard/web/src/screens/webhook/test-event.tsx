import { Button, Group, NativeSelect, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Delivery, Endpoint } from '../../../../src/http/api.ts';
import { useModeApi } from '../../api/mode-api.ts';
import { FailureNote } from '../../parts/failure-note.tsx';
import { Section } from '../../parts/section.tsx';
import { EVENT_TYPES } from '../webhooks/event-types.ts';

/** Sends a made-up event, to test whether the endpoint accepts it. */
export function TestEvent({ endpoint }: { endpoint: Endpoint }) {
  const api = useModeApi();
  const [type, setType] = useState<string>('group_payment.paid');
  const test = useMutation({
    mutationFn: () =>
      api.send<Delivery>(`/webhooks/${endpoint.id}/test`, { method: 'POST', body: { event_type: type } }),
    onSettled: () => api.changed('/webhooks'),
  });
  return (
    <Section title="Try it out">
      <Group align="flex-end" gap="sm">
        <NativeSelect
          label="Event"
          data={[...EVENT_TYPES]}
          value={type}
          onChange={(event) => setType(event.currentTarget.value)}
        />
        <Button
          variant="default"
          loading={test.isPending}
          disabled={!endpoint.enabled}
          onClick={() => test.mutate()}
        >
          Send test event
        </Button>
      </Group>
      <Text size="sm" c="dimmed" mt="xs" role="status">
        {test.isSuccess
          ? 'Sent. What the endpoint answered stands at the top of the deliveries.'
          : 'It is marked as a test, has amounts of zero, and goes to this endpoint alone.'}
      </Text>
      {test.isError && <FailureNote error={test.error} />}
    </Section>
  );
}
