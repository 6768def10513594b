import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useNavigate } from 'react-router';
import { useModeApi } from '../../api/mode-api.ts';
import { FailureNote } from '../../parts/failure-note.tsx';
import { AS_NEXT_STEP } from '../new-payment/next-step.ts';
import { GATEWAYS } from '../../gateways.ts';
import { useAct } from '../account/use-act.ts';

const [FIRST] = GATEWAYS;

/** Connects the first gateway to an account at the sandbox, and opens the step that comes next where that is a form. */
export function SandboxButton({ next }: { next: string | undefined }) {
  const api = useModeApi();
  const navigate = useNavigate();
  const { act, isBusy, error } = useAct();
  if (!FIRST) return null;
  const connect = () =>
    act(async () => {
      await api.send('/sandbox-account', { method: 'POST', body: { psp_code: FIRST.psp } });
      notifications.show({ message: `${FIRST.name} is connected to a sandbox account.` });
      await api.changed('');
      if (next !== undefined) await navigate(next, { state: AS_NEXT_STEP });
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
