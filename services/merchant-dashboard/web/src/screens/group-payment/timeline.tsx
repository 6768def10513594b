import { Alert, Text } from '@mantine/core';
import type { GroupPaymentDetail, GroupPaymentIntent, TimelineEntry } from '../../../../src/http/api.ts';
import { Instant } from '../../parts/instant.tsx';
import { findTone, type Tone } from '../../parts/tone.ts';
import { Entry, Steps } from './entry.tsx';
import { PaymentChapter } from './payment-chapter.tsx';
import { buildStory, nameChapter, type Chapter } from './story.ts';
import { formatDeliveries } from './timeline-words.ts';

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
        {buildStory(detail.timeline, detail.payments).map((chapter) => (
          <ChapterItem key={nameChapter(chapter)} chapter={chapter} detail={detail} />
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

function ChapterItem({ chapter, detail }: { chapter: Chapter; detail: GroupPaymentDetail }) {
  if (chapter.kind === 'payment')
    return (
      <li data-tone={findPaymentTone(chapter.payment)} data-kind="payment">
        <PaymentChapter {...chapter} slots={detail.slots} />
      </li>
    );
  if (chapter.kind === 'entry')
    return (
      <li data-tone={findTone(chapter.entry.what)} data-kind={chapter.entry.kind}>
        <Entry entry={chapter.entry} />
      </li>
    );
  const { deliveries } = chapter;
  const [newest] = deliveries;
  if (!newest) return null;
  return (
    <li
      data-tone={findTone(deliveries.find(({ what }) => what !== 'delivered')?.what ?? 'delivered')}
      data-kind="webhook"
    >
      {deliveries.length === 1 ? (
        <Entry entry={newest} />
      ) : (
        <WebhookChapter deliveries={deliveries} newest={newest} />
      )}
    </li>
  );
}

const findPaymentTone = ({ state, is_disputed }: GroupPaymentIntent): Tone =>
  findTone(is_disputed ? 'disputed' : state);

function WebhookChapter({
  deliveries,
  newest,
}: {
  deliveries: readonly TimelineEntry[];
  newest: TimelineEntry;
}) {
  return (
    <>
      <Text size="sm" fw={600}>
        {formatDeliveries(deliveries)}
      </Text>
      <Text size="xs" c="dimmed" component="div">
        <Instant at={newest.at} hasSeconds />
      </Text>
      <Steps name="Show them" entries={deliveries} />
    </>
  );
}
