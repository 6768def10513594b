import { Button, Group, Progress, Text } from '@mantine/core';
import { Link } from 'react-router';
import { Icon } from '../../parts/icon.tsx';
import { nameRoles } from '../../parts/role-note.tsx';
import { Section } from '../../parts/section.tsx';
import type { Mode } from '../../shell/mode.ts';
import { useMember } from '../../shell/session.ts';
import { SandboxButton } from './sandbox-button.tsx';
import { NEW_PAYMENT, type Step } from './steps.ts';

type Props = {
  readonly steps: readonly Step[];
  readonly mode: Mode;
  /** The user may connect an account at the sandbox from here. */
  readonly maySandbox: boolean;
};

/** Shows the steps to a first payment; the next one is highlighted. Steps that the role may not do say who may. */
export function GettingStarted({ steps, mode, maySandbox }: Props) {
  const permissions = useMember()?.permissions ?? [];
  const done = steps.filter(({ isDone }) => isDone).length;
  const next = steps.findIndex(({ isDone }) => !isDone);
  const payment = steps.some(({ path, isDone }) => path === NEW_PAYMENT && !isDone)
    ? `/${mode}/${NEW_PAYMENT}`
    : undefined;
  return (
    <Section title={mode === 'test' ? 'Your first test payment' : 'Going live'}>
      <Group gap="sm" mb="sm" wrap="nowrap">
        <Progress value={(done / steps.length) * 100} flex={1} aria-label="Steps done" />
        <Text size="sm" c="dimmed">
          {done} of {steps.length} done
        </Text>
      </Group>
      <ol className="steps">
        {steps.map((step, index) => (
          <li key={step.title} data-done={step.isDone} data-next={index === next}>
            <span className="step-mark" aria-hidden>
              {step.isDone ? <Icon name="check" size={16} /> : index + 1}
            </span>
            <div>
              <Text fw={600}>
                {step.title}
                {step.isDone && (
                  <Text component="span" size="sm" c="dimmed">
                    {' '}
                    · done
                  </Text>
                )}
              </Text>
              {!step.isDone && (
                <Text size="sm" c="dimmed">
                  {step.why}
                </Text>
              )}
              {!step.isDone && !permissions.includes(step.permission) && (
                <Text size="sm" mt={4}>
                  Only {nameRoles(step.permission)} can do this: ask one of them.
                </Text>
              )}
            </div>
            {!step.isDone && permissions.includes(step.permission) && (
              <Group gap="xs">
                {step.path === 'gateways' && maySandbox && <SandboxButton next={payment} />}
                <Button
                  component={Link}
                  to={`/${mode}/${step.path}`}
                  size="xs"
                  variant={index === next && !(step.path === 'gateways' && maySandbox) ? 'filled' : 'default'}
                >
                  {step.action}
                </Button>
              </Group>
            )}
          </li>
        ))}
      </ol>
    </Section>
  );
}
