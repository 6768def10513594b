import { Alert, Button, Code, CopyButton, Group, Image, Stack, Text, Title } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { toDataURL } from 'qrcode';
import { useState, type SubmitEvent } from 'react';
import type { NewSecondFactor, RecoveryCodes } from '../../../../src/http/api.ts';
import { send } from '../../api/send.ts';
import { FailureNote } from '../../parts/failure-note.tsx';
import { useMember } from '../../shell/session.ts';
import { CodeField } from '../account/fields.tsx';
import { useAct } from '../account/use-act.ts';

const AT = '/api/profile/second-factor';

/** Sets up and removes the second factor, a code from an app, and shows its recovery codes. */
export function SecondFactorPart() {
  const me = useMember();
  const queries = useQueryClient();
  const { act, isBusy, error } = useAct();
  const [started, setStarted] = useState<NewSecondFactor>();
  const [codes, setCodes] = useState<readonly string[]>();
  const again = () => queries.invalidateQueries({ queryKey: ['me'] });
  const begin = () =>
    act(async () => setStarted(await send<NewSecondFactor>(AT, { method: 'POST', body: {} })));
  const renew = () =>
    act(async () => {
      const path = `${AT}/recovery-codes`;
      const made = await send<RecoveryCodes>(path, { method: 'POST', body: {} });
      setCodes(made.recovery_codes);
      await again();
    });
  const remove = () =>
    act(async () => {
      await send(AT, { method: 'DELETE' });
      setCodes(undefined);
      await again();
    });
  const confirmed = async (made: RecoveryCodes) => {
    setStarted(undefined);
    setCodes(made.recovery_codes);
    await again();
  };
  return (
    <section>
      <Title order={2} size="h4" mb="sm">
        Second factor
      </Title>
      <Stack>
        {error !== undefined && <FailureNote error={error} />}
        {codes && <CodesOnce codes={codes} onDone={() => setCodes(undefined)} />}
        {me && !me.has_second_factor && !started && (
          <>
            {me.must_add_second_factor && (
              <Alert color="yellow" variant="light" title="Your team needs a second factor">
                Everything else opens as soon as you have added yours.
              </Alert>
            )}
            <Text size="sm">
              With a code from an app on your phone, a stolen password alone opens nothing. It takes a minute.
            </Text>
            <Group>
              <Button loading={isBusy} onClick={() => void begin()}>
                Set up a second factor
              </Button>
            </Group>
          </>
        )}
        {started && <Enrolment started={started} onConfirmed={confirmed} />}
        {me?.has_second_factor && (
          <>
            <Text size="sm">
              It is on. {me.recovery_codes_left} recovery code{me.recovery_codes_left === 1 ? '' : 's'} left.
            </Text>
            <Group>
              <Button variant="default" loading={isBusy} onClick={() => void renew()}>
                New recovery codes
              </Button>
              <Button variant="default" loading={isBusy} onClick={() => void remove()}>
                Turn it off
              </Button>
            </Group>
          </>
        )}
      </Stack>
    </section>
  );
}

type EnrolmentProps = {
  readonly started: NewSecondFactor;
  readonly onConfirmed: (made: RecoveryCodes) => Promise<void>;
};

function Enrolment({ started, onConfirmed }: EnrolmentProps) {
  const [code, setCode] = useState('');
  const { act, isBusy, error, findFault } = useAct();
  const picture = useQuery({
    queryKey: ['otpauth', started.otpauth_url],
    queryFn: () => toDataURL(started.otpauth_url, { margin: 1, width: 200 }),
    gcTime: 0,
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    void act(async () =>
      onConfirmed(await send<RecoveryCodes>(`${AT}/confirm`, { method: 'POST', body: { code } })),
    );
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm">1. Scan this with an authenticator app, or type the secret into it.</Text>
        {picture.data && (
          <Image src={picture.data} w={200} h={200} radius="md" alt="QR code with the secret below" />
        )}
        <Code block tabIndex={0} aria-label="Secret for the app">
          {started.secret}
        </Code>
        <Text size="sm">2. Type the code the app shows.</Text>
        {error !== undefined && findFault('code') === undefined && <FailureNote error={error} />}
        <CodeField value={code} onChange={setCode} error={findFault('code')} isFirst />
        <Group>
          <Button type="submit" loading={isBusy}>
            Turn it on
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function CodesOnce({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const text = codes.join('\n');
  return (
    <Alert color="cyan" variant="light" title="Your recovery codes" role="status">
      <Stack gap="sm">
        <Text size="sm">
          Each opens your account once if you lose your phone. Keep them somewhere safe: they are not shown
          again.
        </Text>
        <Code block tabIndex={0} aria-label="Recovery codes">
          {text}
        </Code>
        <Group>
          <CopyButton value={text}>
            {({ copied, copy }) => (
              <Button size="xs" onClick={copy}>
                {copied ? 'Copied' : 'Copy'}
              </Button>
            )}
          </CopyButton>
          <Button size="xs" variant="default" onClick={onDone}>
            I have them
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}
