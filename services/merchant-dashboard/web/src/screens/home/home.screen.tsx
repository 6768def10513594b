import { Skeleton } from '@mantine/core';
import type { Setup } from '../../../../src/http/api.ts';
import { useRead } from '../../api/mode-api.ts';
import { CreateButton } from '../../parts/create-button.tsx';
import { FailureNote } from '../../parts/failure-note.tsx';
import { Page } from '../../parts/page.tsx';
import { useMode } from '../../shell/mode.ts';
import { useMay, useMayCreate, useMember } from '../../shell/session.ts';
import { Charts } from './charts.tsx';
import { GettingStarted } from './getting-started.tsx';
import { listSteps } from './steps.ts';

/** Shows the steps of the setup until all are done, and afterwards the charts of money and webhooks. */
export default function Home() {
  const mode = useMode();
  const setup = useRead<Setup>('/setup');
  const member = useMember();
  const mayCreate = useMayCreate();
  const mayConnect = useMay('gateways.manage') && mode === 'test';
  const steps = setup.data && listSteps(setup.data, mode);
  const isReady = steps?.every(({ isDone }) => isDone);
  return (
    <Page
      title={`${mode === 'test' ? 'Test' : 'Live'} overview`}
      lead={member?.merchant_name}
      actions={mayCreate && <CreateButton />}
    >
      {setup.isError && <FailureNote error={setup.error} onRetry={() => void setup.refetch()} />}
      {setup.isPending && <Placeholder />}
      {steps && !isReady && (
        <GettingStarted
          steps={steps}
          mode={mode}
          maySandbox={mayConnect && setup.data?.sandbox_url != null}
        />
      )}
      {setup.data?.has_group_payment && <Charts />}
    </Page>
  );
}

const Placeholder = () => <Skeleton height={420} role="status" aria-label="Loading" />;
