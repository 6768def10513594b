import { Group, Text } from '@mantine/core';
import type { Delivery } from '../../../../src/http/api.ts';
import { CodeBlock } from '../../parts/code-block.tsx';
import { Distance, Instant } from '../../parts/instant.tsx';
import { Badge } from '../../parts/state-badge.tsx';
import { describeOutcome } from './outcome.ts';

/** Shows one request and its response. */
export function Attempt({ attempt }: { attempt: Delivery['attempts'][number] }) {
  const { tone, words } = describeOutcome(attempt);
  const headers = Object.entries(attempt.request_headers).map(([name, value]) => `${name}: ${value}`);
  const total = attempt.timings['total_ms'];
  return (
    <article className="attempt" aria-label={`Attempt ${attempt.number}`}>
      <Group gap="xs" mb={6}>
        <Text size="sm" fw={600}>
          Attempt {attempt.number}
        </Text>
        <Badge tone={tone}>{words}</Badge>
        <Text size="xs" c="dimmed">
          <Instant at={attempt.ended_at} />
          {total != null && ` · ${Math.round(total)} ms`}
          {attempt.trigger === 'manual' && ' · sent by hand'}
          {attempt.next_attempt_at && (
            <>
              {' '}
              · next <Distance to={attempt.next_attempt_at} />
            </>
          )}
        </Text>
      </Group>
      <CodeBlock label="Request" text={[`POST ${attempt.url}`, ...headers].join('\n')} />
      {attempt.http_status !== null && (
        <CodeBlock
          label="Answer"
          text={`HTTP ${attempt.http_status}\n\n${attempt.response_body ?? ''}`.trimEnd()}
        />
      )}
    </article>
  );
}
