import { Alert, Button, Group, Skeleton, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { TestClock as Clock } from '../../../../src/http/api.ts';
import { send } from '../../api/send.ts';
import { useRead } from '../../api/mode-api.ts';
import { formatSpan } from '../../format/instant.ts';
import { FailureNote } from '../../parts/failure-note.tsx';
import { Instant } from '../../parts/instant.tsx';
import { Page } from '../../parts/page.tsx';
import { RoleNote } from '../../parts/role-note.tsx';
import { Section } from '../../parts/section.tsx';
import { useMay } from '../../shell/session.ts';
import { Advance } from './advance.tsx';
import { Upcoming } from './upcoming-list.tsx';

const WATCH_MS = 1_000;

/** Shows the test clock, moves it, and lists what would expire next. */
export default function TestClock() {
  const clock = useRead<Clock>('/clock', {
    refetchInterval: ({ state }) => (state.data?.state === 'advancing' ? WATCH_MS : false),
  });
  useSettledData(clock.data?.state);
  const mayMove = useMay('test.manage');
  const move = useMove();
  const isMoving = move.isPending || clock.data?.state === 'advancing';
  return (
    <Page
      title="Test clock"
      lead="Travel forward in test mode: reservations end, groups expire, webhooks are retried, in order, as they would."
    >
      <RoleNote permission="test.manage" to="move the test clock" />
      {clock.isError && <FailureNote error={clock.error} onRetry={() => void clock.refetch()} />}
      {clock.isPending && <Skeleton height={150} mb="lg" role="status" aria-label="Loading" />}
      {clock.data && (
        <Section title="Now">
          <Now clock={clock.data} isMoving={isMoving} />
          {move.isError && <FailureNote error={move.error} />}
          {mayMove && (
            <>
              <Advance isMoving={isMoving} onAdvance={(seconds) => move.mutate({ seconds })} />
              {clock.data.ahead_seconds > 0 && (
                <Group mt="lg">
                  <Button variant="default" disabled={isMoving} onClick={() => move.mutate('reset')}>
                    Back to real time
                  </Button>
                  <Text size="sm" c="dimmed">
                    Nothing that happened is undone. Begin with new group payments afterwards.
                  </Text>
                </Group>
              )}
            </>
          )}
        </Section>
      )}
      {clock.data && (
        <Upcoming
          now={clock.data.now}
          mayMove={mayMove}
          isMoving={isMoving}
          onAdvance={(seconds) => move.mutate({ seconds })}
        />
      )}
    </Page>
  );
}

function Now({ clock, isMoving }: { clock: Clock; isMoving: boolean }) {
  return (
    <div role="status">
      <Text fz={24} fw={650}>
        <Instant at={clock.now} />
      </Text>
      <Text size="sm" c="dimmed">
        {clock.ahead_seconds === 0
          ? 'The same as real time.'
          : `${formatSpan(clock.ahead_seconds)} ahead of real time.`}
      </Text>
      {isMoving && (
        <Alert color="cyan" variant="light" mt="sm" p="xs">
          {clock.remaining_seconds > 0
            ? `Travelling: ${formatSpan(clock.remaining_seconds)} to go.`
            : 'Travelling: what falls due on the way is done first.'}
        </Alert>
      )}
    </div>
  );
}

/** Reads data of test mode again when the clock has settled: what fell due on the way may have changed it. */
function useSettledData(state: Clock['state'] | undefined): void {
  const queries = useQueryClient();
  const before = useRef(state);
  useEffect(() => {
    if (before.current === 'advancing' && state === 'settled')
      void queries.invalidateQueries({ queryKey: ['test'] });
    before.current = state;
  }, [queries, state]);
}

/** Moves the clock: the answer comes before it has moved, and the screen then watches it. */
function useMove() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (to: { seconds: number } | 'reset') =>
      to === 'reset'
        ? send<Clock>('/api/test/clock/reset', { method: 'POST', body: {} })
        : send<Clock>('/api/test/clock/advance', { method: 'POST', body: to }),
    onSuccess: (clock) => queries.setQueryData(['test', 'clock'], clock),
    onSettled: () => queries.invalidateQueries({ queryKey: ['test'] }),
  });
}
