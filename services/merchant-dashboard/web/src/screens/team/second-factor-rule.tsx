import { Switch, Title } from '@mantine/core';
import { send } from '../../api/send.ts';
import { useMay } from '../../shell/session.ts';

/** Runs a change of the team and shows the message when it is done. */
export type RunChange = (message: string, work: () => Promise<unknown>) => Promise<void>;

/** Lets an owner demand a second factor of everybody in the team. */
export function SecondFactorRule({ isRequired, change }: { isRequired: boolean; change: RunChange }) {
  const mayRule = useMay('team.rule');
  const message = isRequired
    ? 'Second factors are up to each member.'
    : 'Members without a second factor add one before anything else.';
  return (
    <section>
      <Title order={2} size="h4" mb="sm">
        Security
      </Title>
      <Switch
        label="Everybody needs a second factor"
        description="Members without one have to add it at their next request. Owners set this rule."
        checked={isRequired}
        disabled={!mayRule}
        onChange={(event) => {
          const required = event.currentTarget.checked;
          void change(message, () => send('/api/team/second-factor', { method: 'PUT', body: { required } }));
        }}
      />
    </section>
  );
}
