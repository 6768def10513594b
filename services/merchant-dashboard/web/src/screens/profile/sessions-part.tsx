import { Badge, Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { SessionItem } from '../../../../src/http/api.ts';
import { send } from '../../api/send.ts';
import { FailureNote } from '../../parts/failure-note.tsx';
import { When } from '../account/when.tsx';

const AT = '/api/profile/sessions';

/** Shows the user's sessions, each with a button that ends it. */
export function SessionsPart() {
  const sessions = useQuery({
    queryKey: ['sessions'],
    queryFn: () => send<{ sessions: SessionItem[] }>(AT),
  });
  const end = useMutation({
    mutationFn: (id: string) => send(id === '' ? AT : `${AT}/${id}`, { method: 'DELETE' }),
    onSuccess: () => sessions.refetch(),
  });
  const all = sessions.data?.sessions ?? [];
  return (
    <section>
      <Title order={2} size="h4" mb="sm">
        Where you are logged in
      </Title>
      <Stack>
        {sessions.isPending && <Skeleton height={80} />}
        {sessions.isError && <FailureNote error={sessions.error} />}
        {end.isError && <FailureNote error={end.error} />}
        {all.map(({ id, user_agent, address, last_seen_at, is_this }) => (
          <Group key={id} justify="space-between" wrap="nowrap">
            <div>
              <Text size="sm" fw={600}>
                {findBrowser(user_agent)} {is_this && <Badge size="sm">This one</Badge>}
              </Text>
              <Text size="xs" c="dimmed">
                from {address ?? 'an unknown address'}, last seen <When at={last_seen_at} />
              </Text>
            </div>
            {!is_this && (
              <Button size="xs" variant="default" onClick={() => end.mutate(id)}>
                Log out<span className="visually-hidden"> {findBrowser(user_agent)}</span>
              </Button>
            )}
          </Group>
        ))}
        {all.length > 1 && (
          <Group>
            <Button variant="default" loading={end.isPending} onClick={() => end.mutate('')}>
              Log out everywhere else
            </Button>
          </Group>
        )}
      </Stack>
    </section>
  );
}

const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/Edg\//, 'Edge'],
  [/Firefox\//, 'Firefox'],
  [/Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];

function findBrowser(userAgent: string | null): string {
  return BROWSERS.find(([pattern]) => pattern.test(userAgent ?? ''))?.[1] ?? 'Another program';
}
