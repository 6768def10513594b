import { Button, Stack } from '@mantine/core';
import { useAct } from '../screens/account/use-act.ts';
import { FailureNote } from './failure-note.tsx';

type Props = {
  /** Has one of the user's passkeys sign; rejects when the user or the device refuses. */
  readonly use: () => Promise<unknown>;
  readonly onDone: () => void | Promise<void>;
  /** The user has no other way: the button is the main one. */
  readonly isOnlyWay?: boolean;
};

/** A button that uses a passkey, with the reason when that failed. */
export function PasskeyButton({ use, onDone, isOnlyWay = false }: Props) {
  const { act, isBusy, error } = useAct();
  const press = () =>
    void act(async () => {
      await use();
      await onDone();
    });
  return (
    <Stack>
      {error !== undefined && <FailureNote error={error} />}
      <Button variant={isOnlyWay ? 'filled' : 'default'} loading={isBusy} onClick={press}>
        Use a passkey
      </Button>
    </Stack>
  );
}
