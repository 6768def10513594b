import { Button, Group, Modal, Radio, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Endpoint, RolledEndpoint } from '../../../../src/http/api.ts';
import { useModeApi } from '../../api/mode-api.ts';
import { FailureNote } from '../../parts/failure-note.tsx';

const OVERLAPS = [
  {
    value: '86400',
    label: 'A day',
    description: 'Deliveries carry both signatures; change your server within it',
  },
  { value: '3600', label: 'An hour', description: 'The same, for a change that is already prepared' },
  { value: '604800', label: 'A week', description: 'The same, for a change that needs time' },
  { value: '0', label: 'Not at all', description: 'The old secret ends now: for one that has leaked' },
];

/** Gives the endpoint a new signing secret; deliveries are also signed with the old one for a while. */
export function RollButton({
  endpoint,
  onRolled,
}: {
  endpoint: Endpoint;
  onRolled: (secret: string) => void;
}) {
  const api = useModeApi();
  const [isOpen, setOpen] = useState(false);
  const [overlap, setOverlap] = useState('86400');
  const roll = useMutation({
    mutationFn: async () => {
      const body = { overlap_seconds: Number(overlap) };
      const rolled = await api.send<RolledEndpoint>(`/webhooks/${endpoint.id}/roll-secret`, {
        method: 'POST',
        body,
      });
      onRolled(rolled.secret);
    },
    onSuccess: () => setOpen(false),
  });
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        Roll secret
      </Button>
      <Modal opened={isOpen} onClose={() => setOpen(false)} title="Roll the signing secret">
        <Stack gap="sm">
          <Text size="sm">
            A new secret is made and shown once. How long should the old one go on signing, too?
          </Text>
          <Radio.Group
            value={overlap}
            onChange={setOverlap}
            aria-label="How long the old secret goes on signing"
          >
            <Stack gap="xs">
              {OVERLAPS.map((option) => (
                <Radio key={option.value} {...option} />
              ))}
            </Stack>
          </Radio.Group>
          {roll.isError && <FailureNote error={roll.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={() => setOpen(false)}>
              Back
            </Button>
            <Button loading={roll.isPending} onClick={() => roll.mutate()}>
              Roll secret
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
