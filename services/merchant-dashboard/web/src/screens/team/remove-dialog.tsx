import { Checkbox, Text } from '@mantine/core';
import { useState } from 'react';
import type { TeamMember } from '../../../../src/http/api.ts';
import { send } from '../../api/send.ts';
import { useAct } from '../account/use-act.ts';
import { ActDialog } from '../keys/key-dialogs.tsx';

type Props = {
  readonly member: TeamMember;
  readonly onDone: () => Promise<void>;
  readonly onClose: () => void;
};

/** Asks whether a member's API keys end together with the membership. */
export function RemoveDialog({ member, onDone, onClose }: Props) {
  const { email, live_keys: keys } = member;
  const [endKeys, setEndKeys] = useState(keys > 0);
  const act = useAct();
  const remove = () =>
    act.act(async () => {
      await send(`/api/team/members/${member.id}?end_keys=${String(endKeys)}`, { method: 'DELETE' });
      await onDone();
    });
  return (
    <ActDialog
      title={`Remove ${email}`}
      verb="Remove now"
      color="red"
      act={act}
      onAct={remove}
      onClose={onClose}
    >
      <Text size="sm">Every session of {email} ends at once.</Text>
      {keys > 0 && (
        <Checkbox
          label={`End the ${keys === 1 ? 'API key' : `${keys} API keys`} this member made`}
          description="Servers that use them are refused within a second. Keys that go on are marked in the list."
          checked={endKeys}
          onChange={(event) => setEndKeys(event.currentTarget.checked)}
        />
      )}
    </ActDialog>
  );
}
