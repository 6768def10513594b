import { Anchor, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { TimelineEntry } from '../../../../src/http/api.ts';
import { Instant } from '../../parts/instant.tsx';
import { NextAttempt } from '../../parts/next-attempt.tsx';
import { useMode } from '../../shell/mode.ts';
import { formatFailure } from './failure-words.ts';
import { nameEntry } from './story.ts';
import { TechnicalDetail } from './technical-detail.tsx';
import { formatActor, formatHeadline } from './timeline-words.ts';

/** One entry of a timeline: what happened, why, when and by whom. */
export function Entry({
  entry,
  headline = formatHeadline(entry),
}: {
  entry: TimelineEntry;
  headline?: string;
}) {
  return (
    <>
      <Text size="sm" fw={600}>
        {headline}
      </Text>
      {entry.failure && <Text size="sm">{formatFailure(entry.failure)}</Text>}
      <Text size="xs" c="dimmed" component="div" className="timeline-facts">
        <Instant at={entry.at} hasSeconds />
        <span>{formatActor(entry)}</span>
        {entry.webhook && <WebhookFacts webhook={entry.webhook} />}
      </Text>
      <TechnicalDetail entry={entry} />
    </>
  );
}

type StepsProps = {
  readonly name: string;
  readonly entries: readonly TimelineEntry[];
  readonly toHeadline?: (entry: TimelineEntry) => string;
};

/** Entries that belong together, folded. */
export function Steps({ name, entries, toHeadline = formatHeadline }: StepsProps) {
  return (
    <details className="technical">
      <summary>{name}</summary>
      <ol className="timeline-steps">
        {entries.map((entry) => (
          <li key={nameEntry(entry)}>
            <Entry entry={entry} headline={toHeadline(entry)} />
          </li>
        ))}
      </ol>
    </details>
  );
}

function WebhookFacts({ webhook }: { webhook: NonNullable<TimelineEntry['webhook']> }) {
  const mode = useMode();
  const { endpoint_id, event_id, attempts, next_attempt_at } = webhook;
  return (
    <>
      <Anchor component={Link} to={`/${mode}/events/${event_id}`} size="xs">
        Event
      </Anchor>
      <Anchor component={Link} to={`/${mode}/webhooks/${endpoint_id}`} size="xs">
        {attempts === 1 ? '1 attempt' : `${attempts} attempts`}
      </Anchor>
      {next_attempt_at && (
        <span>
          <NextAttempt at={next_attempt_at} />
        </span>
      )}
    </>
  );
}
