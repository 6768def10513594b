import { Alert, Anchor, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { GroupPaymentDetail, TimelineEntry } from '../../../../src/http/api.ts';
import { Distance, Instant } from '../../parts/instant.tsx';
import { findTone } from '../../parts/tone.ts';
import { useMode } from '../../shell/mode.ts';
import { formatFailure } from './failure-words.ts';
import { TechnicalDetail } from './technical-detail.tsx';
import { formatActor, formatHeadline } from './timeline-words.ts';

/** Shows the whole timeline, newest first: of the group, its payments, and the deliveries to webhook endpoints. */
export function Timeline({ detail }: { detail: GroupPaymentDetail }) {
  return (
    <>
      {detail.is_webhooks_missing && (
        <Alert color="yellow" mb="md">
          Webhook deliveries cannot be read at the moment and are missing below.
        </Alert>
      )}
      <ol className="timeline" aria-label="What happened, newest first">
        {detail.timeline.toReversed().map((entry, index) => (
          <li key={`${entry.at} ${index}`} data-tone={findTone(entry.what)} data-kind={entry.kind}>
            <Entry entry={entry} detail={detail} />
          </li>
        ))}
      </ol>
      {detail.is_timeline_cut && (
        <Text size="sm" c="dimmed">
          Older entries are left out.
        </Text>
      )}
    </>
  );
}

function Entry({ entry, detail }: { entry: TimelineEntry; detail: GroupPaymentDetail }) {
  return (
    <>
      <Text size="sm" fw={600}>
        {formatHeadline(entry, detail)}
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

function WebhookFacts({ webhook }: { webhook: NonNullable<TimelineEntry['webhook']> }) {
  const mode = useMode();
  const { endpoint_id, attempts, next_attempt_at } = webhook;
  return (
    <>
      <Anchor component={Link} to={`/${mode}/webhooks/${endpoint_id}`} size="xs">
        {attempts === 1 ? '1 attempt' : `${attempts} attempts`}
      </Anchor>
      {next_attempt_at && (
        <span>
          next <Distance to={next_attempt_at} />
        </span>
      )}
    </>
  );
}
