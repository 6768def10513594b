import { Anchor, Button, Group, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { GroupPaymentPage } from '../../../../src/http/api.ts';
import { useRead } from '../../api/mode-api.ts';
import { Distance } from '../../parts/instant.tsx';
import { Section } from '../../parts/section.tsx';
import { StateBadge } from '../../parts/state-badge.tsx';
import { describeExpiry, listUpcoming } from './upcoming.ts';

type Props = {
  /** The current time of the test clock. */
  readonly now: string;
  readonly mayMove: boolean;
  readonly isMoving: boolean;
  readonly onAdvance: (seconds: number) => void;
};

/** Shows the groups that would expire, soonest first, among the latest open ones. */
export function Upcoming({ now, mayMove, isMoving, onAdvance }: Props) {
  const open = useRead<GroupPaymentPage>('/group-payments?state=open&limit=100');
  const partly = useRead<GroupPaymentPage>('/group-payments?state=partially_preauthorised&limit=100');
  const groups = [...(open.data?.group_payments ?? []), ...(partly.data?.group_payments ?? [])];
  const upcoming = listUpcoming(groups, new Date(now));
  return (
    <Section title="What happens next">
      {upcoming.length === 0 ? (
        <Text size="sm" c="dimmed">
          {open.isPending || partly.isPending
            ? 'Looking…'
            : mayMove
              ? 'No open group payment. Create one, then travel past its expiry to see its holds released.'
              : 'No open group payment.'}
        </Text>
      ) : (
        <ul className="plain-list" aria-label="Group payments that expire next">
          {upcoming.map(({ group, seconds }) => (
            <li key={group.id}>
              <Group justify="space-between" gap="xs">
                <div>
                  <Anchor component={Link} to={`/test/group-payments/${group.id}`} size="sm" fw={600}>
                    {group.group_name}
                  </Anchor>{' '}
                  <StateBadge state={group.state} />
                  <Text size="xs" c="dimmed">
                    expires <Distance to={group.expires_at} from={new Date(now)} />: {describeExpiry(group)}
                  </Text>
                </div>
                {mayMove && !isMoving && (
                  <Button
                    size="xs"
                    variant="default"
                    aria-label={`Travel there: the expiry of ${group.group_name}`}
                    onClick={() => onAdvance(seconds)}
                  >
                    Travel there
                  </Button>
                )}
              </Group>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
