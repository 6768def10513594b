import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useModeApi } from '../../api/mode-api.ts';
import { FailureNote } from '../../parts/failure-note.tsx';
import { GATEWAYS } from '../../gateways.ts';
import { useAct } from '../account/use-act.ts';

const [FIRST] = GATEWAYS;

/** Connects the first gateway to an account at the sandbox, and stays on the page, whose next step then is a payment. */
export function SandboxButton() {
  const api = useModeApi();
  const { act, isBusy, error } = useAct();
  if (!FIRST) return null;
  const connect = () =>
    act(async () => {
      await api.send('/sandbox-account', { method: 'POST', body: { psp_code: FIRST.psp } });
      notifications.show({ message: `${FIRST.name} is connected to a sandbox account.` });
      await api.changed('');
    });
  return (
    <>
      <Button size="xs" loading={isBusy} onClick={() => void connect()}>
        Use a sandbox account
      </Button>
      {error !== undefined && <FailureNote error={error} />}
    </>
  );
}
